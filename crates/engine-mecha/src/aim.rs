//! The hit probability of an attack: all factors in the order of section 4 (R1–R18, R47, R52, R55–R72).

use crate::battle::Battle;
use crate::chance::{clamp, dodged, weapon_accuracy};
use crate::geometry::{aspect, distance, squared};
use crate::mobility::{medium_at, moves};
use crate::setup::{Body, Kind, Sight, Weapon};
use crate::unit::{Frame, Unit};
use crate::words::{Aspect, Class, Flag, Medium, Mode, Pace, Part};

/// How an attack is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manner {
    pub mode: Mode,
    /// The part aimed at.
    pub part: Option<Part>,
    pub feint: bool,
    pub fast_draw: bool,
    pub weak_hand: bool,
}

impl Manner {
    /// A normal attack without part, as the others make it (X9).
    pub const PLAIN: Self =
        Self { mode: Mode::Normal, part: None, feint: false, fast_draw: false, weak_hand: false };
}

/// Where an attack goes from and to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub attacker: usize,
    pub target: usize,
    /// Metres, at least 1.
    pub distance: f64,
    pub aspect: Aspect,
}

impl Battle {
    pub(crate) fn line(&self, attacker: usize, target: usize) -> Line {
        let (from, to) = (&self.units[attacker], &self.units[target]);
        Line {
            attacker,
            target,
            distance: distance(squared(from.pos, to.pos)),
            aspect: aspect(to.pos, to.facing, from.pos),
        }
    }

    /// HITPRO of an attack, 0 to 1; `None` where it needs optical aid that is not there (R57).
    pub(crate) fn hitpro(&self, line: Line, weapon: &Weapon, manner: Manner) -> Option<f64> {
        let mut chance = Product(self.units[line.attacker].skill);
        chance.by(self.weapon_term(line, weapon, manner)?);
        if chance.0 > 0.0 {
            self.motion(&mut chance, line, manner.mode);
            self.surroundings(&mut chance, line, weapon);
            self.situation(&mut chance, line, manner);
            self.handling(&mut chance, line, weapon, manner);
        }
        Some(clamp(chance.0))
    }

    /// The weapon term (R5, R8, R55–R57, R61–R67, R72).
    fn weapon_term(&self, line: Line, weapon: &Weapon, manner: Manner) -> Option<f64> {
        let (rules, env) = (&self.rules, &self.roster.setup.env);
        let own = match &weapon.kind {
            Kind::Blade { accuracy, .. } => return Some(*accuracy),
            Kind::Gun(Sight::Own { accuracy, reference }) => {
                weapon_accuracy(*accuracy, *reference, line.distance)
            }
            Kind::Gun(Sight::Hand(hand)) => match &self.roster.unit(line.attacker).body {
                Body::Foot { skill } => {
                    let reference = rules.shooting_skill(*skill).reference(*hand);
                    weapon_accuracy(1.0, reference, line.distance)
                }
                Body::Mecha(_) => 0.0,
            },
            Kind::Rocket { half_range } => rules.rocket_rate(line.distance, *half_range),
            Kind::Missile { flight, wingless, .. } => {
                let can_turn = env.medium != Medium::Space && !wingless;
                rules.missile_rate(line.distance, *flight, can_turn, moves(self.units[line.target].pace))
            }
        };
        if manner.part.is_none() {
            return Some(own);
        }
        let mecha = self.units[line.attacker].is_mecha();
        rules.aimed_term(own, line.distance, mecha, self.optical_aid(line.attacker, weapon))
    }

    /// Whether a weapon's optical aid works: in a mecha the computer runs it (R46, R57).
    fn optical_aid(&self, attacker: usize, weapon: &Weapon) -> bool {
        let computer_out = self.rules.tables().critical.computer_out;
        let runs = |frame: &Frame| frame.boxes(Part::Cockpit) < computer_out;
        weapon.optical && self.units[attacker].frame.as_deref().is_none_or(runs)
    }

    /// Size, pace, dodging, mode of fire (R6, R9–R11, X2).
    fn motion(&self, chance: &mut Product, line: Line, mode: Mode) {
        let rules = &self.rules;
        let (attacker, target) = (&self.units[line.attacker], &self.units[line.target]);
        chance.when(!attacker.is_mecha(), self.roster.unit(line.target).size_m2);
        chance.by(rules.movement_factor(attacker.pace, target.pace));
        chance.when(attacker.dodging, rules.evasion(attacker.pace));
        if target.dodging && target.can_act(rules) {
            chance.by(self.dodge(target));
        }
        chance.by(rules.tables().modes[mode]);
    }

    /// What dodging leaves of attacks: the plain value on foot, by piloting and agility in a mecha (R10, X2).
    fn dodge(&self, target: &Unit) -> f64 {
        let (rules, env) = (&self.rules, &self.roster.setup.env);
        let value = rules.evasion(target.pace);
        if !target.is_mecha() {
            return value;
        }
        let piloting = rules.pilot_environment(target.piloting, medium_at(env.medium, target.pace));
        dodged(value, piloting, target.agility(rules, env, target.pace))
    }

    /// Space, light, fog, darkness (R12; A14).
    fn surroundings(&self, chance: &mut Product, line: Line, weapon: &Weapon) {
        let env = &self.roster.setup.env;
        let (tables, modifiers) = (self.rules.tables(), &self.rules.tables().conditions);
        if env.medium == Medium::Space && matches!(weapon.kind, Kind::Gun(_)) {
            chance.when(weapon.optical_only, modifiers.space_optical);
            let beam = weapon.class == Class::Beam;
            chance.by(if beam { modifiers.space_beam } else { modifiers.space_bullet });
        }
        chance.by(tables.light[env.light]);
        chance.when(env.fog, modifiers.fog);
        let (from, to) = (self.roster.flags[line.attacker], self.roster.flags[line.target]);
        chance.when(from.has(Flag::InDark) && to.has(Flag::Lit), modifiers.from_dark);
        chance.when(to.has(Flag::InDark) && !from.has(Flag::InDark), modifiers.into_dark);
    }

    /// Sight, aspect, surprise, weapon hand, water (R13–R15).
    fn situation(&self, chance: &mut Product, line: Line, manner: Manner) {
        let modifiers = &self.rules.tables().conditions;
        let (from, to) = (self.roster.flags[line.attacker], self.roster.flags[line.target]);
        let blind = to.has(Flag::Backlit) || from.has(Flag::Blinded) || to.has(Flag::Unseen);
        chance.when(blind, modifiers.blind);
        chance.when(matches!(line.aspect, Aspect::Left | Aspect::Right), modifiers.flank);
        chance.when(line.aspect == Aspect::Rear, modifiers.rear);
        chance.when(to.has(Flag::Surprised) && self.round == 1, modifiers.surprise);
        chance.when(manner.fast_draw, modifiers.fast_draw);
        let person = !self.units[line.attacker].is_mecha();
        chance.when(manner.weak_hand && person, modifiers.weak_hand);
        chance.when(self.roster.setup.env.underwater, modifiers.underwater);
    }

    /// Strikes, confusion, damage to arms and sensors (R14, R16–R18, R47, R52).
    fn handling(&self, chance: &mut Product, line: Line, weapon: &Weapon, manner: Manner) {
        let modifiers = &self.rules.tables().conditions;
        let attacker = &self.units[line.attacker];
        let strike = weapon.is_blade();
        chance.when(strike && attacker.pace >= Pace::Run, modifiers.fast_strike);
        chance.when(self.roster.flags[line.attacker].has(Flag::Confused), modifiers.confused);
        chance.when(strike && manner.feint, modifiers.feint);
        chance.when(strike && attacker.parrying, modifiers.strike_and_parry);
        chance.when(strike && attacker.dodging, modifiers.strike_and_dodge);
        if let Some(frame) = &attacker.frame {
            let half = weapon.arm.is_some_and(|arm| frame.halves(arm.part()) > 0);
            chance.when(half, modifiers.arm_half);
            chance.by(self.rules.sensor_factor(frame.boxes(Part::Head)));
        }
    }
}

/// A product of modifiers, multiplied one by one in the order of section 4 (R1).
struct Product(f64);

impl Product {
    fn by(&mut self, factor: f64) {
        self.0 *= factor;
    }

    fn when(&mut self, applies: bool, factor: f64) {
        if applies {
            self.by(factor);
        }
    }
}
