//! What happened, in the game's own terms: boxes and critical hits by part, shots, hits and parries, the pilots.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::armor::BOX;
use crate::event::{Event, Happening};
use crate::object::Id;
use crate::outcome::{Outcome, UnitOutcome};
use crate::skill::DEADLY;
use crate::words::{Part, Word};

/// A battle told. Fields in the order of their names.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Whether the log had grown so long that parts of it were left out: then the marks on parts are too few.
    pub cut: bool,
    /// Whether the battle is over.
    pub over: bool,
    /// Rounds fought, the one in progress included.
    pub rounds: u32,
    /// The units, in the order of their names.
    pub units: Vec<UnitReport>,
    /// The side that won, if one did.
    pub winner: Option<Id>,
}

/// What a unit did and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnitReport {
    /// Damage of the pilot or person, of 20 points.
    pub damage: u8,
    /// Whether its reactor exploded.
    pub exploded: bool,
    /// How often the pilot or person fainted.
    pub fainted: u32,
    /// Hits scored, before parries.
    pub hits: u32,
    /// The units it put out for good, in order.
    pub kills: Vec<Id>,
    /// Whether it is out for good.
    pub out: bool,
    /// Hits it parried.
    pub parried: u32,
    /// The parts that were hit, of a mecha.
    pub parts: BTreeMap<&'static str, PartReport>,
    /// Reactor boxes.
    pub reactor: u32,
    /// Hits that its shield took or softened.
    pub shielded: u32,
    /// Shots fired.
    pub shots: u32,
    /// How the pilot or person is.
    pub state: State,
    /// Its name.
    pub unit: Id,
}

/// How a pilot or person is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Without a scratch.
    Unhurt,
    /// Hurt.
    Wounded,
    /// Unconscious.
    Unconscious,
    /// Dead.
    Dead,
}

/// What a part took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PartReport {
    /// Armor boxes shot away.
    pub armor: f64,
    /// Critical boxes marked by what struck elsewhere, or by heavy hits.
    pub critical: u32,
    /// Hits.
    pub hits: u32,
    /// Internal boxes hit, the critical ones included.
    pub internal: f64,
    /// Whether it is lost.
    pub lost: bool,
}

/// Tells a battle from its events and its outcome.
pub fn report(events: &[Event], outcome: &Outcome) -> Report {
    let mut units: BTreeMap<&str, UnitReport> =
        outcome.units.iter().map(|(name, unit)| (name, UnitReport::new(name, unit))).collect();
    for event in events {
        for happening in &event.happenings {
            note(&mut units, happening);
        }
    }
    Report {
        cut: events.iter().any(|event| event.cut),
        over: outcome.over,
        rounds: outcome.round,
        units: outcome.units.iter().filter_map(|(name, _)| units.remove(name)).collect(),
        winner: outcome.winner.clone(),
    }
}

fn note(units: &mut BTreeMap<&str, UnitReport>, happening: &Happening) {
    let mut on = |unit: &Id, what: &mut dyn FnMut(&mut UnitReport)| {
        if let Some(unit) = units.get_mut(&**unit) {
            what(unit);
        }
    };
    match happening {
        Happening::Hit(unit, part, armor, _) => on(unit, &mut |unit| {
            let part = unit.part(*part);
            part.hits += 1;
            part.armor += f64::from(*armor) / f64::from(BOX);
        }),
        Happening::Critical(unit, part, _) => on(unit, &mut |unit| unit.part(*part).critical += 1),
        Happening::Lost(unit, part) => on(unit, &mut |unit| unit.part(*part).lost = true),
        Happening::Shield(unit, ..) => on(unit, &mut |unit| unit.shielded += 1),
        Happening::Faints(unit) => on(unit, &mut |unit| unit.fainted += 1),
        Happening::Kill(unit, target) => on(unit, &mut |unit| unit.kills.push(target.clone())),
        // What these tell is in the outcome.
        Happening::Wakes(_)
        | Happening::Unable(_)
        | Happening::Reactor(..)
        | Happening::Explodes(_)
        | Happening::Hurt(..)
        | Happening::Dies(_)
        | Happening::Parried(_) => {}
    }
}

impl UnitReport {
    fn new(name: &str, unit: &UnitOutcome) -> Self {
        let mecha = unit.mecha.as_ref();
        let state = match unit.damage {
            DEADLY.. => State::Dead,
            _ if unit.unconscious => State::Unconscious,
            0 => State::Unhurt,
            _ => State::Wounded,
        };
        let mut report = Self {
            damage: unit.damage,
            exploded: mecha.is_some_and(|mecha| mecha.destroyed),
            fainted: 0,
            hits: unit.hits,
            kills: Vec::new(),
            out: unit.out,
            parried: unit.parried,
            parts: BTreeMap::new(),
            reactor: mecha.map_or(0, |mecha| mecha.reactor),
            shielded: 0,
            shots: unit.shots,
            state,
            unit: name.into(),
        };
        for (part, [_, internal]) in mecha.iter().flat_map(|mecha| &mecha.parts) {
            report.part(*part).internal = f64::from(*internal) / f64::from(BOX);
        }
        report
    }

    fn part(&mut self, part: Part) -> &mut PartReport {
        self.parts.entry(part.name()).or_default()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounds = if self.rounds == 1 { "1 round".to_owned() } else { format!("{} rounds", self.rounds) };
        match (&self.winner, self.over) {
            (Some(side), _) => writeln!(f, "{side} holds the field after {rounds}.")?,
            (None, true) => writeln!(f, "Nobody holds the field after {rounds}.")?,
            (None, false) => writeln!(f, "Undecided after {rounds}.")?,
        }
        for unit in &self.units {
            write!(f, "{unit}")?;
        }
        if self.cut {
            writeln!(f, "The log was too long to be kept whole: hits and critical boxes are too few here.")?;
        }
        Ok(())
    }
}

impl fmt::Display for UnitReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state {
            State::Unhurt => "unhurt",
            State::Wounded => "wounded",
            State::Unconscious => "unconscious",
            State::Dead => "dead",
        };
        write!(f, "{}: {} shots, {} hits, {} parried", self.unit, self.shots, self.hits, self.parried)?;
        write!(f, "; {state} ({} of {DEADLY})", self.damage)?;
        if self.reactor > 0 {
            write!(f, "; reactor {}{}", self.reactor, if self.exploded { ", exploded" } else { "" })?;
        }
        if !self.kills.is_empty() {
            write!(f, "; put out {}", self.kills.join(", "))?;
        }
        writeln!(f, "{}", if self.out { "; out of the battle" } else { "" })?;
        for (name, part) in &self.parts {
            write!(f, "  {name}: {} hits, armor −{:.1}", part.hits, part.armor)?;
            write!(f, ", internal {:.1}, critical {}", part.internal, part.critical)?;
            writeln!(f, "{}", if part.lost { ", lost" } else { "" })?;
        }
        Ok(())
    }
}
