//! Agility and what takes it away (R25, R26, R50, R51, R53, X7, X8).

use crate::rules::{Loss, Rules};
use crate::words::{Medium, Pace, Terrain};

/// What stands still is no mover for missiles and reach.
pub fn moves(pace: Pace) -> bool {
    pace != Pace::Stationary
}

/// The medium that a unit is in at its pace: flying over ground is in the air (X8).
pub fn medium_at(medium: Medium, pace: Pace) -> Medium {
    if medium == Medium::Ground && pace == Pace::Flying { Medium::Air } else { medium }
}

/// A loss in percent as a factor; never below 0.
fn without(percent: u32) -> f64 {
    f64::from(100 - percent.min(100)) / 100.0
}

impl Loss {
    /// The factor left after `boxes` boxes: 1 − (powerⁿ + step × n) %, nothing at n = 0 (A4).
    pub fn factor(&self, boxes: u32) -> f64 {
        if boxes == 0 {
            return 1.0;
        }
        without(self.power.saturating_pow(boxes).saturating_add(self.step.saturating_mul(boxes)))
    }
}

impl Rules {
    /// Terrain times slope on the ground, 1 elsewhere (R25, R26). `slope` is in percent, upward.
    pub fn terrain_factor(&self, medium: Medium, terrain: Terrain, slope: u32) -> f64 {
        if medium != Medium::Ground {
            return 1.0;
        }
        self.tables().terrain[terrain] * (1.0 - f64::from(slope) / 100.0).max(0.0)
    }

    /// Agility left by the legs: a half destroyed one counts 1, a lost one 2 (R50).
    pub fn leg_factor(&self, halves: u32, ground: bool) -> f64 {
        let legs = &self.tables().legs;
        without(halves * if ground { legs.ground } else { legs.air })
    }

    /// Agility left by the gyro: half destroyed counts 1, lost 2 (R51; A18).
    pub fn gyro_factor(&self, halves: u32, ground: bool) -> f64 {
        let gyro = &self.tables().gyro;
        without(halves * if ground { gyro.ground } else { gyro.air })
    }

    /// Output and agility left by the reactor (R53).
    pub fn reactor_factor(&self, boxes: u32) -> f64 {
        self.tables().reactor.factor(boxes)
    }

    /// Accuracy left by the sensors in the head (R47).
    pub fn sensor_factor(&self, boxes: u32) -> f64 {
        self.tables().sensors.factor(boxes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Word;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn factors_stay_shares(slope in 0_u32..=1000, halves in 0_u32..=4, boxes in 0_u32..=1000, ground: bool) {
            let (rules, _) = Rules::load().unwrap();
            let mut factors = vec![
                rules.leg_factor(halves, ground),
                rules.gyro_factor(halves, ground),
                rules.reactor_factor(boxes),
                rules.sensor_factor(boxes),
            ];
            for terrain in Terrain::ALL {
                factors.extend(Medium::ALL.iter().map(|medium| rules.terrain_factor(*medium, *terrain, slope)));
            }
            prop_assert!(factors.iter().all(|factor| (0.0..=1.0).contains(factor)), "{factors:?}");
        }
    }

    #[test]
    fn flying_over_ground_is_in_the_air() {
        assert_eq!(medium_at(Medium::Ground, Pace::Flying), Medium::Air);
        assert_eq!(medium_at(Medium::Ground, Pace::SprintJump), Medium::Ground);
        assert_eq!(medium_at(Medium::Space, Pace::Flying), Medium::Space);
    }
}
