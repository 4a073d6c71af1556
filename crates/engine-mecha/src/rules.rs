//! The tables of the ruleset, read once from the embedded data file.
//!
//! The formulas over them stand where their nouns do: skills in `skill`, chances in `chance`, missiles and rockets
//! in `munition`, agility in `mobility`, shields, blades and wounds in `armor`.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::Index;

use ongrid_engine::{DataFile, Ruleset, RulesetError, data};
use serde::de::{Deserialize, Deserializer, Error};

use crate::TAG;
use crate::words::{Class, Light, Mode, Pace, Part, Rank, Soldier, Terrain, Word};

/// The data files, as embedded.
pub const FILES: &[DataFile] =
    &[DataFile { name: "mecha.json", bytes: include_bytes!("../ruleset/mecha.json") }];

/// SHA-256 over the data that the tag stands for; a changed figure needs a new tag.
pub const DIGEST: &str = "97ca9f598aafe5f6622662db2233b4df8a41b9634f4ec7fc89562e9a4b72150b";

/// The greatest number of kills for which experience is kept ready: 1000 at the start and one for every other unit.
const KILLS_KEPT: u32 = 1063;

/// A column of figures, one for every member of an enumeration.
#[derive(Clone, Debug)]
pub struct Column<K, V>(Vec<V>, PhantomData<K>);

impl<K: Word, V> Index<K> for Column<K, V> {
    type Output = V;

    fn index(&self, key: K) -> &V {
        &self.0[key.index()]
    }
}

impl<'de, K: Word, V: Deserialize<'de>> Deserialize<'de> for Column<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut by_name = BTreeMap::<String, V>::deserialize(deserializer)?;
        let mut column = Vec::with_capacity(K::ALL.len());
        for name in K::NAMES {
            column.push(by_name.remove(*name).ok_or_else(|| D::Error::custom(format!("{name} is missing")))?);
        }
        match by_name.keys().next() {
            Some(name) => Err(D::Error::custom(format!("{name} is not known"))),
            None => Ok(Self(column, PhantomData)),
        }
    }
}

/// A fraction, written `[numerator, denominator]` so that the data show the figure of the rules page.
fn fraction<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let [numerator, denominator] = <[f64; 2]>::deserialize(deserializer)?;
    Ok(numerator / denominator)
}

macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)+ })+) => {
        $($(#[$doc])*
        #[derive(Clone, Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[$field_doc])* pub $field: $type,)+ })+
    };
}

tables! {
    /// All tables.
    Tables {
        /// exp(−1/10), the factor of one kill (R21).
        experience_step: f64,
        /// Shooting on foot (R4).
        shooting: Column<Soldier, Shooting>,
        /// Starting skills of pilots and gunners (R23).
        pilots: Column<Rank, f64>,
        /// Divisors of piloting away from the ground (R24).
        piloting: Piloting,
        /// Modifiers of pace (R9, R10).
        paces: Column<Pace, PaceRow>,
        /// Modifiers of the mode of fire (R11).
        modes: Column<Mode, f64>,
        /// Modifiers of light (R12).
        light: Column<Light, f64>,
        /// Modifiers that a circumstance switches on (R12–R18, R52).
        conditions: Conditions,
        /// Modifiers of a parry (R17–R20).
        parry: Parry,
        /// Agility by terrain (R25).
        terrain: Column<Terrain, f64>,
        /// Damage and consciousness (R28, R32).
        health: Health,
        /// Hit location (R33–R35).
        location: Location,
        /// Share of a hit that a shield takes, in percent (R38).
        shield: Shield,
        /// Critical boxes and what they lead to (R41–R46).
        critical: Critical,
        /// Loss of accuracy by boxes of the head (R47).
        sensors: Loss,
        /// Loss of output and agility by boxes of the reactor (R53).
        reactor: Loss,
        /// Loss of agility by a half destroyed leg, in percent (R50).
        legs: Limping,
        /// Loss of agility by a half destroyed gyro, in percent (R51).
        gyro: Limping,
        /// Aiming at parts (R55–R57).
        aiming: Aiming,
        /// Centipoints by point of caliber or damage (R58).
        munition: Column<Class, u32>,
        /// Chance of a missile or rocket at its half range (R67, R72).
        #[serde(deserialize_with = "fraction")]
        half_chance: f64,
    }

    /// How a person shoots (R4).
    Shooting {
        /// Chance at the reference distance.
        #[serde(deserialize_with = "fraction")]
        skill: f64,
        /// Reference distance of a pistol, in metres.
        pistol: u32,
        /// Reference distance of a rifle, in metres.
        rifle: u32,
    }

    /// Divisors of R24.
    Piloting {
        /// In space.
        space: f64,
        /// In the atmosphere.
        air: f64,
    }

    /// A pace.
    PaceRow {
        /// Modifier of the attacker (R9).
        attacker: f64,
        /// Modifier of the target (R9).
        target: f64,
        /// Modifier of parry and dodge (R10).
        evade: f64,
    }

    /// Modifiers that a circumstance switches on.
    Conditions {
        /// Optical-only weapon in space (R12).
        space_optical: f64,
        /// Bullets and shells in space (R12).
        space_bullet: f64,
        /// Beams in space (R12).
        space_beam: f64,
        /// Fog or a dust cloud (R12).
        fog: f64,
        /// From the dark at a light source (R12).
        from_dark: f64,
        /// Into darkness (R12).
        into_dark: f64,
        /// Target against a light source or unseen, or shooter blinded (R14).
        blind: f64,
        /// Attack on a flank (R13).
        flank: f64,
        /// Attack on the rear (R13).
        rear: f64,
        /// Surprise (R14).
        surprise: f64,
        /// Fast drawn weapon (R14).
        fast_draw: f64,
        /// Weak hand (R14).
        weak_hand: f64,
        /// Under water (R15).
        underwater: f64,
        /// Moving raid, fast strike (R16).
        fast_strike: f64,
        /// Confusion (R14).
        confused: f64,
        /// Feint, for the strike (R17).
        feint: f64,
        /// Strike and parry (R18).
        strike_and_parry: f64,
        /// Strike and dodge (R18).
        strike_and_dodge: f64,
        /// Weapon held in a half destroyed arm (R52).
        arm_half: f64,
    }

    /// Modifiers of a parry.
    Parry {
        /// Each further one of the round (R19).
        further: f64,
        /// Of a strike at the head (R20).
        head: f64,
        /// After an attack of one's own in the round (R18).
        attacked: f64,
        /// Against a feint (R17).
        feint: f64,
    }

    /// Damage to a person.
    Health {
        /// Consciousness number by damage points, from 0; one more point is death (R28).
        consciousness: Vec<u8>,
        /// Damage from which a person works at half (R32).
        half_work_from: u8,
        /// Least roll that lets him act (R32).
        work_roll: u8,
    }

    /// Dice of the hit location.
    Location {
        /// Greatest first die that is the upper half (R33).
        upper_to: u8,
        /// Second die, upper half (R34).
        upper: [Place; 6],
        /// Second die, lower half (R34).
        lower: [Place; 6],
        /// Greatest third die that is hand or foot (R35).
        hand_or_foot_to: u8,
        /// Greatest third die that is the left foot (R35).
        left_foot_to: u8,
    }

    /// Shares of R38, in percent.
    Shield {
        /// From ahead.
        front: u32,
        /// From the side of the arm that holds it.
        holding: u32,
        /// From the other side.
        other: u32,
        /// From above.
        overhead: u32,
        /// From behind.
        rear: u32,
    }

    /// Critical boxes.
    Critical {
        /// Points of one attack on one part that mark one box (R41).
        points: u32,
        /// Boxes of torso or hip that mark one of the cockpit (R42).
        to_cockpit: u32,
        /// Boxes of arm or leg that mark one of torso or hip (R43).
        to_body: u32,
        /// Boxes of the cockpit that mark one of the reactor (R44).
        to_reactor: u32,
        /// Boxes of the reactor that explode it (R45).
        explosion: u32,
        /// Boxes of the cockpit that put the computer out (R46).
        computer_out: u32,
        /// Boxes of the cockpit that put all controls out (R46).
        controls_out: u32,
    }

    /// A loss of (powerⁿ + step × n) percent by n boxes.
    Loss {
        /// What is raised to the number of boxes.
        power: u32,
        /// What is added by box.
        step: u32,
    }

    /// A loss by half destruction, in percent.
    Limping {
        /// On the ground.
        ground: u32,
        /// In space or air.
        air: u32,
    }

    /// Aiming at parts.
    Aiming {
        /// For shooters on foot.
        foot: AimingRange,
        /// For shooters in a mecha.
        mecha: AimingRange,
        /// Value without optical aid (R56).
        #[serde(deserialize_with = "fraction")]
        plain: f64,
        /// Value with optical aid (R56).
        #[serde(deserialize_with = "fraction")]
        optical: f64,
    }

    /// Distances of aiming at parts, in metres.
    AimingRange {
        /// Up to here there is no penalty (R55).
        free_to: f64,
        /// Distance at which the value holds (R56).
        scale: f64,
        /// Beyond this, optical aid is needed (R57).
        plain_to: f64,
    }
}

/// What the second die of the hit location says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A part.
    Part(Part),
    /// A foot; the third die says which.
    Foot,
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        if name == "foot" {
            return Ok(Place::Foot);
        }
        Part::named(&name).map(Place::Part).ok_or_else(|| D::Error::custom(format!("{name} is no part")))
    }
}

/// The tables, with what is computed from them once.
#[derive(Clone, Debug)]
pub struct Rules {
    tables: Tables,
    /// E of R21 by kills.
    experience: Vec<f64>,
}

impl Rules {
    /// Reads the embedded data.
    ///
    /// # Errors
    /// Where the data are not those that the tag stands for.
    pub fn load() -> Result<(Self, Ruleset), RulesetError> {
        let ruleset = Ruleset::new(TAG, FILES, DIGEST)?;
        let tables: Tables = data::from_json(FILES[0].bytes).map_err(|fault| RulesetError {
            tag: TAG,
            expected: format!("sound data ({fault})"),
            found: ruleset.digest(),
        })?;
        let mut experience = vec![1.0];
        for _ in 0..KILLS_KEPT {
            experience.push(experience[experience.len() - 1] * tables.experience_step);
        }
        Ok((Self { tables, experience }, ruleset))
    }

    /// The tables.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// E of R21: as many multiplications as there are kills.
    pub(crate) fn experience(&self, kills: u32) -> f64 {
        let kept = self.experience.len() - 1;
        let more = (kills as usize).saturating_sub(kept);
        let ready = self.experience[(kills as usize).min(kept)];
        (0..more).fold(ready, |e, _| e * self.tables.experience_step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_are_sound() {
        let (rules, ruleset) = Rules::load().unwrap();
        assert_eq!(ruleset.digest().hex(), DIGEST);
        let tables = rules.tables();
        assert_eq!(tables.shooting[Soldier::Elite].skill, 6.0 / 7.0);
        assert_eq!(tables.health.consciousness.len(), 20);
        assert_eq!(tables.location.lower[2], Place::Foot);
    }

    #[test]
    fn experience_kept_is_experience_computed() {
        let (rules, _) = Rules::load().unwrap();
        let mut e = 1.0;
        for kills in 0..KILLS_KEPT + 3 {
            assert_eq!(rules.experience(kills), e, "{kills}");
            e *= rules.tables().experience_step;
        }
    }
}
