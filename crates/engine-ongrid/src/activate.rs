//! Active modules: electronic and capacitor warfare (§9), repair and capacitor boosters (§10).

use ongrid_engine::Observer;

use crate::attribute::Layer;
use crate::effect::Effect;
use crate::event::{Event, What};
use crate::fight::Fight;
use crate::ship::{Active, Deed, Place};

impl Fight {
    /// Activates a group of a ship. The caller judged that it may.
    pub(crate) fn activate<O: Observer<Event>>(
        &mut self,
        id: usize,
        group: u32,
        target: Option<u32>,
        watch: &mut O,
    ) {
        let roster = std::sync::Arc::clone(&self.roster);
        let Some(Place::Active(number)) = roster.place(id, group) else { return };
        let (actives, first) = roster.actives_of(id);
        let active = &actives[usize::from(number)];
        let target = target.map_or(id, |target| target as usize);
        self.capacitor[id] -= active.cost;
        if active.uses.is_some() {
            self.uses[first + usize::from(number)] -= 1;
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
                self.project(effect, watch);
            }
            Deed::Jam(jam) => self.jam(id, target, active, jam, watch),
            Deed::Drain(drain, _) => {
                let amount = at_most(self.capacitor[target], drain);
                self.capacitor[target] -= amount;
                self.see(watch, || What::Drained { source: id as u32, group, target: target as u32, amount });
            }
            Deed::Leech(leech) => {
                let amount = at_most(self.capacitor[target], leech);
                self.capacitor[target] -= amount;
                self.capacitor[id] = at_most(self.capacitor[id] + amount, roster.ship(id).capacitor);
                self.see(watch, || What::Leeched { source: id as u32, group, target: target as u32, amount });
            }
            Deed::Repair(layer, amount, _) => self.repair(id, target, active, layer, amount, watch),
            Deed::Boost(energy) => {
                let before = self.capacitor[id];
                self.capacitor[id] = at_most(before + energy, roster.ship(id).capacitor);
                let gained = self.capacitor[id] - before;
                self.see(watch, || What::Boosted {
                    ship: id as u32,
                    group,
                    amount: gained,
                    wasted: energy - gained,
                    uses: self.uses[first + usize::from(number)].into(),
                });
            }
        }
    }

    /// The last round of an effect that begins now.
    fn last_round(&self) -> u8 {
        (self.round + self.rules.ewar.rounds - 1) as u8
    }

    /// All draws are made, also after a success and against a ship already jammed.
    fn jam<O: Observer<Event>>(
        &mut self,
        id: usize,
        target: usize,
        active: &Active,
        jam: [f64; 4],
        watch: &mut O,
    ) {
        let ship = self.roster.ship(target);
        let chance = self.rules.jam_chance(jam[ship.hull.sensor as usize], ship.sensor_strength);
        let mut rolls = [0.0; 256];
        let rolls = &mut rolls[..usize::from(active.count)];
        for roll in rolls.iter_mut() {
            *roll = self.stream.unit();
        }
        let jammed = rolls.iter().any(|roll| *roll < chance);
        if jammed {
            self.jam_until[target] = self.jam_until[target].max(self.last_round());
        }
        self.see(watch, || What::Jam {
            source: id as u32,
            group: active.group.into(),
            target: target as u32,
            chance,
            rolls: rolls.to_vec(),
            jam_until: jammed.then_some(self.jam_until[target].into()),
        });
    }

    fn repair<O: Observer<Event>>(
        &mut self,
        id: usize,
        target: usize,
        active: &Active,
        layer: usize,
        amount: f64,
        watch: &mut O,
    ) {
        let before = self.left[target][layer];
        self.left[target][layer] = at_most(before + amount, self.roster.ship(target).max[layer]);
        self.update_layers(target);
        let gained = self.left[target][layer] - before;
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
