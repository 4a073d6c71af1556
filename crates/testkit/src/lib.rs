//! What the tests of OnGrid stand on. Never part of the service.
//!
//! [`Postgres`] is a real server from the installed binaries, started by the first test that asks, shared by every test
//! process and gone some seconds after the last; [`Database`] is a fresh database on it. [`PrivatePostgres`] is a server
//! of one's own, to be stopped and killed.

mod postgres;
mod server;

pub use postgres::{Database, Postgres, SERVER_VARIABLE};
pub use server::PrivatePostgres;
