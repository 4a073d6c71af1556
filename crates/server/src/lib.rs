//! The service and its tools, as a library so that tests run the real thing; the binary is [`cli`].
//!
//! `routes` and `pages` stand on [`app::App`], which stands on the store and the engines; nothing below knows them.

pub mod app;
pub mod auth;
pub mod body;
pub mod calendar;
pub mod cli;
pub mod clock;
pub mod codes;
pub mod config;
pub mod day;
pub mod diff;
pub mod docs_page;
pub mod eft;
pub mod engines;
pub mod fitting;
pub mod fleets;
pub mod keyfile;
pub mod limits;
pub mod merkle;
pub mod openapi;
pub mod pages;
pub mod path;
pub mod pilots;
pub mod problem;
pub mod pulse;
pub mod receipts;
pub mod reverify;
pub mod router;
pub mod routes;
pub mod secrets;
pub mod serve;
pub mod telemetry;
pub mod translog;
pub mod verifier;
