//! Battles that come with the ruleset.

use ongrid_engine::Result;
use ongrid_engine::json::Reader;

use crate::setup::Setup;

/// A battle to be played.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// Its name, as on a command line.
    pub name: &'static str,
    /// One sentence for a person.
    pub about: &'static str,
    /// The setup, as a replay has it.
    pub setup: &'static str,
}

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

impl Scenario {
    /// The battle of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        SCENARIOS.iter().find(|scenario| scenario.name == name)
    }

    /// The setup, checked.
    ///
    /// # Errors
    /// As [`Setup::read`]; none for those in [`SCENARIOS`].
    pub fn read(&self) -> Result<Setup> {
        let mut json = Reader::new(self.setup);
        let setup = Setup::read(&mut json)?;
        json.end()?;
        Ok(setup)
    }
}
