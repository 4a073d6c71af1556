//! The binary `ongrid`: the service and its tools.

use std::process::ExitCode;

use clap::Parser;
use ongrid::cli;

/// Requests are made of small pieces that come and go on all threads: this allocator is the faster one for that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match cli::run(cli::Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("ongrid: {error:#}");
            ExitCode::FAILURE
        }
    }
}
