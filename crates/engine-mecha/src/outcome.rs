//! The outcome and the standing (section 5).

use ongrid_engine::Standing;
use serde::{Serialize, Serializer};

use crate::battle::Battle;
use crate::geometry::{Facing, Position};
use crate::object::{ByName, Id, Object};
use crate::setup::{Body, PARTS_BY_NAME};
use crate::skill::DEADLY;
use crate::unit::{ENDLESS, Frame, Unit};
use crate::words::{Part, Word};

/// How a battle stands. Fields in the order of their names.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Whether the battle is over.
    pub over: bool,
    /// 32-bit words drawn.
    pub rng_words: u64,
    /// The round in progress, from 1.
    pub round: u32,
    /// What is left of every side, 0 to 1: the mean over its units.
    pub score: ByName<f64>,
    /// Every unit.
    pub units: ByName<UnitOutcome>,
    /// The side with the highest score, where the battle is over and there is one.
    pub winner: Option<Id>,
}

/// How a unit stands.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitOutcome {
    /// Whether it is out of the battle for good.
    pub out: bool,
    /// Damage of the pilot or person, 0 to 20.
    pub damage: u8,
    /// Whether the pilot or person is unconscious.
    pub unconscious: bool,
    /// Whether wounds leave it this round.
    pub able: bool,
    /// Kills, those before the battle included.
    pub kills: u32,
    /// Shots left by weapon; `None` is endless.
    pub ammo: Vec<Option<u32>>,
    /// Where it is, in metres.
    pub pos: Position,
    /// Where it looks.
    pub facing: Facing,
    /// Shots fired.
    pub shots: u32,
    /// Hits scored, before parries.
    pub hits: u32,
    /// Hits that it parried.
    pub parried: u32,
    /// What a mecha has more.
    pub mecha: Option<MechaOutcome>,
}

/// How a mecha stands.
#[derive(Clone, Debug, PartialEq)]
pub struct MechaOutcome {
    /// Armor left and internal structure hit, in centipoints, of the parts that have changed.
    pub parts: Vec<(Part, [u32; 2])>,
    /// Shield left, in centipoints.
    pub shield: u32,
    /// Reactor boxes.
    pub reactor: u32,
    /// Whether it exploded.
    pub destroyed: bool,
    /// Agility at its pace, 0 to 1.
    pub agility: f64,
    /// Output of the reactor, 0 to 1.
    pub output: f64,
}

impl Battle {
    /// The outcome and the standing as the battle stands.
    pub(crate) fn outcome(&self) -> (Outcome, Standing) {
        let roster = &self.roster;
        let sides = &roster.setup.sides;
        let scores: Vec<f64> = (0..sides.len()).map(|side| self.score(side)).collect();
        let outcome = Outcome {
            over: self.over,
            rng_words: self.dice.words(),
            round: self.round,
            score: ByName::new(sides.iter().cloned().zip(scores.iter().copied()).collect()),
            units: ByName::new(
                (0..self.units.len()).map(|index| (roster.id(index), self.unit_outcome(index))).collect(),
            ),
            winner: best_alone(&scores).filter(|_| self.over).map(|side| sides[side].clone()),
        };
        (outcome, self.standing(&scores))
    }

    /// Score of the player's side in thousandths less the best of the others.
    fn standing(&self, scores: &[f64]) -> Standing {
        let setup = &self.roster.setup;
        let (mut own, mut best) = (0, 0);
        for (side, score) in setup.sides.iter().zip(scores) {
            let thousandths = (1000.0 * score).floor() as i64;
            if *side == setup.player {
                own = thousandths;
            } else {
                best = best.max(thousandths);
            }
        }
        Standing { score: own - best, rounds: self.round, finished: self.over }
    }

    /// Mean over the units of a side (section 5).
    fn score(&self, side: usize) -> f64 {
        let (mut sum, mut units) = (0.0, 0_u32);
        for index in (0..self.units.len()).filter(|index| usize::from(self.roster.side[*index]) == side) {
            sum += self.worth(index);
            units += 1;
        }
        sum / f64::from(units.max(1))
    }

    /// What is left of a unit, 0 to 1.
    fn worth(&self, index: usize) -> f64 {
        let unit = &self.units[index];
        if self.out(index) {
            return 0.0;
        }
        match (&unit.frame, &self.roster.unit(index).body) {
            (Some(frame), Body::Mecha(mecha)) => {
                let (left, all) = frame.left_of(mecha);
                left as f64 / all as f64
            }
            _ => f64::from(DEADLY - unit.damage) / f64::from(DEADLY),
        }
    }

    fn unit_outcome(&self, index: usize) -> UnitOutcome {
        let unit = &self.units[index];
        UnitOutcome {
            out: self.out(index),
            damage: unit.damage,
            unconscious: unit.unconscious,
            able: unit.able,
            kills: unit.kills,
            ammo: unit.ammo.iter().map(|left| (*left != ENDLESS).then_some(*left)).collect(),
            pos: unit.pos,
            facing: unit.facing,
            shots: unit.shots,
            hits: unit.hits,
            parried: unit.parried,
            mecha: match (&unit.frame, &self.roster.unit(index).body) {
                (Some(frame), Body::Mecha(mecha)) => {
                    Some(self.mecha_outcome(unit, frame, &Frame::new(mecha)))
                }
                _ => None,
            },
        }
    }

    fn mecha_outcome(&self, unit: &Unit, frame: &Frame, start: &Frame) -> MechaOutcome {
        let state = |frame: &Frame, part: Part| [frame.armor[part.index()], frame.marked[part.index()]];
        let changed = PARTS_BY_NAME.into_iter().filter(|part| state(frame, *part) != state(start, *part));
        MechaOutcome {
            parts: changed.map(|part| (part, state(frame, part))).collect(),
            shield: frame.shield,
            reactor: frame.reactor,
            destroyed: frame.destroyed,
            agility: unit.agility(&self.rules, &self.roster.setup.env, unit.pace),
            output: self.rules.reactor_factor(frame.reactor),
        }
    }
}

/// Index of the greatest score, where no other equals it.
fn best_alone(scores: &[f64]) -> Option<usize> {
    let best = (0..scores.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b]))?;
    let equal = scores.iter().filter(|score| **score == scores[best]).count();
    (equal == 1).then_some(best)
}

impl Serialize for UnitOutcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mecha = self.mecha.as_ref();
        let mut object = Object::begin(serializer)?;
        object.put("able", &self.able)?;
        if let Some(mecha) = mecha {
            object.put("agility", &mecha.agility)?;
        }
        object.put("ammo", &self.ammo)?;
        object.put("damage", &self.damage)?;
        if let Some(mecha) = mecha {
            object.put("destroyed", &mecha.destroyed)?;
        }
        object.put("facing", &self.facing)?;
        object.put("hits", &self.hits)?;
        object.put("kills", &self.kills)?;
        object.put("out", &self.out)?;
        if let Some(mecha) = mecha {
            object.put("output", &mecha.output)?;
        }
        object.put("parried", &self.parried)?;
        if let Some(mecha) = mecha {
            object.put("parts", &Parts(&mecha.parts))?;
        }
        object.put("pos", &self.pos)?;
        if let Some(mecha) = mecha {
            object.put("reactor", &mecha.reactor)?;
            object.put("shield", &mecha.shield)?;
        }
        object.put("shots", &self.shots)?;
        object.put("unconscious", &self.unconscious)?;
        object.end()
    }
}

struct Parts<'a>(&'a [(Part, [u32; 2])]);

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(part, state)| (part, state)))
    }
}
