//! A unit in battle: what changes, and what follows from it.

use crate::armor::BOX;
use crate::geometry::{Facing, Position};
use crate::mobility::medium_at;
use crate::rules::Rules;
use crate::setup::{Body, Env, Mecha, UnitSetup, Weapon};
use crate::skill::DEADLY;
use crate::words::{Arm, Flag, Medium, Pace, Part, Word};

/// Ammunition that does not end.
pub(crate) const ENDLESS: u32 = u32::MAX;

/// A unit in battle.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub pos: Position,
    pub facing: Facing,
    pub pace: Pace,
    pub dodging: bool,
    pub parrying: bool,
    pub moved: bool,
    pub attacked: bool,
    /// Damage of the pilot or person, 0 to 20.
    pub damage: u8,
    pub unconscious: bool,
    /// Whether wounds leave it this round (R32).
    pub able: bool,
    pub kills: u32,
    /// Shots left by weapon, or [`ENDLESS`].
    pub ammo: Vec<u32>,
    pub shots: u32,
    pub hits: u32,
    pub parried: u32,
    pub parry: Parrying,
    /// What a mecha has more than a person.
    pub frame: Option<Box<Frame>>,
    /// Gunner skill with experience (R7, R21), on foot the shooting skill (R4).
    pub skill: f64,
    /// Piloting skill with experience, on the ground; of a mecha only.
    pub piloting: f64,
}

/// Parry tests of the round, and the chance they have left.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parrying {
    /// Tests so far.
    pub tests: u32,
    start: f64,
    chance: f64,
}

impl Parrying {
    /// The chance after the tests so far, begun from `start` (R19). Multiplied test by test, as the rule is written;
    /// begun anew only where skill or pace have changed since the last one.
    pub fn chance(&mut self, start: f64, further: f64) -> f64 {
        if self.start != start || self.tests == 0 {
            self.start = start;
            self.chance = (0..self.tests).fold(start, |chance, _| chance * further);
        }
        self.chance
    }

    /// Counts a test.
    pub fn count(&mut self, further: f64) {
        self.tests += 1;
        self.chance *= further;
    }
}

/// The body of a mecha. Centipoints throughout.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// Armor left, by part.
    pub armor: [u32; Part::COUNT],
    /// Internal structure hit, by part; never above `size`.
    pub marked: [u32; Part::COUNT],
    /// Internal structure at the start, by part; 0 is a part that was never there.
    pub size: [u32; Part::COUNT],
    /// Shield left.
    pub shield: u32,
    /// The arm that holds the shield.
    pub shield_arm: Option<Arm>,
    /// Reactor boxes.
    pub reactor: u32,
    /// Whether the reactor has exploded.
    pub destroyed: bool,
}

impl Frame {
    /// The body as the setup has it.
    pub fn new(mecha: &Mecha) -> Self {
        Self {
            armor: mecha.parts.map(|[armor, _]| armor * BOX),
            marked: [0; Part::COUNT],
            size: mecha.parts.map(|[_, internal]| internal * BOX),
            shield: mecha.shield.map_or(0, |shield| shield.armor * BOX),
            shield_arm: mecha.shield.map(|shield| shield.arm),
            reactor: 0,
            destroyed: false,
        }
    }

    /// Whole internal boxes of a part that are hit (A9).
    pub fn boxes(&self, part: Part) -> u32 {
        self.marked[part.index()] / BOX
    }

    /// Whether a part is lost: all of its internal structure is hit (R49).
    pub fn lost(&self, part: Part) -> bool {
        self.marked[part.index()] >= self.size[part.index()]
    }

    /// Halves of a part that are destroyed: 0, 1 for half, 2 for lost (R50–R52).
    pub fn halves(&self, part: Part) -> u32 {
        let half = 2 * self.marked[part.index()] >= self.size[part.index()];
        u32::from(half) + u32::from(self.lost(part))
    }

    /// Internal structure of a part that can still be hit.
    pub fn room(&self, part: Part) -> u32 {
        self.size[part.index()] - self.marked[part.index()]
    }

    /// Whether arm and hand that hold something are there (A12).
    pub fn holds(&self, arm: Option<Arm>) -> bool {
        arm.is_none_or(|arm| !self.lost(arm.part()) && !self.lost(arm.hand()))
    }

    /// Armor and internal structure left, and at the start (section 5).
    pub fn left_of(&self, mecha: &Mecha) -> (u64, u64) {
        let all: u64 = mecha.parts.iter().flatten().map(|boxes| u64::from(boxes * BOX)).sum();
        let armor: u64 = self.armor.iter().map(|cp| u64::from(*cp)).sum();
        let internal: u64 = self.size.iter().zip(&self.marked).map(|(size, hit)| u64::from(size - hit)).sum();
        (armor + internal, all)
    }
}

impl Unit {
    pub fn new(rules: &Rules, setup: &UnitSetup) -> Self {
        let (frame, kills) = match &setup.body {
            Body::Mecha(mecha) => (Some(Box::new(Frame::new(mecha))), mecha.kills),
            Body::Foot { .. } => (None, 0),
        };
        let mut unit = Self {
            pos: setup.pos,
            facing: setup.facing,
            pace: Pace::Stationary,
            dodging: false,
            parrying: false,
            moved: false,
            attacked: false,
            damage: setup.damage,
            unconscious: setup.unconscious,
            able: true,
            kills,
            ammo: setup.weapons.iter().map(|weapon| weapon.ammo.unwrap_or(ENDLESS)).collect(),
            shots: 0,
            hits: 0,
            parried: 0,
            parry: Parrying::default(),
            frame,
            skill: 0.0,
            piloting: 0.0,
        };
        unit.learn(rules, setup);
        unit
    }

    /// Takes over the skills that the kills so far give (R21); once for every change of them.
    pub fn learn(&mut self, rules: &Rules, setup: &UnitSetup) {
        match &setup.body {
            Body::Mecha(mecha) => {
                self.skill = rules.experience_skill(mecha.gunner.start(rules), self.kills);
                self.piloting = rules.experience_skill(mecha.piloting.start(rules), self.kills);
            }
            Body::Foot { skill } => self.skill = rules.shooting_skill(*skill).skill,
        }
    }

    /// Clears stances and counters at the start of a round.
    pub fn begin_round(&mut self) {
        self.pace = Pace::Stationary;
        (self.dodging, self.parrying) = (false, false);
        (self.moved, self.attacked, self.able) = (false, false, true);
        self.parry = Parrying::default();
    }

    pub fn is_mecha(&self) -> bool {
        self.frame.is_some()
    }

    pub fn dead(&self) -> bool {
        self.damage >= DEADLY
    }

    /// Whether it is out for good: destroyed, its crew dead, its controls out or its cockpit lost (section 4).
    pub fn out(&self, rules: &Rules) -> bool {
        self.dead()
            || self.frame.as_ref().is_some_and(|frame| {
                frame.destroyed
                    || frame.boxes(Part::Cockpit) >= rules.tables().critical.controls_out
                    || frame.lost(Part::Cockpit)
            })
    }

    /// Whether it can act (section 4).
    pub fn can_act(&self, rules: &Rules) -> bool {
        !self.unconscious && self.able && !self.out(rules)
    }

    /// Whether a weapon's arm and hand are there.
    pub fn has(&self, weapon: &Weapon) -> bool {
        self.frame.as_ref().is_none_or(|frame| frame.holds(weapon.arm))
    }

    /// Whether it has a blade not lost.
    pub fn has_blade(&self, setup: &UnitSetup) -> bool {
        setup.weapons.iter().any(|weapon| weapon.is_blade() && self.has(weapon))
    }

    /// Agility at a pace (X7, X8); 1 on foot.
    pub fn agility(&self, rules: &Rules, env: &Env, pace: Pace) -> f64 {
        let Some(frame) = &self.frame else { return 1.0 };
        let medium = medium_at(env.medium, pace);
        let ground = medium == Medium::Ground;
        let legs = frame.halves(Part::LeftLeg) + frame.halves(Part::RightLeg);
        rules.terrain_factor(medium, env.terrain, env.slope_percent)
            * rules.leg_factor(legs, ground)
            * rules.gyro_factor(frame.halves(Part::Gyro), ground)
            * rules.reactor_factor(frame.reactor)
    }

    /// How far it comes at a pace, in metres (X2).
    pub fn reach(&self, rules: &Rules, env: &Env, setup: &UnitSetup, pace: Pace) -> f64 {
        f64::from(setup.speed[pace.index()]) * self.agility(rules, env, pace)
    }
}

/// What is said of a unit at the start, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags(u8);

impl Flags {
    pub fn new(flags: &[Flag]) -> Self {
        Self(flags.iter().fold(0, |set, flag| set | 1 << flag.index()))
    }

    pub fn has(self, flag: Flag) -> bool {
        self.0 & 1 << flag.index() != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parries_grow_harder_as_the_rule_is_written() {
        let (rules, _) = Rules::load().unwrap();
        let further = rules.tables().parry.further;
        let mut parrying = Parrying::default();
        for skill in [0.8, 0.8, 0.8, 0.85, 0.85, 0.5] {
            let expected = rules.parry_chance(skill, Pace::Run, parrying.tests, Default::default());
            assert_eq!(parrying.chance(skill * rules.evasion(Pace::Run), further), expected);
            parrying.count(further);
        }
    }

    #[test]
    fn flags_are_a_set() {
        let flags = Flags::new(&[Flag::Lit, Flag::Surprised]);
        assert!(flags.has(Flag::Lit) && flags.has(Flag::Surprised) && !flags.has(Flag::InDark));
    }
}
