//! Battles that come with the engine.

use ongrid_engine::json::Reader;
use ongrid_engine::{Engine, Result};

use crate::{Empire, Legal};

/// A battle to play.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// Its name, as given on a command line.
    pub name: &'static str,
    /// One sentence for a person.
    pub title: &'static str,
    /// The setup, JSON.
    pub setup: &'static str,
}

/// The battles that come with the engine, the usual one first.
pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "island",
        title: "Three ships, two bombers and landing troops against an island with two forts, mines and a submarine.",
        setup: include_str!("../scenarios/island.json"),
    },
    Scenario {
        name: "narrows",
        title: "A harbour's forts, torpedo boats and one small nuclear device against two fleets in the narrows.",
        setup: include_str!("../scenarios/narrows.json"),
    },
];

impl Scenario {
    /// The scenario of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        SCENARIOS.iter().find(|scenario| scenario.name == name)
    }

    /// Its setup, found legal.
    ///
    /// # Errors
    /// Of the shipped scenarios none, which a test makes sure of.
    pub fn legal(&self, engine: &Empire) -> Result<Legal> {
        let mut json = Reader::new(self.setup);
        let setup = engine.read_setup(&mut json)?;
        json.end()?;
        engine.check(setup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_scenarios_are_legal() {
        let engine = Empire::new().unwrap();
        for scenario in SCENARIOS {
            scenario.legal(&engine).unwrap_or_else(|no| panic!("{}: {no}", scenario.name));
            assert_eq!(Scenario::named(scenario.name).map(|found| found.setup), Some(scenario.setup));
        }
        assert!(Scenario::named("atlantis").is_none());
    }
}
