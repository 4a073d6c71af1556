//! The hostile pilot (§12): no draws, the first rule that applies.

use std::array::from_fn;

use crate::attribute::{Class, Stance};
use crate::call::Action;
use crate::catalogue::{Role, SIDE};
use crate::formulas::at_most_one;
use crate::grid::{Grid, Gun};
use crate::pipeline::clamp;
use crate::roster::{Roster, SHIPS};
use crate::rules::{Missile, Rules, Turret};
use crate::ship::{Active, Deed};

/// The enemy that a ship is best turned upon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Focus {
    pub target: usize,
    /// What firing at it is expected to do.
    pub expected: f64,
}

/// A group to activate, and on whom.
type Choice = (u8, Option<usize>);

impl Grid {
    /// What the hostile pilot does with a ship. It flies either side: its enemies are those of the ship.
    pub fn decide(&self, roster: &Roster, id: usize) -> (Stance, Action) {
        let ship = roster.ship(id);
        let stance = self.rules.hostile_stance(self.frac(id), ship.role != Role::Line);
        let mut focus = None;
        if ship.actives.1 > 0 {
            let (actives, first) = roster.actives_of(id);
            let mut chosen = None;
            if ship.has_remote {
                chosen = self.remote_repair(roster, id, actives);
            }
            if chosen.is_none() && ship.has_self {
                chosen = self.boost(id, actives, first);
                chosen = chosen.or_else(|| self.self_repair(roster, id, actives, first));
            }
            if chosen.is_none() && ship.has_ewar {
                chosen = self.ewar(roster, id, stance, actives, &mut focus);
            }
            if let Some((group, target)) = chosen {
                let target = target.map(|target| target as u32);
                return (stance, Action::Activate { group: group.into(), target });
            }
        }
        let focus = focus.or_else(|| self.focus(id, stance)).filter(|focus| focus.expected > 0.0);
        let Some(Focus { target, expected }) = focus else { return (stance, Action::Hold) };
        let overheat = self.rules.hostile_overheats(self.crafts[id].heat, expected, self.hp[target]);
        (stance, Action::Fire { target: target as u32, overheat })
    }

    fn remote_repair(&self, roster: &Roster, id: usize, actives: &[Active]) -> Option<Choice> {
        for active in actives.iter().filter(|active| active.class.is_remote()) {
            let Deed::Repair(layer, _, half) = active.work else { continue };
            if active.cost > self.crafts[id].capacitor {
                continue;
            }
            let mut lowest: Option<(usize, f64)> = None;
            for ally in self.allies_of(id).filter(|ally| *ally != id && self.is_alive(*ally)) {
                let missing = roster.ship(ally).max[layer] - self.crafts[ally].left[layer];
                if missing < half {
                    continue;
                }
                let frac = self.frac(ally);
                if lowest.is_none_or(|(_, least)| frac < least) {
                    lowest = Some((ally, frac));
                }
            }
            if let Some((ally, _)) = lowest {
                return Some((active.group, Some(ally)));
            }
        }
        None
    }

    fn boost(&self, id: usize, actives: &[Active], first: usize) -> Option<Choice> {
        let ready = |(index, active): &(usize, &Active)| {
            active.class == Class::CapacitorBooster && self.uses[first + index] > 0
        };
        let (_, active) = actives.iter().enumerate().find(ready)?;
        let craft = &self.crafts[id];
        let low = craft.capacitor < self.rules.hostile.booster_below * craft.capacitor_max;
        low.then_some((active.group, None))
    }

    fn self_repair(&self, roster: &Roster, id: usize, actives: &[Active], first: usize) -> Option<Choice> {
        if self.frac(id) >= self.rules.hostile.repair_below {
            return None;
        }
        let (ship, craft) = (roster.ship(id), &self.crafts[id]);
        for (index, active) in actives.iter().enumerate().filter(|(_, active)| !active.class.is_remote()) {
            let Deed::Repair(layer, amount, _) = active.work else { continue };
            let ready = active.cost <= craft.capacitor && self.uses[first + index] > 0;
            if ready && ship.max[layer] - craft.left[layer] >= amount {
                return Some((active.group, None));
            }
        }
        None
    }

    fn ewar(
        &self,
        roster: &Roster,
        id: usize,
        stance: Stance,
        actives: &[Active],
        focus: &mut Option<Focus>,
    ) -> Option<Choice> {
        for active in actives.iter().filter(|active| active.class.is_hostile()) {
            if active.cost > self.crafts[id].capacitor || self.has_effect(id, active.group) {
                continue;
            }
            let target = match active.class {
                Class::StasisWebifier | Class::TargetPainter => {
                    *focus = focus.or_else(|| self.focus(id, stance));
                    focus.map(|focus| focus.target)
                }
                _ => self.ewar_target(roster, id, active),
            };
            if target.is_some() {
                return Some((active.group, target));
            }
        }
        None
    }

    fn ewar_target(&self, roster: &Roster, id: usize, active: &Active) -> Option<usize> {
        let threat = |enemy: usize| roster.ship(enemy).threat;
        let capacitor = |enemy: usize| self.crafts[enemy].capacitor;
        match (active.class, active.work) {
            (Class::TrackingDisruptor, _) => {
                self.greatest(id, threat, |enemy| roster.ship(enemy).has_turrets)
            }
            (Class::GuidanceDisruptor, _) => {
                self.greatest(id, threat, |enemy| roster.ship(enemy).has_launchers)
            }
            (Class::SensorDampener, _) => self.greatest(id, threat, |enemy| threat(enemy) > 0.0),
            (Class::Ecm, _) => self.greatest(id, threat, |enemy| {
                threat(enemy) > 0.0 && u32::from(self.crafts[enemy].jam_until) < self.round
            }),
            (_, Deed::Drain(_, half)) if self.round.is_multiple_of(2) => {
                self.greatest(id, capacitor, |_| true).filter(|enemy| capacitor(*enemy) >= half)
            }
            (_, Deed::Leech(_)) => {
                let craft = &self.crafts[id];
                let low = craft.capacitor < self.rules.hostile.leech_below * craft.capacitor_max;
                let most = || self.greatest(id, capacitor, |_| true).filter(|enemy| capacitor(*enemy) > 0.0);
                if low { most() } else { None }
            }
            _ => None,
        }
    }

    /// The living enemy with the greatest figure; of equals the lowest id.
    fn greatest(
        &self,
        id: usize,
        figure: impl Fn(usize) -> f64,
        which: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let mut greatest: Option<(usize, f64)> = None;
        for enemy in self.enemies_of(id).filter(|enemy| self.is_alive(*enemy) && which(*enemy)) {
            let value = figure(enemy);
            if greatest.is_none_or(|(_, most)| value > most) {
                greatest = Some((enemy, value));
            }
        }
        greatest.map(|(enemy, _)| enemy)
    }

    /// The living enemy with the greatest `min(1, expected ÷ hp)`; of equals the lower hp, then the lower id. Where
    /// nothing is expected that is the lowest hp.
    pub fn focus(&self, id: usize, stance: Stance) -> Option<Focus> {
        let expected = self.expected(id, stance);
        let enemies = self.enemies_of(id);
        let first = enemies.start;
        let living = self.alive >> first & ((1 << enemies.len()) - 1);
        let hp = side(&self.hp, first);
        let shares: Lanes = from_fn(|lane| at_most_one(expected[lane] / hp[lane]));
        // Doubles above 0 are ordered as their bits are: one comparison of integers instead of two of doubles.
        let (mut best, mut chosen) = (0, 0);
        for lane in 0..SIDE {
            let rank = u128::from(shares[lane].to_bits()) << 64 | u128::from(!hp[lane].to_bits());
            let better = (rank > best) & (living >> lane & 1 != 0);
            best = if better { rank } else { best };
            chosen = if better { lane } else { chosen };
        }
        (living != 0).then_some(Focus { target: first + chosen, expected: expected[chosen] })
    }

    /// What firing is expected to do to each enemy, by its place on its side: summed over the weapon groups that
    /// could each pay alone. Places of the dead and beyond the side hold figures without meaning.
    pub fn expected(&self, id: usize, stance: Stance) -> Lanes {
        let first = self.enemies_of(id).start;
        let (sig, speed) = (side(&self.sig, first), side(&self.speed, first));
        let standing = self.standing.each_ref().map(|resonances| side(resonances, first));
        let mut sums = [0.0; SIDE];
        for gun in self.guns[self.guns_of(id)].iter().filter(|gun| gun.cost <= self.crafts[id].capacitor) {
            let aim = gun.aim[stance as usize];
            let q = if gun.turret {
                self.rules.mean_hits(aim, sig, gun.ref_sig, gun.ref_vel, speed)
            } else {
                self.rules.applications(sig, gun.ref_sig, gun.ref_vel, speed, aim)
            };
            add_expected(&mut sums, gun, &standing, &q, self.overtime);
        }
        sums
    }
}

/// Figures of the ships of one side. The loops over them are written so that they become vector instructions.
pub(crate) type Lanes = [f64; SIDE];

/// The side of a list that begins at a ship.
#[inline]
fn side(list: &[f64; SHIPS], first: usize) -> &Lanes {
    list.get(first..).and_then(<[f64]>::first_chunk).unwrap_or(&[1.0; SIDE])
}

#[inline]
fn add_expected(sums: &mut Lanes, gun: &Gun, standing: &[&Lanes; 4], q: &Lanes, overtime: f64) {
    let [em, thermal, kinetic, explosive] = gun.typed;
    let typed: Lanes = from_fn(|lane| {
        em * standing[0][lane]
            + thermal * standing[1][lane]
            + kinetic * standing[2][lane]
            + explosive * standing[3][lane]
    });
    *sums = from_fn(|lane| sums[lane] + typed[lane] * (gun.power * q[lane] * overtime));
}

impl Rules {
    /// `hit × mean_quality` against each ship of a side (§12).
    #[inline]
    fn mean_hits(&self, tracking: f64, sig: &Lanes, ref_sig: f64, ref_vel: f64, speed: &Lanes) -> Lanes {
        let Turret { min_hit, max_hit, mean_quality, .. } = self.turret;
        from_fn(|lane| {
            let chance = tracking * at_most_one(sig[lane] / ref_sig) * (ref_vel / speed[lane]);
            clamp(chance, min_hit, max_hit) * mean_quality
        })
    }

    /// `application` to each ship of a side (§12).
    #[inline]
    fn applications(&self, sig: &Lanes, ref_sig: f64, ref_vel: f64, speed: &Lanes, guidance: f64) -> Lanes {
        let Missile { min_application, max_application } = self.missile;
        from_fn(|lane| {
            let applied = at_most_one(sig[lane] / ref_sig) * (ref_vel / speed[lane]).sqrt() * guidance;
            clamp(applied, min_application, max_application)
        })
    }
}
