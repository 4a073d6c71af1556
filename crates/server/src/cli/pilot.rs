//! `ongrid pilot`: pilots from the command line.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use ongrid_engine_ongrid::OnGrid;
use ongrid_store::{Micros, Order, Pilot, Store};
use uuid::Uuid;

use crate::cli::serve::open_store;
use crate::config::Config;
use crate::fleets::{Fleets, levels_json};
use crate::pilots;

/// What can be done. A pilot is named by id or by name.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Add a pilot and print a token, once
    Add {
        /// 1 to 32 visible characters
        name: String,
    },
    /// List the pilots: id, state, skills, name
    List,
    /// Give a pilot another name
    Rename {
        /// Id or name
        pilot: String,
        /// 1 to 32 visible characters
        name: String,
    },
    /// Register a pilot's skills in place of those before; a skill that is left out is at the baseline
    Skills {
        /// Id or name
        pilot: String,
        /// JSON, such as {"gunnery": 5}
        skills: String,
    },
    /// Take a pilot's runs from all boards and refuse its requests
    Ban(Act),
    /// End a ban: every run stands where it would stand had it never been
    Unban(Act),
    /// Take name, skills and tokens from a pilot for ever; fights and their digests stay
    Erase(Act),
}

/// An act that goes into the audit.
#[derive(Debug, Args)]
pub struct Act {
    /// Id or name
    pilot: String,
    /// Why; goes into the audit
    #[arg(long)]
    reason: String,
}

/// Does it.
pub async fn run(config: Config, command: Command) -> Result<ExitCode> {
    let store = open_store(&config).await?;
    perform(&store, command).await?;
    store.close().await;
    Ok(ExitCode::SUCCESS)
}

async fn perform(store: &Store, command: Command) -> Result<()> {
    match command {
        Command::Add { name } => {
            let (id, token) = pilots::add(store, &name, "made on the command line", Micros::now()).await?;
            println!("pilot {id}");
            println!("token, shown only now: {}", token.reveal());
        }
        Command::List => list(store).await?,
        Command::Rename { pilot, name } => {
            let pilot = find(store, &pilot).await?;
            let name = pilots::name(&name).map_err(anyhow::Error::msg)?;
            store.put_pilot(pilot.id, &name, pilot.skills.as_deref(), Micros::now()).await?;
            println!("pilot {} is now {}", pilot.id, name.shown);
        }
        Command::Skills { pilot, skills } => {
            let pilot = find(store, &pilot).await?;
            let name = pilots::name(&pilot.name.unwrap_or_default()).map_err(anyhow::Error::msg)?;
            let levels = Fleets::new(OnGrid::new()?).read_registered(&skills);
            let levels = levels_json(&levels.map_err(|no| anyhow::anyhow!("{no}"))?);
            store.put_pilot(pilot.id, &name, Some(&levels), Micros::now()).await?;
            println!("pilot {} has {levels}", pilot.id);
        }
        Command::Ban(act) => {
            let (pilot, order) = order(store, act).await?;
            store.ban(pilot, order).await?;
            println!("pilot {pilot} is banned");
        }
        Command::Unban(act) => {
            let (pilot, order) = order(store, act).await?;
            store.unban(pilot, order).await?;
            println!("pilot {pilot} is not banned any more");
        }
        Command::Erase(act) => {
            let (pilot, order) = order(store, act).await?;
            store.erase_pilot(pilot, order).await?;
            println!("pilot {pilot} is erased");
        }
    }
    Ok(())
}

async fn list(store: &Store) -> Result<()> {
    let mut after = Uuid::nil();
    loop {
        let page = store.pilots(after, 1000).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.id;
        for pilot in page {
            let state = match (pilot.erased_at, pilot.banned_at) {
                (Some(_), _) => "erased",
                (None, Some(_)) => "banned",
                (None, None) => "active",
            };
            let (skills, name) = (pilot.skills.unwrap_or_else(|| "{}".to_owned()), pilot.name);
            println!("{}  {state}  {skills}  {}", pilot.id, name.unwrap_or_default());
        }
    }
}

/// The pilot with this id or name.
pub async fn find(store: &Store, text: &str) -> Result<Pilot> {
    let found = match text.parse() {
        Ok(id) => store.pilot(id).await?,
        Err(_) => store.pilot_named(&pilots::name(text).map_err(anyhow::Error::msg)?.key).await?,
    };
    found.with_context(|| format!("there is no pilot {text:?}"))
}

async fn order(store: &Store, act: Act) -> Result<(Uuid, Order)> {
    let pilot = find(store, &act.pilot).await?.id;
    Ok((pilot, Order { actor: None, reason: reason(&act.reason)?, at: Micros::now() }))
}

/// Checks the reason of an act.
pub fn reason(text: &str) -> Result<String> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > 500 {
        bail!("a reason has 1 to 500 characters");
    }
    Ok(text.to_owned())
}
