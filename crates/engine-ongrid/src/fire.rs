//! Fire and damage (§7, §8).

use ongrid_engine::Observer;

use crate::attribute::Layer;
use crate::event::{Event, What};
use crate::formulas::take_off;
use crate::grid::Grid;
use crate::roster::Roster;

impl Grid {
    /// Fires the weapon groups of a ship, in fit order, at one target. The caller judged that it may.
    pub fn fire<O: Observer<Event>>(
        &mut self,
        roster: &Roster,
        id: usize,
        target: usize,
        overheat: bool,
        watch: &mut O,
    ) {
        self.image.touch(target);
        let mut last = 0;
        for number in self.guns_of(id) {
            if self.crafts[target].left[2] == 0.0 {
                break;
            }
            let gun = &self.guns[number];
            let (cost, group) = (gun.cost, gun.group);
            if cost > self.crafts[id].capacitor {
                self.see(watch, || What::Silent { ship: id as u32, group: group.into() });
                continue;
            }
            self.crafts[id].capacitor -= cost;
            last = group;
            self.volley(id, number, target, overheat, watch);
        }
        if overheat {
            self.crafts[id].heat += self.rules.heat.overheat_heat;
        }
        if self.crafts[target].left[2] == 0.0 {
            self.destroy(roster, target, (id, last), watch);
        }
    }

    /// One group's volley. A turret group makes two draws, always both; a missile group makes none and always lands.
    #[inline]
    fn volley<O: Observer<Event>>(
        &mut self,
        id: usize,
        number: usize,
        target: usize,
        overheat: bool,
        watch: &mut O,
    ) {
        let rules = self.rules;
        let gun = &self.guns[number];
        let (turret, group, typed) = (gun.turret, gun.group, gun.typed);
        let aim = gun.aim[self.crafts[id].stance as usize];
        let (sig, speed) = (self.sig[target], self.speed[target]);
        let heated = if overheat { rules.heat.overheat_damage } else { 1.0 };
        let (chance, rolls, landed, quality, application) = if turret {
            let chance = rules.hit(aim, sig, gun.ref_sig, gun.ref_vel, speed);
            let rolls = [self.stream.unit(), self.stream.unit()];
            (chance, rolls, rolls[0] < chance, rules.quality(rolls[1]), 1.0)
        } else {
            let application = rules.application(sig, gun.ref_sig, gun.ref_vel, speed, aim);
            (application, [0.0; 2], true, 1.0, application)
        };
        let before = self.crafts[target].left;
        let mut raw = [0.0; 4];
        let mut lost = [0.0; 3];
        if landed {
            let scale = self.guns[number].power * quality * heated * application * self.overtime;
            raw = typed.map(|typed| typed * scale);
            let hit = &mut self.crafts[target];
            lost = take_off(&mut hit.left, &hit.resonance, raw).lost;
            for layer in lost {
                hit.damage_taken += layer;
            }
            if lost != [0.0; 3] {
                hit.last_shooter = Some(id as u8);
            }
            for layer in lost {
                self.crafts[id].damage_dealt += layer;
            }
            self.update_layers(target);
        }
        self.see(watch, || What::Fired {
            ship: id as u32,
            group: group.into(),
            target: target as u32,
            overheat,
            chance: turret.then_some(chance),
            application: (!turret).then_some(chance),
            hit_roll: turret.then_some(rolls[0]),
            quality_roll: turret.then_some(rolls[1]),
            landed,
            quality: (turret && landed).then_some(quality),
            raw,
            lost: lost.into(),
            broke: Layer::ALL
                .into_iter()
                .filter(|layer| before[*layer as usize] > 0.0)
                .filter(|layer| self.crafts[target].left[*layer as usize] == 0.0)
                .collect(),
        });
    }
}
