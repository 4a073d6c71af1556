//! The ruleset as an [`Engine`].

use std::sync::Arc;

use ongrid_engine::json::Reader;
use ongrid_engine::{End, Engine, Observer, Result, Ruleset, RulesetError, Scenario, Seed, Tally};

use crate::TAG;
use crate::battle::{Battle, Roster};
use crate::call::Call;
use crate::event::Event;
use crate::outcome::Outcome;
use crate::rules::Rules;
use crate::setup::Setup;

/// mecha-battle-1.
#[derive(Clone, Debug)]
pub struct MechaBattle {
    rules: Arc<Rules>,
    ruleset: Ruleset,
}

impl MechaBattle {
    /// The engine, over its embedded data.
    ///
    /// # Errors
    /// Where the data are not those that the tag stands for.
    pub fn new() -> std::result::Result<Self, RulesetError> {
        let (rules, ruleset) = Rules::load()?;
        Ok(Self { rules: Arc::new(rules), ruleset })
    }

    /// The tables and the formulas over them.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}

impl Engine for MechaBattle {
    const TAG: &'static str = TAG;
    const MAX_CALLS: usize = 5000;

    const RULES: &'static str = crate::RULES;
    const SCENARIOS: &'static [Scenario] = crate::scenario::SCENARIOS;

    type Setup = Setup;
    type Call = Call;
    type Legal = Arc<Roster>;
    type Fight = Battle;
    type Event = Event;
    type Outcome = Outcome;
    type Snapshot = ();
    type Report = crate::report::Report;

    fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Reads a setup and judges it whole, cross rules too: by conventions no call is read before that.
    fn read_setup(&self, json: &mut Reader<'_>) -> Result<Setup> {
        Setup::read(json)
    }

    fn read_call(&self, json: &mut Reader<'_>) -> Result<Call> {
        Call::read(json)
    }

    /// Never refuses: a [`Setup`] exists only after every check.
    fn check(&self, setup: Setup) -> Result<Arc<Roster>> {
        Ok(Arc::new(Roster::new(setup)))
    }

    fn setup<'a>(&self, legal: &'a Arc<Roster>) -> &'a Setup {
        legal.setup()
    }

    fn snapshot(&self, _legal: &Arc<Roster>) -> Option<()> {
        None
    }

    fn start<O: Observer<Event>>(&self, legal: &Arc<Roster>, seed: &Seed, watch: &mut O) -> Battle {
        Battle::start(Arc::clone(&self.rules), Arc::clone(legal), seed, watch)
    }

    fn encode(&self, fight: &Battle, out: &mut Vec<u8>) {
        fight.encode(out);
    }

    fn apply<O: Observer<Event>>(&self, fight: &mut Battle, call: &Call, watch: &mut O) -> Result<()> {
        fight.apply(call, watch)
    }

    fn report(&self, _legal: &Self::Legal, events: &[Self::Event], outcome: &Self::Outcome) -> Self::Report {
        crate::report::report(events, outcome)
    }

    fn fly(&self, legal: &Self::Legal, seed: &Seed) -> Vec<Self::Call> {
        crate::autopilot::play(self, legal, seed)
    }

    fn finish(&self, fight: &Battle, _tally: Tally) -> Result<End<Outcome>> {
        let (outcome, standing) = fight.outcome();
        Ok(End { rng_words: outcome.rng_words, outcome, standing })
    }
}
