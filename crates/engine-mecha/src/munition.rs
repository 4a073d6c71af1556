//! Missiles, rockets and the damage of munitions (R58–R72).

use crate::rules::Rules;
use crate::words::Class;

/// How a missile flies. Distances in metres; `min_range` ≤ `burnout` < `half_range`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// Nearer than this it cannot hit (R61).
    pub min_range: u32,
    /// Here its engine burns out (R62, R63).
    pub burnout: u32,
    /// Here its chance is a half (R67).
    pub half_range: u32,
}

impl Rules {
    /// Chance of a missile at a distance (R61–R67). `can_turn`: it has wings in an atmosphere; `moving`: its target.
    pub fn missile_rate(&self, distance: f64, flight: Flight, can_turn: bool, moving: bool) -> f64 {
        let (start, burnout, half) =
            (f64::from(flight.min_range), f64::from(flight.burnout), f64::from(flight.half_range));
        if distance < start {
            return 0.0;
        }
        if distance < burnout {
            return (distance - start) / (burnout - start);
        }
        if distance > burnout && moving && !can_turn {
            return 0.0;
        }
        (1.0 - self.tables().half_chance * (distance - burnout) / (half - burnout)).max(0.0)
    }

    /// Term of a rocket at a distance (R72); above 1 within its half range.
    pub fn rocket_rate(&self, distance: f64, half_range: u32) -> f64 {
        self.tables().half_chance * f64::from(half_range) / distance.max(1.0)
    }

    /// Damage of one hit, in centipoints (R58–R60). `power` is the caliber in mm, for beams and blades the points;
    /// only missiles do less to what moves, rounded down to a whole centipoint.
    pub fn munition_cp(&self, class: Class, power: u32, moving: bool, moving_percent: u32) -> u32 {
        let whole = u64::from(power) * u64::from(self.tables().munition[class]);
        let percent = if class == Class::Missile && moving { moving_percent } else { 100 };
        u32::try_from(whole * u64::from(percent) / 100).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn missile_rates_are_chances(
            distance in 1.0_f64..2e6,
            start in 0_u32..=100_000,
            climb in 0_u32..=100_000,
            glide in 1_u32..=100_000,
            can_turn: bool,
            moving: bool,
        ) {
            let (rules, _) = Rules::load().unwrap();
            let flight = Flight { min_range: start, burnout: start + climb, half_range: start + climb + glide };
            let rate = rules.missile_rate(distance, flight, can_turn, moving);
            prop_assert!((0.0..=1.0).contains(&rate), "{rate}");
            prop_assert!(rules.rocket_rate(distance, glide) > 0.0);
        }

        #[test]
        fn movers_take_no_more(power in 1_u32..=100_000, percent in 0_u32..=100) {
            let (rules, _) = Rules::load().unwrap();
            let still = rules.munition_cp(Class::Missile, power, false, percent);
            prop_assert_eq!(still, power * 120);
            prop_assert!(rules.munition_cp(Class::Missile, power, true, percent) <= still);
            prop_assert_eq!(rules.munition_cp(Class::Beam, power, true, percent), power * 100);
        }
    }
}
