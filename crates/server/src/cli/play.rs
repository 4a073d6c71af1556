//! `ongrid play`: the autopilot flies a fight and its replay is written, or posted.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use ongrid_engine::{Engine, Seed};
use ongrid_engine_ongrid::OnGrid;

use crate::engines;

/// Let the autopilot fly a fight and write its replay
#[derive(Debug, Args)]
pub struct Play {
    /// Engine tag
    #[arg(long, default_value = OnGrid::TAG)]
    engine: String,
    /// ongrid-8: the doctrine to fight; the first where it is left out
    #[arg(long)]
    doctrine: Option<String>,
    /// ongrid-8: the level of the fleet's racks, 0 to 4
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..5))]
    level: u8,
    /// Other engines: a shipped scenario; the first where it is left out
    #[arg(long)]
    scenario: Option<String>,
    /// 64 hex digits or a decimal number; random where it is left out
    #[arg(long)]
    seed: Option<String>,
    /// Where to write the replay; standard output where it is left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Post the replay to this service, e.g. http://127.0.0.1:8080
    #[arg(long, value_name = "URL", requires = "token")]
    post: Option<String>,
    /// Pilot's token for --post
    #[arg(long, env = "ONGRID_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

/// Flies, writes, posts.
pub fn run(play: &Play) -> Result<ExitCode> {
    let registry = engines::registry()?;
    let known = registry.tags().join(", ");
    let Some(referee) = registry.get(&play.engine) else {
        bail!("there is no engine {:?}; known: {known}", play.engine)
    };
    let seed = match &play.seed {
        Some(text) => Seed::parse(text).map_err(|no| anyhow::anyhow!("--seed: {}", no.message()))?,
        None => {
            let mut key = [0; 32];
            getrandom::fill(&mut key)?;
            Seed::from_bytes(key)
        }
    };
    let replay = referee.fly(&setup(play)?, &seed)?;
    match &play.out {
        Some(path) => {
            std::fs::write(path, &replay).with_context(|| format!("cannot write {}", path.display()))?;
        }
        None if play.post.is_none() => {
            std::io::stdout().write_all(&replay)?;
            println!();
        }
        None => {}
    }
    match (&play.post, &play.token) {
        (Some(url), Some(token)) => post(url, token, &replay),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn setup(play: &Play) -> Result<String> {
    if play.engine == OnGrid::TAG {
        if play.scenario.is_some() {
            bail!("{} has doctrines and no scenarios: use --doctrine", OnGrid::TAG);
        }
        let engine = OnGrid::new()?;
        let doctrines = &engine.catalogue().doctrines;
        let named = |id: &String| doctrines.iter().find(|doctrine| doctrine.id == id);
        let Some(doctrine) = play.doctrine.as_ref().map_or(doctrines.first(), named) else {
            let ids: Vec<&str> = doctrines.iter().map(|doctrine| doctrine.id).collect();
            bail!(
                "there is no doctrine {}; known: {}",
                play.doctrine.as_deref().unwrap_or_default(),
                ids.join(", ")
            );
        };
        return Ok(engine.setup_at(doctrine, usize::from(play.level)));
    }
    if play.doctrine.is_some() {
        bail!("{} has scenarios and no doctrines: use --scenario", play.engine);
    }
    let registry = engines::registry()?;
    let scenarios = registry.get(&play.engine).map(|referee| referee.scenarios()).unwrap_or_default();
    let named = |name: &String| scenarios.iter().find(|scenario| scenario.name == name);
    match play.scenario.as_ref().map_or(scenarios.first(), named) {
        Some(scenario) => Ok(scenario.setup.to_owned()),
        None => {
            let names: Vec<&str> = scenarios.iter().map(|scenario| scenario.name).collect();
            bail!(
                "there is no scenario {}; known: {}",
                play.scenario.as_deref().unwrap_or_default(),
                names.join(", ")
            )
        }
    }
}

fn post(url: &str, token: &str, replay: &[u8]) -> Result<ExitCode> {
    let url = format!("{}/v1/fights", url.trim_end_matches('/'));
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let request = agent.post(&url).header("content-type", "application/json");
    let answer = request.header("authorization", format!("Bearer {token}")).send(replay);
    let mut answer = answer.with_context(|| format!("cannot post to {url}"))?;
    println!("{}", answer.body_mut().read_to_string()?);
    Ok(if answer.status().is_success() { ExitCode::SUCCESS } else { ExitCode::from(2) })
}
