//! The records of OnGrid, over Postgres and SQLite with one SQL text.
//!
//! The store knows fights, pilots, attempts, days and boards; it knows no game and no HTTP. It computes no outcome: what
//! it keeps are the bytes and the standing that an engine gave.
//!
//! - [`Store`]: opening, schema, readiness
//! - [`Submission`] → [`Recorded`]: a fight's record, one transaction, one record for the same replay
//! - [`Fight`], [`Documents`]: reading it back
//! - [`Pilot`], [`Principal`]: who fights, and who asks
//! - [`Error`]: by what the caller can do about it

mod archive;
mod db;
mod error;
mod fights;
mod partitions;
mod pilots;
mod rulesets;
mod sql;
mod store;
mod submission;
mod time;
mod tokens;
mod writing;

pub use archive::Documents;
pub use error::{Conflict, Error, Result};
pub use fights::{Fight, Kind, Void};
pub use pilots::{Pilot, PilotName};
pub use store::{Options, Store};
pub use submission::{Play, Recorded, Submission};
pub use time::{Day, Micros, Month, NotADate};
pub use tokens::{NewToken, Principal, Role, Token};
