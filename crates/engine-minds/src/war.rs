//! The war: calls, turns and the end (mind-combat §4, X3–X9).

use std::sync::Arc;

use ongrid_engine::{Observer, Rejection, Result, Seed, Stream};

use crate::Constants;
use crate::battle::Order;
use crate::call::{Attack, Call, Mode, SetCountermeasure};
use crate::event::{CountermeasureSet, Ended, Event};
use crate::mind::{Guard, Mind};
use crate::setup::{MindSetup, Setup};

/// A war in progress.
#[derive(Clone, Debug)]
pub struct War {
    pub(crate) rules: Constants,
    pub(crate) setup: Arc<Setup>,
    pub(crate) minds: Vec<Mind>,
    pub(crate) stream: Stream,
    minute: u32,
    turns: u32,
    over: bool,
}

impl War {
    /// The war at minute 0.
    pub(crate) fn new(rules: Constants, setup: Arc<Setup>, seed: &Seed) -> Self {
        let minds = setup.minds().iter().map(|mind| Mind::new(&rules, mind)).collect();
        Self { rules, setup, minds, stream: Stream::new(seed), minute: 0, turns: 0, over: false }
    }

    /// The setup it started from.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The minds in setup order.
    pub fn minds(&self) -> &[Mind] {
        &self.minds
    }

    /// Minute of the last call, or of the end.
    pub fn minute(&self) -> u32 {
        self.minute
    }

    /// Turns of the others that were played, the one that ended the war among them (X7).
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// Whether it is over (X9).
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Cycles of a mind at the minute reached, credits included (X6).
    pub fn cycles(&self, mind: usize) -> u64 {
        self.minds[mind].cycles(&self.rules, self.minute)
    }

    pub(crate) fn mind_setup(&self, mind: usize) -> &MindSetup {
        &self.setup.minds()[mind]
    }

    /// Applies a call.
    ///
    /// # Errors
    /// The codes of §4, in their order.
    pub(crate) fn apply<O: Observer<Event>>(&mut self, call: &Call, watch: &mut O) -> Result<()> {
        if self.over {
            return Err(war_over());
        }
        match call {
            Call::Unknown(op) => Err(no("unknown_op", format!("there is no op {op:?}"))),
            Call::End => {
                self.end(watch);
                Ok(())
            }
            Call::SetCountermeasure(set) => {
                let t = self.come_to(set.t, watch)?;
                self.set_countermeasure(set, t, watch)
            }
            Call::Attack(attack) => {
                let t = self.come_to(attack.t, watch)?;
                self.attack(attack, t, watch)
            }
        }
    }

    /// Checks the minute of a call and plays the turns that are due up to it.
    fn come_to<O: Observer<Event>>(&mut self, t: i64, watch: &mut O) -> Result<u32> {
        let (last, end) = (self.minute, self.setup.minutes());
        if t < i64::from(last) {
            return Err(no(
                "time_goes_back",
                format!("minute {t} lies before minute {last} of the last call"),
            ));
        }
        let t = u32::try_from(t)
            .ok()
            .filter(|t| *t <= end)
            .ok_or_else(|| no("after_the_end", format!("the war ends at minute {end}")))?;
        self.play_turns(t, watch);
        if self.over {
            return Err(war_over());
        }
        self.minute = t;
        Ok(t)
    }

    fn end<O: Observer<Event>>(&mut self, watch: &mut O) {
        let end = self.setup.minutes();
        self.play_turns(end, watch);
        if !self.over {
            self.stop(end);
        }
        let t = self.minute;
        watch.see(|| Event::Ended(Ended { op: "end", t }));
    }

    /// X7: the turns up to minute `t` that were not played yet, unless the war ends in one.
    pub(crate) fn play_turns<O: Observer<Event>>(&mut self, t: u32, watch: &mut O) {
        let due = t.min(self.setup.minutes()) / self.rules.turns.minutes;
        let player = self.setup.player();
        while self.turns < due && !self.over {
            self.turns += 1;
            let minute = self.turns * self.rules.turns.minutes;
            for mind in (0..self.minds.len()).filter(|mind| *mind != player) {
                if let Some(order) = self.policy(mind, minute) {
                    self.fight(&order, minute, watch);
                }
                if self.over {
                    break;
                }
            }
        }
    }

    fn set_countermeasure<O: Observer<Event>>(
        &mut self,
        set: &SetCountermeasure,
        t: u32,
        watch: &mut O,
    ) -> Result<()> {
        let player = self.setup.player();
        let program = self.own_program(set.program.as_deref())?;
        if !(0.0..=2.0).contains(&set.above) {
            return Err(no("bad_above", format!("above is {}, it may be 0 to 2", set.above)));
        }
        self.minds[player].countermeasure = program.map(|program| Guard { program, above: set.above });
        watch.see(|| {
            let by = self.setup.minds()[player].id.clone();
            Event::CountermeasureSet(CountermeasureSet { by, op: "set_countermeasure", t })
        });
        Ok(())
    }

    fn attack<O: Observer<Event>>(&mut self, attack: &Attack, t: u32, watch: &mut O) -> Result<()> {
        let by = self.setup.player();
        if let Mode::Other(mode) = &attack.mode {
            return Err(no("bad_mode", format!("the mode {mode:?} is neither conquest nor raid")));
        }
        let on = self
            .setup
            .find(&attack.target)
            .ok_or_else(|| no("no_such_mind", format!("there is no mind {:?}", attack.target)))?;
        if self.minds[on].deleted {
            return Err(no("deleted", format!("{} is deleted", attack.target)));
        }
        if on == by {
            return Err(no("own_target", "a mind does not attack itself"));
        }
        let program = self.own_program(attack.program.as_deref())?;
        if !self.may_attack(by, on, t) {
            let (own, other) = (self.minds[by].force().power, self.minds[on].force().power);
            return Err(no(
                "out_of_range",
                format!("the power of {} is {other}, out of the range of {own}", attack.target),
            ));
        }
        let (cycles, cost) = self.means(by, t);
        if cycles < cost {
            return Err(no("out_of_cycles", format!("the attack costs {cost} cycles, {cycles} are left")));
        }
        if self.minds[by].force().attack == 0 {
            return Err(no("no_attack", "the mind has no attack"));
        }
        let compute = program.and_then(|program| self.mind_setup(by).programs.at(program));
        if let Some(program) = compute.filter(|program| program.compute > self.minds[by].compute) {
            let left = self.minds[by].compute;
            return Err(no(
                "no_compute",
                format!("the program costs {} compute, {left} is left", program.compute),
            ));
        }
        let conquest = attack.mode == Mode::Conquest;
        self.fight(&Order { by, on, conquest, program }, t, watch);
        Ok(())
    }

    /// The place of one of the player's programs.
    fn own_program(&self, name: Option<&str>) -> Result<Option<usize>> {
        let Some(name) = name else {
            return Ok(None);
        };
        match self.mind_setup(self.setup.player()).programs.position(name) {
            Some(place) => Ok(Some(place)),
            None => Err(no("unknown_program", format!("the mind has no program {name:?}"))),
        }
    }

    /// Cycles of a mind at minute `t` and what its next attack costs.
    pub(crate) fn means(&self, mind: usize, t: u32) -> (u64, u64) {
        let mind = &self.minds[mind];
        (mind.cycles(&self.rules, t), mind.attack_cost(&self.rules, t))
    }

    /// X3: whether protection lets `by` attack `on`: both edges belong to the range; else only in revenge, for an
    /// attack that the target itself made on `by`.
    pub(crate) fn may_attack(&self, by: usize, on: usize, t: u32) -> bool {
        let Some(range) = self.setup.protection() else {
            return true;
        };
        let own = self.minds[by].force().power as f64;
        let other = self.minds[on].force().power as f64;
        (other >= own * range.range_min && other <= own * range.range_max)
            || self.minds[on].has_struck(&self.rules, by, t)
    }

    /// X4, X9: what the loss of cores means, after each battle.
    pub(crate) fn judge(&mut self, attacked: usize, t: u32) {
        if self.minds[attacked].buildings.core > 0 {
            return;
        }
        self.minds[attacked].credit(&self.rules, t);
        self.minds[attacked].deleted = true;
        let player = self.setup.player();
        let others_left = (0..self.minds.len()).any(|mind| mind != player && !self.minds[mind].deleted);
        if self.minds[player].deleted || !others_left {
            self.stop(t);
        }
    }

    fn stop(&mut self, t: u32) {
        self.minute = t;
        self.over = true;
    }
}

#[cold]
fn no(code: &'static str, message: impl Into<String>) -> Rejection {
    Rejection::new(code, message)
}

#[cold]
fn war_over() -> Rejection {
    no("war_over", "the war is over")
}
