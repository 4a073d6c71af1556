//! What a client needs to put a setup together and to explain a fight: doctrines with ready fleets, the skills, the
//! figures of the rules.

use ongrid_engine_ongrid::{FleetShip, OnGrid, Rules};
use serde::Serialize;

/// How many racks a doctrine has: levels 0 … 4.
const LEVELS: usize = 5;

/// What setups of ongrid-8 are put together from. Hulls, modules and charges are files of the ruleset.
#[derive(Serialize)]
pub(crate) struct Catalogue<'a> {
    /// In ruleset order.
    doctrines: Vec<DoctrineEntry>,
    /// The figures of the rules that a client shows.
    figures: Figures<'a>,
    /// In rules order.
    skills: Vec<SkillEntry>,
}

/// A doctrine: whom one fights, and the bounds of one's own fleet.
#[derive(Serialize)]
pub(crate) struct DoctrineEntry {
    /// Its own t1 hulls with the racks of each level, 0 … 4, as the fleet of a setup.
    fleets: Vec<Vec<FleetShip>>,
    /// Its id on the wire.
    id: &'static str,
    /// Most ships a pilot's fleet may have.
    max_ships: usize,
    /// Its name for people.
    name: &'static str,
    /// Most hull points a pilot's fleet may have.
    points: u32,
}

/// A skill.
#[derive(Serialize)]
pub(crate) struct SkillEntry {
    /// Its id on the wire.
    id: &'static str,
    /// Its name for people.
    name: &'static str,
}

/// Figures of the rules. What stands by stance is of standard, aggressive, evasive.
#[derive(Serialize)]
pub(crate) struct Figures<'a> {
    /// Rounds that a timed effect lasts, that of its begin included (§9).
    effect_rounds: u32,
    /// What stances multiply the guidance of missiles by.
    guidance_by_stance: [f64; 3],
    /// Heat above which nothing may be overheated (§7).
    heat_lock: u16,
    /// Heat that an overheated volley adds.
    heat_overheat: u16,
    /// Heat that a ship sheds at the end of a round.
    heat_shed: u16,
    /// The last round (§5).
    last_round: u32,
    /// Highest application of a missile.
    max_application: f64,
    /// Highest chance of a turret to hit.
    max_hit: f64,
    /// Highest level of a skill.
    max_skill: u32,
    /// Lowest application of a missile.
    min_application: f64,
    /// Lowest chance of a turret to hit.
    min_hit: f64,
    /// What overheating multiplies damage by.
    overheat_damage: f64,
    /// The last round without overtime.
    overtime_from: u32,
    /// What each round of overtime adds to damage.
    overtime_step: f64,
    /// Names of the racks, by level (§3).
    racks: &'a [String],
    /// Points (§11).
    score: ScoreFigures,
    /// Scores from which on the next level is met (§3).
    thresholds: &'a [u32],
    /// What stances multiply the tracking of turrets by.
    tracking_by_stance: [f64; 3],
    /// What stances multiply speed by.
    velocity_by_stance: [f64; 3],
}

/// Points of the score (§11).
#[derive(Serialize)]
pub(crate) struct ScoreFigures {
    /// For the whole hostile fleet's hit points.
    damage: f64,
    /// For a draw.
    draw: i64,
    /// For each level, unless lost.
    per_level: i64,
    /// For each round left, where won by destruction.
    per_round_left: i64,
    /// For the whole own fleet's hit points.
    survival: f64,
    /// For a victory.
    victory: i64,
}

impl<'a> Catalogue<'a> {
    /// The catalogue of the engine.
    pub fn of(engine: &'a OnGrid) -> Self {
        let catalogue = engine.catalogue();
        let doctrines = catalogue.doctrines.iter().map(|doctrine| DoctrineEntry {
            fleets: (0..LEVELS).map(|level| engine.fleet_at(doctrine, level)).collect(),
            id: doctrine.id,
            max_ships: doctrine.max_ships,
            name: doctrine.name,
            points: doctrine.points,
        });
        let skills = catalogue.skills.iter().map(|skill| SkillEntry { id: skill.id, name: skill.name });
        Self {
            doctrines: doctrines.collect(),
            figures: Figures::of(&catalogue.rules),
            skills: skills.collect(),
        }
    }
}

impl<'a> Figures<'a> {
    fn of(rules: &'a Rules) -> Self {
        let score = &rules.score;
        Self {
            effect_rounds: rules.ewar.rounds,
            guidance_by_stance: rules.guidance_by_stance(),
            heat_lock: rules.heat.lock_above,
            heat_overheat: rules.heat.overheat_heat,
            heat_shed: rules.heat.shed_per_round,
            last_round: rules.clock.last_round,
            max_application: rules.missile.max_application,
            max_hit: rules.turret.max_hit,
            max_skill: rules.max_level(),
            min_application: rules.missile.min_application,
            min_hit: rules.turret.min_hit,
            overheat_damage: rules.heat.overheat_damage,
            overtime_from: rules.clock.overtime_from,
            overtime_step: rules.clock.overtime_step,
            racks: &rules.calibration.racks,
            score: ScoreFigures {
                damage: score.damage,
                draw: score.draw,
                per_level: score.per_level,
                per_round_left: score.per_round_left,
                survival: score.survival,
                victory: score.victory,
            },
            thresholds: &rules.calibration.thresholds,
            tracking_by_stance: rules.tracking_by_stance(),
            velocity_by_stance: rules.velocity_by_stance(),
        }
    }
}
