//! What happens in a war, as an observer is told it (mind-combat §5, "Log events"). Holding is not told.

use serde::Serialize;

/// Something that happened; each has its name in `op`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Event {
    /// An attack, the player's or another mind's.
    Attack(Box<Fought>),
    /// The player changed its countermeasure.
    CountermeasureSet(CountermeasureSet),
    /// The player ended the war.
    Ended(Ended),
}

/// An attack as it was fought.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fought {
    /// Units that the attacker lost, by the order of its setup.
    pub attacker_lost: Vec<u64>,
    /// Strength of the attack, random factor included (R2).
    pub attacker_strength: f64,
    /// Buildings wrecked (R19).
    pub buildings: u64,
    /// Id of the attacker.
    pub by: String,
    /// Capital taken (R17).
    pub capital: u64,
    /// Cores destroyed (R16).
    pub cores: u64,
    /// Cycles that it cost (R21).
    pub cost: u64,
    /// What became of the countermeasure; `None` where it did not fire.
    pub countermeasure: Option<Run>,
    /// Units that the defender lost, by the order of its setup.
    pub defender_lost: Vec<u64>,
    /// Strength of the defense (R5).
    pub defender_strength: f64,
    /// The draws, in their order.
    pub draws: Vec<f64>,
    /// `conquest` or `raid`.
    pub mode: &'static str,
    /// `attack`
    pub op: &'static str,
    /// What became of the attacker's program; `None` without one.
    pub program: Option<Run>,
    /// Winner's strength over loser's (R9); `None` is infinite.
    pub ratio: Option<f64>,
    /// Sectors taken (R13).
    pub sectors: u64,
    /// Minute since the start.
    pub t: u32,
    /// Id of the defender.
    pub target: String,
    /// Users taken (R18).
    pub users: u64,
    /// Whether the attacker won (R7, R8).
    pub won: bool,
}

/// What became of a program in an attack (X1, X2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Run {
    /// It ran.
    Ran,
    /// It crashed; its compute is spent.
    Crashed,
    /// It fired without the compute and did not run.
    NoCompute,
}

/// The player changed its countermeasure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CountermeasureSet {
    /// Id of the player.
    pub by: String,
    /// `set_countermeasure`
    pub op: &'static str,
    /// Minute since the start.
    pub t: u32,
}

/// The player ended the war.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ended {
    /// `end`
    pub op: &'static str,
    /// Minute at which the war ended.
    pub t: u32,
}
