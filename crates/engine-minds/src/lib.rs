//! The ruleset `mind-combat-1`: battles, conquests and raids between minds that rank by power.
//!
//! One mind is led by the calls, the others act at their turns by a fixed policy. [`MindCombat`] is the engine.
//!
//! - [`Setup`], [`Call`]: what is read; a setup that could be read is legal
//! - [`Constants`]: the numbers of the epoch and the formulas R2–R21 over them
//! - [`War`]: the state; calls, turns, battles, the policy of the others
//! - [`Event`], [`Outcome`]: what happened and how it stands
//! - [`Report`]: the same in the words of the game
//! - [`autopilot`]: a player that plays any setup to its end
//! - [`SCENARIOS`]: setups to play

mod architecture;
pub mod autopilot;
mod battle;
mod call;
mod constants;
mod encode;
mod event;
mod formulas;
mod mind;
mod named;
mod outcome;
mod policy;
mod reading;
mod report;
pub mod scenario;
mod setup;
mod war;

use std::sync::Arc;

use ongrid_engine::json::Reader;
use ongrid_engine::{End, Engine, Observer, Result, Ruleset, RulesetError, Scenario, Seed, Tally};

pub use architecture::Architecture;
pub use call::{Attack, Call, Mode, SetCountermeasure};
pub use constants::{Combat, Constants, Cycles, Power, RULESET_DIGEST, Turns};
pub use event::{CountermeasureSet, Ended, Event, Fought, Run};
pub use formulas::{BattleOutcome, PLAIN_BUILDINGS, RaidSpoils, spread};
pub use mind::{Force, Mind};
pub use named::Named;
pub use outcome::{AllBuildings, MindOutcome, Outcome, Rank};
pub use report::{AttackReport, MindReport, Report};
pub use scenario::SCENARIOS;
pub use setup::{
    Buildings, Countermeasure, DEFAULT_CYCLES, MindSetup, Program, Protection, Setup, StandingPrograms, Unit,
};
pub use war::War;

/// The tag of the ruleset.
pub const TAG: &str = "mind-combat-1";

/// The rules in short, for players: constants and calls.
pub const RULES: &str = include_str!("../rules.md");

/// The engine.
#[derive(Debug)]
pub struct MindCombat {
    rules: Constants,
    ruleset: Ruleset,
}

/// A setup found legal.
#[derive(Clone, Debug)]
pub struct Legal(Arc<Setup>);

impl MindCombat {
    /// The engine over its embedded data.
    ///
    /// # Errors
    /// Where a byte of the data was changed under the same tag.
    pub fn new() -> Result<Self, RulesetError> {
        let (rules, ruleset) = Constants::load()?;
        Ok(Self { rules, ruleset })
    }

    /// The numbers of the epoch.
    pub fn constants(&self) -> &Constants {
        &self.rules
    }
}

impl Engine for MindCombat {
    const TAG: &'static str = TAG;
    const MAX_CALLS: usize = 5_000;

    const RULES: &'static str = RULES;
    const SCENARIOS: &'static [Scenario] = SCENARIOS;

    type Setup = Setup;
    type Call = Call;
    type Legal = Legal;
    type Fight = War;
    type Event = Event;
    type Outcome = Outcome;
    type Snapshot = ();
    type Report = Report;

    fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    fn read_setup(&self, json: &mut Reader<'_>) -> Result<Setup> {
        Setup::read(json)
    }

    fn read_call(&self, json: &mut Reader<'_>) -> Result<Call> {
        Call::read(json)
    }

    /// Never refuses: a setup was judged when it was read.
    fn check(&self, setup: Setup) -> Result<Legal> {
        Ok(Legal(Arc::new(setup)))
    }

    fn setup<'a>(&self, legal: &'a Legal) -> &'a Setup {
        &legal.0
    }

    fn snapshot(&self, _legal: &Legal) -> Option<()> {
        None
    }

    fn start<O: Observer<Event>>(&self, legal: &Legal, seed: &Seed, _watch: &mut O) -> War {
        War::new(self.rules, Arc::clone(&legal.0), seed)
    }

    fn encode(&self, war: &War, out: &mut Vec<u8>) {
        war.encode(out);
    }

    fn apply<O: Observer<Event>>(&self, war: &mut War, call: &Call, watch: &mut O) -> Result<()> {
        war.apply(call, watch)
    }

    fn report(&self, legal: &Self::Legal, events: &[Self::Event], outcome: &Self::Outcome) -> Self::Report {
        Report::new(self.setup(legal), events, outcome)
    }

    fn fly(&self, legal: &Self::Legal, seed: &Seed) -> Vec<Self::Call> {
        autopilot::play(self, legal, seed)
    }

    fn finish(&self, war: &War, _tally: Tally) -> Result<End<Outcome>> {
        Ok(war.close())
    }
}
