//! Setups that come with the engine, ready to play.

use ongrid_engine::json::Reader;
use ongrid_engine::{Result, Scenario};

use crate::setup::Setup;

/// All that come with the engine, the plainest first.
pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "week",
        about: "VESTA, the strongest of four minds, has a week to stay so against PIKE, LOOM and RUST.",
        setup: include_str!("../scenarios/week.json"),
    },
    Scenario {
        name: "underdog",
        about: "WICK, one of the weakest of six, must rise within three days behind good programs and strong walls.",
        setup: include_str!("../scenarios/underdog.json"),
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
