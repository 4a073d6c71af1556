//! The end: who won, the score, the outcome (§11, §15).

use ongrid_engine::{Chain, Standing, Tally};
use serde::Serialize;

use crate::attribute::Side;
use crate::fight::Fight;
use crate::grid::NOBODY;
use crate::rules::Rules;

/// How the fight ended for the pilot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Won.
    Victory,
    /// Lost.
    Defeat,
    /// Neither.
    Draw,
}

/// What decided it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// One side has no living ship.
    Destruction,
    /// Hit points after the last round.
    Points,
    /// The pilot gave up.
    Concession,
}

/// Hit points of a side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Totals {
    /// Most there can be, of ships destroyed too.
    pub max: f64,
    /// Left.
    pub now: f64,
}

/// A figure for each layer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Layers {
    /// Armor.
    pub armor: f64,
    /// Hull.
    pub hull: f64,
    /// Shield.
    pub shield: f64,
}

impl From<[f64; 3]> for Layers {
    fn from([shield, armor, hull]: [f64; 3]) -> Self {
        Self { armor, hull, shield }
    }
}

/// What became of a ship.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShipOutcome {
    /// Hit points it took off others.
    pub damage_dealt: f64,
    /// Hit points others took off it.
    pub damage_taken: f64,
    /// The round it was destroyed in.
    pub destroyed_round: Option<u32>,
    /// Id of its hull.
    pub hull: &'static str,
    /// Its ship id.
    pub id: u32,
    /// The last ship whose volley took more than 0 off it.
    pub last_shooter: Option<u32>,
    /// Hit points left.
    pub left: Layers,
    /// Whose it was.
    pub side: Side,
}

/// The outcome of a fight (§15).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Calls applied.
    pub calls: u32,
    /// The final checkpoint, 16 hex digits.
    pub checkpoint: String,
    /// What decided it.
    pub decided_by: DecidedBy,
    /// Hit points of the hostile side.
    pub hostile: Totals,
    /// Hit points of the pilot's side.
    pub pilot: Totals,
    /// How it ended for the pilot.
    pub result: Verdict,
    /// 32-bit words drawn.
    pub rng_words: u64,
    /// The round it ended in.
    pub rounds: u32,
    /// Points.
    pub score: i64,
    /// By ship id.
    pub ships: Vec<ShipOutcome>,
}

impl Outcome {
    /// The outcome of a fight that ended.
    pub(crate) fn new(fight: &Fight, tally: Tally, result: Verdict, decided_by: DecidedBy) -> Self {
        let grid = &fight.grid;
        let (pilot, hostile) = (grid.totals(Side::Pilot), grid.totals(Side::Hostile));
        let ships = grid.crafts[..grid.ships].iter().enumerate().map(|(id, craft)| ShipOutcome {
            damage_dealt: craft.damage_dealt,
            damage_taken: craft.damage_taken,
            destroyed_round: craft.destroyed_round.map(u32::from),
            hull: fight.roster.ship(id).hull.id,
            id: id as u32,
            last_shooter: (craft.last_shooter != NOBODY).then_some(craft.last_shooter.into()),
            left: craft.left.into(),
            side: grid.side(id),
        });
        Self {
            calls: tally.calls,
            checkpoint: Chain::hex(tally.checkpoint),
            decided_by,
            score: grid.rules.score(result, decided_by, grid.round, fight.level, pilot, hostile),
            hostile,
            pilot,
            result,
            rng_words: grid.stream.words(),
            rounds: grid.round,
            ships: ships.collect(),
        }
    }

    /// What boards rank by.
    pub fn standing(&self) -> Standing {
        Standing { finished: true, rounds: self.rounds, score: self.score }
    }
}

impl Rules {
    /// Who wins after the last round: fractions compared by multiplying crosswise (§11).
    pub fn points(&self, pilot: Totals, hostile: Totals) -> Verdict {
        let (ours, theirs) = (pilot.now * hostile.max, hostile.now * pilot.max);
        if ours > theirs {
            Verdict::Victory
        } else if ours < theirs {
            Verdict::Defeat
        } else {
            Verdict::Draw
        }
    }

    /// The score of a fight that ended in `round` (§11).
    pub fn score(
        &self,
        result: Verdict,
        decided_by: DecidedBy,
        round: u32,
        level: usize,
        pilot: Totals,
        hostile: Totals,
    ) -> i64 {
        if decided_by == DecidedBy::Concession {
            return 0;
        }
        let points = &self.score;
        let mut score = (points.damage * (1.0 - hostile.now / hostile.max)).floor() as i64;
        score += (points.survival * pilot.now / pilot.max).floor() as i64;
        score += match result {
            Verdict::Victory => points.victory,
            Verdict::Draw => points.draw,
            Verdict::Defeat => return score,
        };
        if (result, decided_by) == (Verdict::Victory, DecidedBy::Destruction) {
            score += points.per_round_left * i64::from(self.clock.last_round.saturating_sub(round));
        }
        score + points.per_level * level as i64
    }
}
