//! A setup (mind-combat §3) and its canonical form: fields in the order of their names, defaults left out.

use ongrid_engine::Rejection;
use ongrid_engine::json::Reader;
use serde::Serialize;

use crate::named::Named;
use crate::{Architecture, reading};

/// Cycles of a mind whose setup names none.
pub const DEFAULT_CYCLES: u64 = 96;

/// A war before its first minute. It can only be had by reading, and what can be read is legal: conventions rank
/// every fault of a setup before those of the calls.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Setup {
    hours: u32,
    minds: Vec<MindSetup>,
    #[serde(skip)]
    player: usize,
    #[serde(rename = "player")]
    player_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    protection: Option<Protection>,
}

/// Who may attack whom (X3), in parts of the attacker's power, 0 to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Protection {
    /// Most that the target may have.
    pub range_max: f64,
    /// Least that the target must have.
    pub range_min: f64,
}

/// A mind before the war.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MindSetup {
    /// What it is built as.
    pub architecture: Architecture,
    /// Its buildings; at least one core.
    pub buildings: Buildings,
    /// Its level of capability, 0 to 8.
    pub capability: u32,
    /// Its capital, 0 to 10^9.
    pub capital: u64,
    /// Compute that its programs spend, 0 to 10^9.
    #[serde(skip_serializing_if = "is_zero")]
    pub compute: u64,
    /// What it runs when it is attacked, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub countermeasure: Option<Countermeasure>,
    /// Cycles at minute 0, 0 to 10^9.
    #[serde(skip_serializing_if = "is_default_cycles")]
    pub cycles: u64,
    /// Its name.
    pub id: String,
    /// Its programs by name.
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub programs: Named<Program>,
    /// Programs that always run.
    #[serde(skip_serializing_if = "StandingPrograms::is_empty")]
    pub standing: StandingPrograms,
    /// Its sectors, 0 to 10^9.
    pub territory: u64,
    /// Its units, at most 64 kinds.
    pub units: Vec<Unit>,
    /// Its users, 0 to 10^9.
    pub users: u64,
}

/// How many buildings of each kind, 0 to 10^9.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Buildings {
    /// Cities.
    #[serde(skip_serializing_if = "is_zero")]
    pub city: u64,
    /// Cores; a mind without one is deleted.
    #[serde(skip_serializing_if = "is_zero")]
    pub core: u64,
    /// Datacenters.
    #[serde(skip_serializing_if = "is_zero")]
    pub datacenter: u64,
    /// Factories.
    #[serde(skip_serializing_if = "is_zero")]
    pub factory: u64,
    /// Firewalls.
    #[serde(skip_serializing_if = "is_zero")]
    pub firewall: u64,
    /// Labs.
    #[serde(skip_serializing_if = "is_zero")]
    pub lab: u64,
}

/// Units of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unit {
    /// Attack of each, 0 to 100000.
    pub attack: u64,
    /// How many, 0 to 10^9.
    pub count: u64,
    /// Defense of each, 0 to 100000.
    pub defense: u64,
    /// The name of the kind.
    pub kind: String,
    /// Whether they fight from afar and lose less (R12).
    #[serde(skip_serializing_if = "is_false")]
    pub ranged: bool,
}

/// A program (X1). Effects are factors: 0, or 0.001 to 10.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Program {
    /// Compute that a run costs, 0 to 10^9.
    pub compute: u64,
    /// Chance that a run crashes, 0 to 1.
    #[serde(skip_serializing_if = "is_nothing")]
    pub crash: f64,
    /// Effect on the enemy's strength.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enemy_strength: Option<f64>,
    /// Chance that the enemy misses, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub miss_chance: Option<f64>,
    /// Effect on the enemy's strength when it misses; there if and only if the chance is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub miss_factor: Option<f64>,
    /// Effect on one's own losses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_loss: Option<f64>,
    /// Effect on one's own strength.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_strength: Option<f64>,
}

/// Programs that always run, as factors in order; at most 16 a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StandingPrograms {
    /// Effects on the strength of its attacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attack: Vec<f64>,
    /// Effects on the strength of its defense.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub defense: Vec<f64>,
    /// Effects on its losses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loss: Vec<f64>,
}

/// What a mind runs when it is attacked (X2).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Countermeasure {
    /// It fires where the attacker's attack is above this many times the own defense, 0 to 2.
    #[serde(skip_serializing_if = "is_nothing")]
    pub above: f64,
    /// The program, one of the mind's own.
    pub program: String,
}

impl Setup {
    /// Most minds of a war.
    pub const MAX_MINDS: usize = 64;

    /// Reads a setup and judges it.
    ///
    /// # Errors
    /// `format`, `limit`, `bad_setup` with a path from the setup's own root, in the order of conventions, "Setups".
    pub fn read(json: &mut Reader<'_>) -> Result<Self, Rejection> {
        reading::read(json)
    }

    pub(crate) fn new(
        player: usize,
        hours: u32,
        protection: Option<Protection>,
        minds: Vec<MindSetup>,
    ) -> Self {
        Self { hours, player_id: minds[player].id.clone(), minds, player, protection }
    }

    /// Length of the war in hours, 1 to 2000.
    pub fn hours(&self) -> u32 {
        self.hours
    }

    /// The minute at which `end` ends it.
    pub fn minutes(&self) -> u32 {
        self.hours * 60
    }

    /// The minds, 2 to 64, in the order in which they act.
    pub fn minds(&self) -> &[MindSetup] {
        &self.minds
    }

    /// Index of the mind that the calls lead.
    pub fn player(&self) -> usize {
        self.player
    }

    /// Who may attack whom; `None` is anyone anyone.
    pub fn protection(&self) -> Option<&Protection> {
        self.protection.as_ref()
    }

    /// Index of the mind with this id.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.minds.iter().position(|mind| mind.id == id)
    }
}

impl Buildings {
    /// The kinds that raids wreck, in the order in which remainders are given out (X5).
    pub fn plain(&self) -> [u64; crate::formulas::PLAIN_BUILDINGS] {
        [self.city, self.datacenter, self.factory, self.lab, self.firewall]
    }

    /// All buildings but the cores.
    pub fn except_cores(&self) -> u64 {
        self.plain().iter().sum()
    }

    /// All buildings.
    pub fn total(&self) -> u64 {
        self.except_cores() + self.core
    }

    /// Takes away what was wrecked, never more than is there.
    pub(crate) fn wreck(&mut self, wrecked: [u64; crate::formulas::PLAIN_BUILDINGS]) {
        let kinds =
            [&mut self.city, &mut self.datacenter, &mut self.factory, &mut self.lab, &mut self.firewall];
        for (kind, wrecked) in kinds.into_iter().zip(wrecked) {
            *kind = kind.saturating_sub(wrecked);
        }
    }
}

impl StandingPrograms {
    /// Whether nothing runs.
    pub fn is_empty(&self) -> bool {
        self.attack.is_empty() && self.defense.is_empty() && self.loss.is_empty()
    }
}

fn is_zero(amount: &u64) -> bool {
    *amount == 0
}

fn is_default_cycles(cycles: &u64) -> bool {
    *cycles == DEFAULT_CYCLES
}

fn is_nothing(number: &f64) -> bool {
    *number == 0.0
}

fn is_false(flag: &bool) -> bool {
    !flag
}
