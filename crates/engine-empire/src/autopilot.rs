//! Plays a battle to its end without a client: simple, lawful, not clever.
//!
//! Every own thing in turn takes the act that promises most; where none does, it moves nearer to the enemy and looks
//! again. A promise is tried out on a copy of the battle with other dice, so the autopilot knows no roll in advance.

use ongrid_engine::{Engine, Seed, Silent, Stream};

use crate::field::Kind;
use crate::fight::Fight;
use crate::judge::{Order, judge};
use crate::{Call, Empire, Legal};

/// The least gain, in the measure of [`worth`], that an act is taken for.
const LEAST_GAIN: f64 = 1e-4;
/// What a move may cost: mines are gone through, but not at any price.
const PRICE_OF_A_MOVE: f64 = 0.05;

/// A full list of calls: the battle played to its end, or to the most calls a replay may have.
pub fn play(engine: &Empire, legal: &Legal, seed: &Seed) -> Vec<Call> {
    let mut pilot = Pilot { fight: engine.start(legal, seed, &mut Silent), calls: Vec::new() };
    while !pilot.fight.over && pilot.calls.len() < Empire::MAX_CALLS {
        pilot.play_round();
    }
    pilot.calls
}

struct Pilot {
    fight: Fight,
    calls: Vec<Call>,
}

/// How the player stands: the part of its value it has left, against that of each other side.
fn worth(fight: &Fight) -> f64 {
    let player = fight.field.player;
    let sides = (0..).take(fight.field.sides.len());
    sides.filter(|side| *side != player).map(|side| fight.fraction(player) - fight.fraction(side)).sum()
}

impl Pilot {
    fn play_round(&mut self) {
        let rounds_left = (self.fight.field.rounds - self.fight.round + 1) as usize;
        let calls_left = Empire::MAX_CALLS - self.calls.len();
        // Room is kept for the rounds to come, so that the battle reaches its end.
        let end = self.calls.len() + (calls_left / rounds_left).saturating_sub(1);
        for thing in 0..self.fight.status.len() {
            if self.calls.len() < end && !self.act(thing) && self.advance(thing) && self.calls.len() < end {
                self.act(thing);
            }
        }
        if !self.fight.over {
            self.make(Call::NextRound);
        }
    }

    /// Takes the act that promises most, if any promises something.
    fn act(&mut self, thing: usize) -> bool {
        let now = worth(&self.fight);
        let mut best = None;
        let mut most = LEAST_GAIN;
        for call in self.acts(thing) {
            if let Some(tried) = self.tried(&call)
                && worth(&tried) - now > most
            {
                most = worth(&tried) - now;
                best = Some(call);
            }
        }
        best.is_some_and(|call| self.make(call))
    }

    /// Moves a hex nearer to the enemy, if that costs little.
    fn advance(&mut self, thing: usize) -> bool {
        if !matches!(self.fight.kind(thing), Kind::Ship | Kind::Land) {
            return false;
        }
        let now = worth(&self.fight);
        let mut best = None;
        let mut nearest = self.distance_to_enemy(&self.fight, thing);
        for sector in self.fight.field.sectors.clone() {
            let call = Call::Enter { unit: self.id(thing), to: self.id(sector) };
            if let Some(tried) = self.tried(&call)
                && worth(&tried) >= now - PRICE_OF_A_MOVE
                && self.distance_to_enemy(&tried, thing) < nearest
            {
                nearest = self.distance_to_enemy(&tried, thing);
                best = Some(call);
            }
        }
        best.is_some_and(|call| self.make(call))
    }

    /// What a thing might do, legal or not.
    fn acts(&self, thing: usize) -> Vec<Call> {
        let field = &self.fight.field;
        let mut calls = Vec::new();
        if field.things[thing].owner != Some(field.player) {
            return calls;
        }
        for target in 0..field.planes.end {
            let (from, at) = (self.id(thing), self.id(target));
            match self.fight.kind(thing) {
                Kind::Plane => calls.extend(flights(from, at)),
                Kind::Ship => calls.extend([
                    Call::Torpedo { from: from.clone(), at: at.clone() },
                    Call::Depth { from: from.clone(), at: at.clone() },
                    Call::Fire { from, at },
                ]),
                Kind::Sector | Kind::Land => calls.push(Call::Fire { from, at }),
                Kind::Convoy => {}
            }
        }
        calls
    }

    /// The battle after a call, with other dice; none where the call is not legal.
    fn tried(&self, call: &Call) -> Option<Fight> {
        let order: Order = judge(&self.fight, call).ok()?;
        let mut tried = self.fight.clone();
        tried.stream = Stream::new(&Seed::from_u64(u64::from(self.fight.round)));
        tried.carry_out(order, &mut Silent);
        Some(tried)
    }

    fn make(&mut self, call: Call) -> bool {
        let Ok(order) = judge(&self.fight, &call) else { return false };
        self.fight.carry_out(order, &mut Silent);
        self.calls.push(call);
        true
    }

    fn id(&self, thing: usize) -> String {
        self.fight.field.things[thing].id.clone()
    }

    fn distance_to_enemy(&self, fight: &Fight, thing: usize) -> u16 {
        let field = &fight.field;
        let enemies = (0..field.planes.end).filter(|other| {
            let it = &field.things[*other];
            it.counts() && it.owner.is_some_and(|owner| owner != field.player) && fight.status[*other].alive
        });
        enemies.map(|enemy| fight.distance(thing, enemy)).min().unwrap_or(0)
    }
}

fn flights(from: String, at: String) -> [Call; 4] {
    let bomb =
        |mode: &str| Call::Bomb { from: from.clone(), at: at.clone(), mode: mode.to_owned(), item: None };
    let blast = |burst: &str| Call::Detonate { from: from.clone(), at: at.clone(), burst: burst.to_owned() };
    [bomb("pin"), bomb("strategic"), blast("ground"), blast("air")]
}
