//! The contract of a ruleset.

use serde::Serialize;
use serde_json::Value;

use crate::json::Reader;
use crate::{Document, Result, Ruleset, Seed, canonical};

/// Watches a fight. Events are built only where somebody looks: the silent observer costs nothing.
pub trait Observer<Event> {
    /// Whether anybody looks. Where nobody does, an engine need not keep what events are made of; what happens is the
    /// same either way.
    fn looks(&self) -> bool {
        true
    }

    /// Takes an event; `make` builds it.
    fn see(&mut self, make: impl FnOnce() -> Event);
}

/// Nobody looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl<Event> Observer<Event> for Silent {
    fn looks(&self) -> bool {
        false
    }

    #[inline(always)]
    fn see(&mut self, _make: impl FnOnce() -> Event) {}
}

/// Keeps every event.
impl<Event> Observer<Event> for Vec<Event> {
    fn see(&mut self, make: impl FnOnce() -> Event) {
        self.push(make());
    }
}

/// What boards rank by, given by every engine (http-api, "Kinds of fight").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Whether the fight came to its end; unfinished ones never rank.
    pub finished: bool,
    /// Rounds (or turns) it took; fewer is better.
    pub rounds: u32,
    /// Points; more is better.
    pub score: i64,
}

/// What the driver counted, for outcomes that state it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// How many calls were applied.
    pub calls: u32,
    /// The last checkpoint reached.
    pub checkpoint: u64,
}

/// What an engine says at the end.
#[derive(Clone, Debug)]
pub struct End<Outcome> {
    /// The outcome of the ruleset's schema.
    pub outcome: Outcome,
    /// What boards rank by.
    pub standing: Standing,
    /// 32-bit words drawn.
    pub rng_words: u64,
}

/// A setup that comes with an engine, ready to play.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// Its name, as on a command line.
    pub name: &'static str,
    /// What it is about, one sentence.
    pub about: &'static str,
    /// The setup, JSON.
    pub setup: &'static str,
}

/// A ruleset: pure, deterministic, without I/O. `Setup`, `Call`, `Outcome` and `Snapshot` serialise to canonical
/// JSON ([`crate::canonical`]); setups and calls leave out labels and fields that hold their default.
pub trait Engine: Send + Sync + Sized + 'static {
    /// The tag, matched exactly.
    const TAG: &'static str;
    /// Most calls a replay may have (http-api, "Limits"); one more is `too_many_calls`.
    const MAX_CALLS: usize;
    /// Whether `too_many_calls` names the first surplus call (ongrid-8) or none (the others, by conventions).
    const NAMES_SURPLUS_CALL: bool = false;
    /// Whether a malformed call's `format` names the call beside its path (the others) or the path alone (ongrid-8 §15).
    const FORMAT_NAMES_CALL: bool = true;
    /// The rules and the shape of calls in the project's own words, Markdown.
    const RULES: &'static str;
    /// Setups that come with the engine, the plainest first.
    const SCENARIOS: &'static [Scenario];

    /// A setup as read: its shape is right, its legality may not yet be known.
    type Setup: Serialize;
    /// A recorded call.
    type Call: Serialize;
    /// A setup found legal: the only thing a fight can be started from.
    type Legal;
    /// A fight in progress.
    type Fight;
    /// Something that happened.
    type Event: Serialize;
    /// The outcome.
    type Outcome: Serialize;
    /// The audit of the fits; `()` where the ruleset has none.
    type Snapshot: Serialize;
    /// What happened, in the game's own terms.
    type Report: Serialize;

    /// The data behind the rules.
    fn ruleset(&self) -> &Ruleset;

    /// Reads a setup. The path of a fault starts at the setup's own root.
    fn read_setup(&self, json: &mut Reader<'_>) -> Result<Self::Setup>;

    /// Reads one call. The path of a fault starts at the call's own root.
    fn read_call(&self, json: &mut Reader<'_>) -> Result<Self::Call>;

    /// Judges the legality of a setup.
    fn check(&self, setup: Self::Setup) -> Result<Self::Legal>;

    /// The setup that was found legal.
    fn setup<'a>(&self, legal: &'a Self::Legal) -> &'a Self::Setup;

    /// Appends the part of the setup that is the player's own doing, in canonical form: with the calls it tells copied
    /// runs. `canonical` is the whole setup in that form.
    fn write_play(&self, _legal: &Self::Legal, canonical: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(canonical);
    }

    /// The audit of the fits.
    fn snapshot(&self, legal: &Self::Legal) -> Option<Self::Snapshot>;

    /// The same as canonical JSON.
    fn snapshot_document(&self, legal: &Self::Legal) -> Option<Document> {
        self.snapshot(legal).map(|snapshot| Document::new(canonical::to_vec(&snapshot)))
    }

    /// Begins the fight and runs it to the player's first turn.
    fn start<O: Observer<Self::Event>>(&self, legal: &Self::Legal, seed: &Seed, watch: &mut O)
    -> Self::Fight;

    /// Appends the canonical setup.
    fn write_setup(&self, legal: &Self::Legal, out: &mut Vec<u8>) {
        canonical::write(out, self.setup(legal));
    }

    /// Appends what `c₀` is computed over: `{"engine","seed","setup"}`, `canonical` being the canonical setup.
    fn write_start(&self, _legal: &Self::Legal, canonical: &[u8], seed: &Seed, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{");
        canonical::write_tail(Self::TAG, seed, canonical, out);
    }

    /// The same, from a legal setup.
    fn encode_start(&self, legal: &Self::Legal, seed: &Seed, out: &mut Vec<u8>) {
        let mut canonical = Vec::with_capacity(4096);
        self.write_setup(legal, &mut canonical);
        self.write_start(legal, &canonical, seed, out);
    }

    /// Appends the state that a checkpoint is computed over.
    fn encode(&self, fight: &Self::Fight, out: &mut Vec<u8>);

    /// The same, borrowed where an engine keeps it; `scratch` is room for those that write it anew.
    fn state<'a>(&self, fight: &'a Self::Fight, scratch: &'a mut Vec<u8>) -> &'a [u8] {
        scratch.clear();
        self.encode(fight, scratch);
        scratch
    }

    /// The state for a person to read, as JSON: what [`Engine::encode`] encodes, by name where the engine says so, else
    /// as hex digits.
    fn dump(&self, fight: &Self::Fight) -> Value {
        let mut state = Vec::new();
        self.encode(fight, &mut state);
        serde_json::json!({ "state": crate::canonical::hex(&state) })
    }

    /// Applies one call and runs on to the player's next turn or the end. The driver adds the call's index to a
    /// rejection that has none.
    fn apply<O: Observer<Self::Event>>(
        &self,
        fight: &mut Self::Fight,
        call: &Self::Call,
        watch: &mut O,
    ) -> Result<()>;

    /// Closes the replay after its last call.
    fn finish(&self, fight: &Self::Fight, tally: Tally) -> Result<End<Self::Outcome>>;

    /// Says in the game's own terms what happened, from every event of a fight.
    fn report(&self, legal: &Self::Legal, events: &[Self::Event], outcome: &Self::Outcome) -> Self::Report;

    /// An autopilot: a full list of calls of a plausible fight.
    fn fly(&self, legal: &Self::Legal, seed: &Seed) -> Vec<Self::Call>;
}
