//! Battles that come with the ruleset.

use ongrid_engine::json::Reader;
use ongrid_engine::{Result, Scenario};

use crate::setup::Setup;

/// The battles, the plainest first.
pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "ridge-at-dawn",
        about: "Three mecha against three over rough ground at dawn, one of them taken by surprise.",
        setup: include_str!("../scenarios/ridge-at-dawn.json"),
    },
    Scenario {
        name: "night-relief",
        about: "A mecha and four people on foot hold a wood by night between a patrol and a band of raiders.",
        setup: include_str!("../scenarios/night-relief.json"),
    },
];

/// The scenario with this name.
pub fn named(name: &str) -> Option<&'static Scenario> {
    SCENARIOS.iter().find(|scenario| scenario.name == name)
}

/// The setup of a scenario.
///
/// # Errors
/// None for those that come with the engine.
pub fn read(scenario: &Scenario) -> Result<Setup> {
    let mut json = Reader::new(scenario.setup);
    let setup = Setup::read(&mut json)?;
    json.end()?;
    Ok(setup)
}
