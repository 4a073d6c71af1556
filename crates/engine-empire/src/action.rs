//! What legal calls do: sources of damage (R4–R22), mines (X3), blasts (X5), the answer of the others (X11).

use ongrid_engine::Observer;

use crate::event::Event;
use crate::field::{Kind, Traits};
use crate::fight::Fight;
use crate::formula::{
    bomb_aim, bomb_damage, bomb_kind, commodity_percent, depth_damage, fort_damage, land_mine_damage,
    nuke_damage, percent, plane_nuke_percent, sea_mine_damage, ship_damage, torpedo_damage, unit_damage,
};
use crate::judge::Order;
use crate::{Burst, Item};

impl Fight {
    /// Carries out a legal call.
    pub(crate) fn carry_out<O: Observer<Event>>(&mut self, order: Order, watch: &mut O) {
        self.log.clear();
        let (op, from, at, damage) = match order {
            Order::NextRound => return self.next_round(watch),
            Order::Fire { from, at } => ("fire", from, at, Some(self.fire(from, at))),
            Order::Depth { from, at } => ("depth", from, at, Some(self.depth(from, at))),
            Order::Torpedo { from, at } => ("torpedo", from, at, Some(self.torpedo(from, at))),
            Order::Pin { from, at } => ("bomb", from, at, Some(self.pin(from, at))),
            Order::PinItem { from, at, item } => ("bomb", from, at, Some(self.pin_item(from, at, item))),
            Order::Strategic { from, at } => ("bomb", from, at, Some(self.strategic(from, at))),
            Order::Enter { unit, to } => ("enter", unit, to, self.enter(unit, to)),
            Order::Detonate { from, at, burst } => {
                ("detonate", from, at, Some(self.detonate(from, at, burst)))
            }
        };
        match order {
            Order::Enter { .. } => self.status[from].moved = true,
            _ => self.status[from].acted = true,
        }
        self.end_if_a_side_fell();
        watch.see(|| self.log.act(&self.field, self.round, op, from, at, damage));
    }

    /// One volley (R5–R7, A2): one draw, one shell (X9); a thing of efficiency 0 fires for nothing (X10).
    fn fire(&mut self, from: usize, at: usize) -> f64 {
        self.status[from].shells -= 1;
        let (guns, eff) = (self.field.things[from].guns, self.status[from].eff);
        let damage = match self.kind(from) {
            Kind::Sector => fort_damage(guns, eff, self.die(30)),
            Kind::Ship => ship_damage(guns, eff, self.die(6)),
            _ => unit_damage(guns, eff, self.die(6)),
        };
        self.strike(at, damage);
        damage
    }

    /// A depth charge (R8).
    fn depth(&mut self, from: usize, at: usize) -> f64 {
        self.status[from].shells -= 1;
        let damage = depth_damage(self.status[from].eff, self.die(6));
        self.strike(at, damage);
        damage
    }

    /// A torpedo (R9).
    fn torpedo(&mut self, from: usize, at: usize) -> f64 {
        self.status[from].shells -= 1;
        let damage = torpedo_damage(self.die(40), self.die(40));
        self.strike(at, damage);
        damage
    }

    /// The sum of a plane's bombs (R11, R12, X2): a quality and a die each.
    fn drop_bombs(&mut self, from: usize, at: usize) -> f64 {
        self.status[from].stock -= 1;
        let Traits::Plane { load, acc, .. } = self.field.things[from].traits else { return 0.0 };
        let aim = bomb_aim(acc, self.field.things[at].difficulty);
        let mut sum = 0_u32;
        for _ in 0..load {
            let kind = bomb_kind(self.die(100), aim);
            sum += u32::from(bomb_damage(kind, self.die(6)));
        }
        f64::from(sum)
    }

    /// R13: pinpoint bombing of a ship, plane or land unit counts twice.
    fn pin(&mut self, from: usize, at: usize) -> f64 {
        let damage = 2.0 * self.drop_bombs(from, at);
        self.strike(at, damage);
        damage
    }

    /// R33, R34: pinpoint bombing of an item.
    fn pin_item(&mut self, from: usize, at: usize, item: Item) -> f64 {
        let damage = self.drop_bombs(from, at);
        self.lose_items(at, commodity_percent(damage), Some(item));
        damage
    }

    /// R29–R32: strategic bombing of a sector.
    fn strategic(&mut self, from: usize, at: usize) -> f64 {
        let damage = self.drop_bombs(from, at);
        self.strike(at, damage);
        damage
    }

    /// X3, X8: moves; with mines in the sector, whoever laid them, one goes off and is gone (R15–R18).
    fn enter(&mut self, unit: usize, to: usize) -> Option<f64> {
        self.status[unit].at = self.status[to].at;
        self.status[to].stock = self.status[to].stock.checked_sub(1)?;
        let damage = match self.field.things[unit].traits {
            Traits::Ship { sweep, .. } => sea_mine_damage(self.die(20), sweep),
            Traits::Land { engineer, .. } => land_mine_damage(self.die(10), engineer),
            _ => f64::from(self.die(20)),
        };
        match self.kind(unit) {
            Kind::Convoy => self.lose_items(unit, commodity_percent(damage), None),
            _ => self.strike(unit, damage),
        }
        Some(damage)
    }

    /// R19–R25, X5: sectors in order, then land units, planes, ships and convoys by the value of their sector. Sectors
    /// already laid waste and things already destroyed are passed over; things that live in a wasteland are not.
    fn detonate(&mut self, from: usize, at: usize, burst: Burst) -> f64 {
        self.status[from].nuke = false;
        let Traits::Plane { nuke: Some(nuke), .. } = self.field.things[from].traits else { return 0.0 };
        let center = self.status[at].at;
        let value = |fight: &Self, thing: usize| {
            let distance = fight.field.distance(center, fight.status[thing].at);
            f64::from(nuke_damage(nuke.dam, nuke.radius, distance, burst))
        };
        for sector in self.field.sectors.clone() {
            let value = value(self, sector);
            if value > 0.0 && self.status[sector].alive {
                self.blast_sector(sector, value);
            }
        }
        let field = self.field.clone();
        for thing in field.lands.clone().chain(field.planes.clone()).chain(field.ships.clone()) {
            let value = value(self, thing);
            let pct = match field.things[thing].traits {
                Traits::Plane { hardened, .. } => plane_nuke_percent(value, hardened),
                _ => percent(value),
            };
            if pct > 0.0 && self.status[thing].alive {
                self.hit(thing, pct);
            }
        }
        for convoy in field.convoys.clone() {
            let value = value(self, convoy);
            if value > 0.0 {
                self.lose_items(convoy, percent(value), None);
            }
        }
        value(self, at)
    }

    fn blast_sector(&mut self, sector: usize, value: f64) {
        let pct = percent(value);
        if value > 100.0 && !self.field.things[sector].is_sea() {
            self.lay_waste(sector);
        } else {
            self.hit(sector, pct);
        }
        self.lose_items(sector, pct, None);
    }

    /// The others answer (X11), then the round goes by.
    fn next_round<O: Observer<Event>>(&mut self, watch: &mut O) {
        let round = self.round;
        let field = self.field.clone();
        for from in &field.attackers {
            self.answer(*from);
            if self.over {
                break;
            }
        }
        if !self.over {
            if self.round == self.field.rounds {
                self.over = true;
            } else {
                self.round += 1;
                for status in &mut self.status {
                    status.acted = false;
                    status.moved = false;
                }
            }
        }
        watch.see(|| self.log.round(&self.field, round, self.over));
    }

    /// X11: one attacker fires once, if it can and has a target.
    fn answer(&mut self, from: usize) {
        let status = &self.status[from];
        if !status.alive || status.eff <= 0.0 || status.shells < 1 {
            return;
        }
        let Some(at) = self.answered(from) else { return };
        self.log.begin_shot(from, at);
        let damage = self.fire(from, at);
        self.log.end_shot(damage);
        self.end_if_a_side_fell();
    }

    /// X11: at whom an attacker fires: the player's weakest ship or land unit within its range, else the player's
    /// weakest sector that is no sea; of equals the first.
    fn answered(&self, from: usize) -> Option<usize> {
        let unit = self.weakest(from, &self.field.units);
        unit.or_else(|| self.weakest(from, &self.field.grounds))
    }

    fn weakest(&self, from: usize, among: &[usize]) -> Option<usize> {
        let range = u16::from(self.field.gun_range(self.kind(from)));
        let mut best = None;
        let mut lowest = f64::INFINITY;
        for thing in among {
            let status = &self.status[*thing];
            let weaker = status.eff > 0.0 && status.eff < lowest && status.alive;
            if weaker && self.distance(from, *thing) <= range {
                best = Some(*thing);
                lowest = status.eff;
            }
        }
        best
    }
}
