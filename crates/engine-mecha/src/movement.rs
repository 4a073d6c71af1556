//! Moves of the player's units (section 4, `move`) and the turns and advances of the others (X9).

use ongrid_engine::{Observer, Rejection, Result};

use crate::battle::Battle;
use crate::call::{Move, Named};
use crate::event::{Act, Event};
use crate::geometry::{FIELD, distance, offset, squared};
use crate::words::{Pace, Word};

impl Battle {
    /// Moves a unit of the player's.
    ///
    /// # Errors
    /// `no_such_unit`, `not_yours`, `cannot_act`, `already_moved`, `bad_pace`, `cannot_fly`, `bad_facing`,
    /// `bad_position`, `too_far`, in this order.
    pub(crate) fn move_unit(&mut self, call: &Move, watch: &mut impl Observer<Event>) -> Result<()> {
        let index = self.own(&call.unit)?;
        let (setup, unit) = (self.roster.unit(index), &self.units[index]);
        let refuse = |code, message: String| Err(Rejection::new(code, message));
        if unit.moved {
            return refuse("already_moved", format!("{:?} has moved in this round", call.unit));
        }
        let Named::Known(pace) = call.pace else {
            return refuse("bad_pace", format!("there is no pace {:?}", call.pace.name()));
        };
        if pace == Pace::Flying && !setup.flies {
            return refuse("cannot_fly", format!("{:?} cannot fly", call.unit));
        }
        let Some(facing) = on_field(call.facing).filter(|facing| *facing != [0, 0]) else {
            return refuse("bad_facing", format!("a facing is not 0, 0 and within {FIELD} either way"));
        };
        let Some(to) = on_field(call.to) else {
            return refuse("bad_position", format!("the field reaches {FIELD} m either way"));
        };
        let reach = unit.reach(&self.rules, &self.roster.setup.env, setup, pace);
        let way = (squared(unit.pos, to) as f64).sqrt();
        if way > reach {
            return refuse("too_far", format!("{way} m are farther than {reach} m at pace {}", pace.name()));
        }
        let unit = &mut self.units[index];
        (unit.pos, unit.facing, unit.pace) = (to, facing, pace);
        (unit.dodging, unit.parrying, unit.moved) = (call.dodge, call.parry, true);
        self.log_move(index, watch);
        Ok(())
    }

    /// Lets one of the others advance on a unit of the player's, where it can (X9, 2).
    pub(crate) fn advance(&mut self, index: usize, on: usize, watch: &mut impl Observer<Event>) {
        let (setup, unit) = (self.roster.unit(index), &self.units[index]);
        let reach = |pace: Pace| unit.reach(&self.rules, &self.roster.setup.env, setup, pace).floor();
        let Some(pace) = [Pace::Run, Pace::Jog, Pace::Walk].into_iter().find(|pace| reach(*pace) >= 1.0)
        else {
            return;
        };
        let (from, to) = (unit.pos, self.units[on].pos);
        let far = distance(squared(from, to));
        let step = reach(pace).min(far.ceil() - 1.0);
        if step < 1.0 {
            return;
        }
        let delta = offset(from, to);
        self.units[index].pos =
            [0, 1, 2].map(|axis| from[axis] + (delta[axis] as f64 * step / far).trunc() as i32);
        self.units[index].pace = pace;
        self.turn(index, delta);
        self.log_move(index, watch);
    }

    /// Turns a unit towards something, unless that is straight above or below or in the same place (X9, 1).
    pub(crate) fn turn(&mut self, index: usize, [x, y, _]: [i64; 3]) {
        if x != 0 || y != 0 {
            self.units[index].facing = [x as i32, y as i32];
        }
    }

    fn log_move(&mut self, index: usize, watch: &mut impl Observer<Event>) {
        self.dice.begin(watch.looks());
        let unit = &self.units[index];
        self.log(watch, |battle| Act::Move {
            unit: battle.roster.id(index),
            to: unit.pos,
            facing: unit.facing,
            pace: unit.pace,
        });
    }
}

/// Coordinates, where all of them lie on the field.
fn on_field<const N: usize>(coordinates: [i64; N]) -> Option<[i32; N]> {
    coordinates
        .iter()
        .all(|axis| (-FIELD..=FIELD).contains(axis))
        .then(|| coordinates.map(|axis| axis as i32))
}
