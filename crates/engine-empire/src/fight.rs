//! A battle in progress: what can change, and how damage is applied to it (spec §1, R24–R34, X1, X5, X6).

use std::sync::Arc;

use ongrid_engine::{Seed, Stream};

use crate::Item;
use crate::event::Log;
use crate::field::{Field, Kind, Traits};
use crate::formula::{
    items_lost, land_in_sector_percent, land_percent, new_efficiency, plane_percent, sector_percent,
    ship_percent,
};

/// Most sides a setup has.
pub(crate) const MAX_SIDES: usize = 8;

/// A battle in progress.
#[derive(Clone, Debug)]
pub struct Fight {
    pub(crate) field: Arc<Field>,
    pub(crate) stream: Stream,
    /// The round in progress, from 1; at the end the one in which the battle ended.
    pub(crate) round: u32,
    pub(crate) over: bool,
    /// By number of the thing.
    pub(crate) status: Vec<Status>,
    /// Quantities, in the order of [`Field::goods`].
    pub(crate) items: Vec<u32>,
    /// By side: how many of its living things that count have any efficiency left. Its value is 0 exactly if none.
    strength: [u32; MAX_SIDES],
    pub(crate) log: Log,
}

/// What can change about a thing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Status {
    /// Efficiency, 0..100; a destroyed thing keeps the one it was destroyed at.
    pub eff: f64,
    pub shells: u16,
    /// A sector's mines, a plane's sorties.
    pub stock: u16,
    /// Number of the sector it is in.
    pub at: u8,
    pub alive: bool,
    pub acted: bool,
    pub moved: bool,
    /// Whether a nuclear device is aboard.
    pub nuke: bool,
}

impl Fight {
    pub(crate) fn new(field: Arc<Field>, seed: &Seed) -> Self {
        let status = field.things.iter().map(|thing| Status {
            eff: thing.eff,
            shells: thing.shells,
            stock: match thing.traits {
                Traits::Sector { mines, .. } => mines,
                Traits::Plane { sorties, .. } => sorties,
                _ => 0,
            },
            at: thing.at,
            alive: true,
            acted: false,
            moved: false,
            nuke: matches!(thing.traits, Traits::Plane { nuke: Some(_), .. }),
        });
        let mut fight = Self {
            stream: Stream::new(seed),
            round: 1,
            over: false,
            status: status.collect(),
            items: field.goods.iter().map(|(_, count)| *count).collect(),
            strength: [0; MAX_SIDES],
            log: Log::default(),
            field,
        };
        for thing in 0..fight.status.len() {
            if let Some(side) = fight.counts_for(thing) {
                fight.strength[side] += 1;
            }
        }
        fight
    }

    /// Whether the battle is over.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The round in progress, from 1.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// A die with `faces` faces (R2); inlined, so that the draw divides by a constant.
    #[inline(always)]
    pub(crate) fn die(&mut self, faces: u16) -> u16 {
        let die = u16::try_from(self.stream.die(u64::from(faces))).unwrap_or(faces);
        self.log.draw(die);
        die
    }

    /// The side to whose value a thing adds something now.
    fn counts_for(&self, thing: usize) -> Option<usize> {
        let (it, status) = (&self.field.things[thing], &self.status[thing]);
        let owner = it.owner.filter(|_| it.counts() && status.alive && status.eff > 0.0);
        owner.map(usize::from)
    }

    /// Changes a thing's efficiency or life, and keeps count of what its side has left.
    fn change(&mut self, thing: usize, change: impl FnOnce(&mut Status)) {
        let before = self.counts_for(thing);
        change(&mut self.status[thing]);
        if let (Some(side), None) = (before, self.counts_for(thing)) {
            self.strength[side] -= 1;
        }
    }

    /// R24, X1: a thing's efficiency takes a %damage.
    pub(crate) fn hit(&mut self, thing: usize, pct: f64) {
        let was = self.status[thing].eff;
        let eff = new_efficiency(was, pct);
        let dead = eff < self.field.things[thing].kind().destroyed_below();
        self.change(thing, |status| {
            status.eff = eff;
            status.alive &= !dead;
        });
        self.log.efficiency(thing, pct, was, eff, dead);
    }

    /// X5: a sector becomes a wasteland.
    pub(crate) fn lay_waste(&mut self, sector: usize) {
        let was = self.status[sector].eff;
        self.change(sector, |status| {
            status.eff = 0.0;
            status.alive = false;
        });
        self.log.efficiency(sector, 100.0, was, 0.0, true);
    }

    /// R30, R34, X6: a thing's items, or one of them, take a %damage.
    pub(crate) fn lose_items(&mut self, thing: usize, pct: f64, only: Option<Item>) {
        let range = self.field.things[thing].goods.clone();
        let goods = &self.field.goods[range.clone()];
        let left = self.items[range].iter_mut();
        let hit = left.zip(goods).filter(|(_, (item, _))| only.is_none_or(|only| only == *item));
        let lost = hit.map(|(left, (item, _))| {
            let lost = items_lost(*item, *left, pct);
            *left -= lost;
            (*item, lost)
        });
        self.log.items(thing, pct, lost);
    }

    /// R29–R32: a sector takes a %damage: its efficiency, its items, each living land unit in it; planes take none.
    fn hit_sector(&mut self, sector: usize, pct: f64) {
        self.hit(sector, pct);
        self.lose_items(sector, pct, None);
        let here = self.status[sector].at;
        for land in self.field.lands.clone() {
            if self.status[land].alive && self.status[land].at == here {
                self.hit(land, land_in_sector_percent(pct));
            }
        }
    }

    /// R26–R29: damage that is not nuclear is applied to what it hits.
    pub(crate) fn strike(&mut self, thing: usize, damage: f64) {
        match self.field.things[thing].traits {
            Traits::Ship { def, .. } => self.hit(thing, ship_percent(damage, def)),
            Traits::Land { vul, fort, .. } => self.hit(thing, land_percent(damage, vul, fort)),
            Traits::Plane { .. } => self.hit(thing, plane_percent(damage)),
            Traits::Sector { sectdef, .. } => {
                self.hit_sector(thing, sector_percent(damage, sectdef, self.status[thing].eff));
            }
            Traits::Convoy => {}
        }
    }

    /// Spec §4, "Over": the battle ends as soon as some side's value is 0.
    pub(crate) fn end_if_a_side_fell(&mut self) {
        let sides = self.field.sides.len();
        self.over |= self.strength[..sides].contains(&0);
    }

    /// What a side's living things are worth now (spec §4, "value").
    pub(crate) fn value(&self, side: u8) -> f64 {
        let things = self.field.things.iter().zip(&self.status);
        let own =
            things.filter(|(thing, status)| thing.owner == Some(side) && thing.counts() && status.alive);
        own.map(|(_, status)| status.eff).sum()
    }

    /// What a side was worth at the start.
    pub(crate) fn value_at_start(&self, side: u8) -> f64 {
        let own = self.field.things.iter().filter(|thing| thing.owner == Some(side) && thing.counts());
        own.map(|thing| thing.eff).sum()
    }

    /// The part of its value that a side has left, 0..1.
    pub(crate) fn fraction(&self, side: u8) -> f64 {
        self.value(side) / self.value_at_start(side)
    }

    pub(crate) fn kind(&self, thing: usize) -> Kind {
        self.field.things[thing].kind()
    }

    /// Hexes between where two things are (X4).
    pub(crate) fn distance(&self, from: usize, to: usize) -> u16 {
        self.field.distance(self.status[from].at, self.status[to].at)
    }
}
