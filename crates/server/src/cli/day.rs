//! `ongrid day`: days from the command line.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use ongrid_engine::canonical;
use ongrid_engine_ongrid::OnGrid;
use ongrid_store::{Day, Micros, Order, Store};

use crate::cli::pilot::reason;
use crate::cli::serve::open_store;
use crate::config::Config;
use crate::day::day_of;
use crate::fleets::Fleets;

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show a day, or today and the days drawn ahead; never their secrets
    Show {
        /// YYYY-MM-DD
        day: Option<String>,
    },
    /// Set the doctrine of a day that has not begun
    Set {
        /// YYYY-MM-DD
        day: String,
        /// Id of the doctrine
        #[arg(long)]
        doctrine: String,
        /// Why; goes into the audit
        #[arg(long)]
        reason: String,
    },
}

/// Does it.
pub async fn run(config: Config, command: Command) -> Result<ExitCode> {
    let store = open_store(&config).await?;
    match command {
        Command::Show { day } => {
            let today = day_of(Micros::now(), config.day.reset);
            let (first, last) = match day {
                Some(day) => (parse(&day)?, parse(&day)?),
                None => (today, today.plus(crate::calendar::AHEAD)),
            };
            show(&store, first, last).await?;
        }
        Command::Set { day, doctrine, reason: why } => {
            let day = parse(&day)?;
            set(&store, day, &doctrine, &why).await?;
            show(&store, day, day).await?;
        }
    }
    store.close().await;
    Ok(ExitCode::SUCCESS)
}

fn parse(day: &str) -> Result<Day> {
    day.parse().map_err(|_| anyhow::anyhow!("{day:?} is no day like 2026-12-01"))
}

async fn show(store: &Store, first: Day, last: Day) -> Result<()> {
    let days = store.days(first, last).await?;
    if days.is_empty() {
        bail!("nothing is drawn yet; the service draws seven days ahead");
    }
    for day in days {
        let set = if day.doctrine_set { "set" } else { "drawn" };
        println!(
            "{}  {}  {} ({set})  {}",
            day.day,
            day.engine,
            day.doctrine,
            canonical::hex(&day.commitment)
        );
    }
    Ok(())
}

async fn set(store: &Store, day: Day, doctrine: &str, why: &str) -> Result<()> {
    let fleets = Fleets::new(OnGrid::new()?);
    if fleets.doctrine(doctrine).is_none() {
        let known: Vec<_> = fleets.doctrines().iter().map(|doctrine| doctrine.id).collect();
        bail!("there is no doctrine {doctrine:?}; known are {}", known.join(", "));
    }
    let mut record = store.day(day).await?.with_context(|| format!("{day} is not drawn yet"))?;
    record.doctrine = doctrine.to_owned();
    record.doctrine_set = true;
    store.set_day(record, Order { actor: None, reason: reason(why)?, at: Micros::now() }).await?;
    Ok(())
}
