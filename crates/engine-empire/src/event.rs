//! What happened, as the timeline tells it: one event a call (spec §5, "Log events").

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;

use crate::Item;
use crate::field::Field;

/// A call as it went.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Event {
    /// The player acted.
    Act(Act),
    /// The others answered and the round went by.
    Round(Round),
}

/// A player's act and its effects.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Act {
    /// Id of what was fired at, bombed or entered.
    pub at: String,
    /// Damage before it was applied; of a blast the value at ground zero; none where no mine went off.
    pub damage: Option<f64>,
    /// The dice, in the order in which they fell.
    pub draws: Vec<u16>,
    /// Id of who acted.
    pub from: String,
    /// The effects, in the order in which they were applied.
    pub hits: Vec<Hit>,
    /// The call's op.
    pub op: &'static str,
    /// The round in progress, from 1.
    pub round: u32,
}

/// The end of a round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Round {
    /// `next_round`.
    pub op: &'static str,
    /// Whether the battle is over.
    pub over: bool,
    /// The round that went by, or in which the battle ended.
    pub round: u32,
    /// The answers of the other sides (X11).
    pub shots: Vec<Shot>,
}

/// A shot of another side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shot {
    /// Id of the target.
    pub at: String,
    /// Damage before it was applied.
    pub damage: f64,
    /// The die.
    pub draws: Vec<u16>,
    /// Id of who fired.
    pub from: String,
    /// The effects.
    pub hits: Vec<Hit>,
}

/// One effect on one thing.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Hit {
    /// Its efficiency was hit.
    Efficiency {
        /// Whether it is destroyed by this.
        dead: bool,
        /// Efficiency after the hit, 0..100.
        eff: f64,
        /// Its id.
        id: String,
        /// The %damage, 0..100.
        pct: f64,
        /// Efficiency before the hit.
        was: f64,
    },
    /// Its items were hit.
    Items {
        /// Its id.
        id: String,
        /// Units lost, above 0 only.
        lost: BTreeMap<Item, u32>,
        /// The %damage, 0..100, before the exceptions of bars and people.
        pct: f64,
    },
}

/// What happened during the call in progress, as numbers; events are made from it only where somebody looks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    /// Whether anybody looks; else nothing is kept.
    kept: bool,
    draws: Vec<u16>,
    hits: Vec<Mark>,
    lost: Vec<(Item, u32)>,
    shots: Vec<ShotMark>,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    thing: usize,
    pct: f64,
    effect: Effect,
}

#[derive(Clone, Copy, Debug)]
enum Effect {
    Efficiency { was: f64, eff: f64, dead: bool },
    Items { start: usize, end: usize },
}

/// A shot, and where its dice and hits begin.
#[derive(Clone, Copy, Debug)]
struct ShotMark {
    from: usize,
    at: usize,
    damage: f64,
    draws: usize,
    hits: usize,
}

impl Log {
    /// Begins the log of a call; `kept` tells whether anybody looks.
    pub fn begin(&mut self, kept: bool) {
        self.kept = kept;
        self.draws.clear();
        self.hits.clear();
        self.lost.clear();
        self.shots.clear();
    }

    #[inline(always)]
    pub fn draw(&mut self, die: u16) {
        if self.kept {
            self.draws.push(die);
        }
    }

    pub fn efficiency(&mut self, thing: usize, pct: f64, was: f64, eff: f64, dead: bool) {
        if self.kept {
            self.hits.push(Mark { thing, pct, effect: Effect::Efficiency { was, eff, dead } });
        }
    }

    pub fn items(&mut self, thing: usize, pct: f64, lost: impl Iterator<Item = (Item, u32)>) {
        let start = self.lost.len();
        let lost = lost.filter(|(_, count)| *count > 0);
        if !self.kept {
            // The items are lost as they are told.
            lost.for_each(drop);
            return;
        }
        self.lost.extend(lost);
        self.hits.push(Mark { thing, pct, effect: Effect::Items { start, end: self.lost.len() } });
    }

    /// A shot begins; its damage is filled in by [`Log::end_shot`].
    pub fn begin_shot(&mut self, from: usize, at: usize) {
        if !self.kept {
            return;
        }
        self.shots.push(ShotMark { from, at, damage: 0.0, draws: self.draws.len(), hits: self.hits.len() });
    }

    pub fn end_shot(&mut self, damage: f64) {
        if let Some(shot) = self.shots.last_mut() {
            shot.damage = damage;
        }
    }

    pub fn act(
        &self,
        field: &Field,
        round: u32,
        op: &'static str,
        from: usize,
        at: usize,
        damage: Option<f64>,
    ) -> Event {
        Event::Act(Act {
            at: field.things[at].id.clone(),
            damage,
            draws: self.draws.clone(),
            from: field.things[from].id.clone(),
            hits: self.hits(field, 0..self.hits.len()),
            op,
            round,
        })
    }

    pub fn round(&self, field: &Field, round: u32, over: bool) -> Event {
        let ends = self.shots[1.min(self.shots.len())..].iter().map(|next| (next.draws, next.hits));
        let ends = ends.chain([(self.draws.len(), self.hits.len())]);
        let shots = self.shots.iter().zip(ends).map(|(shot, (draws, hits))| Shot {
            at: field.things[shot.at].id.clone(),
            damage: shot.damage,
            draws: self.draws[shot.draws..draws].to_vec(),
            from: field.things[shot.from].id.clone(),
            hits: self.hits(field, shot.hits..hits),
        });
        Event::Round(Round { op: "next_round", over, round, shots: shots.collect() })
    }

    fn hits(&self, field: &Field, range: Range<usize>) -> Vec<Hit> {
        let hit = |mark: &Mark| {
            let (id, pct) = (field.things[mark.thing].id.clone(), mark.pct);
            match mark.effect {
                Effect::Efficiency { was, eff, dead } => Hit::Efficiency { dead, eff, id, pct, was },
                Effect::Items { start, end } => {
                    Hit::Items { id, lost: self.lost[start..end].iter().copied().collect(), pct }
                }
            }
        };
        self.hits[range].iter().map(hit).collect()
    }
}
