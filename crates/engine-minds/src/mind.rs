//! A mind during the war: what it has, what it did lately, and what both come to.

use std::collections::VecDeque;

use crate::Constants;
use crate::setup::{Buildings, MindSetup};

/// The state of a mind. Names and stats stay in its [`MindSetup`], which the same index finds.
#[derive(Clone, Debug)]
pub struct Mind {
    /// Whether it lost its last core (X4); it keeps what it had.
    pub deleted: bool,
    /// Its sectors.
    pub territory: u64,
    /// Its buildings.
    pub buildings: Buildings,
    /// How many units of each kind are left.
    pub units: Vec<u64>,
    /// Its capital.
    pub capital: u64,
    /// Its users.
    pub users: u64,
    /// Compute that is left.
    pub compute: u64,
    /// What it runs when it is attacked.
    pub(crate) countermeasure: Option<Guard>,
    force: Force,
    cycles: u64,
    credited: u32,
    recent: VecDeque<u32>,
    struck: Vec<Struck>,
    /// By mind, the minute of the last attack on it: what `struck` says, at a glance. Empty before the first attack.
    last: Vec<Option<u32>>,
}

/// A countermeasure by the place of its program in ascending key bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Guard {
    pub program: usize,
    pub above: f64,
}

/// The last attack on a mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Struck {
    pub on: usize,
    pub t: u32,
}

/// What units, buildings and sectors come to; kept, since it changes only in battles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Force {
    /// Sum of attack over the units (R2).
    pub attack: u64,
    /// Sum of defense over the units (R5).
    pub defense: u64,
    /// Strength of its defense with the programs that always run, as the others reckon it (X8).
    pub wall: f64,
    /// Its power (R20).
    pub power: u64,
}

impl Mind {
    /// A mind at minute 0.
    pub(crate) fn new(rules: &Constants, setup: &MindSetup) -> Self {
        let countermeasure = setup.countermeasure.as_ref().and_then(|countermeasure| {
            let program = setup.programs.position(&countermeasure.program)?;
            Some(Guard { program, above: countermeasure.above })
        });
        let mut mind = Self {
            deleted: false,
            territory: setup.territory,
            buildings: setup.buildings,
            units: setup.units.iter().map(|unit| unit.count).collect(),
            capital: setup.capital,
            users: setup.users,
            compute: setup.compute,
            countermeasure,
            force: Force::default(),
            cycles: setup.cycles,
            credited: 0,
            recent: VecDeque::new(),
            struck: Vec::new(),
            last: Vec::new(),
        };
        mind.reckon(rules, setup);
        mind
    }

    /// What it comes to.
    pub fn force(&self) -> &Force {
        &self.force
    }

    /// Reckons anew what it comes to, after a battle.
    pub(crate) fn reckon(&mut self, rules: &Constants, setup: &MindSetup) {
        let units = || self.units.iter().zip(&setup.units);
        let attack = units().map(|(count, unit)| count * unit.attack).sum();
        let defense = units().map(|(count, unit)| count * unit.defense).sum();
        let buildings = &self.buildings;
        self.force = Force {
            attack,
            defense,
            wall: rules.defender_strength(defense, buildings.core, &setup.standing.defense),
            power: rules.power(self.territory, buildings.total(), attack, defense, setup.capability),
        };
    }

    /// Its cycles with the credits up to and with minute `t` (X6); of a deleted mind those it was deleted with.
    pub(crate) fn cycles(&self, rules: &Constants, t: u32) -> u64 {
        if self.deleted {
            return self.cycles;
        }
        let passed = |t: u32| t / rules.cycles.minutes;
        rules.credited(self.cycles, passed(t).saturating_sub(passed(self.credited)))
    }

    /// Writes the credits up to minute `t` down.
    pub(crate) fn credit(&mut self, rules: &Constants, t: u32) {
        self.cycles = self.cycles(rules, t);
        self.credited = t;
    }

    /// What its next attack costs at minute `t` (R21).
    pub(crate) fn attack_cost(&self, rules: &Constants, t: u32) -> u64 {
        rules.attack_cost(self.recent(rules, t).len() as u64)
    }

    /// Minutes of its attacks that are remembered at minute `t`, oldest first.
    pub(crate) fn recent(
        &self,
        rules: &Constants,
        t: u32,
    ) -> impl ExactSizeIterator<Item = u32> + DoubleEndedIterator {
        let forgotten = self.recent.partition_point(|made| !is_remembered(rules, *made, t));
        self.recent.iter().skip(forgotten).copied()
    }

    /// Its last attacks on other minds that are remembered at minute `t`, latest last.
    pub(crate) fn struck(&self, rules: &Constants, t: u32) -> impl Iterator<Item = Struck> + Clone {
        self.struck.iter().copied().filter(move |struck| is_remembered(rules, struck.t, t))
    }

    /// Whether it attacked the mind `on` so lately that revenge is allowed (X3).
    pub(crate) fn has_struck(&self, rules: &Constants, on: usize, t: u32) -> bool {
        self.last.get(on).copied().flatten().is_some_and(|made| is_remembered(rules, made, t))
    }

    /// Pays for an attack and remembers it (R21, X3).
    pub(crate) fn note_attack(&mut self, rules: &Constants, on: usize, t: u32, cost: u64) {
        self.credit(rules, t);
        self.cycles = self.cycles.saturating_sub(cost);
        while self.recent.front().is_some_and(|made| !is_remembered(rules, *made, t)) {
            self.recent.pop_front();
        }
        self.recent.push_back(t);
        self.struck.retain(|struck| struck.on != on && is_remembered(rules, struck.t, t));
        self.struck.push(Struck { on, t });
        self.last.resize(self.last.len().max(on + 1), None);
        self.last[on] = Some(t);
    }
}

/// An attack is remembered while less than a day has passed; after exactly a day it is forgotten (R21, X3).
fn is_remembered(rules: &Constants, made: u32, t: u32) -> bool {
    made + rules.cycles.memory_minutes > t
}
