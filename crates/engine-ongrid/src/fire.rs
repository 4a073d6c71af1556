//! Fire and damage (§7, §8).

use ongrid_engine::Observer;

use crate::attribute::Layer;
use crate::event::{Event, What};
use crate::fight::Fight;
use crate::formulas::take_off;
use crate::ship::{Ship, Weapon};

/// How a volley went.
struct Shot {
    chance: f64,
    rolls: Option<(f64, f64)>,
    landed: bool,
    quality: f64,
}

impl Fight {
    /// Fires the weapon groups of a ship, in fit order, at one target. The caller judged that it may.
    pub(crate) fn fire<O: Observer<Event>>(
        &mut self,
        id: usize,
        target: usize,
        overheat: bool,
        watch: &mut O,
    ) {
        let roster = std::sync::Arc::clone(&self.roster);
        let (weapons, first) = roster.weapons_of(id);
        let stance = self.stance[id] as usize;
        let mut last = 0;
        for (index, weapon) in weapons.iter().enumerate() {
            if self.left[target][2] == 0.0 {
                break;
            }
            if weapon.cost > self.capacitor[id] {
                self.see(watch, || What::Silent { ship: id as u32, group: weapon.group.into() });
                continue;
            }
            self.capacitor[id] -= weapon.cost;
            let aim = self.aims[first + index].flown[stance];
            let shot = self.shoot(weapon, aim, target);
            self.land(id, (target, roster.ship(target)), weapon, &shot, overheat, watch);
            last = weapon.group;
        }
        if overheat {
            self.heat[id] += self.rules.heat.overheat_heat;
        }
        if self.left[target][2] == 0.0 {
            self.destroy(target, id, last, watch);
        }
    }

    /// Draws for a turret group, always both; a missile group draws nothing and always lands.
    #[inline]
    fn shoot(&mut self, weapon: &Weapon, aim: f64, target: usize) -> Shot {
        let (sig, speed) = (self.sig[target], self.speed[target]);
        if weapon.turret {
            let chance = self.rules.hit(aim, sig, weapon.ref_sig, weapon.ref_vel, speed);
            let rolls = (self.stream.unit(), self.stream.unit());
            Shot {
                chance,
                rolls: Some(rolls),
                landed: rolls.0 < chance,
                quality: self.rules.quality(rolls.1),
            }
        } else {
            let chance = self.rules.application(sig, weapon.ref_sig, weapon.ref_vel, speed, aim);
            Shot { chance, rolls: None, landed: true, quality: 1.0 }
        }
    }

    #[inline]
    fn land<O: Observer<Event>>(
        &mut self,
        id: usize,
        (target, ship): (usize, &Ship),
        weapon: &Weapon,
        shot: &Shot,
        overheat: bool,
        watch: &mut O,
    ) {
        let heated = if overheat { self.rules.heat.overheat_damage } else { 1.0 };
        let application = if weapon.turret { 1.0 } else { shot.chance };
        let scale = weapon.power * shot.quality * heated * application * self.overtime;
        let raw = if shot.landed { weapon.typed.map(|typed| typed * scale) } else { [0.0; 4] };
        let before = self.left[target];
        let mut lost = [0.0; 3];
        if shot.landed {
            let loss = take_off(&mut self.left[target], &ship.resonance, raw);
            lost = loss.lost;
            for layer in lost {
                self.damage_dealt[id] += layer;
                self.damage_taken[target] += layer;
            }
            if lost.iter().any(|layer| *layer > 0.0) {
                self.last_shooter[target] = Some(id as u8);
            }
            self.update_layers(target);
        }
        self.see(watch, || What::Fired {
            ship: id as u32,
            group: weapon.group.into(),
            target: target as u32,
            overheat,
            chance: weapon.turret.then_some(shot.chance),
            application: (!weapon.turret).then_some(shot.chance),
            hit_roll: shot.rolls.map(|rolls| rolls.0),
            quality_roll: shot.rolls.map(|rolls| rolls.1),
            landed: shot.landed,
            quality: (weapon.turret && shot.landed).then_some(shot.quality),
            raw,
            lost: lost.into(),
            broke: Layer::ALL
                .into_iter()
                .filter(|layer| before[*layer as usize] > 0.0 && self.left[target][*layer as usize] == 0.0)
                .collect(),
        });
    }
}
