//! What every ruleset of OnGrid shares.
//!
//! A replay comes in as text, is read strictly, goes call by call through an [`Engine`] and comes out as a
//! [`Verdict`] or a [`Rejection`]. This crate knows no game and does no I/O; it has no clock, no thread and no
//! unordered map, so that the same replay gives the same bits on every machine.
//!
//! - [`json`]: a strict reader that names the place of every fault
//! - [`Seed`], [`Stream`]: the generator and its draws
//! - [`schema`]: setups described as tables, checked pass by pass
//! - [`Rejection`]: the one shape of every "no"
//! - [`data`]: the embedded data of a ruleset, read into types
//! - [`canonical`]: RFC 8785 bytes and their digests
//! - [`Engine`], [`replay()`]: the contract of a ruleset and the one way a replay is run
//! - [`Referee`], [`Registry`]: engines by tag, with their types taken away

pub mod canonical;
mod checkpoint;
pub mod data;
mod engine;
mod envelope;
#[cfg(feature = "faults")]
pub mod faults;
pub mod json;
mod registry;
mod rejection;
mod replay;
mod ruleset;
pub mod schema;
mod seed;
mod stream;
mod trace;
mod work;

pub use canonical::{Digest, Document};
pub use checkpoint::Chain;
pub use engine::{End, Engine, Observer, Scenario, Silent, Standing, Tally};
pub use envelope::Envelope;
pub use registry::{Judged, Referee, Registry, Verdict};
pub use rejection::{At, Rejection, Result};
pub use replay::{Replay, Verified, checkpoints, decode, replay, write_canonical};
pub use ruleset::{DataFile, Ruleset, RulesetError};
pub use seed::Seed;
pub use stream::Stream;
pub use trace::Trace;
pub use work::within_work;

/// Longest replay text that is read at all, in bytes (http-api, "Limits").
pub const MAX_REPLAY_BYTES: usize = 256 * 1024;
