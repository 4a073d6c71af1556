//! `ongrid rulesets`: the engines of this build.

use std::process::ExitCode;

use crate::engines;

/// Prints tag and ruleset digest of every engine.
pub fn run() -> anyhow::Result<ExitCode> {
    for referee in engines::registry()?.iter() {
        println!(
            "{}  ruleset {}  at most {} calls",
            referee.tag(),
            referee.ruleset().digest(),
            referee.max_calls()
        );
    }
    Ok(ExitCode::SUCCESS)
}
