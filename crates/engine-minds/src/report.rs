//! What happened, in the words of the game: attack by attack, and in total for each mind.

use std::fmt;

use serde::Serialize;

use crate::event::{Event, Fought, Run};
use crate::named::Named;
use crate::outcome::Outcome;
use crate::setup::{MindSetup, Setup};

/// A war told in the words of the game; `Display` writes it as plain text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Every attack, in order.
    pub attacks: Vec<AttackReport>,
    /// Every mind: those ranked in their order, then the deleted in setup order.
    pub minds: Vec<MindReport>,
    /// Minute reached.
    pub minute: u32,
    /// Whether the war is over.
    pub over: bool,
    /// Who won, where somebody did.
    pub winner: Option<String>,
}

/// One attack and what changed hands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttackReport {
    /// Buildings wrecked.
    pub buildings_wrecked: u64,
    /// Id of the attacker.
    pub by: String,
    /// Capital that went to the attacker.
    pub capital: u64,
    /// Cores destroyed.
    pub cores_destroyed: u64,
    /// What became of the countermeasure, where it fired.
    pub countermeasure: Option<Run>,
    /// `conquest` or `raid`.
    pub mode: &'static str,
    /// What became of the attacker's program, where it had one.
    pub program: Option<Run>,
    /// Winner's strength over loser's; `None` is infinite.
    pub ratio: Option<f64>,
    /// Sectors that went to the attacker.
    pub sectors: u64,
    /// Minute since the start.
    pub t: u32,
    /// Id of the defender.
    pub target: String,
    /// Units that the attacker lost, by kind; kinds without losses are left out.
    pub units_lost: Named<u64>,
    /// Units that the defender lost, by kind; kinds without losses are left out.
    pub units_lost_by_target: Named<u64>,
    /// Users that went to the attacker.
    pub users: u64,
    /// Whether the attacker won.
    pub won: bool,
}

/// What the war did to one mind.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MindReport {
    /// Attacks that it made.
    pub attacks: u32,
    /// Attacks of its own that it won.
    pub attacks_won: u32,
    /// Buildings of its own that were wrecked, cores excepted.
    pub buildings_lost: u64,
    /// Buildings of others that it wrecked.
    pub buildings_wrecked: u64,
    /// Capital raided from it.
    pub capital_lost: u64,
    /// Capital that it raided.
    pub capital_taken: u64,
    /// Cores of others that it destroyed.
    pub cores_destroyed: u64,
    /// Cores of its own that were destroyed.
    pub cores_lost: u64,
    /// Whether it was deleted.
    pub deleted: bool,
    /// Its id.
    pub id: String,
    /// Its power at the end; 0 of a deleted mind.
    pub power: u64,
    /// Attacks on it that it repelled.
    pub repelled: u32,
    /// Sectors conquered from it.
    pub sectors_lost: u64,
    /// Sectors that it conquered.
    pub sectors_taken: u64,
    /// Attacks on it.
    pub suffered: u32,
    /// Units that it lost, by kind.
    pub units_lost: Named<u64>,
    /// Users raided from it.
    pub users_lost: u64,
    /// Users that it raided.
    pub users_taken: u64,
}

impl Report {
    /// Tells a war from its setup, every event of it, and how it stands.
    pub fn new(setup: &Setup, events: &[Event], outcome: &Outcome) -> Self {
        let fought: Vec<&Fought> = events
            .iter()
            .filter_map(|event| match event {
                Event::Attack(fought) => Some(&**fought),
                _ => None,
            })
            .collect();
        let ranked = outcome.ranking.iter().map(|rank| (rank.id.as_str(), rank.power));
        let is_deleted = |id: &str| outcome.minds.get(id).is_some_and(|mind| mind.deleted);
        let deleted = setup.minds().iter().map(|mind| (mind.id.as_str(), 0)).filter(|(id, _)| is_deleted(id));
        Self {
            attacks: fought.iter().map(|fought| AttackReport::new(setup, fought)).collect(),
            minds: ranked
                .chain(deleted)
                .filter_map(|(id, power)| {
                    let mind = &setup.minds()[setup.find(id)?];
                    Some(MindReport { power, deleted: is_deleted(id), ..MindReport::new(mind, &fought) })
                })
                .collect(),
            minute: outcome.minute,
            over: outcome.over,
            winner: outcome.winner.clone(),
        }
    }
}

impl AttackReport {
    fn new(setup: &Setup, fought: &Fought) -> Self {
        let lost = |id: &str, lost: &[u64]| match setup.find(id) {
            Some(mind) => by_kind(&setup.minds()[mind], lost),
            None => Named::default(),
        };
        Self {
            buildings_wrecked: fought.buildings,
            by: fought.by.clone(),
            capital: fought.capital,
            cores_destroyed: fought.cores,
            countermeasure: fought.countermeasure,
            mode: fought.mode,
            program: fought.program,
            ratio: fought.ratio,
            sectors: fought.sectors,
            t: fought.t,
            target: fought.target.clone(),
            units_lost: lost(&fought.by, &fought.attacker_lost),
            units_lost_by_target: lost(&fought.target, &fought.defender_lost),
            users: fought.users,
            won: fought.won,
        }
    }
}

impl MindReport {
    fn new(mind: &MindSetup, fought: &[&Fought]) -> Self {
        let mut report = Self { id: mind.id.clone(), ..Self::default() };
        let mut lost = vec![0; mind.units.len()];
        for fought in fought {
            if fought.by == mind.id {
                report.made(fought);
                add(&mut lost, &fought.attacker_lost);
            } else if fought.target == mind.id {
                report.suffered(fought);
                add(&mut lost, &fought.defender_lost);
            }
        }
        report.units_lost = by_kind(mind, &lost);
        report
    }

    fn made(&mut self, fought: &Fought) {
        self.attacks += 1;
        self.attacks_won += u32::from(fought.won);
        self.sectors_taken += fought.sectors;
        self.capital_taken += fought.capital;
        self.users_taken += fought.users;
        self.buildings_wrecked += fought.buildings;
        self.cores_destroyed += fought.cores;
    }

    fn suffered(&mut self, fought: &Fought) {
        self.suffered += 1;
        self.repelled += u32::from(!fought.won);
        self.sectors_lost += fought.sectors;
        self.capital_lost += fought.capital;
        self.users_lost += fought.users;
        self.buildings_lost += fought.buildings;
        self.cores_lost += fought.cores;
    }
}

fn add(total: &mut [u64], lost: &[u64]) {
    for (total, lost) in total.iter_mut().zip(lost) {
        *total += lost;
    }
}

fn by_kind(mind: &MindSetup, lost: &[u64]) -> Named<u64> {
    let kinds = mind.units.iter().zip(lost).filter(|(_, lost)| **lost > 0);
    kinds.map(|(unit, lost)| (unit.kind.clone(), *lost)).collect()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for attack in &self.attacks {
            writeln!(f, "{attack}")?;
        }
        writeln!(f)?;
        for mind in &self.minds {
            writeln!(f, "{mind}")?;
        }
        match (&self.winner, self.over) {
            (Some(winner), _) => writeln!(f, "\n{}: the war is over, {winner} wins.", Clock(self.minute)),
            (None, true) => {
                writeln!(f, "\n{}: the war is over, nobody stands above all others.", Clock(self.minute))
            }
            (None, false) => writeln!(f, "\n{}: the war goes on.", Clock(self.minute)),
        }
    }
}

impl fmt::Display for AttackReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.mode == "raid" { "raids" } else { "moves to conquer" };
        write!(f, "{}  {} {verb} {}", Clock(self.t), self.by, self.target)?;
        if let Some(run) = self.program {
            write!(f, ", its program {}", run.told())?;
        }
        if let Some(run) = self.countermeasure {
            write!(f, ", the countermeasure {}", run.told())?;
        }
        let end = if self.won { "wins" } else { "is repelled" };
        match self.ratio {
            Some(ratio) => write!(f, ", and {end} {ratio:.2} to 1")?,
            None => write!(f, ", and {end} against nothing")?,
        }
        for (amount, one, many, fate) in [
            (self.sectors, "sector", "sectors", "taken"),
            (self.cores_destroyed, "core", "cores", "destroyed"),
            (self.capital, "capital", "capital", "taken"),
            (self.users, "user", "users", "taken"),
            (self.buildings_wrecked, "building", "buildings", "wrecked"),
        ] {
            if amount > 0 {
                write!(f, "; {amount} {} {fate}", if amount == 1 { one } else { many })?;
            }
        }
        write!(f, "; units lost: {}", Losses(&self.units_lost))?;
        write!(f, ", by {}: {}", self.target, Losses(&self.units_lost_by_target))
    }
}

impl fmt::Display for MindReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.deleted { "deleted".to_owned() } else { format!("power {}", self.power) };
        write!(
            f,
            "{}, {state}: won {} of {} attacks, repelled {} of {}; sectors +{} −{}, capital +{} −{}, users +{} −{}, \
             cores −{}, buildings −{}; units lost: {}",
            self.id,
            self.attacks_won,
            self.attacks,
            self.repelled,
            self.suffered,
            self.sectors_taken,
            self.sectors_lost,
            self.capital_taken,
            self.capital_lost,
            self.users_taken,
            self.users_lost,
            self.cores_lost,
            self.buildings_lost,
            Losses(&self.units_lost),
        )
    }
}

impl Run {
    fn told(self) -> &'static str {
        match self {
            Run::Ran => "runs",
            Run::Crashed => "crashes",
            Run::NoCompute => "lacks the compute",
        }
    }
}

/// A minute as day, hour and minute; the first day is day 1.
struct Clock(u32);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "day {} {:02}:{:02}", self.0 / 1440 + 1, self.0 / 60 % 24, self.0 % 60)
    }
}

struct Losses<'a>(&'a Named<u64>);

impl fmt::Display for Losses<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        for (place, (kind, lost)) in self.0.iter().enumerate() {
            let comma = if place > 0 { ", " } else { "" };
            write!(f, "{comma}{lost} {kind}")?;
        }
        Ok(())
    }
}
