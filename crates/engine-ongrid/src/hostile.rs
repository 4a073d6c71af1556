//! The hostile pilot (§12): no draws, the first rule that applies.

use crate::attribute::{Class, Stance};
use crate::call::Action;
use crate::catalogue::{Role, SIDE};
use crate::formulas::at_most_one;
use crate::grid::Grid;
use crate::pipeline::clamp;
use crate::roster::Roster;
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
    pub fn decide(&mut self, roster: &Roster, id: usize) -> (Stance, Action) {
        let ship = roster.ship(id);
        let stance = self.rules.hostile_stance(self.frac(id), ship.role != Role::Line);
        let mut focus = None;
        if ship.actives.1 > 0 {
            let (actives, first) = roster.actives_of(id);
            let chosen = self
                .remote_repair(roster, id, actives)
                .or_else(|| self.boost(id, actives, first))
                .or_else(|| self.self_repair(roster, id, actives, first))
                .or_else(|| self.ewar(roster, id, stance, actives, &mut focus));
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
        &mut self,
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
    pub fn focus(&mut self, id: usize, stance: Stance) -> Option<Focus> {
        let expected = self.expected(id, stance);
        let enemies = self.enemies_of(id);
        let first = enemies.start;
        let mut best: Option<(f64, f64, Focus)> = None;
        for target in enemies.filter(|enemy| self.is_alive(*enemy)) {
            let (expected, hp) = (expected[target - first], self.hp[target]);
            let share = at_most_one(expected / hp);
            let better = best.is_none_or(|(most, least, _)| share > most || share == most && hp < least);
            if better {
                best = Some((share, hp, Focus { target, expected }));
            }
        }
        best.map(|(_, _, focus)| focus)
    }

    /// What firing is expected to do to each enemy, by its place on its side: summed over the weapon groups that
    /// could each pay alone. Places of the dead and beyond the side hold figures without meaning.
    pub fn expected(&mut self, id: usize, stance: Stance) -> [f64; SIDE] {
        let base = self.enemies_of(id).start;
        let layers = (self.layers >> (8 * base)) as u64 & ((1 << (8 * SIDE)) - 1);
        let mut sums = [0.0; SIDE];
        for number in self.guns_of(id) {
            if self.guns[number].cost > self.crafts[id].capacitor {
                continue;
            }
            if self.guns[number].reckoned != layers {
                self.reckon(number, base, layers);
            }
            let gun = &self.guns[number];
            let aim = gun.aim[stance as usize];
            let (sig, speed) = (&self.sig[base..base + SIDE], &self.speed[base..base + SIDE]);
            let mut q = [0.0; SIDE];
            if gun.turret {
                let rules = &self.rules.turret;
                for lane in 0..SIDE {
                    let chance = aim * at_most_one(sig[lane] / gun.ref_sig) * (gun.ref_vel / speed[lane]);
                    q[lane] = clamp(chance, rules.min_hit, rules.max_hit) * rules.mean_quality;
                }
            } else {
                let rules = &self.rules.missile;
                for lane in 0..SIDE {
                    let applied =
                        at_most_one(sig[lane] / gun.ref_sig) * (gun.ref_vel / speed[lane]).sqrt() * aim;
                    q[lane] = clamp(applied, rules.min_application, rules.max_application);
                }
            }
            for lane in 0..SIDE {
                sums[lane] += gun.weights[lane] * (gun.power * q[lane] * self.overtime);
            }
        }
        sums
    }

    /// Reckons a weapon group's weights against the enemies' first standing layers, where those changed.
    fn reckon(&mut self, number: usize, base: usize, layers: u64) {
        let gun = &mut self.guns[number];
        let changed = gun.reckoned ^ layers;
        for lane in 0..SIDE {
            if changed >> (8 * lane) & 0xFF != 0 {
                let layer = (layers >> (8 * lane)) as usize & 3;
                let resist = &self.crafts[base + lane].resonance[layer.min(2)];
                let [em, thermal, kinetic, explosive] = gun.typed;
                gun.weights[lane] =
                    em * resist[0] + thermal * resist[1] + kinetic * resist[2] + explosive * resist[3];
            }
        }
        gun.reckoned = layers;
    }
}
