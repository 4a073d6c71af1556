//! The terms of the hit probability (R1–R20, R55–R57, X2).

use crate::rules::Rules;
use crate::words::Pace;

/// Product of all factors, clamped to 0..1 at the end only (R1).
pub fn hitpro_of(factors: impl IntoIterator<Item = f64>) -> f64 {
    clamp(factors.into_iter().fold(1.0, |product, factor| product * factor))
}

/// A product as a probability (R1).
pub fn clamp(product: f64) -> f64 {
    product.clamp(0.0, 1.0)
}

/// Hits of so many shots at a chance, for one draw `u` in 0..1 (R2).
pub fn hits_from(chance: f64, shots: u32, u: f64) -> u32 {
    let expected = chance * f64::from(shots);
    let whole = expected.floor();
    let hits = whole as u32 + u32::from(u < expected - whole);
    hits.min(shots)
}

/// Term of a weapon with an accuracy at a reference distance (R8).
pub fn weapon_accuracy(accuracy: f64, reference: u32, distance: f64) -> f64 {
    accuracy * f64::from(reference) / distance.max(1.0)
}

/// Chance of hitting one who dodges, from the value of his pace (X2).
pub fn dodged(value: f64, piloting: f64, agility: f64) -> f64 {
    1.0 - (1.0 - value) * piloting * agility
}

/// What else bears on a parry (R18, R20).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strike {
    /// It is aimed at the head.
    pub head: bool,
    /// The one who parries has attacked this round.
    pub attacked: bool,
    /// It is a feint.
    pub feint: bool,
}

impl Rules {
    /// Modifier of the two paces (R9; A7).
    pub fn movement_factor(&self, attacker: Pace, target: Pace) -> f64 {
        if attacker == target {
            return 1.0;
        }
        self.tables().paces[attacker].attacker * self.tables().paces[target].target
    }

    /// Modifier of parry and dodge at a pace (R10).
    pub fn evasion(&self, pace: Pace) -> f64 {
        self.tables().paces[pace].evade
    }

    /// Value of an aimed shot at a distance in metres; 1 where there is no penalty, `None` where optical aid is needed
    /// (R55–R57).
    pub fn aim_value(&self, distance: f64, mecha: bool, optical: bool) -> Option<f64> {
        let aiming = &self.tables().aiming;
        let range = if mecha { &aiming.mecha } else { &aiming.foot };
        if distance <= range.free_to {
            return Some(1.0);
        }
        if optical {
            return Some(aiming.optical);
        }
        (distance <= range.plain_to).then_some(aiming.plain)
    }

    /// Weapon term of a shot aimed at a part, never better than the weapon's own (R55–R57).
    pub fn aimed_term(&self, own: f64, distance: f64, mecha: bool, optical: bool) -> Option<f64> {
        let aiming = &self.tables().aiming;
        let range = if mecha { &aiming.mecha } else { &aiming.foot };
        let value = self.aim_value(distance, mecha, optical)?;
        if distance <= range.free_to {
            return Some(own);
        }
        Some(own.min(range.scale / distance * value))
    }

    /// Chance of a parry after `earlier` ones in the round (R10, R17–R20).
    pub fn parry_chance(&self, skill: f64, pace: Pace, earlier: u32, strike: Strike) -> f64 {
        let further = self.tables().parry.further;
        let start = skill * self.evasion(pace);
        self.parry_against((0..earlier).fold(start, |chance, _| chance * further), strike)
    }

    /// The same, from skill, pace and earlier parries taken together.
    pub(crate) fn parry_against(&self, mut chance: f64, strike: Strike) -> f64 {
        let parry = &self.tables().parry;
        for (applies, factor) in
            [(strike.head, parry.head), (strike.attacked, parry.attacked), (strike.feint, parry.feint)]
        {
            if applies {
                chance *= factor;
            }
        }
        chance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Word;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn hits_never_exceed_shots(chance in 0.0_f64..=1.0, shots in 1_u32..=1000, u in 0.0_f64..1.0) {
            let hits = hits_from(chance, shots, u);
            let expected = chance * f64::from(shots);
            prop_assert!(hits <= shots);
            prop_assert!((f64::from(hits) - expected).abs() < 1.0);
        }

        #[test]
        fn products_are_clamped(factors in proptest::collection::vec(0.0_f64..1000.0, 0..20)) {
            prop_assert!((0.0..=1.0).contains(&hitpro_of(factors)));
        }

        #[test]
        fn aimed_shots_are_no_better(own in 0.0_f64..1e6, distance in 1.0_f64..4e6, mecha: bool, optical: bool) {
            let (rules, _) = Rules::load().unwrap();
            match rules.aimed_term(own, distance, mecha, optical) {
                Some(term) => prop_assert!(term <= own),
                None => prop_assert!(!optical),
            }
        }

        #[test]
        fn dodging_and_parrying_stay_chances(
            skill in 0.0_f64..=1.0, agility in 0.0_f64..=1.0, earlier in 0_u32..5000,
            head: bool, attacked: bool, feint: bool,
        ) {
            let (rules, _) = Rules::load().unwrap();
            for pace in Pace::ALL {
                let strike = Strike { head, attacked, feint };
                let parry = rules.parry_chance(skill, *pace, earlier, strike);
                prop_assert!((0.0..=1.0).contains(&parry));
                let left = dodged(rules.evasion(*pace), skill, agility);
                prop_assert!((0.0..=1.0).contains(&left) && left >= rules.evasion(*pace) - 1e-15);
            }
        }
    }
}
