//! The fight: rounds and turns (§5).

use std::sync::Arc;

use ongrid_engine::{Observer, Rejection, Result, Seed};

use crate::attribute::{Side, Stance};
use crate::call::{Action, Call};
use crate::event::{Event, What, Why};
use crate::grid::Grid;
use crate::legal::Legal;
use crate::outcome::{DecidedBy, Verdict};
use crate::roster::Roster;

/// A fight in progress.
#[derive(Clone, Debug)]
pub struct Fight {
    pub(crate) roster: Arc<Roster>,
    pub(crate) grid: Grid,
    /// The calibration level it was met with (§3).
    pub(crate) level: usize,
    /// The pilot ship whose turn it is; `None` at the end.
    pub(crate) turn: Option<usize>,
}

impl Fight {
    /// A fight at its start (§4), before the first round.
    pub(crate) fn new(legal: &Legal, seed: &Seed) -> Self {
        let resolved = &legal.0;
        Self {
            roster: Arc::clone(&resolved.roster),
            grid: resolved.grid.seeded(seed),
            level: resolved.calibration.level,
            turn: None,
        }
    }

    /// Begins the first round and runs to the pilot's first turn or the end.
    pub(crate) fn begin<O: Observer<Event>>(&mut self, watch: &mut O) {
        self.grid.start_round(watch);
        self.turn = self.grid.advance(&self.roster, watch);
        self.grid.draw();
    }

    /// Applies a call and runs on to the pilot's next turn or the end.
    ///
    /// # Errors
    /// The first that applies of §6; `trailing_calls` after the end. The call's index is for the caller to add.
    pub(crate) fn apply<O: Observer<Event>>(&mut self, call: &Call, watch: &mut O) -> Result<()> {
        let Some(turn) = self.turn else {
            return Err(Rejection::new("trailing_calls", "the fight had ended before this call")
                .with_round(self.grid.round));
        };
        match *call {
            Call::Concede => {
                self.grid.finish(Verdict::Defeat, DecidedBy::Concession, watch);
                self.turn = None;
            }
            Call::Turn { ship, stance, action } => {
                self.grid.judge(&self.roster, turn, ship, action)?;
                self.grid.act(&self.roster, turn, stance, action, watch);
                self.turn = self.grid.advance(&self.roster, watch);
            }
        }
        self.grid.draw();
        Ok(())
    }
}

impl Grid {
    /// Carries hostile turns and rounds out until a pilot ship must decide, which is the answer, or the fight is over.
    fn advance<O: Observer<Event>>(&mut self, roster: &Roster, watch: &mut O) -> Option<usize> {
        loop {
            let id = self.next_turn(roster, watch)?;
            if id < self.pilots {
                return Some(id);
            }
            let (stance, action) = self.decide(roster, id);
            self.act(roster, id, Some(stance), action, watch);
        }
    }

    /// The next ship that acts; `None` where the fight is over.
    #[inline]
    pub fn next_turn<O: Observer<Event>>(&mut self, roster: &Roster, watch: &mut O) -> Option<usize> {
        while self.end.is_none() {
            while self.had_turn < self.ordered {
                let id = usize::from(self.order[self.had_turn]);
                self.had_turn += 1;
                if !self.is_alive(id) {
                    continue;
                }
                let jam_until = u32::from(self.crafts[id].jam_until);
                if jam_until < self.round {
                    return Some(id);
                }
                self.see(watch, || What::SatOut { ship: id as u32, jam_until });
            }
            self.end_round(roster, watch);
            if self.end.is_none() {
                self.start_round(watch);
            }
        }
        None
    }

    /// Orders the living ships, once a round: velocity descending, signature ascending, pilot first, id ascending (§5).
    /// The order is total, so it may start from the last round's, which is nearly right.
    pub fn start_round<O: Observer<Event>>(&mut self, watch: &mut O) {
        self.round += 1;
        self.overtime = self.rules.overtime(self.round);
        self.had_turn = 0;
        let before = std::mem::replace(&mut self.ordered, 0);
        for place in 0..before {
            let id = usize::from(self.order[place]);
            if !self.is_alive(id) {
                continue;
            }
            let (speed, sig) = (self.speed[id], self.sig[id]);
            let mut at = self.ordered;
            while at > 0 {
                let other = usize::from(self.order[at - 1]);
                let (others, its) = (self.speed[other], self.sig[other]);
                let first =
                    (others > speed) | (others == speed) & ((its < sig) | (its == sig) & (other < id));
                if first {
                    break;
                }
                self.order[at] = self.order[at - 1];
                at -= 1;
            }
            self.order[at] = id as u8;
            self.ordered += 1;
        }
        self.see(watch, || What::RoundStarted {
            order: self.order[..self.ordered].iter().copied().map(u32::from).collect(),
        });
    }

    fn end_round<O: Observer<Event>>(&mut self, roster: &Roster, watch: &mut O) {
        for id in 0..self.ships {
            // A wreck has neither recharge nor anything to shed.
            let craft = &mut self.crafts[id];
            let filled = craft.capacitor + craft.recharge;
            craft.capacitor = if filled < craft.capacitor_max { filled } else { craft.capacitor_max };
            craft.heat = craft.heat.saturating_sub(craft.shed);
            self.draw_ship(id);
        }
        let round = self.round;
        self.end_effects(roster, Why::Expired, |effect| u32::from(effect.last_round) == round, watch);
        self.see(watch, || What::RoundEnded {});
        if self.round >= self.rules.clock.last_round {
            let result = self.rules.points(self.totals(Side::Pilot), self.totals(Side::Hostile));
            self.finish(result, DecidedBy::Points, watch);
        }
    }

    /// A turn: stance first, then one action, then what it destroyed (§5).
    pub fn act<O: Observer<Event>>(
        &mut self,
        roster: &Roster,
        id: usize,
        stance: Option<Stance>,
        action: Action,
        watch: &mut O,
    ) {
        if let Some(stance) = stance {
            self.switch(id, stance);
        }
        self.see(watch, || What::Turn { ship: id as u32, stance: self.crafts[id].stance });
        match action {
            Action::Fire { target, overheat } => self.fire(roster, id, target as usize, overheat, watch),
            Action::Activate { group, target } => self.activate(roster, id, group, target, watch),
            Action::Hold => self.see(watch, || What::Held { ship: id as u32 }),
        }
        self.draw_ship(id);
    }

    /// Destroys a ship whose hull is at 0, and ends the fight where it was its side's last.
    pub fn destroy<O: Observer<Event>>(
        &mut self,
        roster: &Roster,
        id: usize,
        (by, group): (usize, u8),
        watch: &mut O,
    ) {
        self.alive &= !(1 << id);
        let wreck = &mut self.crafts[id];
        wreck.destroyed_round = Some(self.round as u8);
        wreck.recharge = 0.0;
        wreck.shed = 0;
        self.see(watch, || What::Destroyed { ship: id as u32, by: by as u32, group: group.into() });
        self.end_effects(roster, Why::SourceDestroyed, |effect| usize::from(effect.source) == id, watch);
        self.end_effects(roster, Why::TargetDestroyed, |effect| usize::from(effect.target) == id, watch);
        let pilots = (1_u32 << self.pilots) - 1;
        if self.alive & pilots == 0 {
            self.finish(Verdict::Defeat, DecidedBy::Destruction, watch);
        } else if self.alive & !pilots == 0 {
            self.finish(Verdict::Victory, DecidedBy::Destruction, watch);
        }
    }

    fn finish<O: Observer<Event>>(&mut self, result: Verdict, decided_by: DecidedBy, watch: &mut O) {
        self.end = Some((result, decided_by));
        self.see(watch, || What::Ended { result, decided_by });
    }
}
