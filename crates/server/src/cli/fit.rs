//! `ongrid fit`: fleets judged and turned into text without a service.

use std::io::{Read, Write};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use ongrid_engine_ongrid::Snapshot;
use serde_json::Value;

use crate::eft;
use crate::fitting::{Bay, Judgement, Question, Source};
use crate::routes::fits::FitBody;

/// Prints a line. A closed pipe is the reader's wish to hear no more.
macro_rules! say {
    ($($part:tt)*) => {{
        let _ = writeln!(std::io::stdout(), $($part)*);
    }};
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judge a fleet: exit code 0 legal, 2 not legal or not understood, 1 not readable
    Check {
        /// Fitting text as EVE players use it, or a setup or replay in JSON; - is standard input
        file: String,
        /// Doctrine that the fleet is to meet
        #[arg(long, value_name = "ID")]
        doctrine: Option<String>,
        /// Level of a skill, e.g. gunnery=5
        #[arg(long = "skill", value_name = "SKILL=LEVEL", value_parser = skill)]
        skills: Vec<(String, u32)>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Print the fleet of a setup or replay in JSON as fitting text
    Export {
        /// The setup or replay; - is standard input
        file: String,
    },
}

fn skill(text: &str) -> Result<(String, u32), String> {
    let (skill, level) = text.split_once('=').ok_or("write SKILL=LEVEL")?;
    let level = level.parse().map_err(|_| format!("{level:?} is no level"))?;
    Ok((skill.to_owned(), level))
}

/// Does it.
pub fn run(command: Command) -> Result<ExitCode> {
    let bay = Bay::new()?;
    match command {
        Command::Check { file, doctrine, skills, json } => {
            let question = question(&bay, &read(&file)?, doctrine, skills)?;
            let judgement = match bay.judge(&question) {
                Ok(judgement) => judgement,
                Err(no) => bail!("{file}: {no}"),
            };
            match json {
                true => say!("{}", serde_json::to_string(&FitBody::new(&judgement, bay.engine()))?),
                false => print(&judgement),
            }
            Ok(ExitCode::from(if judgement.is_legal() { 0 } else { 2 }))
        }
        Command::Export { file } => {
            let setup = setup_of(&read(&file)?)?.with_context(|| format!("{file}: no setup in JSON"))?;
            let fleet = Source::Setup(setup.to_string());
            let judged = bay.judge(&Question { fleet, doctrine: String::new(), skills: None });
            let judgement = judged.map_err(|no| anyhow::anyhow!("{file}: {no}"))?;
            if let Some(no) = judgement.rejection() {
                bail!("{file}: only a legal fleet is written: {no}");
            }
            say!("{}", eft::write(&judgement.fleet.ships).trim_end());
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn read(file: &str) -> Result<String> {
    let bytes = if file == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
        bytes
    } else {
        std::fs::read(file).with_context(|| format!("cannot read {file}"))?
    };
    String::from_utf8(bytes).with_context(|| format!("{file} is not UTF-8"))
}

fn question(bay: &Bay, text: &str, doctrine: Option<String>, skills: Vec<(String, u32)>) -> Result<Question> {
    if let Some(setup) = setup_of(text)? {
        if doctrine.is_some() || !skills.is_empty() {
            bail!("a setup in JSON has its own doctrine and skills");
        }
        return Ok(Question {
            fleet: Source::Setup(setup.to_string()),
            doctrine: String::new(),
            skills: None,
        });
    }
    let mut levels = bay.baseline();
    for (skill, level) in skills {
        levels[skill] = level.into();
    }
    let first = || bay.catalogue().doctrines.first().map_or("", |doctrine| doctrine.id).to_owned();
    Ok(Question {
        fleet: Source::Eft(text.to_owned()),
        doctrine: doctrine.unwrap_or_else(first),
        skills: Some(levels),
    })
}

/// The setup of a text that is JSON: its own, or that of the replay that it is.
fn setup_of(text: &str) -> Result<Option<Value>> {
    if !text.trim_start().starts_with('{') {
        return Ok(None);
    }
    let mut value: Value = serde_json::from_str(text).context("not JSON")?;
    Ok(Some(match value.get_mut("setup") {
        Some(setup) => setup.take(),
        None => value,
    }))
}

fn print(judgement: &Judgement) {
    let fleet = &judgement.fleet;
    for fault in &fleet.faults {
        let nearest = match &fault.nearest[..] {
            [] => String::new(),
            names => format!(" (nearest: {})", names.join(", ")),
        };
        say!("line {}: {:?}: {}{nearest}", fault.line, fault.text, fault.message);
    }
    for renamed in &fleet.renamed {
        say!("line {}: {:?} is called {} today", renamed.line, renamed.from, renamed.to);
    }
    for note in &fleet.notes {
        say!("line {}: {:?}: {}", note.line, note.text, note.message);
    }
    for sheet in &judgement.flown {
        let [shield, armor, hull] = sheet.max;
        say!(
            "{}: {} points, hit points {shield:.0} + {armor:.0} + {hull:.0}, {:.0} m/s, signature {:.0} m, \
             cpu {:.1} of {:.1}, power {:.1} of {:.1}",
            sheet.hull.name,
            sheet.hull.points,
            sheet.velocity[0],
            sheet.signature,
            sheet.cpu.used,
            sheet.cpu.of,
            sheet.power.used,
            sheet.power.of,
        );
    }
    match (&judgement.snapshot, judgement.rejection()) {
        (Some(snapshot), _) => print_calibration(judgement, snapshot),
        (None, Some(no)) => {
            let line = judgement.rejected_line().map(|line| format!("line {line}: ")).unwrap_or_default();
            say!("not legal: {line}{no}");
        }
        (None, None) => say!("not judged: {} lines mean nothing here", fleet.faults.len()),
    }
}

fn print_calibration(judgement: &Judgement, snapshot: &Snapshot) {
    if let Some(doctrine) = judgement.doctrine {
        let (points, ships) = (judgement.points(), judgement.flown.len());
        say!(
            "legal against {}: {points} of {} points, {ships} of {} ships",
            doctrine.name,
            doctrine.points,
            doctrine.max_ships
        );
    }
    say!("fit score {}, level {}, {}", snapshot.score, snapshot.level, snapshot.rack);
    for (ship, sheet) in snapshot.hostile.iter().zip(&judgement.hostile) {
        say!("  meets {} with a rack of level {}", sheet.hull.name, ship.flown_level);
    }
}
