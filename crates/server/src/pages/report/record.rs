//! Outcome and fit snapshot of `ongrid-8` as the record keeps them.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The outcome (ongrid-8 §15).
#[derive(Debug, Deserialize)]
pub struct Outcome {
    /// `victory`, `defeat` or `draw`.
    pub result: String,
    /// `destruction`, `points` or `concession`.
    pub decided_by: String,
    /// The round it ended in.
    pub rounds: u32,
    /// Calls applied.
    pub calls: u32,
    /// Points.
    pub score: i64,
    /// Hit points of the pilot's side.
    pub pilot: Totals,
    /// Hit points of the hostile side.
    pub hostile: Totals,
    /// By ship id.
    pub ships: Vec<ShipOutcome>,
}

/// Hit points of a side.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Totals {
    /// Left.
    pub now: f64,
    /// Most there can be.
    pub max: f64,
}

impl Totals {
    /// The share that is left.
    pub fn share(&self) -> f64 {
        if self.max > 0.0 { self.now / self.max } else { 0.0 }
    }
}

/// What became of a ship.
#[derive(Debug, Deserialize)]
pub struct ShipOutcome {
    /// Id of its hull.
    pub hull: String,
    /// The round it was destroyed in.
    pub destroyed_round: Option<u32>,
    /// The last ship whose volley took something off it.
    pub last_shooter: Option<usize>,
    /// Hit points it took off others.
    pub damage_dealt: f64,
    /// Hit points others took off it.
    pub damage_taken: f64,
    /// Hit points left.
    pub left: Layers,
}

/// A figure for each layer.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Layers {
    /// Shield.
    pub shield: f64,
    /// Armor.
    pub armor: f64,
    /// Hull.
    pub hull: f64,
}

/// The fit snapshot (ongrid-8 §3).
#[derive(Debug, Deserialize)]
pub struct Snapshot {
    /// The pilot's fleet.
    pub pilot: Vec<PilotShip>,
    /// The hostile fleet.
    pub hostile: Vec<HostileShip>,
    /// Σ count × tier weight.
    pub score: u32,
    /// The thresholds that the score has reached.
    pub thresholds_passed: Vec<u32>,
    /// The calibration level.
    pub level: usize,
    /// Name of the level's racks.
    pub rack: String,
    /// The highest hull tier the pilot brings, by class.
    pub dials: BTreeMap<String, String>,
}

/// A pilot ship of the snapshot.
#[derive(Debug, Deserialize)]
pub struct PilotShip {
    /// Id of its hull.
    pub hull: String,
    /// The hull's tier.
    pub tier: String,
    /// Its groups.
    pub fit: Vec<Group>,
}

/// A hostile ship of the snapshot.
#[derive(Debug, Deserialize)]
pub struct HostileShip {
    /// Id of its hull.
    pub hull: String,
    /// The hull's tier.
    pub tier: String,
    /// What it is for.
    pub role: String,
    /// The level of the rack it was allowed.
    pub rack_level: usize,
    /// The level of the rack it flies.
    pub flown_level: usize,
    /// Its groups.
    pub fit: Vec<Group>,
    /// What cpu and power cost it.
    pub walk_down: Vec<Step>,
}

/// A group of a fit.
#[derive(Debug, Deserialize)]
pub struct Group {
    /// Id of its module.
    pub module: String,
    /// Id of its charge.
    pub charge: Option<String>,
    /// Number of modules.
    pub count: u32,
    /// The module's tier; of pilot ships.
    pub tier: Option<String>,
    /// What one module adds to the score; of pilot ships.
    pub weight: Option<u32>,
}

/// A step of the walk down.
#[derive(Debug, Deserialize)]
pub struct Step {
    /// `cpu` or `power`.
    pub reason: String,
    /// The module taken down.
    pub from: String,
    /// What took its place.
    pub to: Option<String>,
}
