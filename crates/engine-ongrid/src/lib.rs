//! The ruleset `ongrid-8`: a pilot's fleet against a doctrine's, call by call (the rules, §1 … §17).
//!
//! Pure: no clock, no thread, no file, no unordered map; the same replay gives the same bits on every machine. The
//! data of the rules are embedded and held against the digest that the tag stands for.
//!
//! Where to find what: `attribute`, `catalogue`, `rules`, `rows` (the data) · `pipeline`, `ship` (§1) · `legal`, `known` (§2) ·
//! `racks`, `calibration` (§3) · `grid` (§4) · `fight` (§5) · `call`, `judge` (§6) · `fire`, `formulas` (§7, §8) · `effect`,
//! `activate` (§9, §10) · `outcome` (§11) · `hostile` (§12) · `state` (§14) · `setup` (§15) · `event` (§17) · `bay` (figures
//! as flown) · `dump` (the state for a person).

mod activate;
mod attribute;
pub mod autopilot;
mod bay;
mod calibration;
mod call;
mod catalogue;
mod dump;
mod effect;
mod event;
mod fight;
mod fire;
mod formulas;
mod grid;
mod hostile;
mod judge;
mod known;
mod legal;
mod names;
mod outcome;
pub mod pipeline;
mod racks;
mod report;
mod roster;
mod rows;
mod rules;
mod setup;
mod ship;
mod standard;
mod state;
pub mod view;

use std::sync::Arc;

use ongrid_engine::json::Reader;
use ongrid_engine::{
    Digest, Document, End, Engine, Observer, Rejection, Result, Ruleset, RulesetError, Scenario, Seed, Tally,
};

use known::Known;

pub use attribute::{Class, Layer, Side, Stance};
pub use bay::{Act, ActiveSheet, Fitted, GroupSheet, Share, ShipSheet, WeaponSheet, WorkSheet, take_off};
pub use calibration::{FittedGroup, HostileShip, PilotShip, Snapshot, WalkedDown, WeighedGroup};
pub use call::{Action, Call};
pub use catalogue::{
    Catalogue, Charge, Doctrine, Hardpoint, Hull, HullClass, HullTier, Module, Role, Sensor, Slot, Tier,
};
pub use event::{Event, What, Why};
pub use fight::Fight;
pub use legal::Legal;
pub use outcome::{DecidedBy, Layers, Outcome, ShipOutcome, Totals, Verdict};
pub use report::{DamageShare, FinalBlow, Report, RoundReport, ShipReport};
pub use rules::{Rules, Skill};
pub use setup::{MAX_GROUPS, MAX_LABEL, Setup};
pub use standard::FleetShip;

/// The tag of the ruleset.
pub const TAG: &str = "ongrid-8";

/// SHA-256 over rules.toml, hulls.json, modules.json, charges.json and doctrines.toml: what the tag stands for.
pub const RULESET: &str = "6aead2cee0a97c325b3e78fab9d107b5efd8de5b4caa86d4ac1b8ff652a570be";

/// Most calls of a replay (http-api, "Limits").
pub const MAX_CALLS: usize = 512;

/// The engine.
#[derive(Clone, Debug)]
pub struct OnGrid {
    catalogue: &'static Catalogue,
    ruleset: Ruleset,
    known: Arc<Known>,
}

impl OnGrid {
    /// The engine over the embedded data. The first of a process reads them and computes every rack there is.
    ///
    /// # Errors
    /// Where a byte of the data was changed under the same tag, or where they cannot be read.
    pub fn new() -> Result<Self, RulesetError> {
        let ruleset = Ruleset::new(TAG, &catalogue::FILES, RULESET)?;
        let catalogue = Catalogue::embedded().map_err(|fault| RulesetError {
            tag: TAG,
            expected: fault.to_owned(),
            found: Digest(ruleset.digest().0),
        })?;
        racks::prepare();
        Ok(Self { catalogue, ruleset, known: Arc::default() })
    }

    /// The same engine, to which no fleet is known: what a fleet costs that was never seen before.
    #[must_use]
    pub fn afresh(&self) -> Self {
        Self { known: Arc::default(), ..self.clone() }
    }

    /// An engine that goes by other constants (`rules.toml`) under the same tag: for tests, which must find it out. What
    /// the constants fold into racks keeps the figures of the tag.
    ///
    /// # Errors
    /// Where they cannot be read.
    #[cfg(feature = "faults")]
    pub fn altered(rules: &'static str) -> Result<Self, String> {
        let honest = Self::new().map_err(|fault| fault.to_string())?;
        Ok(Self { catalogue: Catalogue::altered(rules)?, known: Arc::default(), ..honest })
    }

    /// The data.
    pub fn catalogue(&self) -> &'static Catalogue {
        self.catalogue
    }

    /// Judges a setup that comes alone, as JSON text: its shape, its legality (§2), the fleet it meets (§3). The
    /// canonical setup is [`Engine::setup`] of the answer, the audit [`Engine::snapshot`].
    ///
    /// # Errors
    /// `format`, `limit`, and the codes of §2; paths are rooted at `/setup`, as in a replay.
    pub fn judge(&self, setup: &str) -> Result<Legal> {
        let mut json = Reader::new(setup);
        let read = self.read_setup(&mut json).and_then(|setup| json.end().map(|()| setup));
        self.check(read.map_err(|fault| fault.under("setup"))?)
    }
}

impl Engine for OnGrid {
    const TAG: &'static str = TAG;
    const MAX_CALLS: usize = MAX_CALLS;
    const NAMES_SURPLUS_CALL: bool = true;
    const FORMAT_NAMES_CALL: bool = false;

    const RULES: &'static str = include_str!("../rules.md");
    const SCENARIOS: &'static [Scenario] = &[];

    type Setup = Setup;
    type Call = Call;
    type Legal = Legal;
    type Fight = Fight;
    type Event = Event;
    type Outcome = Outcome;
    type Snapshot = Snapshot;
    type Report = Report;

    fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    fn read_setup(&self, json: &mut Reader<'_>) -> Result<Setup> {
        Setup::read(self.catalogue, json)
    }

    fn read_call(&self, json: &mut Reader<'_>) -> Result<Call> {
        Call::read(json)
    }

    fn check(&self, setup: Setup) -> Result<Legal> {
        self.known.judge(setup)
    }

    fn setup<'a>(&self, legal: &'a Legal) -> &'a Setup {
        &legal.0.setup
    }

    /// The fleet alone: the doctrine is the day's and the skills are registered.
    fn write_play(&self, legal: &Legal, _canonical: &[u8], out: &mut Vec<u8>) {
        legal.0.canonical.write_fleet(out);
    }

    fn snapshot(&self, legal: &Legal) -> Option<Snapshot> {
        Some(Snapshot::new(legal))
    }

    fn snapshot_document(&self, legal: &Legal) -> Option<Document> {
        let document = || Document::new(Snapshot::new(legal).to_canonical());
        Some(legal.0.snapshot.get_or_init(document).clone())
    }

    fn start<O: Observer<Event>>(&self, legal: &Legal, seed: &Seed, watch: &mut O) -> Fight {
        let mut fight = Fight::new(legal, seed);
        fight.begin(watch);
        fight
    }

    fn write_setup(&self, legal: &Legal, out: &mut Vec<u8>) {
        out.extend_from_slice(legal.0.canonical.bytes());
    }

    fn write_start(&self, legal: &Legal, _canonical: &[u8], seed: &Seed, out: &mut Vec<u8>) {
        legal.0.canonical.write_start(seed, out);
    }

    fn encode(&self, fight: &Fight, out: &mut Vec<u8>) {
        out.extend_from_slice(fight.grid.image.bytes());
    }

    fn state<'a>(&self, fight: &'a Fight, _scratch: &'a mut Vec<u8>) -> &'a [u8] {
        fight.grid.image.bytes()
    }

    fn dump(&self, fight: &Fight) -> serde_json::Value {
        fight.dump()
    }

    fn apply<O: Observer<Event>>(&self, fight: &mut Fight, call: &Call, watch: &mut O) -> Result<()> {
        fight.apply(call, watch)
    }

    fn report(&self, _legal: &Self::Legal, events: &[Self::Event], outcome: &Self::Outcome) -> Self::Report {
        Report::new(events, outcome)
    }

    fn fly(&self, legal: &Self::Legal, seed: &Seed) -> Vec<Self::Call> {
        autopilot::play(self, legal, seed)
    }

    fn finish(&self, fight: &Fight, tally: Tally) -> Result<End<Outcome>> {
        let Some((result, decided_by)) = fight.grid.end else {
            let no = Rejection::new("unfinished", "the calls stop before the fight is over")
                .with_call(tally.calls as usize)
                .with_round(fight.grid.round);
            return Err(match fight.turn {
                Some(ship) => no.with_ship(ship as u32),
                None => no,
            });
        };
        let outcome = Outcome::new(fight, tally, result, decided_by);
        Ok(End { standing: outcome.standing(), rng_words: outcome.rng_words, outcome })
    }
}

#[cfg(test)]
mod vectors;
