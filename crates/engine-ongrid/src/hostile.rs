//! The hostile pilot (§12): no draws, the first rule that applies.

use crate::attribute::{Class, Stance};
use crate::call::Action;
use crate::catalogue::{Role, SIDE};
use crate::fight::Fight;
use crate::formulas::at_most_one;
use crate::pipeline::clamp;
use crate::ship::{Active, Deed};

/// The enemy that a ship is best turned upon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Focus {
    pub target: usize,
    /// What firing at it is expected to do.
    pub expected: f64,
}

impl Fight {
    /// What the hostile pilot does with a ship. It flies either side: its enemies are those of the ship.
    pub(crate) fn decide(&mut self, id: usize) -> (Stance, Action) {
        let roster = std::sync::Arc::clone(&self.roster);
        let ship = roster.ship(id);
        let stance = self.rules.hostile_stance(self.frac(id), ship.role != Role::Line);
        let (actives, first) = roster.actives_of(id);
        let mut focus = None;
        if !actives.is_empty() {
            let chosen = self
                .remote_repair(id, actives)
                .or_else(|| self.boost(id, actives, first))
                .or_else(|| self.self_repair(id, actives, first))
                .or_else(|| self.ewar(id, stance, actives, &mut focus));
            if let Some((group, target)) = chosen {
                let target = target.map(|target| target as u32);
                return (stance, Action::Activate { group: group.into(), target });
            }
        }
        let focus = focus.or_else(|| self.focus(id, stance)).filter(|focus| focus.expected > 0.0);
        let Some(Focus { target, expected }) = focus else { return (stance, Action::Hold) };
        let overheat = self.rules.hostile_overheats(self.heat[id], expected, self.hp[target]);
        (stance, Action::Fire { target: target as u32, overheat })
    }

    fn remote_repair(&self, id: usize, actives: &[Active]) -> Option<(u8, Option<usize>)> {
        for active in actives.iter().filter(|active| active.class.is_remote()) {
            let Deed::Repair(layer, _, half) = active.work else { continue };
            if active.cost > self.capacitor[id] {
                continue;
            }
            let mut lowest: Option<(usize, f64)> = None;
            for ally in self.allies_of(id).filter(|ally| *ally != id && self.is_alive(*ally)) {
                let missing = self.roster.ship(ally).max[layer] - self.left[ally][layer];
                let frac = self.frac(ally);
                if missing >= half && lowest.is_none_or(|(_, least)| frac < least) {
                    lowest = Some((ally, frac));
                }
            }
            if let Some((ally, _)) = lowest {
                return Some((active.group, Some(ally)));
            }
        }
        None
    }

    fn boost(&self, id: usize, actives: &[Active], first: usize) -> Option<(u8, Option<usize>)> {
        let low = self.rules.hostile.booster_below * self.roster.ship(id).capacitor;
        let ready = |(index, active): &(usize, &Active)| {
            active.class == Class::CapacitorBooster && self.uses[first + index] > 0
        };
        let active = actives.iter().enumerate().find(ready).filter(|_| self.capacitor[id] < low)?.1;
        Some((active.group, None))
    }

    fn self_repair(&self, id: usize, actives: &[Active], first: usize) -> Option<(u8, Option<usize>)> {
        if self.frac(id) >= self.rules.hostile.repair_below {
            return None;
        }
        let ship = self.roster.ship(id);
        for (index, active) in actives.iter().enumerate().filter(|(_, active)| !active.class.is_remote()) {
            let Deed::Repair(layer, amount, _) = active.work else { continue };
            let ready = active.cost <= self.capacitor[id] && self.uses[first + index] > 0;
            if ready && ship.max[layer] - self.left[id][layer] >= amount {
                return Some((active.group, None));
            }
        }
        None
    }

    fn ewar(
        &mut self,
        id: usize,
        stance: Stance,
        actives: &[Active],
        focus: &mut Option<Focus>,
    ) -> Option<(u8, Option<usize>)> {
        for active in actives.iter().filter(|active| active.class.is_hostile()) {
            if active.cost > self.capacitor[id] || self.has_effect(id, active.group) {
                continue;
            }
            let target = match active.class {
                Class::StasisWebifier | Class::TargetPainter => {
                    *focus = focus.or_else(|| self.focus(id, stance));
                    focus.map(|focus| focus.target)
                }
                _ => self.ewar_target(id, active),
            };
            if target.is_some() {
                return Some((active.group, target));
            }
        }
        None
    }

    fn ewar_target(&self, id: usize, active: &Active) -> Option<usize> {
        let ship = |enemy: usize| self.roster.ship(enemy);
        let threat = |enemy: usize| ship(enemy).threat;
        let capacitor = |enemy: usize| self.capacitor[enemy];
        match (active.class, active.work) {
            (Class::TrackingDisruptor, _) => self.greatest(id, threat, |enemy| ship(enemy).has_turrets),
            (Class::GuidanceDisruptor, _) => self.greatest(id, threat, |enemy| ship(enemy).has_launchers),
            (Class::SensorDampener, _) => self.greatest(id, threat, |enemy| threat(enemy) > 0.0),
            (Class::Ecm, _) => self.greatest(id, threat, |enemy| {
                threat(enemy) > 0.0 && u32::from(self.jam_until[enemy]) < self.round
            }),
            (_, Deed::Drain(_, half)) if self.round.is_multiple_of(2) => {
                self.greatest(id, capacitor, |_| true).filter(|enemy| capacitor(*enemy) >= half)
            }
            (_, Deed::Leech(_)) => {
                let low = self.rules.hostile.leech_below * ship(id).capacitor;
                let most = self.greatest(id, capacitor, |_| true).filter(|enemy| capacitor(*enemy) > 0.0);
                most.filter(|_| self.capacitor[id] < low)
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
    pub(crate) fn focus(&mut self, id: usize, stance: Stance) -> Option<Focus> {
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
    pub(crate) fn expected(&mut self, id: usize, stance: Stance) -> [f64; SIDE] {
        let roster = std::sync::Arc::clone(&self.roster);
        let (weapons, first) = roster.weapons_of(id);
        let base = self.enemies_of(id).start;
        let layers = self.layers(base);
        let mut sums = [0.0; SIDE];
        for (index, weapon) in weapons.iter().enumerate() {
            if weapon.cost > self.capacitor[id] {
                continue;
            }
            self.reckon(first + index, &weapon.typed, base, layers);
            let aim = &self.aims[first + index];
            let tracking = aim.flown[stance as usize];
            let (sig, speed) = (&self.sig[base..base + SIDE], &self.speed[base..base + SIDE]);
            for lane in 0..SIDE {
                let seen = at_most_one(sig[lane] / weapon.ref_sig);
                let pace = weapon.ref_vel / speed[lane];
                let q = if weapon.turret {
                    let rules = &self.rules.turret;
                    clamp(tracking * seen * pace, rules.min_hit, rules.max_hit) * rules.mean_quality
                } else {
                    let rules = &self.rules.missile;
                    clamp(seen * pace.sqrt() * tracking, rules.min_application, rules.max_application)
                };
                sums[lane] += aim.weights[lane] * (weapon.power * q * self.overtime);
            }
        }
        sums
    }

    /// The first standing layers of a side, one byte a ship.
    #[inline]
    fn layers(&self, base: usize) -> u64 {
        let mut layers = 0;
        for (lane, layer) in self.layer[base..base + SIDE].iter().enumerate() {
            layers |= u64::from(*layer) << (8 * lane);
        }
        layers
    }

    /// Reckons a weapon group's weights against the enemies' first standing layers, where those changed.
    #[inline]
    fn reckon(&mut self, number: usize, typed: &[f64; 4], base: usize, layers: u64) {
        let changed = self.aims[number].layers ^ layers;
        if changed == 0 {
            return;
        }
        for lane in 0..SIDE {
            if changed >> (8 * lane) & 0xFF != 0 && base + lane < self.roster.len() {
                let layer = usize::from(self.layer[base + lane]);
                let resist = self.roster.ship(base + lane).resonance[layer];
                self.aims[number].weights[lane] =
                    typed[0] * resist[0] + typed[1] * resist[1] + typed[2] * resist[2] + typed[3] * resist[3];
            }
        }
        self.aims[number].layers = layers;
    }

    /// The ships on a ship's own side.
    fn allies_of(&self, id: usize) -> std::ops::Range<usize> {
        let enemies = self.enemies_of(id);
        if enemies.start == 0 { enemies.end..self.roster.len() } else { 0..enemies.start }
    }
}
