//! The binary `ongrid`: the service and its tools.

use std::process::ExitCode;

use clap::Parser;
use ongrid::cli;

fn main() -> ExitCode {
    match cli::run(cli::Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("ongrid: {error:#}");
            ExitCode::FAILURE
        }
    }
}
