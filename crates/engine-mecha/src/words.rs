//! The enumerations of the ruleset: every name that may stand in a setup, a call, an outcome or the data.

use serde::{Serialize, Serializer};

/// An enumeration whose members have names on the wire.
pub trait Word: Copy + Eq + 'static {
    /// The members, in the order of the spec.
    const ALL: &'static [Self];
    /// Their names, in the same order.
    const NAMES: &'static [&'static str];

    /// Place of this member in [`Word::ALL`].
    fn index(self) -> usize;

    /// The name on the wire.
    fn name(self) -> &'static str {
        Self::NAMES[self.index()]
    }

    /// The member of this name.
    fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).map(|at| Self::ALL[at])
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name { $($(#[$member_doc])* $member,)+ }

        impl Word for $name {
            const ALL: &'static [Self] = &[$(Self::$member,)+];
            const NAMES: &'static [&'static str] = &[$($text,)+];

            fn index(self) -> usize {
                self as usize
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}

words! {
    /// Where the battle takes place (R12, R24).
    Medium {
        /// On the ground.
        Ground = "ground",
        /// In space.
        Space = "space",
        /// In the atmosphere.
        Air = "air",
    }
}

words! {
    /// What the ground is like (R25).
    Terrain {
        /// Open area.
        Open = "open",
        /// Urban area, light forest, sand, rough ground, hills.
        Rough = "rough",
        /// Heavy forest.
        HeavyForest = "heavy_forest",
        /// Jungle.
        Jungle = "jungle",
        /// Shallow water.
        Water = "water",
        /// Swamp.
        Sump = "sump",
    }
}

words! {
    /// How light it is (R12).
    Light {
        /// Day.
        Day = "day",
        /// Night.
        Night = "night",
        /// Dawn or dusk.
        DawnDusk = "dawn_dusk",
    }
}

words! {
    /// How a unit moves in a round (R9, R10).
    Pace {
        /// Not at all.
        Stationary = "stationary",
        /// At a walk.
        Walk = "walk",
        /// At a jog.
        Jog = "jog",
        /// At a run.
        Run = "run",
        /// At a sprint, or in jumps.
        SprintJump = "sprint_jump",
        /// Flying.
        Flying = "flying",
    }
}

words! {
    /// How a unit fires (R11).
    Mode {
        /// Plainly.
        Normal = "normal",
        /// With careful aim.
        Aim = "aim",
        /// At the higher rate.
        Rapid = "rapid",
        /// From a quick shot.
        Quick = "quick",
    }
}

words! {
    /// How well a person on foot shoots (R4).
    Soldier {
        /// A child or one who is afraid of weapons.
        Child = "child",
        /// An average person.
        Average = "average",
        /// Trained, a soldier.
        Trained = "trained",
        /// A mercenary.
        Mercenary = "mercenary",
        /// A veteran.
        Veteran = "veteran",
        /// An elite soldier.
        Elite = "elite",
    }
}

words! {
    /// How well a pilot or gunner starts (R23).
    Rank {
        /// An untrained, normal person.
        Untrained = "untrained",
        /// A natural genius.
        Genius = "genius",
        /// Trained.
        Trained = "trained",
        /// Skilled.
        Skilled = "skilled",
        /// Elite, a veteran, a machine mind.
        Elite = "elite",
        /// A seasoned veteran.
        Seasoned = "seasoned",
        /// An ace.
        Ace = "ace",
        /// Perfect.
        Perfect = "perfect",
    }
}

words! {
    /// What is said of a unit at the start.
    Flag {
        /// It stands in the dark (R12).
        InDark = "in_dark",
        /// It carries a light or stands in one (R12).
        Lit = "lit",
        /// It stands against a light source (R14).
        Backlit = "backlit",
        /// It is blinded (R14).
        Blinded = "blinded",
        /// It cannot be seen (R14).
        Unseen = "unseen",
        /// It is confused (R14).
        Confused = "confused",
        /// It is taken by surprise in round 1 (R14).
        Surprised = "surprised",
    }
}

words! {
    /// A part of a mecha (R34, R35).
    Part {
        /// The head: sensors.
        Head = "head",
        /// The cockpit: pilot, computer, controls.
        Cockpit = "cockpit",
        /// The left half of the torso.
        LeftTorso = "left_torso",
        /// The right half of the torso.
        RightTorso = "right_torso",
        /// The left hip.
        LeftHip = "left_hip",
        /// The right hip.
        RightHip = "right_hip",
        /// The left arm.
        LeftArm = "left_arm",
        /// The right arm.
        RightArm = "right_arm",
        /// The left hand.
        LeftHand = "left_hand",
        /// The right hand.
        RightHand = "right_hand",
        /// The left leg.
        LeftLeg = "left_leg",
        /// The right leg.
        RightLeg = "right_leg",
        /// The left foot.
        LeftFoot = "left_foot",
        /// The right foot.
        RightFoot = "right_foot",
        /// The gyro.
        Gyro = "gyro",
    }
}

words! {
    /// The arm that holds a weapon or a shield.
    Arm {
        /// The left one.
        Left = "left_arm",
        /// The right one.
        Right = "right_arm",
    }
}

words! {
    /// What a person on foot shoots with where the weapon has no accuracy of its own (R4, R5).
    Hand {
        /// A pistol.
        Pistol = "pistol",
        /// A rifle.
        Rifle = "rifle",
    }
}

words! {
    /// The class of a weapon.
    Class {
        /// Bullets and shells.
        Bullet = "bullet",
        /// Beams.
        Beam = "beam",
        /// Rockets.
        Rocket = "rocket",
        /// Bazooka rockets.
        Bazooka = "bazooka",
        /// Missiles.
        Missile = "missile",
        /// Blades, cutting or thrust.
        Blade = "blade",
    }
}

words! {
    /// The side of a target that an attack comes from (R13, R38, X6).
    Aspect {
        /// From ahead.
        Front = "front",
        /// From the left.
        Left = "left",
        /// From the right.
        Right = "right",
        /// From behind.
        Rear = "rear",
        /// From steeply above.
        Overhead = "overhead",
    }
}

impl Part {
    /// How many parts a mecha has.
    pub const COUNT: usize = Self::ALL.len();
}

impl Arm {
    /// The arm as a part.
    pub fn part(self) -> Part {
        match self {
            Arm::Left => Part::LeftArm,
            Arm::Right => Part::RightArm,
        }
    }

    /// The hand at this arm.
    pub fn hand(self) -> Part {
        match self {
            Arm::Left => Part::LeftHand,
            Arm::Right => Part::RightHand,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Word + std::fmt::Debug>() {
        assert_eq!(T::ALL.len(), T::NAMES.len());
        for (index, word) in T::ALL.iter().enumerate() {
            assert_eq!(word.index(), index);
            assert_eq!(T::named(word.name()), Some(*word));
        }
        assert_eq!(T::named("no such name"), None);
    }

    #[test]
    fn names_stand_for_their_members() {
        check::<Medium>();
        check::<Terrain>();
        check::<Light>();
        check::<Pace>();
        check::<Mode>();
        check::<Soldier>();
        check::<Rank>();
        check::<Flag>();
        check::<Part>();
        check::<Arm>();
        check::<Hand>();
        check::<Class>();
        check::<Aspect>();
        assert_eq!(Part::COUNT, 15);
    }
}
