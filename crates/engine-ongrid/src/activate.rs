//! Active modules: electronic and capacitor warfare (§9), repair and capacitor boosters (§10).

use ongrid_engine::Observer;

use crate::attribute::Layer;
use crate::effect::Effect;
use crate::event::{Event, What};
use crate::grid::Grid;
use crate::roster::Roster;
use crate::ship::{Active, Deed, Place, Ship};

impl Grid {
    /// Activates a group of a ship. The caller judged that it may.
    pub fn activate<O: Observer<Event>>(
        &mut self,
        roster: &Roster,
        id: usize,
        group: u32,
        target: Option<u32>,
        watch: &mut O,
    ) {
        let Some(Place::Active(number)) = roster.place(id, group) else { return };
        let (active, number) = roster.active(id, number);
        let target = target.map_or(id, |target| target as usize);
        self.crafts[id].capacitor -= active.cost;
        if active.uses.is_some() {
            self.uses[number] -= 1;
            self.image.set_uses(id, active.group, self.uses[number]);
        }
        match active.work {
            Deed::Project(multipliers) => {
                let effect = Effect {
                    number: 0,
                    source: id as u8,
                    group: active.group,
                    target: target as u8,
                    last_round: self.last_round(),
                    class: active.class,
                    count: active.count,
                    multipliers,
                };
                self.project(roster, effect, watch);
            }
            Deed::Jam(jam) => self.jam(id, (target, roster.ship(target)), active, jam, watch),
            Deed::Drain(drain, _) => {
                let amount = at_most(self.crafts[target].capacitor, drain);
                self.crafts[target].capacitor -= amount;
                self.see(watch, || What::Drained { source: id as u32, group, target: target as u32, amount });
            }
            Deed::Leech(leech) => {
                let amount = at_most(self.crafts[target].capacitor, leech);
                self.crafts[target].capacitor -= amount;
                self.crafts[id].capacitor =
                    at_most(self.crafts[id].capacitor + amount, self.crafts[id].capacitor_max);
                self.see(watch, || What::Leeched { source: id as u32, group, target: target as u32, amount });
            }
            Deed::Repair(layer, amount, _) => {
                self.repair(id, (target, roster.ship(target)), active, (layer, amount), watch)
            }
            Deed::Boost(energy) => {
                let before = self.crafts[id].capacitor;
                self.crafts[id].capacitor = at_most(before + energy, self.crafts[id].capacitor_max);
                let gained = self.crafts[id].capacitor - before;
                self.see(watch, || What::Boosted {
                    ship: id as u32,
                    group,
                    amount: gained,
                    wasted: energy - gained,
                    uses: self.uses[number].into(),
                });
            }
        }
        self.draw_ship(target);
    }

    /// The last round of an effect that begins now.
    fn last_round(&self) -> u8 {
        (self.round + self.rules.ewar.rounds - 1) as u8
    }

    /// All draws are made, also after a success and against a ship already jammed.
    fn jam<O: Observer<Event>>(
        &mut self,
        id: usize,
        (target, ship): (usize, &Ship),
        active: &Active,
        jam: [f64; 4],
        watch: &mut O,
    ) {
        let chance = self.rules.jam_chance(jam[ship.hull.sensor as usize], ship.sensor_strength);
        let mut rolls = [0.0; 256];
        let rolls = &mut rolls[..usize::from(active.count)];
        for roll in rolls.iter_mut() {
            *roll = self.stream.unit();
        }
        let jammed = rolls.iter().any(|roll| *roll < chance);
        if jammed {
            self.crafts[target].jam_until = self.crafts[target].jam_until.max(self.last_round());
        }
        self.see(watch, || What::Jam {
            source: id as u32,
            group: active.group.into(),
            target: target as u32,
            chance,
            rolls: rolls.to_vec(),
            jam_until: jammed.then_some(self.crafts[target].jam_until.into()),
        });
    }

    fn repair<O: Observer<Event>>(
        &mut self,
        id: usize,
        (target, ship): (usize, &Ship),
        active: &Active,
        (layer, amount): (usize, f64),
        watch: &mut O,
    ) {
        let before = self.crafts[target].left[layer];
        self.crafts[target].left[layer] = at_most(before + amount, ship.max[layer]);
        self.update_layers(target);
        let gained = self.crafts[target].left[layer] - before;
        self.see(watch, || What::Repaired {
            source: id as u32,
            group: active.group.into(),
            target: target as u32,
            layer: Layer::ALL[layer],
            amount: gained,
            wasted: amount - gained,
        });
    }
}

/// `min(x, most)`.
#[inline]
fn at_most(x: f64, most: f64) -> f64 {
    if x < most { x } else { most }
}
