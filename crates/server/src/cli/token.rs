//! `ongrid token`: tokens from the command line.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Subcommand, ValueEnum};
use ongrid_store::{NewToken, Role, Store};
use uuid::Uuid;

use crate::auth::Token;
use crate::cli::pilot::find;
use crate::cli::serve::open_store;
use crate::config::Config;

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Issue a token and print it, once
    Issue {
        /// What it allows
        #[arg(value_enum)]
        role: RoleName,
        /// Whose it is, by id or name; for the role pilot
        #[arg(long, required_if_eq("role", "pilot"))]
        pilot: Option<String>,
        /// What it is for, at most 64 characters
        #[arg(long, default_value = "made on the command line")]
        label: String,
    },
    /// List the tokens: id, role, state, pilot, label; never their text
    List {
        /// Only those of a pilot, by id or name
        #[arg(long)]
        pilot: Option<String>,
    },
    /// Revoke a token; a running service refuses it within two seconds
    Revoke {
        /// Id of the token
        id: Uuid,
    },
}

/// What a token allows.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RoleName {
    /// Fights
    Pilot,
    /// Registers pilots: the game's server
    Backend,
    /// Moderates and sets days
    Operator,
}

/// Does it.
pub async fn run(config: Config, command: Command) -> Result<ExitCode> {
    let store = open_store(&config).await?;
    match command {
        Command::Issue { role, pilot, label } => issue(&store, role, pilot, &label).await?,
        Command::List { pilot } => list(&store, pilot).await?,
        Command::Revoke { id } => {
            store.revoke_token(id).await?;
            println!("token {id} is revoked");
        }
    }
    store.close().await;
    Ok(ExitCode::SUCCESS)
}

async fn issue(store: &Store, role: RoleName, pilot: Option<String>, label: &str) -> Result<()> {
    if label.chars().count() > 64 {
        bail!("a label has at most 64 characters");
    }
    let (role, pilot) = match (role, pilot) {
        (RoleName::Pilot, Some(pilot)) => (Role::Pilot, Some(find(store, &pilot).await?.id)),
        (RoleName::Backend, None) => (Role::Backend, None),
        (RoleName::Operator, None) => (Role::Operator, None),
        _ => bail!("a pilot's token has a pilot, the others have none"),
    };
    let token = Token::random().context("randomness")?;
    let hash = token.hash();
    let id = store.issue_token(&NewToken { role, pilot, label, secret_hash: &hash }).await?;
    println!("id {id}");
    println!("token, shown only now: {}", token.reveal());
    Ok(())
}

async fn list(store: &Store, pilot: Option<String>) -> Result<()> {
    let pilot = match pilot {
        Some(pilot) => Some(find(store, &pilot).await?.id),
        None => None,
    };
    for token in store.tokens(pilot).await? {
        let state = if token.revoked_at.is_some() { "revoked" } else { "valid" };
        let pilot = token.pilot.map_or_else(|| "-".to_owned(), |pilot| pilot.to_string());
        println!("{}  {}  {state}  {pilot}  {}", token.id, token.role.as_str(), token.label);
    }
    Ok(())
}
