//! Attacks of the player's units: the checks of section 4, `attack`, in their order.

use ongrid_engine::{Observer, Rejection, Result};

use crate::aim::{Line, Manner};
use crate::battle::Battle;
use crate::call::{Attack, Named};
use crate::event::Event;
use crate::setup::{Kind, Weapon};
use crate::strike::Volley;
use crate::words::{Mode, Part};

fn refuse<T>(code: &'static str, message: impl Into<String>) -> Result<T> {
    Err(Rejection::new(code, message))
}

impl Battle {
    /// Lets a unit of the player's attack.
    ///
    /// # Errors
    /// `no_such_unit`, `not_yours`, `cannot_act`, `already_attacked`, `no_such_unit`, `own_target`, `target_out`,
    /// `no_such_weapon`, `bad_mode`, `weapon_lost`, `bad_shots`, `out_of_ammo`, `underwater_thrust_only`,
    /// `out_of_reach`, `no_such_part`, `rapid_fire_cannot_aim`, `too_far_to_aim`, `feint_needs_blade`,
    /// `optical_aid_needed`, in this order.
    pub(crate) fn attack(&mut self, call: &Attack, watch: &mut impl Observer<Event>) -> Result<()> {
        let attacker = self.own(&call.unit)?;
        if self.units[attacker].attacked {
            return refuse("already_attacked", format!("{:?} has attacked in this round", call.unit));
        }
        let target = self.target(&call.target)?;
        let (index, mode) = self.weapon_and_mode(attacker, call)?;
        let weapon = self.roster.weapon(attacker, index);
        let shots = self.shots(attacker, index, call, mode)?;
        let line = self.line(attacker, target);
        self.check_water_and_reach(line, weapon)?;
        let part = self.part(line, weapon, call, mode)?;
        if call.feint && !weapon.is_blade() {
            return refuse("feint_needs_blade", format!("{:?} is no blade", weapon.name));
        }
        let manner =
            Manner { mode, part, feint: call.feint, fast_draw: call.fast_draw, weak_hand: call.weak_hand };
        let Some(hitpro) = self.hitpro(line, weapon, manner) else {
            return refuse("optical_aid_needed", format!("{} m are too far to aim by eye", line.distance));
        };
        self.strike(Volley { line, weapon: index, shots, manner, hitpro }, watch);
        Ok(())
    }

    /// The unit attacked (`no_such_unit`, `own_target`, `target_out`).
    fn target(&self, id: &str) -> Result<usize> {
        let target = self.find(id)?;
        if self.roster.mine[target] {
            return refuse("own_target", format!("{id:?} is on the player's side"));
        }
        if self.out(target) {
            return refuse("target_out", format!("{id:?} is out of the battle"));
        }
        Ok(target)
    }

    /// Weapon and mode of fire (`no_such_weapon`, `bad_mode`, `weapon_lost`).
    fn weapon_and_mode(&self, attacker: usize, call: &Attack) -> Result<(usize, Mode)> {
        let weapons = &self.roster.unit(attacker).weapons;
        let Some(index) = usize::try_from(call.weapon).ok().filter(|index| *index < weapons.len()) else {
            return refuse("no_such_weapon", format!("{:?} has no weapon {}", call.unit, call.weapon));
        };
        let Named::Known(mode) = call.mode else {
            return refuse("bad_mode", format!("there is no mode of fire {:?}", call.mode.name()));
        };
        if !self.units[attacker].has(&weapons[index]) {
            return refuse(
                "weapon_lost",
                format!("the arm or hand that held {:?} is lost", weapons[index].name),
            );
        }
        Ok((index, mode))
    }

    /// Shots (`bad_shots`, `out_of_ammo`; A21).
    fn shots(&self, attacker: usize, index: usize, call: &Attack, mode: Mode) -> Result<u32> {
        let most = self.roster.weapon(attacker, index).rate(mode == Mode::Rapid);
        let shots = u32::try_from(call.shots).ok().filter(|shots| (1..=most).contains(shots));
        let Some(shots) = shots else {
            return refuse("bad_shots", format!("{} shots are not in 1..{most}", call.shots));
        };
        let left = self.units[attacker].ammo[index];
        if shots > left {
            return refuse("out_of_ammo", format!("{left} shots are left"));
        }
        Ok(shots)
    }

    /// `underwater_thrust_only`, `out_of_reach` (R15).
    fn check_water_and_reach(&self, line: Line, weapon: &Weapon) -> Result<()> {
        if !self.works_in_water(weapon) {
            return refuse("underwater_thrust_only", "under water only thrust weapons work");
        }
        if weapon.is_blade() && line.distance > f64::from(weapon.range) {
            let message = format!("{} m are beyond the reach of {} m", line.distance, weapon.range);
            return refuse("out_of_reach", message);
        }
        Ok(())
    }

    /// Whether the weapon works where the battle takes place (R15).
    pub(crate) fn works_in_water(&self, weapon: &Weapon) -> bool {
        !self.roster.setup.env.underwater || matches!(weapon.kind, Kind::Blade { thrust: true, .. })
    }

    /// The part aimed at (`no_such_part`, `rapid_fire_cannot_aim`, `too_far_to_aim`; R36, R54).
    fn part(&self, line: Line, weapon: &Weapon, call: &Attack, mode: Mode) -> Result<Option<Part>> {
        let Some(name) = &call.part else { return Ok(None) };
        let mecha = self.units[line.target].is_mecha();
        let part = name.known().filter(|part| mecha || (*part == Part::Head && weapon.is_blade()));
        let Some(part) = part else {
            return refuse(
                "no_such_part",
                format!("{:?} of {:?} cannot be aimed at", name.name(), call.target),
            );
        };
        if weapon.is_blade() {
            return Ok(Some(part));
        }
        if mode == Mode::Rapid {
            return refuse("rapid_fire_cannot_aim", "rapid fire cannot be aimed at a part");
        }
        if !weapon.sniper && 2.0 * line.distance > f64::from(weapon.range) {
            let message = format!("{} m are beyond half the range of {} m", line.distance, weapon.range);
            return refuse("too_far_to_aim", message);
        }
        Ok(Some(part))
    }
}
