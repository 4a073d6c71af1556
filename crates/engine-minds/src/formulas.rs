//! The formulas of the rules, each by its number. All are pure; amounts are whole, factors are doubles, and every
//! expression is evaluated left to right as the rules write it.

use crate::{Architecture, Constants};

/// Kinds of building besides the core: city, datacenter, factory, lab, firewall.
pub const PLAIN_BUILDINGS: usize = 5;

/// What a comparison of strengths means for both sides (R7–R11, R15).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BattleOutcome {
    /// Whether the attacker's strength is the higher one; a tie is the defender's.
    pub attacker_won: bool,
    /// Winner's strength over loser's, at least 1; `None` is infinite: the loser had none.
    pub ratio: Option<f64>,
    /// Share of its units that the attacker loses, 0 to 0.35, before its own effects.
    pub attacker_loss: f64,
    /// Share of its units that the defender loses, 0 to 0.35, before its own effects.
    pub defender_loss: f64,
    /// Whether the attacker won by the lopsided ratio or more.
    pub lopsided: bool,
}

/// What a won raid takes (R17–R19).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RaidSpoils {
    /// Capital that goes to the attacker.
    pub capital: u64,
    /// Users that go to the attacker.
    pub users: u64,
    /// Buildings wrecked, cores never.
    pub buildings: u64,
}

/// Rounds an amount that is not negative down to a whole one.
fn down(amount: f64) -> u64 {
    amount.floor() as u64
}

impl Constants {
    /// R2: attack × opposing factor × program effects in order × random factor, for a draw `u` in `[0, 1)`.
    pub fn attacker_strength(
        &self,
        attack: u64,
        attacker: Architecture,
        defender: Architecture,
        effects: &[f64],
        u: f64,
    ) -> f64 {
        let base = attack as f64 * self.opposing_factor(attacker, defender);
        product(base, effects) * self.random_factor(u)
    }

    /// R3: 1 plus the bonus against an opposite architecture, else 1.
    pub fn opposing_factor(&self, attacker: Architecture, defender: Architecture) -> f64 {
        if attacker.opposes(defender) { 1.0 + self.combat.opposing_attack_bonus } else { 1.0 }
    }

    /// R4: from 1 − spread, inclusive, to 1 + spread, exclusive, for a draw `u` in `[0, 1)`.
    pub fn random_factor(&self, u: f64) -> f64 {
        (1.0 - self.combat.random_spread) + (2.0 * self.combat.random_spread) * u
    }

    /// R5: defense × core factor × program effects in order.
    pub fn defender_strength(&self, defense: u64, cores: u64, effects: &[f64]) -> f64 {
        product(defense as f64 * self.core_factor(cores), effects)
    }

    /// R6: 1 to 1.5.
    pub fn core_factor(&self, cores: u64) -> f64 {
        1.0 + self.combat.core_bonus_max.min(cores as f64 * self.combat.core_bonus_per_core)
    }

    /// R7–R11, R15: who wins, by how much, and what share of its units each side loses.
    pub fn battle_outcome(&self, attacker: f64, defender: f64) -> BattleOutcome {
        let attacker_won = attacker > defender; // R7, R8
        let (winner, loser) = if attacker_won { (attacker, defender) } else { (defender, attacker) };
        let ratio = match (winner > 0.0, loser > 0.0) {
            (true, true) => Some(winner / loser),
            (true, false) => None,
            (false, _) => Some(1.0),
        };
        let (winner_loss, loser_loss) = self.loss_shares(ratio);
        let lopsided = attacker_won && ratio.is_none_or(|ratio| ratio >= self.combat.lopsided_ratio); // R15
        let (attacker_loss, defender_loss) =
            if attacker_won { (winner_loss, loser_loss) } else { (loser_loss, winner_loss) };
        BattleOutcome { attacker_won, ratio, attacker_loss, defender_loss, lopsided }
    }

    /// R9–R11: the shares that winner and loser lose; `None` is an infinite ratio.
    fn loss_shares(&self, ratio: Option<f64>) -> (f64, f64) {
        let combat = &self.combat;
        match ratio {
            None => (0.0, combat.loser_loss_max),
            Some(ratio) => (
                combat.winner_loss_max / (ratio * ratio),
                (combat.loser_loss_base * ratio).min(combat.loser_loss_max),
            ),
        }
    }

    /// R12: how many of `count` units of one kind are lost; never more than there are.
    pub fn units_lost(&self, count: u64, share: f64, ranged: bool) -> u64 {
        let factor = if ranged { self.combat.ranged_loss_factor } else { 1.0 };
        count.min(down((count as f64 * share) * factor))
    }

    /// R13: sectors that a won conquest moves; `factor` from [`Constants::conquest_factor`].
    pub fn conquest_sectors(&self, territory: u64, factor: f64) -> u64 {
        down((territory as f64 * self.combat.conquest_territory_share) * factor)
    }

    /// R14: 1 against an equal or a stronger mind, else the square of defender's over attacker's power.
    pub fn conquest_factor(&self, defender_power: u64, attacker_power: u64) -> f64 {
        if defender_power >= attacker_power {
            return 1.0;
        }
        let quotient = defender_power as f64 / attacker_power as f64;
        quotient * quotient
    }

    /// R16: cores that a lopsided conquest destroys, to the nearest, halves up, at most those there.
    pub fn lopsided_cores(&self, factor: f64, cores: u64) -> u64 {
        cores.min(down(self.combat.lopsided_cores * factor + 0.5))
    }

    /// R17–R19: what a won raid takes.
    pub fn raid_spoils(&self, capital: u64, users: u64, buildings_except_cores: u64) -> RaidSpoils {
        RaidSpoils {
            capital: down(capital as f64 * self.combat.raid_capital_share),
            users: down(users as f64 * self.combat.raid_user_share),
            buildings: down(buildings_except_cores as f64 * self.combat.raid_building_share),
        }
    }

    /// R20: the power of a mind; `buildings` with cores, `attack` and `defense` of all its units.
    pub fn power(&self, territory: u64, buildings: u64, attack: u64, defense: u64, capability: u32) -> u64 {
        let weight = &self.power;
        down(
            territory as f64 * weight.per_sector
                + buildings as f64 * weight.per_building
                + (attack + defense) as f64 * weight.per_force_point
                + f64::from(capability) * weight.per_capability,
        )
    }

    /// R21: cycles that an attack costs after `recent` others.
    pub fn attack_cost(&self, recent: u64) -> u64 {
        self.cycles.attack + (recent as f64 * self.combat.attack_cycles_per_recent_attack).ceil() as u64
    }

    /// X6: cycles after `credits` full half hours; what lies above the cap stays as it is.
    pub fn credited(&self, cycles: u64, credits: u32) -> u64 {
        if cycles >= self.cycles.cap { cycles } else { self.cycles.cap.min(cycles + u64::from(credits)) }
    }
}

/// X5: spreads `k` wrecked buildings over the kinds, by largest remainders; ties go to the earlier kind.
pub fn spread(have: [u64; PLAIN_BUILDINGS], k: u64) -> [u64; PLAIN_BUILDINGS] {
    let total: u128 = have.iter().map(|count| u128::from(*count)).sum();
    if total == 0 {
        return [0; PLAIN_BUILDINGS];
    }
    let k = u128::from(k).min(total);
    let share = have.map(|count| (u128::from(count) * k / total) as u64);
    let mut remainders = have.map(|count| u128::from(count) * k % total);
    let mut left = k as u64 - share.iter().sum::<u64>();
    let mut spread = share;
    while left > 0 {
        // The first of the largest; a kind gets at most one, so that its remainder is used up.
        let mut largest = 0;
        for kind in 1..PLAIN_BUILDINGS {
            if remainders[kind] > remainders[largest] {
                largest = kind;
            }
        }
        spread[largest] += 1;
        remainders[largest] = 0;
        left -= 1;
    }
    spread
}

pub(crate) fn product(base: f64, effects: &[f64]) -> f64 {
    effects.iter().fold(base, |strength, effect| strength * effect)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Constants {
        Constants::load().unwrap().0
    }

    #[test]
    fn edges_of_a_battle() {
        let rules = rules();
        assert!(rules.battle_outcome(1500.0, 1000.0).lopsided, "exactly 1.5 counts");
        assert!(!rules.battle_outcome(1000.0, 1500.0).lopsided, "only the attacker's");
        assert_eq!(rules.battle_outcome(7.0, 3.0).defender_loss, 0.35);
        assert!(rules.battle_outcome(6.99, 3.0).defender_loss < 0.35);
        let nothing = rules.battle_outcome(0.0, 0.0);
        assert_eq!((nothing.attacker_won, nothing.ratio), (false, Some(1.0)));
        assert_eq!((nothing.attacker_loss, nothing.defender_loss), (0.15, 0.12));
    }

    #[test]
    fn edges_of_cores_and_conquest() {
        let rules = rules();
        assert!(rules.core_factor(33) < 1.5);
        assert_eq!(rules.core_factor(34), 1.5);
        let factor = |defender| rules.conquest_factor(defender, 100_000);
        assert_eq!(rules.lopsided_cores(factor(70_711), 5), 1);
        assert_eq!(rules.lopsided_cores(factor(70_710), 5), 0);
        assert_eq!(rules.lopsided_cores(1.0, 0), 0);
        assert_eq!(rules.conquest_factor(0, 0), 1.0);
        assert_eq!(rules.conquest_factor(5, 0), 1.0);
    }

    #[test]
    fn cycles_come_up_to_the_cap_and_stay_above_it() {
        let rules = rules();
        assert_eq!(rules.credited(0, 0), 0);
        assert_eq!(rules.credited(95, 1), 96);
        assert_eq!(rules.credited(95, 2), 96);
        assert_eq!(rules.credited(96, 1), 96);
        assert_eq!(rules.credited(400, 4000), 400);
        assert_eq!(rules.credited(0, u32::MAX), 96);
    }

    #[test]
    fn spread_breaks_ties_to_the_earlier_kind() {
        assert_eq!(spread([0, 3, 3, 3, 0], 2), [0, 1, 1, 0, 0]);
        assert_eq!(spread([0; 5], 4), [0; 5]);
        assert_eq!(spread([u64::MAX; 5], 7), [2, 2, 1, 1, 1]);
    }
}
