//! `ongrid pilot`: pilots from the command line.

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use ongrid_store::Micros;

use crate::cli::serve::open_store;
use crate::config::Config;
use crate::pilots;

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Add a pilot and print a token, once
    Add {
        /// 1 to 32 visible characters
        name: String,
    },
}

/// Does it.
pub async fn run(config: Config, command: Command) -> Result<ExitCode> {
    let store = open_store(&config).await?;
    match command {
        Command::Add { name } => {
            let (id, token) = pilots::add(&store, &name, "made on the command line", Micros::now()).await?;
            println!("pilot {id}");
            println!("token, shown only now: {}", token.reveal());
        }
    }
    Ok(ExitCode::SUCCESS)
}
