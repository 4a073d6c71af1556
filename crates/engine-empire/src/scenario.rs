//! Battles that come with the engine.

use ongrid_engine::json::Reader;
use ongrid_engine::{Result, Scenario};

use crate::setup::{self, Setup};

/// The battles that come with the engine, the usual one first.
pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "island",
        about: "Three ships, two bombers and landing troops against an island with two forts, mines and a submarine.",
        setup: include_str!("../scenarios/island.json"),
    },
    Scenario {
        name: "narrows",
        about: "A harbour's forts, torpedo boats and one small nuclear device against two fleets in the narrows.",
        setup: include_str!("../scenarios/narrows.json"),
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
    let setup = setup::read(&mut json)?;
    json.end()?;
    Ok(setup)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_scenarios_are_legal() {
        for scenario in SCENARIOS {
            read(scenario).unwrap_or_else(|no| panic!("{}: {no}", scenario.name));
            assert_eq!(named(scenario.name).map(|found| found.setup), Some(scenario.setup));
        }
        assert!(named("atlantis").is_none());
    }
}
