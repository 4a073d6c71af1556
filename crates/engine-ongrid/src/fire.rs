//! Fire and damage (§7, §8).

use ongrid_engine::{Observer, Stream};

use crate::attribute::Layer;
use crate::event::{Event, What};
use crate::formulas::take_off;
use crate::grid::{Grid, Gun};
use crate::roster::Roster;
use crate::rules::Rules;

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
        let guns = self.guns_of(id);
        let Self { rules, round, overtime, stream, guns: all_guns, crafts, sig, speed, .. } = self;
        let Ok([shooter, hit]) = crafts.get_disjoint_mut([id, target]) else { return };
        let (sig, speed) = (sig[target], speed[target]);
        let heated = [1.0, rules.heat.overheat_damage][usize::from(overheat)];
        let mut see = |what: &dyn Fn() -> What| watch.see(|| Event { round: *round, what: what() });
        let mut last = 0;
        for gun in &all_guns[guns] {
            if hit.left[2] == 0.0 {
                break;
            }
            let group = u32::from(gun.group);
            if gun.cost > shooter.capacitor {
                see(&|| What::Silent { ship: id as u32, group });
                continue;
            }
            shooter.capacitor -= gun.cost;
            last = gun.group;
            let before = hit.left;
            let shot = gun.shoot(rules, gun.aim[shooter.stance as usize], (sig, speed), stream);
            // A miss takes 0 off: cheaper than a branch that nobody can foresee.
            let landed = [0.0, 1.0][usize::from(shot.landed)];
            let scale = gun.power * shot.quality * heated * shot.application * *overtime * landed;
            let raw = gun.typed.map(|typed| typed * scale);
            let mut lost = [0.0; 3];
            take_off(&mut hit.left, &hit.resonance, raw, |layer, loss| {
                lost[layer] = loss;
                shooter.damage_dealt += loss;
                hit.damage_taken += loss;
            });
            let took = lost[0] + lost[1] + lost[2] > 0.0;
            hit.last_shooter = if took { id as u8 } else { hit.last_shooter };
            let left = hit.left;
            see(&|| What::Fired {
                ship: id as u32,
                group,
                target: target as u32,
                overheat,
                chance: gun.turret.then_some(shot.chance),
                application: (!gun.turret).then_some(shot.application),
                hit_roll: gun.turret.then_some(shot.rolls[0]),
                quality_roll: gun.turret.then_some(shot.rolls[1]),
                landed: shot.landed,
                quality: (gun.turret && shot.landed).then_some(shot.quality),
                raw,
                lost: lost.into(),
                broke: Layer::ALL
                    .into_iter()
                    .filter(|layer| before[*layer as usize] > 0.0 && left[*layer as usize] == 0.0)
                    .collect(),
            });
        }
        shooter.heat += rules.heat.overheat_heat * u16::from(overheat);
        let destroyed = hit.left[2] == 0.0;
        self.update_layers(target);
        if destroyed {
            self.destroy(roster, target, (id, last), watch);
        }
        self.draw_ship(target);
    }
}

/// How a volley went.
struct Shot {
    /// Chance of a turret.
    chance: f64,
    /// Draws of a turret.
    rolls: [f64; 2],
    landed: bool,
    quality: f64,
    application: f64,
}

impl Gun {
    /// A turret group makes two draws, always both; a missile group makes none and always lands.
    #[inline]
    fn shoot(&self, rules: &Rules, aim: f64, (sig, speed): (f64, f64), stream: &mut Stream) -> Shot {
        if self.turret {
            let chance = rules.hit(aim, sig, self.ref_sig, self.ref_vel, speed);
            let rolls = [stream.unit(), stream.unit()];
            let quality = rules.quality(rolls[1]);
            Shot { chance, rolls, landed: rolls[0] < chance, quality, application: 1.0 }
        } else {
            let application = rules.application(sig, self.ref_sig, self.ref_vel, speed, aim);
            Shot { chance: 1.0, rolls: [0.0; 2], landed: true, quality: 1.0, application }
        }
    }
}
