//! Shields, blades and wounds: how a hit's damage is shared out, in centipoints (R37–R40, R73–R78, X4).

use crate::rules::Rules;
use crate::words::{Arm, Aspect};

/// Centipoints of a damage point.
pub const POINT: u32 = 100;
/// Centipoints of a box of armor or internal structure (R37).
pub const BOX: u32 = 100 * POINT;

impl Rules {
    /// Share of a hit that a shield takes, in percent (R38; A12).
    pub fn shield_share(&self, aspect: Aspect, arm: Arm) -> u32 {
        let shares = &self.tables().shield;
        match (aspect, arm) {
            (Aspect::Front, _) => shares.front,
            (Aspect::Left, Arm::Left) | (Aspect::Right, Arm::Right) => shares.holding,
            (Aspect::Left, Arm::Right) | (Aspect::Right, Arm::Left) => shares.other,
            (Aspect::Overhead, _) => shares.overhead,
            (Aspect::Rear, _) => shares.rear,
        }
    }
}

/// What a shield takes of a hit: the share rounded down to a whole centipoint (R38, R39).
pub fn shielded(cp: u32, share: u32) -> u32 {
    part_of(cp, share)
}

/// Splits a blade's damage into what the armor and what the internal structure get (R76–R78). `pierce` percent go
/// to the internal structure, rounded down; what exceeds the armor follows.
pub fn blade_split(cp: u32, armor: u32, pierce: u32) -> (u32, u32) {
    let on_armor = (cp - part_of(cp, pierce)).min(armor);
    (on_armor, cp - on_armor)
}

/// Damage points of a hit on a person: its whole points, at least 1, or the weapon's wound (X4).
pub fn person_damage(cp: u32, wound: Option<u32>) -> u32 {
    wound.unwrap_or((cp / POINT).max(1))
}

/// `percent` ≤ 100 of some centipoints, rounded down.
fn part_of(cp: u32, percent: u32) -> u32 {
    let part = u64::from(cp) * u64::from(percent) / 100;
    u32::try_from(part).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Word;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn blades_lose_nothing(cp in 0_u32..=10_000_000, armor in 0_u32..=10_000_000, pierce in 0_u32..=100) {
            let (on_armor, inside) = blade_split(cp, armor, pierce);
            prop_assert_eq!(on_armor + inside, cp);
            prop_assert!(on_armor <= armor);
            prop_assert!(inside >= cp * u32::from(armor == 0));
        }

        #[test]
        fn shields_take_no_more_than_the_hit(cp in 0_u32..=10_000_000) {
            let (rules, _) = Rules::load().unwrap();
            for aspect in Aspect::ALL {
                for arm in Arm::ALL {
                    prop_assert!(shielded(cp, rules.shield_share(*aspect, *arm)) <= cp);
                }
            }
        }

        #[test]
        fn a_hit_always_hurts(cp in 0_u32..=10_000_000, wound in proptest::option::of(1_u32..=1000)) {
            prop_assert!(person_damage(cp, wound) >= 1);
        }
    }

    #[test]
    fn the_odd_centipoint_passes_the_shield() {
        assert_eq!(shielded(101, 50), 50);
        assert_eq!(shielded(101, 100), 101);
    }
}
