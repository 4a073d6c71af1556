//! The state of a fight for a person to read: what §14 encodes, by name, and whose turn it is.

use serde::Serialize;
use serde_json::Value;

use crate::attribute::{Class, Side, Stance};
use crate::fight::Fight;

/// The state between two calls.
#[derive(Serialize)]
struct State {
    round: u32,
    rng_words: u64,
    finished: bool,
    /// The pilot ship that acts next.
    turn: Option<usize>,
    ships: Vec<Ship>,
    effects: Vec<Effect>,
}

#[derive(Serialize)]
struct Ship {
    id: usize,
    side: Side,
    hull: &'static str,
    alive: bool,
    stance: Stance,
    shield: f64,
    armor: f64,
    structure: f64,
    capacitor: f64,
    heat: u16,
    jam_until: u8,
    destroyed_round: Option<u8>,
    damage_dealt: f64,
    damage_taken: f64,
    /// Activations left of its active groups, in fit order; null without limit.
    uses: Vec<Option<u16>>,
}

#[derive(Serialize)]
struct Effect {
    number: u32,
    class: Class,
    source: u8,
    group: u8,
    target: u8,
    last_round: u8,
}

impl Fight {
    /// The state as JSON.
    pub(crate) fn dump(&self) -> Value {
        let grid = &self.grid;
        let ships = (0..grid.ships).map(|id| self.ship(id)).collect();
        let effects = grid.effects.iter().map(|effect| Effect {
            number: effect.number,
            class: effect.class,
            source: effect.source,
            group: effect.group,
            target: effect.target,
            last_round: effect.last_round,
        });
        let state = State {
            round: grid.round,
            rng_words: grid.stream.words(),
            finished: grid.end.is_some(),
            turn: self.turn,
            ships,
            effects: effects.collect(),
        };
        serde_json::to_value(state).unwrap_or_default()
    }

    fn ship(&self, id: usize) -> Ship {
        let (grid, craft) = (&self.grid, &self.grid.crafts[id]);
        let [shield, armor, structure] = craft.left;
        let (actives, first) = self.roster.actives_of(id);
        let uses = &grid.uses[first..first + actives.len()];
        Ship {
            id,
            side: grid.side(id),
            hull: self.roster.ship(id).hull.id,
            alive: grid.is_alive(id),
            stance: craft.stance,
            shield,
            armor,
            structure,
            capacitor: craft.capacitor,
            heat: craft.heat,
            jam_until: craft.jam_until,
            destroyed_round: craft.destroyed_round,
            damage_dealt: craft.damage_dealt,
            damage_taken: craft.damage_taken,
            uses: uses.iter().map(|uses| (*uses != u16::MAX).then_some(*uses)).collect(),
        }
    }
}
