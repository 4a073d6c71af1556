//! `empire-damage-1`: a side attacks or defends with forts, ships, land units, planes and mines, by the damage rules
//! of Empire; the other sides answer by a fixed policy.
//!
//! Rn are rules of the rules page, Xn the extensions that make a battle of them; the numbers stand beside the code
//! that implements them.
//!
//! - [`formula`]: R5–R34, X2, X4, X6, each a function of plain figures
//! - [`Setup`], [`Call`]: what is read, and written again in canonical form
//! - `cross`: the rules of a setup that no single key shows
//! - `field`: the setup with every name resolved; `fight`: what can change and how damage is applied
//! - `judge`: whether a call is legal; `action`: what it does, the others' answer (X11) included
//! - [`Event`], [`Report`]: what happened; [`Outcome`]: what it came to
//! - [`autopilot`], [`SCENARIOS`]: battles to play without a client

mod action;
pub mod autopilot;
mod call;
mod cross;
mod event;
mod field;
mod fight;
pub mod formula;
mod item;
mod judge;
mod outcome;
mod report;
pub mod scenario;
mod setup;
mod state;

use std::sync::Arc;

use ongrid_engine::json::Reader;
use ongrid_engine::{
    DataFile, End, Engine, Observer, Result, Ruleset, RulesetError, Scenario, Seed, Tally, within_work,
};

pub use call::Call;
pub use event::{Act, Event, Hit, Round, Shot};
pub use fight::{Fight, MAX_WORK};
pub use item::Item;
pub use outcome::{ById, Outcome};
pub use report::{Report, Toll};
pub use scenario::SCENARIOS;
pub use setup::Setup;

use field::Field;

/// The rules in the project's own words, with constants and the calls.
pub const RULES: &str = include_str!("../rules.md");

/// SHA-256 of the ruleset data that the tag stands for.
const RULESET_DIGEST: &str = "57112044fd8c6213612f305228d810ef43d389f251e73f57c6f0f1fa4c887082";

static DATA: [DataFile; 1] =
    [DataFile { name: "empire-damage.json", bytes: include_bytes!("../ruleset/empire-damage.json") }];

/// Where a nuclear device goes off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Burst {
    /// On the ground: hardest at ground zero (R20).
    Ground,
    /// In the air: farther (R21).
    Air,
}

/// The engine.
#[derive(Debug)]
pub struct Empire {
    ruleset: Ruleset,
}

/// A setup found legal, with its battlefield.
#[derive(Clone, Debug)]
pub struct Legal {
    setup: Setup,
    field: Arc<Field>,
}

impl Empire {
    /// The engine over its embedded data.
    ///
    /// # Errors
    /// Where the data are not those that the tag stands for.
    pub fn new() -> Result<Self, RulesetError> {
        Ok(Self { ruleset: Ruleset::new(Self::TAG, &DATA, RULESET_DIGEST)? })
    }
}

impl Engine for Empire {
    const TAG: &'static str = "empire-damage-1";
    const MAX_CALLS: usize = 5000;

    const RULES: &'static str = RULES;
    const SCENARIOS: &'static [Scenario] = SCENARIOS;

    type Setup = Setup;
    type Call = Call;
    type Legal = Legal;
    type Fight = Fight;
    type Event = Event;
    type Outcome = Outcome;
    type Snapshot = ();
    type Report = Report;

    fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Reads a setup and judges it wholly, so that its faults come before those of any call (conventions, "Setups").
    fn read_setup(&self, json: &mut Reader<'_>) -> Result<Setup> {
        setup::read(json)
    }

    fn read_call(&self, json: &mut Reader<'_>) -> Result<Call> {
        call::read(json)
    }

    /// A setup that exists was found legal when it was read.
    fn check(&self, setup: Setup) -> Result<Legal> {
        let field = Arc::new(Field::of(&setup));
        Ok(Legal { setup, field })
    }

    fn setup<'a>(&self, legal: &'a Legal) -> &'a Setup {
        &legal.setup
    }

    fn snapshot(&self, _legal: &Legal) -> Option<()> {
        None
    }

    fn start<O: Observer<Event>>(&self, legal: &Legal, seed: &Seed, _watch: &mut O) -> Fight {
        Fight::new(legal.field.clone(), seed)
    }

    fn encode(&self, fight: &Fight, out: &mut Vec<u8>) {
        state::encode(fight, out);
    }

    fn apply<O: Observer<Event>>(&self, fight: &mut Fight, call: &Call, watch: &mut O) -> Result<()> {
        let order = judge::judge(fight, call)?;
        let round = fight.round();
        fight.carry_out(order, watch);
        within_work(fight.work(), MAX_WORK).map_err(|no| no.with_round(round))
    }

    fn report(&self, legal: &Self::Legal, events: &[Self::Event], outcome: &Self::Outcome) -> Self::Report {
        let _ = outcome;
        Report::of(&legal.setup, events)
    }

    fn fly(&self, legal: &Self::Legal, seed: &Seed) -> Vec<Self::Call> {
        autopilot::play(self, legal, seed)
    }

    fn finish(&self, fight: &Fight, _tally: Tally) -> Result<End<Outcome>> {
        Ok(End {
            outcome: outcome::outcome(fight),
            standing: outcome::standing(fight),
            rng_words: fight.stream.words(),
        })
    }
}
