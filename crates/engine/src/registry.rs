//! Engines by tag, with their types taken away: what the service, the command line and the browser stand on.

use std::fmt;

use serde::Serialize;

use crate::envelope::leading_tag;
use crate::json::Reader;
use crate::replay::{checkpoints, unknown_engine};
use crate::trace::trace;
use crate::{
    Chain, Digest, Document, Engine, Envelope, Result, Ruleset, Scenario, Seed, Silent, Standing, Trace,
    canonical, decode, replay, write_canonical,
};

/// What the engine made of a replay. All bytes are canonical JSON, each made once.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The engine's tag.
    pub engine: &'static str,
    /// Digest of the engine's ruleset data.
    pub ruleset: Digest,
    /// The seed.
    pub seed: Seed,
    /// The canonical replay; its digest is the fight's content address.
    pub replay: Vec<u8>,
    /// SHA-256 of `replay`.
    pub replay_digest: Digest,
    /// SHA-256 of the canonical setup alone.
    pub setup_digest: Digest,
    /// Digest of the player's own doing, whatever the seed.
    pub play_digest: Digest,
    /// The outcome.
    pub outcome: Vec<u8>,
    /// SHA-256 of `outcome`.
    pub outcome_digest: Digest,
    /// The audit of the fits, where the engine has one.
    pub snapshot: Option<Vec<u8>>,
    /// SHA-256 of `snapshot`.
    pub snapshot_digest: Option<Digest>,
    /// What boards rank by.
    pub standing: Standing,
    /// How many calls were applied.
    pub calls: u32,
    /// The last checkpoint.
    pub checkpoint: u64,
    /// The low 16 bits of every checkpoint, little-endian.
    pub trail: Vec<u8>,
    /// 32-bit words drawn.
    pub rng_words: u64,
    /// Index of the first call after which the client's checkpoint differs.
    pub desync: Option<u32>,
}

/// What the engine makes of a canonical replay that was judged before: no more than what a record is held against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The outcome.
    pub outcome: Vec<u8>,
    /// The audit of the fits, where the engine has one.
    pub snapshot: Option<Document>,
    /// What boards rank by.
    pub standing: Standing,
    /// How many calls were applied.
    pub calls: u32,
    /// The last checkpoint.
    pub checkpoint: u64,
    /// The low 16 bits of every checkpoint, little-endian.
    pub trail: Vec<u8>,
    /// 32-bit words drawn.
    pub rng_words: u64,
}

/// An engine without its types.
pub trait Referee: Send + Sync {
    /// The engine's tag.
    fn tag(&self) -> &'static str;

    /// The data behind its rules.
    fn ruleset(&self) -> &Ruleset;

    /// Most calls a replay may have.
    fn max_calls(&self) -> usize;

    /// Verifies a replay.
    ///
    /// # Errors
    /// The rejection, with its place.
    fn verify(&self, replay: &[u8]) -> Result<Verdict>;

    /// Runs a replay and gives every event of it, a canonical JSON array.
    ///
    /// # Errors
    /// As [`Referee::verify`].
    fn timeline(&self, replay: &[u8]) -> Result<Vec<u8>>;

    /// Judges a replay again, without what a first verdict is stored with. Nothing of the setup is taken on trust.
    ///
    /// # Errors
    /// As [`Referee::verify`].
    fn rejudge(&self, replay: &[u8]) -> Result<Judged>;

    /// Runs a replay and looks at its state after so many calls, for each number in `after`; 0 is the state before the
    /// first call. Numbers beyond the last call that was legal are left out.
    ///
    /// # Errors
    /// Where the replay cannot be read or its setup is not legal.
    fn trace(&self, replay: &[u8], after: &[usize]) -> Result<Trace>;

    /// Runs a replay and says in the game's own terms what happened, canonical JSON.
    ///
    /// # Errors
    /// As [`Referee::verify`].
    fn report(&self, replay: &[u8]) -> Result<Vec<u8>>;

    /// The rules in the project's own words, Markdown.
    fn rules(&self) -> &'static str;

    /// Setups that come with the engine.
    fn scenarios(&self) -> &'static [Scenario];

    /// Lets the autopilot fly a setup (JSON) and gives the replay as clients write it, checkpoints included.
    ///
    /// # Errors
    /// Why the setup is not legal; paths start at the replay's root.
    fn fly(&self, setup: &str, seed: &Seed) -> Result<Vec<u8>>;
}

impl<E: Engine> Referee for E {
    fn tag(&self) -> &'static str {
        E::TAG
    }

    fn ruleset(&self) -> &Ruleset {
        Engine::ruleset(self)
    }

    fn max_calls(&self) -> usize {
        E::MAX_CALLS
    }

    fn verify(&self, bytes: &[u8]) -> Result<Verdict> {
        let decoded = decode(self, bytes)?;
        let seed = decoded.seed;
        let (verified, calls) = replay(self, decoded, &mut Silent)?;
        let canonical_calls = canonical::to_vec(&calls);
        let mut canonical_replay = Vec::new();
        write_canonical::<E>(&seed, &verified.setup, &canonical_calls, &mut canonical_replay);
        let mut play = Vec::with_capacity(canonical_replay.len());
        self.write_play(&verified.legal, &verified.setup, &mut play);
        let (setup_digest, play_digest) = if play == verified.setup {
            // All of the setup is the player's own doing: it is hashed once.
            Digest::of_both(&play, &canonical_calls)
        } else {
            play.extend_from_slice(&canonical_calls);
            (Digest::of(&verified.setup), Digest::of(&play))
        };
        let outcome = canonical::to_vec(&verified.outcome);
        let snapshot = self.snapshot_document(&verified.legal);
        Ok(Verdict {
            engine: E::TAG,
            ruleset: Engine::ruleset(self).digest(),
            seed,
            replay_digest: Digest::of(&canonical_replay),
            replay: canonical_replay,
            setup_digest,
            play_digest,
            outcome_digest: Digest::of(&outcome),
            outcome,
            snapshot_digest: snapshot.as_ref().map(Document::digest),
            snapshot: snapshot.map(|snapshot| snapshot.bytes().to_vec()),
            standing: verified.standing,
            calls: u32::try_from(calls.len()).unwrap_or(u32::MAX),
            checkpoint: verified.checkpoint,
            trail: verified.trail,
            rng_words: verified.rng_words,
            desync: verified.desync,
        })
    }

    fn timeline(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        let mut events: Vec<E::Event> = Vec::new();
        replay(self, decode(self, bytes)?, &mut events)?;
        Ok(canonical::to_vec(&events))
    }

    fn rejudge(&self, bytes: &[u8]) -> Result<Judged> {
        let (verified, calls) = replay(self, decode(self, bytes)?, &mut Silent)?;
        Ok(Judged {
            outcome: canonical::to_vec(&verified.outcome),
            snapshot: self.snapshot_document(&verified.legal),
            standing: verified.standing,
            calls: u32::try_from(calls.len()).unwrap_or(u32::MAX),
            checkpoint: verified.checkpoint,
            trail: verified.trail,
            rng_words: verified.rng_words,
        })
    }

    fn trace(&self, bytes: &[u8], after: &[usize]) -> Result<Trace> {
        trace(self, decode(self, bytes)?, after)
    }

    fn report(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        let mut events: Vec<E::Event> = Vec::new();
        let (verified, _) = replay(self, decode(self, bytes)?, &mut events)?;
        Ok(canonical::to_vec(&Engine::report(self, &verified.legal, &events, &verified.outcome)))
    }

    fn rules(&self) -> &'static str {
        E::RULES
    }

    fn scenarios(&self) -> &'static [Scenario] {
        E::SCENARIOS
    }

    fn fly(&self, setup: &str, seed: &Seed) -> Result<Vec<u8>> {
        let mut json = Reader::new(setup);
        // As faults of a legal shape do, those of the shape itself name their place from the replay's root.
        let read = self.read_setup(&mut json).map_err(|no| no.under("setup"))?;
        json.end()?;
        let legal = self.check(read)?;
        let calls = Engine::fly(self, &legal, seed);
        let links = checkpoints(self, &legal, seed, &calls)?;
        let links: Vec<String> = links.into_iter().map(Chain::hex).collect();
        Ok(canonical::to_vec(&Flown {
            calls: &calls,
            checkpoints: &links,
            engine: E::TAG,
            ruleset: Engine::ruleset(self).digest(),
            seed: seed.hex(),
            setup: self.setup(&legal),
        }))
    }
}

/// A replay as a client writes it.
#[derive(Serialize)]
struct Flown<'a, S, C> {
    calls: &'a [C],
    checkpoints: &'a [String],
    engine: &'static str,
    ruleset: Digest,
    seed: String,
    setup: &'a S,
}

/// The engines known here, by tag.
#[derive(Default)]
pub struct Registry {
    referees: Vec<Box<dyn Referee>>,
}

impl Registry {
    /// The tag of a replay as far as it can be told without judging it: of one that begins with a known tag.
    pub fn leading_tag(&self, replay: &[u8]) -> Option<&'static str> {
        leading_tag(replay).and_then(|tag| self.get(tag)).map(Referee::tag)
    }

    /// A registry of these engines.
    ///
    /// # Panics
    /// If two have the same tag: a list written down wrong.
    pub fn new(referees: Vec<Box<dyn Referee>>) -> Self {
        for (index, referee) in referees.iter().enumerate() {
            assert!(
                referees[..index].iter().all(|other| other.tag() != referee.tag()),
                "{} twice",
                referee.tag()
            );
        }
        Self { referees }
    }

    /// The tags, in the order of the list.
    pub fn tags(&self) -> Vec<&'static str> {
        self.iter().map(Referee::tag).collect()
    }

    /// The engines, in the order of the list.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Referee> {
        self.referees.iter().map(|referee| &**referee)
    }

    /// The engine with exactly this tag.
    pub fn get(&self, tag: &str) -> Option<&dyn Referee> {
        self.iter().find(|referee| referee.tag() == tag)
    }

    /// The engine that a replay names.
    ///
    /// # Errors
    /// `format` where the text is not sound or names none, `engine` where it names an unknown one.
    pub fn referee_of(&self, replay: &[u8]) -> Result<&dyn Referee> {
        // Most documents begin with their engine; whatever else is wrong with them, that engine finds it out.
        if let Some(referee) = leading_tag(replay).and_then(|tag| self.get(tag)) {
            return Ok(referee);
        }
        let envelope = Envelope::scan(replay)?;
        let tag = envelope.tag()?;
        self.get(&tag).ok_or_else(|| unknown_engine(&tag, &self.tags()))
    }

    /// Verifies a replay of any engine.
    ///
    /// # Errors
    /// The rejection, with its place.
    pub fn verify(&self, replay: &[u8]) -> Result<Verdict> {
        self.referee_of(replay)?.verify(replay)
    }

    /// What happened in a replay of any engine, in its game's own terms, canonical JSON.
    ///
    /// # Errors
    /// As [`Registry::verify`].
    pub fn report(&self, replay: &[u8]) -> Result<Vec<u8>> {
        self.referee_of(replay)?.report(replay)
    }

    /// Every event of a replay of any engine, a canonical JSON array.
    ///
    /// # Errors
    /// As [`Registry::verify`].
    pub fn timeline(&self, replay: &[u8]) -> Result<Vec<u8>> {
        self.referee_of(replay)?.timeline(replay)
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Registry{:?}", self.tags())
    }
}

/// Serialised as the verified result of conventions, "Result": what the command line prints.
impl Serialize for Verdict {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let raw = |bytes: &[u8]| {
            let text = String::from_utf8(bytes.to_vec()).map_err(serde::ser::Error::custom)?;
            serde_json::value::RawValue::from_string(text).map_err(serde::ser::Error::custom)
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("status", "verified")?;
        map.serialize_entry("engine", self.engine)?;
        map.serialize_entry("ruleset", &self.ruleset)?;
        map.serialize_entry("replay_digest", &self.replay_digest)?;
        map.serialize_entry("outcome_digest", &self.outcome_digest)?;
        map.serialize_entry("outcome", &raw(&self.outcome)?)?;
        map.serialize_entry("standing", &self.standing)?;
        if let Some(snapshot) = &self.snapshot {
            map.serialize_entry("snapshot", &raw(snapshot)?)?;
        }
        if let Some(call) = self.desync {
            map.serialize_entry("desync", &Desync { call, checkpoint: Chain::hex(self.checkpoint) })?;
        }
        map.end()
    }
}

#[derive(Serialize)]
struct Desync {
    call: u32,
    checkpoint: String,
}
