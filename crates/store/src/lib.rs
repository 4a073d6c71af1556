//! The records of OnGrid, over Postgres and SQLite with one SQL text.
//!
//! The store knows fights, pilots, attempts, days and boards; it knows no game and no HTTP. It computes no outcome: what
//! it keeps are the bytes and the standing that an engine gave.
//!
//! - [`Store`]: opening, schema, readiness
//! - [`Submission`] → [`Recorded`]: a fight's record, one transaction, one record for the same replay
//! - [`Fight`], [`Documents`]: reading it back
//! - [`DayRecord`], [`Attempt`]: what may be fought, and who has begun
//! - [`Board`], [`Place`], [`Rank`]: the one order, and where everybody stands in it
//! - [`Order`], [`AuditRow`]: what operators do, and the trace of it
//! - [`Receipted`], [`Leaf`], [`Checkpoint`]: the log of receipts
//! - [`Scope`], [`Part`], [`Archived`]: fights read back in bulk, to be judged again
//! - [`Pilot`], [`Principal`]: who fights, and who asks
//! - [`Error`]: by what the caller can do about it

mod archive;
mod attempts;
mod boards;
mod callers;
mod days;
mod db;
mod error;
mod fights;
mod history;
mod ladder;
mod lease;
mod moderation;
mod partitions;
mod pilots;
mod place;
mod receipts;
mod recount;
mod reverify;
mod rulesets;
mod sql;
mod standings;
mod store;
mod submission;
mod sums;
mod time;
mod tokens;
mod writer;
mod writing;

pub use archive::Documents;
pub use attempts::{Attempt, AttemptState, Issued, MOST_REJECTED, NewAttempt, Rejected};
pub use boards::{BoardPage, BoardRow, Rank};
pub use days::{DayRecord, Policy, SeedPolicy};
pub use error::{Conflict, Error, Result};
pub use fights::{Fight, Kind, Void};
pub use history::{FightPage, Totals};
pub use moderation::{AuditRow, Order};
pub use pilots::{Pilot, PilotName};
pub use place::{AheadBy, Board, Place};
pub use receipts::{Checkpoint, Growth, Leaf, LogHead, Receipted};
pub use recount::{Difference, Recount};
pub use reverify::{Archived, Finding, Part, Progress, Scope};
pub use store::{Options, Store};
pub use submission::{Play, Recorded, Submission};
pub use time::{Day, Micros, Month, NotADate};
pub use tokens::{NewToken, Principal, Role, Token};
pub use writer::Batching;
