//! What changes in a fight: the ships of both sides, their weapon groups and effects, by ship id (§4).

use ongrid_engine::{Observer, Seed, Stream};

use crate::attribute::{Side, Stance};
use crate::effect::Effect;
use crate::event::{Event, What};
use crate::formulas::first_standing;
use crate::outcome::{DecidedBy, Totals, Verdict};
use crate::roster::{Roster, SHIPS};
use crate::rules::Rules;
use crate::ship::{Ship, Weapon};
use crate::state::Image;

/// The state of a fight.
///
/// What one ship's turn looks up of every enemy stands in lists of their own; the rest of a ship stands together.
/// Places beyond the fight's ships hold figures without meaning.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub rules: &'static Rules,
    pub stream: Stream,
    /// The round in progress, from 1; at the end, the round the fight ended in.
    pub round: u32,
    /// What overtime multiplies damage by in this round.
    pub overtime: f64,
    pub end: Option<(Verdict, DecidedBy)>,
    /// How many ships there are, and how many of them are the pilot's.
    pub ships: usize,
    pub pilots: usize,
    /// The ships of this round in the order of their turns: how many there are, and how many had their turn.
    pub order: [u8; SHIPS],
    pub ordered: usize,
    pub had_turn: usize,
    /// A bit for each living ship.
    pub alive: u32,
    /// Shield, armor and hull left, summed (§0).
    pub hp: [f64; SHIPS],
    /// Speed as flown.
    pub speed: [f64; SHIPS],
    /// Signature as flown.
    pub sig: [f64; SHIPS],
    /// Resonances of the first standing layer, by type of damage.
    pub standing: [[f64; SHIPS]; 4],
    pub crafts: [Craft; SHIPS],
    /// All weapon groups of the fight, ship by ship.
    pub guns: Vec<Gun>,
    /// Of each active group of the fight: activations left, 65535 without limit.
    pub uses: Vec<u16>,
    /// By number.
    pub effects: Vec<Effect>,
    pub next_effect: u32,
    pub image: Image,
}

/// A ship in a fight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Craft {
    /// Shield, armor and hull left.
    pub left: [f64; 3],
    pub resonance: [[f64; 4]; 3],
    pub hp_max: f64,
    pub capacitor: f64,
    pub capacitor_max: f64,
    /// GJ per round.
    pub recharge: f64,
    /// Heat shed per round.
    pub shed: u16,
    /// As flown, by stance.
    pub velocity: [f64; 3],
    pub signature: [f64; 3],
    pub damage_dealt: f64,
    pub damage_taken: f64,
    pub heat: u16,
    pub stance: Stance,
    pub jam_until: u8,
    pub destroyed_round: Option<u8>,
    /// [`NOBODY`] where none took anything off it.
    pub last_shooter: u8,
    /// First and number of its weapon groups among the fight's.
    guns: (u8, u8),
}

/// A weapon group in a fight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gun {
    pub group: u8,
    pub turret: bool,
    /// GJ a volley costs.
    pub cost: f64,
    /// `count × damage × rate`.
    pub power: f64,
    pub ref_sig: f64,
    pub ref_vel: f64,
    /// `charge[t] × t_damage`.
    pub typed: [f64; 4],
    /// Tracking or guidance as flown, by stance.
    pub aim: [f64; 3],
}

/// No ship's id.
pub(crate) const NOBODY: u8 = u8::MAX;

/// A place without a ship.
const EMPTY: Craft = Craft {
    left: [0.0; 3],
    resonance: [[0.0; 4]; 3],
    hp_max: 1.0,
    capacitor: 0.0,
    capacitor_max: 0.0,
    recharge: 0.0,
    shed: 0,
    velocity: [1.0; 3],
    signature: [1.0; 3],
    damage_dealt: 0.0,
    damage_taken: 0.0,
    heat: 0,
    stance: Stance::Standard,
    jam_until: 0,
    destroyed_round: None,
    last_shooter: NOBODY,
    guns: (0, 0),
};

impl Grid {
    /// The grid at the start (§4), before the first round and before a seed is known.
    pub fn new(rules: &'static Rules, roster: &Roster) -> Self {
        let ships = roster.len();
        let mut grid = Self {
            rules,
            stream: Stream::new(&Seed::from_u64(0)),
            round: 0,
            overtime: 1.0,
            end: None,
            ships,
            pilots: roster.pilot_ships(),
            order: std::array::from_fn(|id| id as u8),
            ordered: ships,
            had_turn: 0,
            alive: (1 << ships) - 1,
            hp: [1.0; SHIPS],
            speed: [1.0; SHIPS],
            sig: [1.0; SHIPS],
            standing: [[0.0; SHIPS]; 4],
            crafts: [EMPTY; SHIPS],
            guns: Vec::with_capacity(roster.weapons),
            uses: Vec::with_capacity(roster.actives),
            effects: Vec::new(),
            next_effect: 0,
            image: Image::new(roster),
        };
        for id in 0..ships {
            let ship = roster.ship(id);
            let first = grid.guns.len();
            let weapons = roster.weapons_of(id);
            grid.guns.extend(weapons.iter().map(Gun::new));
            grid.crafts[id] = Craft::new(rules, ship, (first as u8, weapons.len() as u8));
            let actives = roster.actives_of(id).0.iter();
            grid.uses.extend(actives.map(|active| active.uses.unwrap_or(u16::MAX)));
            grid.speed[id] = ship.velocity.flown[0];
            grid.sig[id] = ship.signature.flown[0];
            grid.update_layers(id);
            grid.draw_ship(id);
        }
        grid
    }

    /// The grid of a fight with this seed; this one is at the start.
    pub fn seeded(&self, seed: &Seed) -> Self {
        Self {
            stream: Stream::new(seed),
            guns: self.guns.clone(),
            uses: self.uses.clone(),
            effects: Vec::with_capacity(16),
            image: self.image.clone(),
            ..*self
        }
    }

    /// The weapon groups of a ship among the fight's.
    #[inline]
    pub fn guns_of(&self, id: usize) -> std::ops::Range<usize> {
        let (first, number) = self.crafts[id].guns;
        usize::from(first)..usize::from(first) + usize::from(number)
    }

    /// Lets the observer see an event of this round.
    #[inline(always)]
    pub fn see<O: Observer<Event>>(&self, watch: &mut O, what: impl FnOnce() -> What) {
        watch.see(|| Event { round: self.round, what: what() });
    }

    /// Whether a ship lives.
    #[inline]
    pub fn is_alive(&self, id: usize) -> bool {
        self.alive & 1 << id != 0
    }

    /// The side of a ship.
    #[inline]
    pub fn side(&self, id: usize) -> Side {
        if id < self.pilots { Side::Pilot } else { Side::Hostile }
    }

    /// The ships that a ship fights.
    #[inline]
    pub fn enemies_of(&self, id: usize) -> std::ops::Range<usize> {
        if id < self.pilots { self.pilots..self.ships } else { 0..self.pilots }
    }

    /// The ships on a ship's own side, itself included.
    #[inline]
    pub fn allies_of(&self, id: usize) -> std::ops::Range<usize> {
        if id < self.pilots { 0..self.pilots } else { self.pilots..self.ships }
    }

    /// The fraction of its hit points that a ship has left (§12).
    #[inline]
    pub fn frac(&self, id: usize) -> f64 {
        self.hp[id] / self.crafts[id].hp_max
    }

    /// Switches a ship's stance (§5).
    #[inline]
    pub fn switch(&mut self, id: usize, stance: Stance) {
        self.crafts[id].stance = stance;
        self.update_moves(id);
    }

    /// Looks up a ship's speed and signature after its stance or what it flies changed.
    #[inline]
    pub fn update_moves(&mut self, id: usize) {
        let craft = &self.crafts[id];
        self.speed[id] = craft.velocity[craft.stance as usize];
        self.sig[id] = craft.signature[craft.stance as usize];
    }

    /// Reckons a ship's hit points and first standing layer after its layers changed.
    #[inline]
    pub fn update_layers(&mut self, id: usize) {
        let craft = &mut self.crafts[id];
        let [shield, armor, hull] = craft.left;
        self.hp[id] = shield + armor + hull;
        for (kind, resonance) in craft.resonance[first_standing(&craft.left)].into_iter().enumerate() {
            self.standing[kind][id] = resonance;
        }
    }

    /// Hit points of a side, summed in id order (§11).
    pub fn totals(&self, side: Side) -> Totals {
        let ids = match side {
            Side::Pilot => 0..self.pilots,
            Side::Hostile => self.pilots..self.ships,
        };
        let mut totals = Totals { max: 0.0, now: 0.0 };
        for id in ids {
            totals.now += self.hp[id];
            totals.max += self.crafts[id].hp_max;
        }
        totals
    }
}

impl Craft {
    fn new(rules: &Rules, ship: &Ship, guns: (u8, u8)) -> Self {
        Self {
            left: ship.max,
            resonance: ship.resonance,
            hp_max: ship.hp_max,
            capacitor: ship.capacitor,
            capacitor_max: ship.capacitor,
            recharge: ship.recharge,
            shed: rules.heat.shed_per_round,
            velocity: ship.velocity.flown,
            signature: ship.signature.flown,
            guns,
            ..EMPTY
        }
    }
}

impl Gun {
    fn new(weapon: &Weapon) -> Self {
        Self {
            group: weapon.group,
            turret: weapon.turret,
            cost: weapon.cost,
            power: weapon.power,
            ref_sig: weapon.ref_sig,
            ref_vel: weapon.ref_vel,
            typed: weapon.typed,
            aim: weapon.aim.flown,
        }
    }
}
