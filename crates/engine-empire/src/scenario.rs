//! Battles that come with the engine.

use ongrid_engine::Result;
use ongrid_engine::json::Reader;

use crate::setup::{self, Setup};

/// A battle to play.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// Its name, as given on a command line.
    pub name: &'static str,
    /// One sentence for a person.
    pub about: &'static str,
    /// The setup, JSON.
    pub setup: &'static str,
}

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

impl Scenario {
    /// The scenario of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        SCENARIOS.iter().find(|scenario| scenario.name == name)
    }

    /// Its setup.
    ///
    /// # Errors
    /// None for those that come with the engine, which a test makes sure of.
    pub fn read(&self) -> Result<Setup> {
        let mut json = Reader::new(self.setup);
        let setup = setup::read(&mut json)?;
        json.end()?;
        Ok(setup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_scenarios_are_legal() {
        for scenario in SCENARIOS {
            scenario.read().unwrap_or_else(|no| panic!("{}: {no}", scenario.name));
            assert_eq!(Scenario::named(scenario.name).map(|found| found.setup), Some(scenario.setup));
        }
        assert!(Scenario::named("atlantis").is_none());
    }
}
