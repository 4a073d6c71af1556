//! The constants of the rules (`rules.toml`), as the engine holds them.

use serde::Deserialize;

use crate::attribute::{Attribute, Class, Classes, Stance};
use crate::catalogue::{HullTier, Tier};
use crate::pipeline::Penalties;

/// How many skills there are.
pub(crate) const SKILLS: usize = 6;
/// How many rack levels there are, 0 included (§3).
pub(crate) const LEVELS: usize = 5;

/// The constants of ongrid-8. Fields are named as in `rules.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    engine: String,
    /// The build of EVE's static data export behind the catalogue.
    pub sde_build: u32,
    /// EVE time that one round stands for, in milliseconds; folded into the catalogue.
    pub round_ms: u32,
    /// Rounds and overtime.
    pub clock: Clock,
    /// Turrets (§7).
    pub turret: Turret,
    /// Missiles (§7).
    pub missile: Missile,
    /// Electronic warfare (§9).
    pub ewar: Ewar,
    /// Overheating (§7).
    pub heat: Heat,
    stacking: Stacking,
    stance: Stances,
    /// Fitting and its crews (§2).
    pub fitting: Fitting,
    /// Calibration (§3).
    pub calibration: Calibration,
    skills: Training,
    skill: Vec<SkillRow>,
    classes: ClassLists,
    /// The hostile pilot's thresholds (§12).
    pub hostile: HostilePilot,
    /// Points (§11).
    pub score: Score,
}

/// The clock.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// The last round without overtime.
    pub overtime_from: u32,
    /// What each round of overtime adds to damage.
    pub overtime_step: f64,
    /// The last round.
    pub last_round: u32,
}

/// Turrets.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turret {
    /// No chance is smaller.
    pub min_hit: f64,
    /// No chance is greater.
    pub max_hit: f64,
    /// A quality roll above this wrecks.
    pub wrecking_above: f64,
    /// The quality of a wrecking volley.
    pub wrecking: f64,
    /// What a quality roll is added to.
    pub quality_floor: f64,
    /// The quality the hostile pilot reckons with.
    pub mean_quality: f64,
}

/// Missiles.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Missile {
    /// No volley applies less.
    pub min_application: f64,
    /// No volley applies more.
    pub max_application: f64,
}

/// Electronic warfare.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ewar {
    /// Rounds a timed effect or a jam lasts, the one it begins in included.
    pub rounds: u32,
    /// No jam is less likely.
    pub min_jam: f64,
    /// No jam is more likely.
    pub max_jam: f64,
    /// No effect leaves less of an attribute.
    pub min_effect: f64,
}

/// Overheating.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heat {
    /// What overheating multiplies damage by.
    pub overheat_damage: f64,
    /// Heat an overheated call adds.
    pub overheat_heat: u16,
    /// Above this heat nothing may be overheated.
    pub lock_above: u16,
    /// Heat shed at the end of a round.
    pub shed_per_round: u16,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stacking {
    penalty: Penalties,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stances {
    standard: StanceRow,
    aggressive: StanceRow,
    evasive: StanceRow,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StanceRow {
    #[serde(default = "one")]
    max_velocity: f64,
    #[serde(default = "one")]
    tracking: f64,
    #[serde(default = "one")]
    guidance: f64,
}

fn one() -> f64 {
    1.0
}

/// Fitting: what well-trained crews do to outputs and needs (§2).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fitting {
    /// First unpenalized multiplier of the cpu output.
    pub cpu_output: f64,
    /// First unpenalized multiplier of the power output.
    pub power_output: f64,
    /// Factor on the cpu that weapons need.
    pub weapon_cpu: f64,
    /// Factor on the power that weapons need.
    pub weapon_power: f64,
    /// Factor on the power that shield extenders need.
    pub shield_extender_power: f64,
    /// Most modules in one group.
    pub max_count: u32,
}

impl Fitting {
    /// Factors on the cpu and the power that a module needs (§2).
    pub(crate) fn factors(&self, weapon: bool, shield_extender: bool) -> [f64; 2] {
        match (weapon, shield_extender) {
            (true, _) => [self.weapon_cpu, self.weapon_power],
            (false, true) => [1.0, self.shield_extender_power],
            (false, false) => [1.0, 1.0],
        }
    }
}

/// Calibration (§3).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    tier_weight: TierWeight,
    /// Scores at which the level rises.
    pub thresholds: [u32; LEVELS - 1],
    /// Names of the rack levels.
    pub racks: [String; LEVELS],
    weapon_tier: [Tier; LEVELS],
    other_tier: [Tier; LEVELS],
    /// From this rack level on the better charges are flown.
    pub faction_charges_from: usize,
    hull_floor: HullFloor,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TierWeight {
    t1: u32,
    meta: u32,
    t2: u32,
    faction: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HullFloor {
    t1: usize,
    navy: usize,
    t2: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Training {
    baseline: u32,
    max_level: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SkillRow {
    id: String,
    name: String,
    effects: Vec<SkillEffectRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SkillEffectRow {
    attr: Attribute,
    #[serde(rename = "for")]
    classes: Option<String>,
    levels: [f64; SKILLS],
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClassLists {
    turrets: Vec<Class>,
    missiles: Vec<Class>,
    ewar: Vec<Class>,
}

/// The hostile pilot's thresholds, as fractions (§12).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostilePilot {
    /// Evasive below this fraction of hit points.
    pub evasive_below: f64,
    /// Aggressive from this fraction on.
    pub aggressive_from: f64,
    /// Repairs itself below this fraction.
    pub repair_below: f64,
    /// Uses a capacitor booster below this fraction of capacitor.
    pub booster_below: f64,
    /// Leeches below this fraction of capacitor.
    pub leech_below: f64,
}

/// Points (§11).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// For a victory.
    pub victory: i64,
    /// For a draw.
    pub draw: i64,
    /// For the whole hostile fleet destroyed.
    pub damage: f64,
    /// For the whole own fleet unharmed.
    pub survival: f64,
    /// For each round left, won by destruction.
    pub per_round_left: i64,
    /// For each calibration level, won or drawn.
    pub per_level: i64,
}

/// One of the six skills; its multipliers are exempt from stacking (§1).
#[derive(Debug)]
pub struct Skill {
    /// Its id on the wire.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    pub(crate) effects: Vec<SkillEffect>,
}

/// What a skill multiplies, by level.
#[derive(Debug)]
pub(crate) struct SkillEffect {
    pub attribute: Attribute,
    /// Empty for an attribute of the ship.
    pub classes: Classes,
    pub levels: [f64; SKILLS],
}

impl Rules {
    /// Reads `rules.toml`; the text of the fault where it is not what the engine can hold.
    pub(crate) fn read(text: &[u8]) -> Result<Self, String> {
        let rules: Self =
            ongrid_engine::data::from_toml(text).map_err(|fault| format!("rules.toml: {fault}"))?;
        let counts_fit = rules.clock.last_round <= 200
            && rules.ewar.rounds >= 1
            && rules.ewar.rounds <= 50
            && rules.fitting.max_count <= 100
            && rules.skills.max_level as usize + 1 == SKILLS
            && rules.skills.baseline <= rules.skills.max_level;
        match counts_fit && rules.engine == crate::TAG && rules.skill.len() == SKILLS {
            true => Ok(rules),
            false => Err("rules.toml: a figure that the checkpoint state has no room for".to_owned()),
        }
    }

    /// The six skills, in rules order.
    pub(crate) fn skills(&self) -> Result<[Skill; SKILLS], String> {
        let mut skills = Vec::with_capacity(SKILLS);
        for row in &self.skill {
            let mut effects = Vec::with_capacity(row.effects.len());
            for effect in &row.effects {
                let classes = match effect.classes.as_deref() {
                    None => Classes::default(),
                    Some(list) => {
                        self.classes(list).ok_or_else(|| format!("rules.toml: no classes {list:?}"))?
                    }
                };
                if effect.attr.is_of_ships() != classes.is_empty() {
                    return Err(format!("rules.toml: skill {:?} names its classes wrongly", row.id));
                }
                effects.push(SkillEffect { attribute: effect.attr, classes, levels: effect.levels });
            }
            skills.push(Skill {
                id: crate::catalogue::keep(&row.id),
                name: crate::catalogue::keep(&row.name),
                effects,
            });
        }
        skills.try_into().map_err(|_| "rules.toml: there are six skills".to_owned())
    }

    /// The classes that a name under `[classes]` stands for.
    fn classes(&self, list: &str) -> Option<Classes> {
        let list = match list {
            "turrets" => &self.classes.turrets,
            "missiles" => &self.classes.missiles,
            "ewar" => &self.classes.ewar,
            _ => return None,
        };
        Some(list.iter().copied().collect())
    }

    /// The stacking curve (§1).
    pub fn penalties(&self) -> &Penalties {
        &self.stacking.penalty
    }

    /// What the stances multiply velocity by, in the order of [`Stance::ALL`].
    pub fn velocity_by_stance(&self) -> [f64; 3] {
        self.stances().map(|row| row.max_velocity)
    }

    /// What the stances multiply the tracking of turrets by.
    pub fn tracking_by_stance(&self) -> [f64; 3] {
        self.stances().map(|row| row.tracking)
    }

    /// What the stances multiply the guidance of missiles by.
    pub fn guidance_by_stance(&self) -> [f64; 3] {
        self.stances().map(|row| row.guidance)
    }

    fn stances(&self) -> [&StanceRow; 3] {
        Stance::ALL.map(|stance| match stance {
            Stance::Standard => &self.stance.standard,
            Stance::Aggressive => &self.stance.aggressive,
            Stance::Evasive => &self.stance.evasive,
        })
    }

    /// Weight of a module's tier in the score (§3).
    pub fn tier_weight(&self, tier: Tier) -> u32 {
        let weight = &self.calibration.tier_weight;
        match tier {
            Tier::T1 => weight.t1,
            Tier::Meta => weight.meta,
            Tier::T2 => weight.t2,
            Tier::Faction => weight.faction,
        }
    }

    /// The level that a score reaches (§3).
    pub fn level(&self, score: u32) -> usize {
        self.calibration.thresholds.iter().filter(|threshold| score >= **threshold).count()
    }

    /// The lowest rack level of a hull of this tier (§3).
    pub fn hull_floor(&self, tier: HullTier) -> usize {
        let floor = &self.calibration.hull_floor;
        match tier {
            HullTier::T1 => floor.t1,
            HullTier::Navy => floor.navy,
            HullTier::T2 => floor.t2,
        }
        .min(LEVELS - 1)
    }

    /// The tier that a rack of this level asks for, of weapons or of other modules (§3).
    pub fn rack_tier(&self, level: usize, weapon: bool) -> Tier {
        let tiers = if weapon { &self.calibration.weapon_tier } else { &self.calibration.other_tier };
        tiers[level.min(LEVELS - 1)]
    }

    /// The level at which hostile fleets fly every skill, and a pilot nobody has registered.
    pub fn baseline(&self) -> u32 {
        self.skills.baseline
    }

    /// The highest level of a skill.
    pub fn max_level(&self) -> u32 {
        self.skills.max_level
    }
}
