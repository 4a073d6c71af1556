//! The legality of calls (§6): checked in the order of the rules, the first failure is the error.

use ongrid_engine::{Rejection, Result};

use crate::call::Action;
use crate::grid::Grid;
use crate::roster::Roster;
use crate::ship::Place;

impl Grid {
    /// Judges what the ship whose turn it is was called to do.
    ///
    /// # Errors
    /// `code`, `round`, `ship` (whose turn it is), and `group` for activations.
    #[inline]
    pub fn judge(&self, roster: &Roster, turn: usize, ship: u32, action: Action) -> Result<()> {
        if ship as usize != turn {
            return Err(self.wrong_ship(turn, ship));
        }
        match action {
            Action::Hold => Ok(()),
            Action::Fire { target, overheat } => {
                self.judge_fire(turn, target, overheat).map_err(|code| self.refuse(code, turn, None))
            }
            Action::Activate { group, target } => self
                .judge_activate(roster, turn, group, target)
                .map_err(|code| self.refuse(code, turn, Some(group))),
        }
    }

    /// Whether a ship may fire at a target, by the code of what is in the way.
    #[inline]
    pub fn judge_fire(&self, id: usize, target: u32, overheat: bool) -> Result<(), &'static str> {
        self.judge_target(target)?;
        if self.side(target as usize) == self.side(id) {
            return Err("target_side");
        }
        let guns = &self.guns[self.guns_of(id)];
        if guns.is_empty() {
            return Err("no_weapons");
        }
        if overheat & (self.crafts[id].heat > self.rules.heat.lock_above) {
            return Err("overheat_locked");
        }
        if guns.iter().all(|gun| gun.cost > self.crafts[id].capacitor) {
            return Err("no_weapon_ready");
        }
        Ok(())
    }

    /// Whether a ship may activate a group, by the code of what is in the way.
    #[inline]
    pub fn judge_activate(
        &self,
        roster: &Roster,
        id: usize,
        group: u32,
        target: Option<u32>,
    ) -> Result<(), &'static str> {
        let (active, number) = match roster.place(id, group) {
            None => return Err("unknown_group"),
            Some(Place::Active(number)) => roster.active(id, number),
            Some(_) => return Err("not_active"),
        };
        let on_another = active.class.is_hostile() || active.class.is_remote();
        match target {
            None if on_another => return Err("target_missing"),
            Some(_) if !on_another => return Err("target_not_allowed"),
            None => {}
            Some(target) => {
                self.judge_target(target)?;
                let same_side = self.side(target as usize) == self.side(id);
                if same_side == active.class.is_hostile() || target as usize == id {
                    return Err("target_side");
                }
            }
        }
        if self.uses[number] == 0 {
            return Err("no_uses");
        }
        if active.cost > self.crafts[id].capacitor {
            return Err("capacitor");
        }
        Ok(())
    }

    #[inline]
    fn judge_target(&self, target: u32) -> Result<(), &'static str> {
        if target as usize >= self.ships {
            return Err("unknown_target");
        }
        if !self.is_alive(target as usize) {
            return Err("target_destroyed");
        }
        Ok(())
    }

    #[cold]
    fn wrong_ship(&self, turn: usize, ship: u32) -> Rejection {
        let message = format!("it is the turn of ship {turn}, not of ship {ship}");
        Rejection::new("wrong_ship", message).with_round(self.round).with_ship(turn as u32)
    }

    #[cold]
    fn refuse(&self, code: &'static str, ship: usize, group: Option<u32>) -> Rejection {
        let refused = Rejection::new(code, sentence(code)).with_round(self.round).with_ship(ship as u32);
        match group {
            Some(group) => refused.with_group(group),
            None => refused,
        }
    }
}

/// What a code says to a person.
pub(crate) fn sentence(code: &str) -> &'static str {
    match code {
        "unknown_target" => "there is no ship of that id",
        "target_destroyed" => "the target is destroyed",
        "target_side" => "the target is on the wrong side",
        "no_weapons" => "the ship has no weapons",
        "overheat_locked" => "the ship is too hot to overheat",
        "no_weapon_ready" => "the capacitor is too low for every weapon group",
        "unknown_group" => "the fit has no group of that index",
        "not_active" => "the group cannot be activated",
        "target_missing" => "the module needs a target",
        "target_not_allowed" => "the module takes no target",
        "no_uses" => "the group has no charges left",
        "capacitor" => "the capacitor is too low",
        _ => "the call is not allowed",
    }
}
