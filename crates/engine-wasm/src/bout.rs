//! A fight in progress: the state, and what a client keeps beside it.

use std::sync::Arc;

use ongrid_engine::json::Reader;
use ongrid_engine::{Chain, Digest, Engine, Rejection, Result, Seed, Standing, Tally, canonical, decode};
use serde::Serialize;

use crate::Stage;

/// A fight without its types. All bytes are canonical JSON.
pub trait Bout {
    /// Applies a call and runs on to the player's next turn or the end. A call that is refused changes nothing.
    ///
    /// # Errors
    /// Code, call and path of the referee's answer to the replay with this call at its end.
    fn call(&mut self, call: &[u8]) -> Result<()>;

    /// What happened since it was last asked: [`Step`].
    fn step(&mut self) -> Vec<u8>;

    /// What the fight started from and how far it is: [`Opened`].
    fn opened(&mut self, handle: u32) -> Vec<u8>;

    /// The fight as a player sees it; `null` where the engine shows none.
    fn view(&self) -> Vec<u8>;

    /// The calls that would be legal now; `null` where they cannot be listed.
    fn legal(&self) -> Vec<u8>;

    /// The bytes that the last checkpoint was computed over, as hex digits, and the checkpoints: [`State`].
    fn state(&self) -> Vec<u8>;

    /// The replay so far, in canonical form, with ruleset and checkpoints.
    fn replay(&self) -> Vec<u8>;
}

/// What happened since the last step.
#[derive(Serialize)]
#[serde(bound = "")]
struct Step<'a, E: Engine> {
    /// Calls applied so far.
    calls: usize,
    /// The last checkpoint, 16 hex digits.
    checkpoint: String,
    /// Outcome and standing, where the replay could end here.
    end: Option<Close<E>>,
    /// In order of happening.
    events: &'a [E::Event],
}

/// How the replay would close here.
#[derive(Serialize)]
#[serde(bound = "")]
struct Close<E: Engine> {
    /// The outcome of the ruleset.
    outcome: E::Outcome,
    /// What boards rank by.
    standing: Standing,
}

/// A fight that was opened.
#[derive(Serialize)]
#[serde(bound = "")]
struct Opened<'a, E: Engine> {
    /// Index of the first call after which the checkpoint in the replay differs from this engine's.
    #[serde(skip_serializing_if = "Option::is_none")]
    desync: Option<u32>,
    /// The engine's tag.
    engine: &'static str,
    /// What the fight is asked for by.
    fight: u32,
    /// Digest of the ruleset data.
    ruleset: Digest,
    /// The canonical form, 64 hex digits.
    seed: String,
    /// The canonical form.
    setup: &'a E::Setup,
    /// The audit of the fits, where the engine has one.
    snapshot: Option<E::Snapshot>,
    /// What happened up to the player's turn.
    step: Step<'a, E>,
}

/// The replay so far, ready to be submitted.
#[derive(Serialize)]
#[serde(bound = "")]
struct Replay<'a, E: Engine> {
    /// In order.
    calls: &'a [E::Call],
    /// c₁ first.
    checkpoints: &'a [String],
    /// The engine's tag.
    engine: &'static str,
    /// Digest of the ruleset data.
    ruleset: Digest,
    /// 64 hex digits.
    seed: String,
    /// The canonical form.
    setup: &'a E::Setup,
}

/// The state as a checkpoint sees it.
#[derive(Debug, Serialize)]
struct State {
    /// c₀ first.
    checkpoints: Vec<String>,
    /// Hex digits.
    state: String,
}

/// A fight of an engine.
pub(crate) struct Running<E: Stage> {
    engine: Arc<E>,
    legal: E::Legal,
    seed: Seed,
    fight: E::Fight,
    calls: Vec<E::Call>,
    /// c₀ first.
    chain: Vec<Chain>,
    desync: Option<u32>,
    /// Not told yet.
    events: Vec<E::Event>,
}

impl<E: Stage> Running<E> {
    /// Opens a fight from a replay, whatever number of its calls was made.
    pub fn open(engine: Arc<E>, replay: &[u8]) -> Result<Self> {
        let replay = decode(&*engine, replay)?;
        let legal = engine.check(replay.setup)?;
        let mut setup = Vec::new();
        engine.encode_start(&legal, &replay.seed, &mut setup);
        let mut events = Vec::new();
        let fight = engine.start(&legal, &replay.seed, &mut events);
        let calls = Vec::with_capacity(replay.calls.len());
        let chain = vec![Chain::start(&setup)];
        let seed = replay.seed;
        let mut running = Self { engine, legal, seed, fight, calls, chain, desync: None, events };
        for (index, call) in replay.calls.into_iter().enumerate() {
            running.apply(call)?;
            let sent = replay.checkpoints.get(index);
            if running.desync.is_none() && sent.is_some_and(|sent| *sent != running.last().value()) {
                running.desync = u32::try_from(index).ok();
            }
        }
        Ok(running)
    }

    fn last(&self) -> Chain {
        self.chain[self.chain.len() - 1]
    }

    fn apply(&mut self, call: E::Call) -> Result<()> {
        // An engine need not take back what it did before it found a call illegal: a copy is played.
        let mut fight = self.fight.clone();
        let told = self.events.len();
        self.engine.apply(&mut fight, &call, &mut self.events).map_err(|no| {
            self.events.truncate(told);
            if no.call().is_some() { no } else { no.with_call(self.calls.len()) }
        })?;
        self.fight = fight;
        self.calls.push(call);
        let mut chain = self.last();
        chain.step(self.engine.state(&self.fight, &mut Vec::new()));
        self.chain.push(chain);
        Ok(())
    }

    fn state_bytes(&self) -> Vec<u8> {
        let mut state = Vec::with_capacity(4096);
        self.engine.encode(&self.fight, &mut state);
        state
    }

    fn checkpoints(&self) -> Vec<String> {
        self.chain.iter().map(|chain| Chain::hex(chain.value())).collect()
    }

    fn digest(&self) -> Digest {
        Engine::ruleset(&*self.engine).digest()
    }

    fn current_step(&self) -> Step<'_, E> {
        let calls = u32::try_from(self.calls.len()).unwrap_or(u32::MAX);
        let tally = Tally { calls, checkpoint: self.last().value() };
        let end = self.engine.finish(&self.fight, tally).ok();
        Step {
            calls: self.calls.len(),
            checkpoint: Chain::hex(self.last().value()),
            end: end.map(|end| Close { outcome: end.outcome, standing: end.standing }),
            events: &self.events,
        }
    }
}

impl<E: Stage> Bout for Running<E> {
    fn call(&mut self, call: &[u8]) -> Result<()> {
        if self.calls.len() >= E::MAX_CALLS {
            let message = format!("a replay of {} has at most {} calls", E::TAG, E::MAX_CALLS);
            let no = Rejection::new("too_many_calls", message);
            return Err(if E::NAMES_SURPLUS_CALL { no.with_call(self.calls.len()) } else { no });
        }
        let read = Reader::from_bytes(call).and_then(|mut json| {
            let call = self.engine.read_call(&mut json)?;
            json.end().map(|()| call)
        });
        let call = read.map_err(|fault| {
            let fault = fault.under(self.calls.len()).under("calls");
            if E::FORMAT_NAMES_CALL { fault.with_call(self.calls.len()) } else { fault }
        })?;
        self.apply(call)
    }

    fn step(&mut self) -> Vec<u8> {
        let step = canonical::to_vec(&self.current_step());
        self.events.clear();
        step
    }

    fn opened(&mut self, handle: u32) -> Vec<u8> {
        let opened = canonical::to_vec(&Opened {
            desync: self.desync,
            engine: E::TAG,
            fight: handle,
            ruleset: self.digest(),
            seed: self.seed.hex(),
            setup: self.engine.setup(&self.legal),
            snapshot: self.engine.snapshot(&self.legal),
            step: self.current_step(),
        });
        self.events.clear();
        opened
    }

    fn view(&self) -> Vec<u8> {
        self.engine.view(&self.fight).unwrap_or_else(null)
    }

    fn legal(&self) -> Vec<u8> {
        self.engine.legal(&self.legal, &self.fight).unwrap_or_else(null)
    }

    fn state(&self) -> Vec<u8> {
        let state = canonical::hex(&self.state_bytes());
        canonical::to_vec(&State { checkpoints: self.checkpoints(), state })
    }

    fn replay(&self) -> Vec<u8> {
        canonical::to_vec(&Replay::<E> {
            calls: &self.calls,
            checkpoints: &self.checkpoints()[1..],
            engine: E::TAG,
            ruleset: self.digest(),
            seed: self.seed.hex(),
            setup: self.engine.setup(&self.legal),
        })
    }
}

fn null() -> Vec<u8> {
    b"null".to_vec()
}
