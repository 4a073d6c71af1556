//! Skills and health of pilots, gunners and people on foot (R4, R21–R24, R28–R32).

use crate::rules::{Rules, Shooting};
use crate::words::{Hand, Medium, Rank, Soldier};

/// Damage points that kill (R28).
pub const DEADLY: u8 = 20;

impl Shooting {
    /// Reference distance of a pistol or rifle, in metres (R4).
    pub fn reference(&self, hand: Hand) -> u32 {
        match hand {
            Hand::Pistol => self.pistol,
            Hand::Rifle => self.rifle,
        }
    }
}

impl Rules {
    /// How a person on foot shoots (R4).
    pub fn shooting_skill(&self, soldier: Soldier) -> &Shooting {
        &self.tables().shooting[soldier]
    }

    /// Starting skill of a pilot or gunner, 0 to 1 (R23).
    pub fn pilot_skill(&self, rank: Rank) -> f64 {
        self.tables().pilots[rank]
    }

    /// Skill after so many kills (R21): from `start` it nears 1.
    pub fn experience_skill(&self, start: f64, kills: u32) -> f64 {
        start + (1.0 - self.experience(kills)) * (1.0 - start)
    }

    /// Piloting skill in a medium (R24; A3).
    pub fn pilot_environment(&self, skill: f64, medium: Medium) -> f64 {
        let divisor = match medium {
            Medium::Ground => return skill,
            Medium::Space => self.tables().piloting.space,
            Medium::Air => self.tables().piloting.air,
        };
        skill * (1.0 - (1.0 - skill / divisor))
    }

    /// The number that two dice must reach after damage, 0 where there is none; `None` for the dead (R28).
    pub fn consciousness_number(&self, damage: u8) -> Option<u8> {
        self.tables().health.consciousness.get(usize::from(damage)).copied()
    }

    /// Whether so much damage halves what a person can do (R32; A5).
    pub fn works_at_half(&self, damage: u8) -> bool {
        damage >= self.tables().health.half_work_from
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn skills_stay_skills(start in 0.0_f64..=1.0, kills in 0_u32..2000) {
            let (rules, _) = Rules::load().unwrap();
            let now = rules.experience_skill(start, kills);
            prop_assert!((0.0..=1.0).contains(&now), "{now}");
            prop_assert!(now >= start - 1e-15);
            for medium in [Medium::Ground, Medium::Space, Medium::Air] {
                let there = rules.pilot_environment(now, medium);
                prop_assert!((0.0..=now).contains(&there), "{there}");
            }
        }
    }

    #[test]
    fn twenty_points_kill() {
        let (rules, _) = Rules::load().unwrap();
        assert!(rules.consciousness_number(DEADLY - 1).is_some());
        assert_eq!(rules.consciousness_number(DEADLY), None);
        assert!(!rules.works_at_half(11) && rules.works_at_half(12));
    }
}
