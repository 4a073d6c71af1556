//! The command line: one binary with sub-commands, a file each.

mod board;
mod day;
pub mod diff;
mod fit;
mod pilot;
mod play;
mod receipt;
mod reverify;
mod rulesets;
pub mod serve;
mod token;
mod verify;

use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};

use crate::config::{self, Config, DEFAULTS, Sources};

/// The referee of a daily fleet fight.
#[derive(Debug, Parser)]
#[command(name = "ongrid", version, about)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the service (the default)
    Serve,
    /// Verify replays without a service: exit code 0 all verified, 2 some rejected, 1 one cannot be read
    Verify {
        /// Replay files; - is standard input
        #[arg(required = true)]
        files: Vec<String>,
        /// Print one JSON object per file
        #[arg(long)]
        json: bool,
    },

    Play(play::Play),
    /// Judge fleets, or turn them into fitting text
    #[command(subcommand)]
    Fit(fit::Command),
    /// Judge stored fights again with the engines of this build, on all cores and several machines at once: exit code 0 all
    /// as recorded, 2 some differ, 3 some cannot be read by this build, parts are left or nothing was judged
    Reverify(reverify::Options),
    /// Compare two replays, or a replay and a client's dump of a state, field by field: exit code 0 the same, 2 different
    Diff {
        /// A replay
        a: String,
        /// A replay, or {"call": k, "state": …}: the state after call k, from 0; -1 is before the first
        b: String,
    },
    /// Check receipts and the log of them, rotate keys
    #[command(subcommand)]
    Receipt(receipt::Command),
    /// Manage pilots
    #[command(subcommand)]
    Pilot(pilot::Command),
    /// Manage tokens of pilots, backends and operators
    #[command(subcommand)]
    Token(token::Command),
    /// Show days and set them ahead
    #[command(subcommand)]
    Day(day::Command),
    /// Hold boards against the records, and mend them
    #[command(subcommand)]
    Board(board::Command),
    /// List the engines of this build
    Rulesets,
    /// Bring the database up to date and end
    Migrate,
    /// Show or check the settings
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print the OpenAPI document
    Openapi,
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Print the commented defaults
    Print,
    /// Check file, environment and flags, and print the settings that would be used
    Check,
}

/// Flags that every command takes; they win over environment and file.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    /// Settings file
    #[arg(long, global = true, env = "ONGRID_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Address to listen on
    #[arg(long, global = true, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Data directory
    #[arg(long, global = true, value_name = "DIRECTORY")]
    data: Option<String>,
    /// postgres://… or sqlite://…
    #[arg(long, global = true, value_name = "URL")]
    database_url: Option<String>,
    /// Any setting, by its key
    #[arg(long = "set", global = true, value_name = "KEY=VALUE", value_parser = key_value)]
    set: Vec<(String, String)>,
}

fn key_value(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

impl Settings {
    /// The settings of all sources.
    fn load(&self) -> Result<Config> {
        Config::load(&self.sources())
    }

    fn sources(&self) -> Sources {
        let mut flags = self.set.clone();
        for (key, value) in
            [("listen", &self.listen), ("data", &self.data), ("database_url", &self.database_url)]
        {
            flags.extend(value.iter().map(|value| (key.to_owned(), value.clone())));
        }
        // A variable that is not text cannot be one of ours.
        let environment = std::env::vars_os()
            .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)));
        Sources { file: self.config.clone(), environment: environment.collect(), flags }
    }
}

/// Runs a command.
pub fn run(cli: Cli) -> Result<ExitCode> {
    match cli.command.unwrap_or(Command::Serve) {
        Command::Serve => asynchronous(serve::run(cli.settings.load()?)),
        Command::Verify { files, json } => verify::run(&files, json),

        Command::Play(play) => play::run(&play),
        Command::Fit(command) => fit::run(command),
        Command::Pilot(command) => asynchronous(pilot::run(cli.settings.load()?, command)),
        Command::Token(command) => asynchronous(token::run(cli.settings.load()?, command)),
        Command::Day(command) => asynchronous(day::run(cli.settings.load()?, command)),
        Command::Board(command) => asynchronous(board::run(cli.settings.load()?, command)),
        Command::Reverify(options) => asynchronous(reverify::run(cli.settings.load()?, options)),
        Command::Diff { a, b } => diff::run(&a, &b),
        Command::Receipt(command) => asynchronous(receipt::run(cli.settings.load()?, command)),
        Command::Rulesets => rulesets::run(),
        Command::Migrate => asynchronous(async move {
            let config = cli.settings.load()?;
            serve::open_store(&config).await?;
            println!("the database is up to date");
            Ok(ExitCode::SUCCESS)
        }),
        Command::Config(ConfigCommand::Print) => print(DEFAULTS),
        Command::Config(ConfigCommand::Check) => {
            let sources = cli.settings.sources();
            serve::check(&Config::load(&sources)?)?;
            print(&config::shown(&sources)?)
        }
        Command::Openapi => print(&crate::openapi::document()),
    }
}

/// Prints a document. A closed pipe is the reader's wish to hear no more.
fn print(text: &str) -> Result<ExitCode> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn asynchronous(work: impl Future<Output = Result<ExitCode>>) -> Result<ExitCode> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().context("tokio")?.block_on(work)
}
