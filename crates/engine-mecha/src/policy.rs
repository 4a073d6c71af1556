//! How the others act (X9).

use ongrid_engine::Observer;

use crate::aim::Manner;
use crate::battle::Battle;
use crate::event::Event;
use crate::geometry::{offset, squared};
use crate::setup::Weapon;
use crate::strike::Volley;

/// A unit of the player's as one of the others sees it.
#[derive(Clone, Copy)]
struct Sighting {
    unit: usize,
    /// m².
    squared: i64,
}

impl Battle {
    /// Every unit of the others that can act does so once, the most agile first; an end of the battle stops them.
    pub(crate) fn others_act(&mut self, watch: &mut impl Observer<Event>) {
        let mut sightings = Vec::with_capacity(self.units.len());
        for index in self.others_in_order() {
            self.sight(index, &mut sightings);
            match self.best_option(index, &sightings) {
                Some(volley) => {
                    let (from, to) = (self.units[index].pos, self.units[volley.line.target].pos);
                    self.turn(index, offset(from, to));
                    self.strike(volley, watch);
                }
                None => {
                    if let Some(nearest) = sightings.first() {
                        self.advance(index, nearest.unit, watch);
                    }
                }
            }
            if self.over {
                return;
            }
        }
    }

    /// The others that can act, by agility descending, then in setup order.
    fn others_in_order(&self) -> Vec<usize> {
        let (rules, env) = (&self.rules, &self.roster.setup.env);
        let mut order: Vec<(f64, usize)> = (0..self.units.len())
            .filter(|index| !self.roster.mine[*index] && self.units[*index].can_act(rules))
            .map(|index| (self.units[index].agility(rules, env, self.units[index].pace), index))
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.into_iter().map(|(_, index)| index).collect()
    }

    /// The units of the player's that are not out for good, the nearest first, then in setup order.
    fn sight(&self, from: usize, sightings: &mut Vec<Sighting>) {
        sightings.clear();
        let place = self.units[from].pos;
        for unit in (0..self.units.len()).filter(|unit| self.roster.mine[*unit] && !self.out(*unit)) {
            sightings.push(Sighting { unit, squared: squared(place, self.units[unit].pos) });
        }
        sightings.sort_by_key(|sighting| sighting.squared);
    }

    /// The attack it makes: the nearest target it can hit at all, then the most hits to be expected, then setup order.
    fn best_option(&self, index: usize, sightings: &[Sighting]) -> Option<Volley> {
        let ready = self.ready_weapons(index);
        let farthest = ready.iter().map(|(_, weapon, _)| weapon.range).max()?;
        let mut best: Option<(f64, Volley)> = None;
        let mut nearest = i64::MAX;
        for sighting in sightings {
            if sighting.squared > nearest {
                break;
            }
            let line = self.line(index, sighting.unit);
            if line.distance > f64::from(farthest) {
                break;
            }
            for (at, weapon, shots) in &ready {
                if line.distance > f64::from(weapon.range) {
                    continue;
                }
                let hitpro = self.hitpro(line, weapon, Manner::PLAIN).unwrap_or(0.0);
                let expected = hitpro * f64::from(*shots);
                if hitpro > 0.0 && best.is_none_or(|(most, _)| expected > most) {
                    let (weapon, shots) = (*at, *shots);
                    best = Some((expected, Volley { line, weapon, shots, manner: Manner::PLAIN, hitpro }));
                    nearest = sighting.squared;
                }
            }
        }
        best.map(|(_, volley)| volley)
    }

    /// The weapons that it can use and how often: not lost, with ammunition, fit for where the battle takes place.
    fn ready_weapons(&self, index: usize) -> Vec<(usize, &Weapon, u32)> {
        let unit = &self.units[index];
        let weapons = self.roster.unit(index).weapons.iter().enumerate();
        weapons
            .map(|(at, weapon)| (at, weapon, weapon.rate.min(unit.ammo[at])))
            .filter(|(_, weapon, shots)| *shots >= 1 && unit.has(weapon) && self.works_in_water(weapon))
            .collect()
    }
}
