//! Timed effects (§9): what they are, and the attributes they change.

use ongrid_engine::Observer;

use crate::attribute::Class;
use crate::event::{Event, What, Why};
use crate::grid::Grid;
use crate::pipeline::Chain;
use crate::roster::Roster;
use crate::ship::Curve;

/// A timed effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effect {
    pub number: u32,
    pub source: u8,
    pub group: u8,
    pub target: u8,
    pub last_round: u8,
    pub class: Class,
    /// How often each multiplier is projected.
    pub count: u8,
    /// Of its one attribute, or of tracking and guidance.
    pub multipliers: [f64; 2],
}

impl Effect {
    /// One multiplier for each attribute it touches.
    pub fn multipliers(&self) -> &[f64] {
        match self.class {
            Class::SensorDampener => &self.multipliers,
            _ => &self.multipliers[..1],
        }
    }
}

impl Grid {
    /// Projects a timed effect; an earlier one of the same group ends.
    pub fn project<O: Observer<Event>>(&mut self, roster: &Roster, effect: Effect, watch: &mut O) {
        self.end_effects(
            roster,
            Why::Replaced,
            |other| (other.source, other.group) == (effect.source, effect.group),
            watch,
        );
        let number = self.next_effect;
        self.next_effect += 1;
        self.effects.push(Effect { number, ..effect });
        self.see(watch, || What::EffectStarted {
            number,
            source: effect.source.into(),
            group: effect.group.into(),
            target: effect.target.into(),
            class: effect.class,
            multipliers: effect.multipliers().to_vec(),
            last_round: effect.last_round.into(),
        });
        self.refresh(roster, usize::from(effect.target), effect.class);
    }

    /// Whether a ship's group has a live effect.
    pub fn has_effect(&self, source: usize, group: u8) -> bool {
        self.effects.iter().any(|effect| usize::from(effect.source) == source && effect.group == group)
    }

    /// Ends the effects that `which` picks, and has what they touched computed anew.
    #[inline]
    pub fn end_effects<O: Observer<Event>>(
        &mut self,
        roster: &Roster,
        why: Why,
        which: impl Fn(&Effect) -> bool,
        watch: &mut O,
    ) {
        let mut at = 0;
        while at < self.effects.len() {
            if !which(&self.effects[at]) {
                at += 1;
                continue;
            }
            let effect = self.effects.remove(at);
            self.see(watch, || What::EffectEnded { number: effect.number, why });
            self.refresh(roster, usize::from(effect.target), effect.class);
        }
    }

    /// Computes the attributes that a class of effects touches anew, from the effects that last: nothing is ever
    /// divided back.
    fn refresh(&mut self, roster: &Roster, id: usize, class: Class) {
        let ship = roster.ship(id);
        match class {
            Class::StasisWebifier => {
                self.crafts[id].velocity = self.flown(id, &ship.velocity, velocity_of);
                self.update_moves(id);
            }
            Class::TargetPainter => {
                self.crafts[id].signature = self.flown(id, &ship.signature, signature_of);
                self.update_moves(id);
            }
            _ => self.refresh_aims(roster, id, class),
        }
    }

    fn refresh_aims(&mut self, roster: &Roster, id: usize, class: Class) {
        let weapons = roster.weapons_of(id);
        for (weapon, number) in weapons.iter().zip(self.guns_of(id)) {
            let touched = match class {
                Class::TrackingDisruptor => weapon.turret,
                Class::GuidanceDisruptor => !weapon.turret,
                _ => true,
            };
            if touched {
                let of = if weapon.turret { tracking_of } else { guidance_of };
                self.guns[number].aim = self.flown(id, &weapon.aim, of);
            }
        }
    }

    /// An attribute of a ship as flown, by stance.
    #[inline(never)]
    fn flown(&self, id: usize, curve: &Curve, of: fn(&Effect) -> Option<f64>) -> [f64; 3] {
        let mut chain: Chain = curve.chain.as_deref().copied().unwrap_or_default();
        let mut touched = false;
        for effect in self.effects.iter().filter(|effect| usize::from(effect.target) == id) {
            if let Some(multiplier) = of(effect) {
                touched = true;
                for _ in 0..effect.count {
                    chain.insert(multiplier);
                }
            }
        }
        if touched { chain.apply_each(curve.base, self.rules.penalties()) } else { curve.flown }
    }
}

fn velocity_of(effect: &Effect) -> Option<f64> {
    (effect.class == Class::StasisWebifier).then_some(effect.multipliers[0])
}

fn signature_of(effect: &Effect) -> Option<f64> {
    (effect.class == Class::TargetPainter).then_some(effect.multipliers[0])
}

fn tracking_of(effect: &Effect) -> Option<f64> {
    matches!(effect.class, Class::TrackingDisruptor | Class::SensorDampener).then_some(effect.multipliers[0])
}

fn guidance_of(effect: &Effect) -> Option<f64> {
    match effect.class {
        Class::GuidanceDisruptor => Some(effect.multipliers[0]),
        Class::SensorDampener => Some(effect.multipliers[1]),
        _ => None,
    }
}
