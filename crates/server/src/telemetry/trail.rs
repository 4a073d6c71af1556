//! The way of one replay as one span: who sent it, what the engine said, what was stored, and how long each took.

use std::time::Duration;

use ongrid_engine::Verdict;
use ongrid_store::Recorded;
use tracing::{Span, field, info, info_span};
use uuid::Uuid;

use crate::problem::Problem;

/// The span `verification`; it ends with this value, and is a line of the log then.
#[derive(Debug)]
pub struct Trail(Span);

impl Trail {
    /// Begins where a replay has been read; `pilot` where it is somebody's.
    pub fn begin(pilot: Option<Uuid>) -> Self {
        let span = info_span!(
            "verification",
            engine = field::Empty,
            pilot = pilot.map(field::display),
            fight = field::Empty,
            kind = field::Empty,
            new = field::Empty,
            calls = field::Empty,
            rounds = field::Empty,
            result = field::Empty,
            code = field::Empty,
            queue_us = field::Empty,
            verify_us = field::Empty,
            store_us = field::Empty,
        );
        Self(span)
    }

    /// The replay waited so long in the queue, and the engine took so long.
    pub fn took(&self, waited: Duration, took: Duration) {
        self.0.record("queue_us", micros(waited)).record("verify_us", micros(took));
    }

    /// The engine's verdict.
    pub fn verified(&self, verdict: &Verdict) {
        self.0.record("result", "verified").record("engine", verdict.engine);
        self.0.record("calls", verdict.calls).record("rounds", verdict.standing.rounds);
    }

    /// The engine's refusal, or why it was not asked; the tag where it is a known one.
    pub fn refused(&self, engine: Option<&str>, problem: &Problem) {
        let result = if problem.is_server_error() { "failed" } else { "rejected" };
        self.0.record("result", result).record("code", problem.code());
        if let Some(engine) = engine {
            self.0.record("engine", engine);
        }
    }

    /// What the store made of it.
    pub fn stored(&self, recorded: Option<&Recorded>, took: Duration) {
        self.0.record("store_us", micros(took));
        if let Some(recorded) = recorded {
            self.0.record("fight", field::display(recorded.fight));
            self.0.record("kind", recorded.kind.as_str()).record("new", recorded.new);
        }
    }
}

impl Drop for Trail {
    fn drop(&mut self) {
        info!(parent: &self.0, "judged");
    }
}

/// Whole microseconds.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
