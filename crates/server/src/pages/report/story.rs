//! A fight told round by round, from the events of the replay run again.

use ongrid_engine::{Rejection, decode, replay};
use ongrid_engine_ongrid::{Class, Event, Layer, OnGrid, ShipSheet, Side, Stance, What, Why};

use crate::pages::format::{one, percent, whole, words};

/// A fight, told.
#[derive(Debug)]
pub struct Story {
    /// The ships as they flew, by ship id.
    pub ships: Vec<ShipSheet>,
    /// How many of them are the pilot's.
    pub own: usize,
    /// The state at the start, then after each round.
    pub rounds: Vec<Round>,
    /// Hit points taken, by shooter and by target.
    pub dealt: Vec<Vec<f64>>,
    /// What each group of each ship did, by ship and group.
    pub groups: Vec<Vec<Tally>>,
}

/// What a group did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Volleys fired or activations.
    pub used: u32,
    /// Volleys that landed.
    pub landed: u32,
    /// Hit points it took.
    pub damage: f64,
    /// Hit points it repaired.
    pub repaired: f64,
}

/// A round: what happened in it and how things stood after it.
#[derive(Clone, Debug)]
pub struct Round {
    /// Its number; 0 is the start.
    pub number: u32,
    /// By ship id.
    pub ships: Vec<State>,
    /// What happened, in order.
    pub turns: Vec<Turn>,
}

/// How a ship stands.
#[derive(Clone, Debug)]
pub struct State {
    /// Shield, armor and hull left.
    pub left: [f64; 3],
    /// The round it was destroyed in.
    pub destroyed: Option<u32>,
    /// Its stance.
    pub stance: Stance,
    /// Effects on it.
    pub effects: Vec<Effect>,
    /// The last round it sits out.
    pub jam_until: u32,
}

/// An effect on a ship.
#[derive(Clone, Debug)]
pub struct Effect {
    number: u32,
    /// Its class.
    pub class: Class,
    /// Who projects it.
    pub source: usize,
}

/// A turn of a ship, or what belongs to none.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Whose.
    pub ship: Option<usize>,
    /// Its stance.
    pub stance: Option<Stance>,
    /// What happened.
    pub lines: Vec<Line>,
}

/// A sentence of what happened.
#[derive(Clone, Debug)]
pub struct Line {
    /// `hit`, `miss`, `kill`, `effect`, `repair` or empty.
    pub tone: &'static str,
    /// The sentence, without the ship whose turn it is.
    pub text: String,
}

impl Story {
    /// Runs a stored replay again and tells it.
    ///
    /// # Errors
    /// The engine's; never for a stored replay.
    pub fn of(engine: &OnGrid, received: &[u8]) -> Result<Self, Rejection> {
        let mut events: Vec<Event> = Vec::new();
        let (verified, _) = replay(engine, decode(engine, received)?, &mut events)?;
        let mut ships = engine.pilot_sheets(&verified.legal);
        let own = ships.len();
        ships.extend(engine.hostile_sheets(&verified.legal));
        let start = ships.iter().map(|ship| State {
            left: ship.max,
            destroyed: None,
            stance: Stance::Standard,
            effects: Vec::new(),
            jam_until: 0,
        });
        let start = Round { number: 0, ships: start.collect(), turns: Vec::new() };
        let mut story = Self {
            dealt: vec![vec![0.0; ships.len()]; ships.len()],
            groups: ships.iter().map(|ship| vec![Tally::default(); ship.groups.len()]).collect(),
            rounds: vec![start],
            ships,
            own,
        };
        for event in &events {
            story.take(event);
        }
        Ok(story)
    }

    /// Whose a ship is.
    pub fn side(&self, ship: usize) -> Side {
        if ship < self.own { Side::Pilot } else { Side::Hostile }
    }

    /// A ship's call sign: `P1`, `H3`.
    pub fn sign(&self, ship: usize) -> String {
        match ship.checked_sub(self.own) {
            None => format!("P{}", ship + 1),
            Some(place) => format!("H{}", place + 1),
        }
    }

    /// A ship's call sign and hull.
    pub fn name(&self, ship: usize) -> String {
        let hull = self.ships.get(ship).map_or("?", |ship| ship.hull.name);
        format!("{} {hull}", self.sign(ship))
    }

    /// Hit points left of a side after a round, of shield, armor and hull, and the most there can be.
    pub fn totals(&self, round: &Round, side: Side) -> ([f64; 3], f64) {
        let mut left = [0.0; 3];
        let mut most = 0.0;
        for (ship, state) in round.ships.iter().enumerate().filter(|(ship, _)| self.side(*ship) == side) {
            for (sum, layer) in left.iter_mut().zip(state.left) {
                *sum += layer;
            }
            most += self.ships[ship].max.iter().sum::<f64>();
        }
        (left, most)
    }

    fn group(&self, ship: u32, group: u32) -> String {
        let fitted = self.ships.get(ship as usize).and_then(|ship| ship.groups.get(group as usize));
        fitted.map_or_else(String::new, |group| match group.fitted.count {
            1 => group.fitted.module.name.to_owned(),
            count => format!("{count} × {}", group.fitted.module.name),
        })
    }

    fn tally(&mut self, ship: u32, group: u32) -> Option<&mut Tally> {
        self.groups.get_mut(ship as usize)?.get_mut(group as usize)
    }

    fn round(&mut self) -> &mut Round {
        let last = self.rounds.len() - 1;
        &mut self.rounds[last]
    }

    fn state(&mut self, ship: u32) -> Option<&mut State> {
        self.round().ships.get_mut(ship as usize)
    }

    fn say(&mut self, tone: &'static str, text: String) {
        let turns = &mut self.round().turns;
        match turns.last_mut() {
            Some(turn) => turn.lines.push(Line { tone, text }),
            None => turns.push(Turn { ship: None, stance: None, lines: vec![Line { tone, text }] }),
        }
    }

    /// Takes an event into the state and the telling.
    fn take(&mut self, event: &Event) {
        match &event.what {
            What::RoundStarted { .. } => {
                let ships = self.round().ships.clone();
                self.rounds.push(Round { number: event.round, ships, turns: Vec::new() });
            }
            What::Turn { ship, stance } => {
                if let Some(state) = self.state(*ship) {
                    state.stance = *stance;
                }
                let turn = Turn { ship: Some(*ship as usize), stance: Some(*stance), lines: Vec::new() };
                self.round().turns.push(turn);
            }
            What::SatOut { ship, jam_until } => {
                let text = format!("jammed, sits its turn out (until round {jam_until})");
                let lines = vec![Line { tone: "effect", text }];
                self.round().turns.push(Turn { ship: Some(*ship as usize), stance: None, lines });
            }
            What::Fired { .. } => self.take_volley(&event.what),
            What::EffectStarted { number, source, group, target, class, last_round, .. } => {
                let text = format!(
                    "{} on {}, through round {last_round}",
                    self.group(*source, *group),
                    self.name(*target as usize)
                );
                self.say("effect", text);
                let effect = Effect { number: *number, class: *class, source: *source as usize };
                if let Some(state) = self.state(*target) {
                    state.effects.push(effect);
                }
                self.used(*source, *group);
            }
            What::EffectEnded { number, why } => {
                for state in &mut self.round().ships {
                    state.effects.retain(|effect| effect.number != *number);
                }
                if *why == Why::SourceDestroyed {
                    self.say("effect", "an effect ends with its source".to_owned());
                }
            }
            What::Jam { source, group, target, chance, jam_until, .. } => {
                let outcome =
                    jam_until.map_or("no jam".to_owned(), |until| format!("jammed until round {until}"));
                let (module, target_name) = (self.group(*source, *group), self.name(*target as usize));
                self.say("effect", format!("{module} on {target_name} at {}: {outcome}", percent(*chance)));
                if let (Some(state), Some(until)) = (self.state(*target), jam_until) {
                    state.jam_until = state.jam_until.max(*until);
                }
                self.used(*source, *group);
            }
            What::Destroyed { ship, by, group } => {
                let (name, module) = (self.name(*ship as usize), self.group(*by, *group));
                self.say("kill", format!("{name} destroyed, final blow by {module}"));
                if let Some(state) = self.state(*ship) {
                    state.destroyed = Some(event.round);
                    state.left = [0.0; 3];
                }
            }
            _ => self.take_rest(&event.what),
        }
    }

    /// What changes capacitors and layers, or nothing.
    fn take_rest(&mut self, what: &What) {
        match what {
            What::Silent { ship, group } => {
                let text = format!("{} stays silent: no capacitor", self.group(*ship, *group));
                self.say("miss", text);
            }
            What::Drained { source, group, target, amount }
            | What::Leeched { source, group, target, amount } => {
                let text = format!(
                    "{} takes {} GJ from {}",
                    self.group(*source, *group),
                    one(*amount),
                    self.name(*target as usize)
                );
                self.say("effect", text);
                self.used(*source, *group);
            }
            What::Repaired { source, group, target, layer, amount, wasted } => {
                let waste = if *wasted > 0.0 { format!(", {} wasted", one(*wasted)) } else { String::new() };
                let on = if source == target {
                    String::new()
                } else {
                    format!(" of {}", self.name(*target as usize))
                };
                let module = self.group(*source, *group);
                self.say(
                    "repair",
                    format!("{module}: {} {}{on} repaired{waste}", one(*amount), layer_name(*layer)),
                );
                if let Some(state) = self.state(*target) {
                    state.left[*layer as usize] += amount;
                }
                self.used(*source, *group);
                if let Some(tally) = self.tally(*source, *group) {
                    tally.repaired += amount;
                }
            }
            What::Boosted { ship, group, amount, uses, .. } => {
                let text = format!("{}: {} GJ, {uses} charges left", self.group(*ship, *group), one(*amount));
                self.say("repair", text);
                self.used(*ship, *group);
            }
            What::Held { .. } => self.say("", "holds".to_owned()),
            _ => {}
        }
    }

    fn used(&mut self, ship: u32, group: u32) {
        if let Some(tally) = self.tally(ship, group) {
            tally.used += 1;
        }
    }

    fn take_volley(&mut self, what: &What) {
        let What::Fired {
            ship,
            group,
            target,
            overheat,
            chance,
            application,
            landed,
            quality,
            lost,
            broke,
            ..
        } = what
        else {
            return;
        };
        let lost = [lost.shield, lost.armor, lost.hull];
        let total: f64 = lost.iter().sum();
        let (shooter, at) = (*ship as usize, *target as usize);
        if let Some(dealt) = self.dealt.get_mut(shooter).and_then(|targets| targets.get_mut(at)) {
            *dealt += total;
        }
        if let Some(tally) = self.tally(*ship, *group) {
            tally.used += 1;
            tally.landed += u32::from(*landed);
            tally.damage += total;
        }
        if let Some(state) = self.state(*target) {
            for (left, lost) in state.left.iter_mut().zip(lost) {
                *left = (*left - lost).max(0.0);
            }
        }
        let heated = if *overheat { "overheated " } else { "" };
        let weapon = format!("{heated}{} at {}", self.group(*ship, *group), self.name(at));
        let how = match (chance, application, quality) {
            (Some(chance), _, Some(quality)) if *quality > 2.0 => {
                format!("wrecking hit at {}", percent(*chance))
            }
            (Some(chance), _, Some(quality)) => format!("hit at {}, quality {quality:.2}", percent(*chance)),
            (Some(chance), ..) => format!("miss at {}", percent(*chance)),
            (None, Some(application), _) => format!("{} applies", percent(*application)),
            _ => String::new(),
        };
        let mut text = format!("{weapon}: {how}");
        let named = Layer::ALL.into_iter().zip(lost).filter(|(_, lost)| *lost > 0.0);
        let losses: Vec<String> =
            named.map(|(layer, lost)| format!("{} {}", whole(lost), layer_name(layer))).collect();
        if !losses.is_empty() {
            text = format!("{text}, {}", losses.join(" + "));
        }
        for layer in broke.iter().filter(|layer| **layer != Layer::Hull) {
            text = format!("{text}, {} down", layer_name(*layer));
        }
        self.say(if *landed { "hit" } else { "miss" }, text);
    }
}

/// A layer in words.
pub fn layer_name(layer: Layer) -> &'static str {
    match layer {
        Layer::Shield => "shield",
        Layer::Armor => "armor",
        Layer::Hull => "hull",
    }
}

/// A stance in words.
pub fn stance_name(stance: Stance) -> &'static str {
    match stance {
        Stance::Standard => "standard",
        Stance::Aggressive => "aggressive",
        Stance::Evasive => "evasive",
    }
}

/// A class in words, as its id spells it.
pub fn class_name(class: Class) -> String {
    let id = serde_json::to_value(class).ok();
    words(id.as_ref().and_then(|id| id.as_str()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    const GOLDEN: &str = include_str!("../../../../engine-ongrid/tests/cases/replays.jsonl");

    /// What is told must agree with what was decided, on every golden fight.
    #[test]
    fn the_story_ends_as_the_outcome_says() {
        let engine = OnGrid::new().unwrap();
        let mut told = 0;
        for line in GOLDEN.lines().step_by(7) {
            let case: Value = serde_json::from_str(line).unwrap();
            let story = Story::of(&engine, case["replay"].to_string().as_bytes()).unwrap();
            let outcome = &case["outcome"];
            let last = story.rounds.last().unwrap();
            assert_eq!(u64::from(last.number), outcome["rounds"].as_u64().unwrap());
            for (id, ship) in outcome["ships"].as_array().unwrap().iter().enumerate() {
                let state = &last.ships[id];
                assert_eq!(state.destroyed.map(u64::from), ship["destroyed_round"].as_u64());
                for (layer, left) in ["shield", "armor", "hull"].into_iter().zip(state.left) {
                    let says = ship["left"][layer].as_f64().unwrap();
                    assert!((left - says).abs() < 1e-6, "ship {id} {layer}: {left}, not {says}");
                }
                let dealt: f64 = story.dealt[id].iter().sum();
                let taken: f64 = story.dealt.iter().map(|targets| targets[id]).sum();
                let by_group: f64 = story.groups[id].iter().map(|tally| tally.damage).sum();
                assert!((dealt - ship["damage_dealt"].as_f64().unwrap()).abs() < 1e-6);
                assert!((taken - ship["damage_taken"].as_f64().unwrap()).abs() < 1e-6);
                assert!((by_group - dealt).abs() < 1e-6);
            }
            told += last.turns.len();
        }
        assert!(told > 100);
    }
}
