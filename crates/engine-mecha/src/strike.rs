//! How an attack comes out: hits, parries, locations, shields, persons (section 4, "Attack draws").

use ongrid_engine::Observer;
use std::sync::Arc;

use crate::aim::{Line, Manner};
use crate::armor::{person_damage, shielded};
use crate::battle::Battle;
use crate::chance::{Strike, hits_from};
use crate::event::{Act, Event, Happening};
use crate::mobility::moves;
use crate::rules::Place;
use crate::setup::{Kind, Weapon};
use crate::skill::DEADLY;
use crate::unit::ENDLESS;
use crate::words::{Arm, Part, Word};
use crate::wreck::Wound;

/// An attack found legal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Volley {
    pub line: Line,
    pub weapon: usize,
    pub shots: u32,
    pub manner: Manner,
    pub hitpro: f64,
}

/// What the hits of one attack have come to, by part (A10).
#[derive(Default)]
struct Toll {
    /// Centipoints that reached the part and count for R41.
    reached: [u64; Part::COUNT],
    /// The parts, in the order of their first hit.
    order: [Option<Part>; Part::COUNT],
    /// How many they are.
    parts: usize,
    /// Which they are, as a set of bits.
    seen: u16,
}

impl Toll {
    fn add(&mut self, part: Part, cp: u32) {
        let bit = 1 << part.index();
        if self.seen & bit == 0 {
            self.seen |= bit;
            self.order[self.parts] = Some(part);
            self.parts += 1;
        }
        self.reached[part.index()] += u64::from(cp);
    }
}

impl Battle {
    /// Carries an attack out, counts a kill, and ends the battle where it decides it.
    pub(crate) fn strike(&mut self, volley: Volley, watch: &mut impl Observer<Event>) {
        let roster = Arc::clone(&self.roster);
        let Line { attacker, target, .. } = volley.line;
        let weapon = roster.weapon(attacker, volley.weapon);
        self.dice.begin();
        let hits = hits_from(volley.hitpro, volley.shots, self.dice.unit());
        self.fire(volley, hits);
        if self.units[target].is_mecha() {
            self.hit_mecha(volley, weapon, hits);
        } else {
            self.hit_person(volley, weapon, hits);
        }
        if self.out(target) {
            self.dice.note(Happening::Kill(attacker as u8, target as u8));
            let unit = &mut self.units[attacker];
            unit.kills += 1;
            unit.learn(&self.rules, roster.unit(attacker));
        }
        self.over |= self.decided();
        self.log(watch, |battle| Act::Attack {
            unit: battle.roster.id(attacker),
            target: battle.roster.id(target),
            weapon: volley.weapon,
            shots: volley.shots,
            distance: volley.line.distance,
            aspect: volley.line.aspect,
            hitpro: volley.hitpro,
            hits,
        });
    }

    /// Counts the shots.
    fn fire(&mut self, volley: Volley, hits: u32) {
        let unit = &mut self.units[volley.line.attacker];
        unit.attacked = true;
        unit.shots += volley.shots;
        unit.hits += hits;
        let ammo = &mut unit.ammo[volley.weapon];
        if *ammo != ENDLESS {
            *ammo -= volley.shots;
        }
    }

    /// Damage of one hit, in centipoints (R58–R60, R70).
    fn power(&self, weapon: &Weapon, target: usize) -> u32 {
        let moving_percent = match weapon.kind {
            Kind::Missile { moving_percent, .. } => moving_percent,
            _ => 100,
        };
        self.rules.munition_cp(weapon.class, weapon.power, moves(self.units[target].pace), moving_percent)
    }

    /// Hits on a person: the damage points, then two dice (X4).
    fn hit_person(&mut self, volley: Volley, weapon: &Weapon, hits: u32) {
        let target = volley.line.target;
        let points = person_damage(self.power(weapon, target), weapon.wound);
        for _ in 0..hits {
            // The dead need no dice, but a parry is judged before the hit: they parry no more.
            if self.units[target].dead() {
                break;
            }
            if !(weapon.is_blade() && self.parries(target, volley.manner)) {
                self.hurt(target, points);
            }
        }
    }

    /// Whether the target parries a blade's hit (draw 2; R10, R17–R20, X3).
    fn parries(&mut self, target: usize, manner: Manner) -> bool {
        let unit = &mut self.units[target];
        if !(unit.parrying && unit.can_act(&self.rules) && unit.has_blade(self.roster.unit(target))) {
            return false;
        }
        let further = self.rules.tables().parry.further;
        let start = unit.skill * self.rules.evasion(unit.pace);
        let strike =
            Strike { head: manner.part == Some(Part::Head), attacked: unit.attacked, feint: manner.feint };
        let chance = self.rules.parry_against(unit.parry.chance(start, further), strike);
        unit.parry.count(further);
        let parried = self.dice.unit() < chance;
        if parried {
            unit.parried += 1;
            self.dice.note(Happening::Parried(target as u8));
        }
        parried
    }

    /// Damage points to a pilot or person, then the two dice that may cost consciousness (R27, R29, X4).
    pub(crate) fn hurt(&mut self, target: usize, points: u32) {
        let (unit, name) = (&mut self.units[target], target as u8);
        let total = u32::from(unit.damage).saturating_add(points).min(u32::from(DEADLY));
        unit.damage = total as u8;
        self.dice.note(Happening::Hurt(name, points, unit.damage));
        let Some(number) = self.rules.consciousness_number(unit.damage) else {
            self.dice.note(Happening::Dies(name));
            return;
        };
        if self.dice.two() < number && !unit.unconscious {
            unit.unconscious = true;
            self.dice.note(Happening::Faints(name));
        }
    }

    /// Hits on a mecha: parry, location, shield, damage; after all of them the critical boxes (A10).
    fn hit_mecha(&mut self, volley: Volley, weapon: &Weapon, hits: u32) {
        let Line { target, aspect, .. } = volley.line;
        let blade = match weapon.kind {
            Kind::Blade { pierce, .. } => Some(pierce),
            _ => None,
        };
        let power = self.power(weapon, target);
        let share = self.units[target]
            .frame
            .as_ref()
            .and_then(|frame| frame.shield_arm)
            .map_or(0, |arm| self.rules.shield_share(aspect, arm));
        let mut toll = Toll::default();
        for _ in 0..hits {
            if blade.is_some() && self.parries(target, volley.manner) {
                continue;
            }
            let part = self.locate(volley.manner.part);
            let cp = if blade.is_some() { power } else { power - self.shield(target, power, share) };
            let counts = self.wound(target, part, Wound { cp, blade });
            toll.add(part, counts);
        }
        for part in toll.order.into_iter().flatten() {
            let boxes = toll.reached[part.index()] / u64::from(self.rules.tables().critical.points * 100);
            self.mark_all(target, part, boxes, blade.is_none());
        }
    }

    /// Where a hit goes: the location dice (draw 3; R33–R35, A11).
    fn locate(&mut self, aimed: Option<Part>) -> Part {
        let location = &self.rules.tables().location;
        let place = match aimed {
            Some(part) => Place::Part(part),
            None => {
                let half =
                    if self.dice.die() <= location.upper_to { &location.upper } else { &location.lower };
                half[usize::from(self.dice.die() - 1)]
            }
        };
        match place {
            Place::Foot if self.dice.die() <= location.left_foot_to => Part::LeftFoot,
            Place::Foot => Part::RightFoot,
            Place::Part(part) => match part.end() {
                Some(end) if self.dice.die() <= location.hand_or_foot_to => end,
                _ => part,
            },
        }
    }

    /// What the shield takes of a hit, in centipoints (draw 4; R38–R40, A12).
    fn shield(&mut self, target: usize, cp: u32, share: u32) -> u32 {
        let Some(frame) = self.units[target].frame.as_mut() else { return 0 };
        let held = frame.shield_arm.is_some_and(|arm: Arm| !frame.lost(arm.part()));
        if share == 0 || frame.shield == 0 || !held {
            return 0;
        }
        let taken = shielded(cp, share);
        frame.shield = frame.shield.saturating_sub(taken);
        self.dice.note(Happening::Shield(target as u8, taken, frame.shield));
        taken
    }
}
