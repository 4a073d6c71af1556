//! What players were told stays stored, whatever dies: the real binary, real databases, real signals.
//!
//! Every story ends alike ([`audit`]): acknowledged verdicts are there exactly once and whole, boards equal a recount,
//! nothing is stuck, and the service has recovered by itself. `ONGRID_FAULTS=long` (the script tests/faults-long) tells
//! them at full length.

mod audit;
mod clients;
mod database;
mod disk;
mod kill;
mod load;
mod proxy;
mod service;
mod stop;

/// How much of something: little in a usual run, all of it in the long one.
fn dose(little: u32, all: u32) -> u32 {
    if std::env::var("ONGRID_FAULTS").is_ok_and(|it| it == "long") { all } else { little }
}
