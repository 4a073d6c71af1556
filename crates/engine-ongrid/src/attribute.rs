//! What modifiers act on: attributes of ships and modules, and the classes of modules (§1).

use serde::{Deserialize, Serialize};

/// An attribute that the modifier pipeline computes (§1). The first [`Attribute::OF_SHIPS`] are a ship's, the rest
/// belong to the groups of the classes that a modifier's `for` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Attribute {
    ShieldHp,
    ArmorHp,
    HullHp,
    ShieldEm,
    ShieldThermal,
    ShieldKinetic,
    ShieldExplosive,
    ArmorEm,
    ArmorThermal,
    ArmorKinetic,
    ArmorExplosive,
    HullEm,
    HullThermal,
    HullKinetic,
    HullExplosive,
    MaxVelocity,
    SignatureRadius,
    Capacitor,
    CapacitorRecharge,
    SensorStrength,
    CpuOutput,
    PowerOutput,
    Mass,
    Damage,
    Rate,
    Tracking,
    Guidance,
    EmDamage,
    ThermalDamage,
    KineticDamage,
    ExplosiveDamage,
    CapacitorNeed,
    Strength,
}

impl Attribute {
    /// How many attributes a ship has.
    pub const OF_SHIPS: usize = 23;
    /// How many attributes a group has.
    pub const OF_GROUPS: usize = 10;

    /// Whether it is a ship's, not a group's.
    pub fn is_of_ships(self) -> bool {
        (self as usize) < Self::OF_SHIPS
    }

    /// Its place among the attributes of its owner.
    pub fn index(self) -> usize {
        let index = self as usize;
        if index < Self::OF_SHIPS { index } else { index - Self::OF_SHIPS }
    }
}

/// A class of weapons or active modules: what the `for` of a modifier names (§0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Small autocannons and artillery.
    SmallProjectile,
    /// Medium autocannons and artillery.
    MediumProjectile,
    /// Large autocannons and artillery.
    LargeProjectile,
    /// Small blasters and railguns.
    SmallHybrid,
    /// Medium blasters and railguns.
    MediumHybrid,
    /// Large blasters and railguns.
    LargeHybrid,
    /// Small lasers.
    SmallEnergy,
    /// Medium lasers.
    MediumEnergy,
    /// Large lasers.
    LargeEnergy,
    /// Rocket launchers.
    Rocket,
    /// Light missile launchers.
    LightMissile,
    /// Heavy assault missile launchers.
    HeavyAssaultMissile,
    /// Heavy missile launchers.
    HeavyMissile,
    /// Cruise missile launchers.
    CruiseMissile,
    /// Torpedo launchers.
    Torpedo,
    /// Slows an enemy.
    StasisWebifier,
    /// Makes an enemy's signature larger.
    TargetPainter,
    /// Lessens the tracking of an enemy's turrets.
    TrackingDisruptor,
    /// Lessens the guidance of an enemy's missiles.
    GuidanceDisruptor,
    /// Lessens both.
    SensorDampener,
    /// Jams an enemy.
    Ecm,
    /// Drains an enemy's capacitor.
    EnergyNeutralizer,
    /// Moves an enemy's capacitor into one's own.
    Nosferatu,
    /// Repairs the own shield.
    ShieldBooster,
    /// Repairs the own shield from capacitor charges.
    AncillaryShieldBooster,
    /// Repairs the own armor.
    ArmorRepairer,
    /// Repairs an ally's shield.
    RemoteShieldBooster,
    /// Repairs an ally's armor.
    RemoteArmorRepairer,
    /// Fills the own capacitor from charges.
    CapacitorBooster,
}

impl Class {
    /// Whether its groups are turrets (§7).
    pub fn is_turret(self) -> bool {
        self <= Self::LargeEnergy
    }

    /// Whether its groups are launchers (§7).
    pub fn is_launcher(self) -> bool {
        Self::LargeEnergy < self && self <= Self::Torpedo
    }

    /// Whether it projects a timed effect (§9).
    pub fn is_timed(self) -> bool {
        Self::StasisWebifier <= self && self <= Self::SensorDampener
    }

    /// Whether it works on an enemy (§9).
    pub fn is_hostile(self) -> bool {
        Self::StasisWebifier <= self && self <= Self::Nosferatu
    }

    /// Whether it works on an ally (§10).
    pub fn is_remote(self) -> bool {
        matches!(self, Self::RemoteShieldBooster | Self::RemoteArmorRepairer)
    }
}

/// A set of classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Classes(u32);

impl Classes {
    /// Adds a class.
    pub fn insert(&mut self, class: Class) {
        self.0 |= 1 << class as u32;
    }

    /// Whether the class is in the set.
    #[inline]
    pub fn contains(self, class: Class) -> bool {
        self.0 & 1 << class as u32 != 0
    }

    /// Whether no class is.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<Class> for Classes {
    fn from_iter<I: IntoIterator<Item = Class>>(classes: I) -> Self {
        let mut set = Self::default();
        for class in classes {
            set.insert(class);
        }
        set
    }
}

/// The three layers, outermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// Taken first.
    Shield,
    /// Taken next.
    Armor,
    /// At 0 the ship is destroyed.
    Hull,
}

impl Layer {
    /// All, outermost first.
    pub const ALL: [Self; 3] = [Self::Shield, Self::Armor, Self::Hull];
}

/// One stance of the three (§6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// Changes nothing.
    #[default]
    Standard,
    /// Slower, tracks better.
    Aggressive,
    /// Faster, tracks worse.
    Evasive,
}

impl Stance {
    /// All, in the order of their numbers in the checkpoint state (§14).
    pub const ALL: [Self; 3] = [Self::Standard, Self::Aggressive, Self::Evasive];
}

/// The two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The player's.
    Pilot,
    /// The doctrine's.
    Hostile,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_counted_right() {
        assert_eq!(Attribute::Mass as usize + 1, Attribute::OF_SHIPS);
        assert_eq!(Attribute::Strength.index() + 1, Attribute::OF_GROUPS);
        assert!(Attribute::Mass.is_of_ships() && !Attribute::Damage.is_of_ships());
    }

    #[test]
    fn classes_fall_into_their_kinds() {
        assert!(Class::LargeEnergy.is_turret() && !Class::Rocket.is_turret());
        assert!(Class::Rocket.is_launcher() && Class::Torpedo.is_launcher());
        assert!(!Class::StasisWebifier.is_launcher() && Class::StasisWebifier.is_timed());
        assert!(Class::SensorDampener.is_timed() && !Class::Ecm.is_timed() && Class::Ecm.is_hostile());
        assert!(Class::Nosferatu.is_hostile() && !Class::ShieldBooster.is_hostile());
        assert!((Class::CapacitorBooster as u32) < 32, "a set of classes holds 32");
    }
}
