//! A battle: its state, the rounds, the calls in turn (section 4).

use std::sync::Arc;

use ongrid_engine::{Observer, Rejection, Result, Seed, within_work};

use crate::call::Call;
use crate::dice::Dice;
use crate::event::{Act, Event, Happening};
use crate::object::Id;
use crate::rules::Rules;
use crate::setup::{Setup, UnitSetup, Weapon};
use crate::unit::{Flags, Unit};

/// Most work of one battle: words drawn and options that the others weighed (docs/state-mecha-battle-1.md, "Work").
/// The longest battles that were played take a hundredth of it; the longest that the setup's limits allow, 63 units
/// landing 1,000 hits each for 1,000 rounds, would take 150 times as much.
pub const MAX_WORK: u64 = 1_000_000;

/// A legal setup, with what is looked up again and again.
#[derive(Clone, Debug)]
pub struct Roster {
    pub(crate) setup: Setup,
    /// Indices of the units, by ascending name.
    by_id: Vec<u8>,
    /// Index of the side of every unit.
    pub(crate) side: Vec<u8>,
    /// Whether the calls lead a unit.
    pub(crate) mine: Vec<bool>,
    pub(crate) flags: Vec<Flags>,
}

impl Roster {
    /// Prepares a legal setup.
    pub fn new(setup: Setup) -> Self {
        let units = &setup.units;
        let mut by_id: Vec<u8> = (0..=u8::MAX).take(units.len()).collect();
        by_id.sort_by(|a, b| units[usize::from(*a)].id.cmp(&units[usize::from(*b)].id));
        let side =
            |unit: &UnitSetup| setup.sides.iter().position(|side| *side == unit.side).unwrap_or(0) as u8;
        Self {
            by_id,
            side: units.iter().map(side).collect(),
            mine: units.iter().map(|unit| unit.side == setup.player).collect(),
            flags: units.iter().map(|unit| Flags::new(&unit.flags)).collect(),
            setup,
        }
    }

    /// The setup.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Index of a unit by its name.
    pub(crate) fn find(&self, id: &str) -> Option<usize> {
        let units = &self.setup.units;
        let at = self.by_id.binary_search_by(|index| (*units[usize::from(*index)].id).cmp(id)).ok()?;
        Some(usize::from(self.by_id[at]))
    }

    pub(crate) fn unit(&self, index: usize) -> &UnitSetup {
        &self.setup.units[index]
    }

    pub(crate) fn weapon(&self, unit: usize, weapon: usize) -> &Weapon {
        &self.setup.units[unit].weapons[weapon]
    }

    pub(crate) fn id(&self, index: usize) -> Id {
        self.setup.units[index].id.clone()
    }
}

/// A battle in progress.
#[derive(Clone, Debug)]
pub struct Battle {
    pub(crate) rules: Arc<Rules>,
    pub(crate) roster: Arc<Roster>,
    pub(crate) dice: Dice,
    /// The round in progress, from 1.
    pub(crate) round: u32,
    pub(crate) over: bool,
    pub(crate) units: Vec<Unit>,
    /// Options that the others have weighed so far (X9).
    pub(crate) options: u64,
}

impl Battle {
    /// Begins a battle, up to the player's first call.
    pub(crate) fn start(
        rules: Arc<Rules>,
        roster: Arc<Roster>,
        seed: &Seed,
        watch: &mut impl Observer<Event>,
    ) -> Self {
        let units = roster.setup.units.iter().map(|setup| Unit::new(&rules, setup)).collect();
        let mut battle =
            Self { rules, roster, dice: Dice::new(seed), round: 0, over: false, units, options: 0 };
        battle.next_round(watch);
        battle
    }

    /// Applies a call (section 4, "Codes in order").
    ///
    /// # Errors
    /// The code of the first check that the call does not pass; `limit` where its work goes beyond [`MAX_WORK`].
    pub(crate) fn apply(&mut self, call: &Call, watch: &mut impl Observer<Event>) -> Result<()> {
        let result = if self.over {
            Err(Rejection::new("battle_over", "the battle is over"))
        } else {
            match call {
                Call::Move(call) => self.move_unit(call, watch),
                Call::Attack(call) => self.attack(call, watch),
                Call::EndRound => {
                    self.end_round(watch);
                    Ok(())
                }
                Call::Unknown(op) => Err(Rejection::new("unknown_op", format!("there is no call {op:?}"))),
            }
        };
        let result = result.and_then(|()| within_work(self.work(), MAX_WORK));
        result.map_err(|no| no.with_round(self.round))
    }

    /// What the battle has come to so far, in words drawn and options weighed.
    pub fn work(&self) -> u64 {
        self.dice.words() + self.options
    }

    /// A unit of the player's that can act (`no_such_unit`, `not_yours`, `cannot_act`).
    pub(crate) fn own(&self, id: &str) -> Result<usize> {
        let index = self.find(id)?;
        if !self.roster.mine[index] {
            return Err(Rejection::new("not_yours", format!("{id:?} is not led by the calls")));
        }
        if !self.units[index].can_act(&self.rules) {
            return Err(Rejection::new("cannot_act", format!("{id:?} cannot act in this round")));
        }
        Ok(index)
    }

    pub(crate) fn find(&self, id: &str) -> Result<usize> {
        self.roster.find(id).ok_or_else(|| Rejection::new("no_such_unit", format!("there is no unit {id:?}")))
    }

    pub(crate) fn out(&self, unit: usize) -> bool {
        self.units[unit].out(&self.rules)
    }

    /// Whether fewer than two sides fight on, or the player's no longer (section 4, "Over").
    pub(crate) fn decided(&self) -> bool {
        let (mut sides, mut mine) = (0_u8, false);
        for index in (0..self.units.len()).filter(|index| !self.out(*index)) {
            sides |= 1 << self.roster.side[index];
            mine |= self.roster.mine[index];
        }
        !mine || sides.count_ones() < 2
    }

    /// Ends the round: the others act (X9), then the next begins, or the battle is over.
    fn end_round(&mut self, watch: &mut impl Observer<Event>) {
        self.others_act(watch);
        if self.over {
            return;
        }
        if self.round >= self.roster.setup.rounds {
            self.over = true;
        } else {
            self.next_round(watch);
        }
    }

    /// Begins a round: stances and counters are cleared, the unconscious and wounded roll (R30, R32).
    fn next_round(&mut self, watch: &mut impl Observer<Event>) {
        self.round += 1;
        self.dice.begin(watch.looks());
        let roster = Arc::clone(&self.roster);
        for (index, unit) in self.units.iter_mut().enumerate() {
            unit.begin_round();
            unit.parrying = !roster.mine[index] && unit.has_blade(roster.unit(index));
        }
        for index in 0..self.units.len() {
            if !self.out(index) {
                self.wake(index);
            }
        }
        self.log(watch, |battle| Act::Round { round: battle.round });
    }

    fn wake(&mut self, index: usize) {
        let (unit, dice) = (&mut self.units[index], &mut self.dice);
        if unit.unconscious {
            let roll = dice.two();
            if self.rules.consciousness_number(unit.damage).is_some_and(|number| roll >= number) {
                unit.unconscious = false;
                dice.note(Happening::Wakes(index as u8));
            }
        }
        if !unit.unconscious && self.rules.works_at_half(unit.damage) {
            unit.able = dice.die() >= self.rules.tables().health.work_roll;
            if !unit.able {
                dice.note(Happening::Unable(index as u8));
            }
        }
    }

    /// Tells the observer of an act and of the notes made since it began.
    pub(crate) fn log(&self, watch: &mut impl Observer<Event>, act: impl FnOnce(&Self) -> Act) {
        watch.see(|| Event {
            act: act(self),
            draws: self.dice.draws().to_vec(),
            happenings: self
                .dice
                .happenings()
                .iter()
                .map(|happening| happening.named(|unit| self.roster.id(usize::from(unit))))
                .collect(),
            cut: self.dice.is_cut(),
        });
    }
}
