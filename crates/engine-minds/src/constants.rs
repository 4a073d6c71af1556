//! The numbers of the epoch (mind-combat, "Numbers of the epoch"), read from the embedded data file.
//!
//! The file keeps the names that the game's own rules page uses, so that the two can be laid side by side.

use ongrid_engine::{DataFile, Ruleset, RulesetError, data};
use serde::Deserialize;

use crate::TAG;

/// The data behind the rules: one file.
pub static FILES: [DataFile; 1] =
    [DataFile { name: "rules.json", bytes: include_bytes!("../ruleset/rules.json") }];

/// SHA-256 of the data that the tag stands for.
pub const RULESET_DIGEST: &str = "38a1261662e5f16769e59c672a04717b065ac78957954cf7d40b891e1e1d82df";

/// Every number of the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constants {
    /// Battles and what they take.
    pub combat: Combat,
    /// What a mind weighs.
    pub power: Power,
    /// What an attack costs and how the cycles come back.
    pub cycles: Cycles,
    /// When and how the other minds act.
    pub turns: Turns,
}

/// Battles and what they take (R3–R19, R21).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Combat {
    /// How far the random factor strays from 1, either way (R4).
    pub random_spread: f64,
    /// What one core adds to the defender's core factor (R6).
    pub core_bonus_per_core: f64,
    /// Most that the cores add (R6).
    pub core_bonus_max: f64,
    /// What the attacker gains against an opposite architecture (R3).
    pub opposing_attack_bonus: f64,
    /// Share of its units that the winner loses at a ratio of 1 (R9).
    pub winner_loss_max: f64,
    /// Power of the ratio that divides it; the formula is written for 2 (A10).
    pub winner_loss_exponent: u32,
    /// Share of its units that the loser loses for each whole of the ratio (R10).
    pub loser_loss_base: f64,
    /// Most that the loser loses (R11).
    pub loser_loss_max: f64,
    /// Part of their side's share that ranged units lose (R12).
    pub ranged_loss_factor: f64,
    /// Ratio from which a won battle is lopsided (R15).
    pub lopsided_ratio: f64,
    /// Cores that a lopsided conquest destroys at a factor of 1 (R16).
    pub lopsided_cores: f64,
    /// What each recent attack adds to the cost of the next, in cycles (R21).
    pub attack_cycles_per_recent_attack: f64,
    /// Share of the territory that a conquest takes (R13).
    pub conquest_territory_share: f64,
    /// Power of the quotient of powers; the formula is written for 2 (A10).
    pub conquest_size_exponent: u32,
    /// Share of the capital that a raid takes (R17).
    pub raid_capital_share: f64,
    /// Share of the users that a raid takes (R18).
    pub raid_user_share: f64,
    /// Share of the buildings, cores excepted, that a raid wrecks (R19).
    pub raid_building_share: f64,
}

/// What a mind weighs (R20), in points of power.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Power {
    /// For each sector.
    pub per_sector: f64,
    /// For each building, cores included.
    pub per_building: f64,
    /// For each point of attack or defense.
    pub per_force_point: f64,
    /// For each level of capability.
    pub per_capability: f64,
}

/// What an attack costs and how the cycles come back (R21, X3, X6).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cycles {
    /// Cost of an attack without recent ones, in cycles.
    pub attack: u64,
    /// Minutes from one credit to the next.
    pub minutes: u32,
    /// Cycles above which none are credited.
    pub cap: u64,
    /// Minutes after which an attack is forgotten, in its cost and in protection.
    pub memory_minutes: u32,
}

/// When and how the other minds act (X7, X8).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turns {
    /// Minutes from one turn to the next.
    pub minutes: u32,
    /// How much stronger a mind must reckon itself to attack at all.
    pub advantage: f64,
}

impl Constants {
    /// The numbers of this epoch with the identity of their file.
    ///
    /// # Errors
    /// Where a byte of the data was changed under the same tag.
    pub fn load() -> Result<(Self, Ruleset), RulesetError> {
        let ruleset = Ruleset::new(TAG, &FILES, RULESET_DIGEST)?;
        let constants = data::from_json(FILES[0].bytes).map_err(|fault| RulesetError {
            tag: TAG,
            expected: fault.to_string(),
            found: ruleset.digest(),
        })?;
        Ok((constants, ruleset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_those_that_the_formulas_are_written_for() {
        let (constants, _) = Constants::load().unwrap();
        assert_eq!(constants.combat.winner_loss_exponent, 2);
        assert_eq!(constants.combat.conquest_size_exponent, 2);
    }
}
