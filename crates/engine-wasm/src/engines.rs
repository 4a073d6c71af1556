//! The list of engines, and an engine shared between the referee and the fights that run.

use std::sync::Arc;

use ongrid_engine::{
    Judged, Referee, Rejection, Result, Ruleset, RulesetError, Scenario, Seed, Trace, Verdict,
};
#[cfg(feature = "others")]
use ongrid_engine_empire::Empire;
#[cfg(feature = "others")]
use ongrid_engine_mecha::MechaBattle;
#[cfg(feature = "others")]
use ongrid_engine_minds::MindCombat;
use ongrid_engine_ongrid::OnGrid;

use crate::Stage;
use crate::bout::{Bout, Running};

/// Every engine that this build has. One line each; the service has the same list and a test holds the two equal.
///
/// # Errors
/// Where the embedded data of one are not those that its tag stands for.
pub fn engines() -> Result<Vec<Box<dyn Host>>, RulesetError> {
    Ok(vec![
        Box::new(Shared::new(OnGrid::new()?)),
        #[cfg(feature = "others")]
        Box::new(Shared::new(Empire::new()?)),
        #[cfg(feature = "others")]
        Box::new(Shared::new(MindCombat::new()?)),
        #[cfg(feature = "others")]
        Box::new(Shared::new(MechaBattle::new()?)),
    ])
}

/// An engine that fights can be opened on.
pub trait Host: Referee {
    /// Opens a fight: the setup is checked, the calls that the replay has are applied.
    ///
    /// # Errors
    /// As [`Referee::verify`], but a fight that is not over is as good as any.
    fn open(&self, replay: &[u8]) -> Result<Box<dyn Bout>>;

    /// What setups are put together from; `null` where the engine does not tell.
    fn catalogue(&self) -> Vec<u8>;

    /// The same engine as a referee.
    fn referee(&self) -> Box<dyn Referee>;
}

/// An engine, shared.
struct Shared<E>(Arc<E>);

impl<E> Shared<E> {
    fn new(engine: E) -> Self {
        Self(Arc::new(engine))
    }
}

impl<E: Stage> Host for Shared<E> {
    fn open(&self, replay: &[u8]) -> Result<Box<dyn Bout>> {
        Ok(Box::new(Running::open(Arc::clone(&self.0), replay)?))
    }

    fn catalogue(&self) -> Vec<u8> {
        self.0.catalogue().unwrap_or_else(|| b"null".to_vec())
    }

    fn referee(&self) -> Box<dyn Referee> {
        Box::new(Self(Arc::clone(&self.0)))
    }
}

impl<E: Stage> Referee for Shared<E> {
    fn tag(&self) -> &'static str {
        self.0.tag()
    }

    fn ruleset(&self) -> &Ruleset {
        Referee::ruleset(&*self.0)
    }

    fn max_calls(&self) -> usize {
        self.0.max_calls()
    }

    fn verify(&self, replay: &[u8]) -> Result<Verdict> {
        self.0.verify(replay)
    }

    fn timeline(&self, replay: &[u8]) -> Result<Vec<u8>> {
        self.0.timeline(replay)
    }

    /// What no client can ask the door for takes room in a module all the same: on the machine alone, like what follows.
    fn rejudge(&self, replay: &[u8]) -> Result<Judged> {
        if cfg!(target_family = "wasm") {
            return Err(Rejection::new("rejudge", "a module judges once"));
        }
        self.0.rejudge(replay)
    }

    fn trace(&self, replay: &[u8], after: &[usize]) -> Result<Trace> {
        if cfg!(target_family = "wasm") {
            return Err(Rejection::new("trace", "a module has its fights to look at"));
        }
        self.0.trace(replay, after)
    }

    fn report(&self, replay: &[u8]) -> Result<Vec<u8>> {
        if cfg!(target_family = "wasm") {
            return Err(Rejection::new("report", "a module makes no reports"));
        }
        Referee::report(&*self.0, replay)
    }

    fn rules(&self) -> &'static str {
        if cfg!(target_family = "wasm") { "" } else { E::RULES }
    }

    fn scenarios(&self) -> &'static [Scenario] {
        if cfg!(target_family = "wasm") { &[] } else { E::SCENARIOS }
    }

    fn fly(&self, setup: &str, seed: &Seed) -> Result<Vec<u8>> {
        Referee::fly(&*self.0, setup, seed)
    }
}
