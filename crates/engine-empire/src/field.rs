//! The battlefield: what a setup says that never changes, with every name resolved to a number.
//!
//! Things are numbered through all lists in table order: sectors, ships, land units, planes, convoys. A sector's
//! number is therefore its index in the setup.

use std::ops::Range;

use crate::Item;
use crate::formula::{LAND_DESTROYED_BELOW, PLANE_DESTROYED_BELOW, SHIP_DESTROYED_BELOW, distance};
use crate::setup::{Convoy, Items, Land, Nuke, Plane, Ranges, Sector, Setup, Ship, Terrain};

/// What list a thing stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sector,
    Ship,
    Land,
    Plane,
    Convoy,
}

impl Kind {
    /// In the words of the game.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Sector => "sector",
            Kind::Ship => "ship",
            Kind::Land => "land unit",
            Kind::Plane => "plane",
            Kind::Convoy => "convoy",
        }
    }

    /// The efficiency below which a hit destroys it (X1).
    pub fn destroyed_below(self) -> f64 {
        match self {
            Kind::Ship => SHIP_DESTROYED_BELOW,
            Kind::Land => LAND_DESTROYED_BELOW,
            Kind::Plane => PLANE_DESTROYED_BELOW,
            Kind::Sector | Kind::Convoy => 0.0,
        }
    }
}

/// What is peculiar to a kind.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Traits {
    Sector { terrain: Terrain, sectdef: f64, mines: u16 },
    Ship { def: f64, sweep: bool, sub: bool, dch: bool, torp: bool },
    Land { vul: u8, fort: u8, engineer: bool },
    Plane { load: u16, sorties: u16, acc: u8, hardened: u8, nuke: Option<Nuke> },
    Convoy,
}

/// A thing as the setup has it.
#[derive(Clone, Debug)]
pub(crate) struct Thing {
    pub id: String,
    /// Index of its side.
    pub owner: Option<u8>,
    /// Number of the sector it begins in; a sector's is its own.
    pub at: u8,
    pub eff: f64,
    pub guns: u16,
    pub shells: u16,
    pub difficulty: u8,
    pub traits: Traits,
    /// Where its items stand in [`Field::goods`].
    pub goods: Range<usize>,
}

impl Thing {
    pub fn kind(&self) -> Kind {
        match self.traits {
            Traits::Sector { .. } => Kind::Sector,
            Traits::Ship { .. } => Kind::Ship,
            Traits::Land { .. } => Kind::Land,
            Traits::Plane { .. } => Kind::Plane,
            Traits::Convoy => Kind::Convoy,
        }
    }

    pub fn is_sea(&self) -> bool {
        matches!(self.traits, Traits::Sector { terrain: Terrain::Sea, .. })
    }

    pub fn is_fort(&self) -> bool {
        matches!(self.traits, Traits::Sector { terrain: Terrain::Fort, .. })
    }

    /// Whether its efficiency counts towards its owner's value (spec §4).
    pub fn counts(&self) -> bool {
        !self.is_sea() && self.kind() != Kind::Convoy
    }
}

/// The battlefield of a legal setup.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub things: Vec<Thing>,
    pub sectors: Range<usize>,
    pub ships: Range<usize>,
    pub lands: Range<usize>,
    pub planes: Range<usize>,
    pub convoys: Range<usize>,
    /// The items of all things, one after the other, with the quantities of the start.
    pub goods: Vec<(Item, u32)>,
    pub ranges: Ranges,
    pub rounds: u32,
    pub sides: Vec<String>,
    /// Index of the player's side.
    pub player: u8,
    /// X11: who may answer: other sides' forts, ships and land units with guns.
    pub attackers: Vec<usize>,
    /// X11: at whom they fire first: the player's ships and land units.
    pub units: Vec<usize>,
    /// X11: at what they fire else: the player's sectors that are no sea.
    pub grounds: Vec<usize>,
    /// Numbers of the things by their id, for look-ups.
    by_id: Vec<u16>,
    /// Distances between sectors, row by row.
    distances: Vec<u16>,
}

impl Field {
    pub fn of(setup: &Setup) -> Self {
        let mut roll = Roll { setup, things: Vec::new(), goods: Vec::new() };
        let sectors = roll.enlist(&setup.sectors, Roll::sector);
        let ships = roll.enlist(&setup.ships, Roll::ship);
        let lands = roll.enlist(&setup.lands, Roll::land);
        let planes = roll.enlist(&setup.planes, Roll::plane);
        let convoys = roll.enlist(&setup.convoys, Roll::convoy);
        let Roll { things, goods, .. } = roll;
        let mut by_id: Vec<u16> = (0..).take(things.len()).collect();
        by_id.sort_unstable_by(|a, b| things[usize::from(*a)].id.cmp(&things[usize::from(*b)].id));
        let player = side_of(setup, &setup.player).unwrap_or_default();
        let is_own = |thing: &usize| things[*thing].owner == Some(player);
        let is_attacker = |thing: &usize| {
            let it = &things[*thing];
            it.owner.is_some_and(|owner| owner != player)
                && it.guns >= 1
                && (it.kind() != Kind::Sector || it.is_fort())
        };
        let hexes: Vec<(i16, i16)> = setup.sectors.iter().map(|sector| (sector.x, sector.y)).collect();
        Self {
            distances: hexes.iter().flat_map(|from| hexes.iter().map(|to| distance(*from, *to))).collect(),
            player,
            attackers: (0..lands.end).filter(is_attacker).collect(),
            units: (ships.start..lands.end).filter(is_own).collect(),
            grounds: sectors.clone().filter(is_own).filter(|sector| !things[*sector].is_sea()).collect(),
            ranges: setup.ranges.clone(),
            rounds: setup.rounds,
            sides: setup.sides.clone(),
            things,
            goods,
            sectors,
            ships,
            lands,
            planes,
            convoys,
            by_id,
        }
    }

    /// The number of the thing with this id.
    pub fn find(&self, id: &str) -> Option<usize> {
        let id_at = |at: &u16| self.things[usize::from(*at)].id.as_str();
        let found = self.by_id.binary_search_by(|at| id_at(at).cmp(id)).ok()?;
        Some(usize::from(self.by_id[found]))
    }

    /// How far the guns of a fort, ship or land unit reach (X7).
    pub fn gun_range(&self, kind: Kind) -> u8 {
        match kind {
            Kind::Sector => self.ranges.fort,
            Kind::Ship => self.ranges.ship,
            _ => self.ranges.land,
        }
    }

    /// Hexes between two sectors (X4).
    pub fn distance(&self, from: u8, to: u8) -> u16 {
        self.distances[usize::from(from) * self.sectors.len() + usize::from(to)]
    }
}

/// The things as they are numbered.
struct Roll<'s> {
    setup: &'s Setup,
    things: Vec<Thing>,
    goods: Vec<(Item, u32)>,
}

impl Roll<'_> {
    /// Numbers a list; gives its numbers.
    fn enlist<T>(&mut self, list: &[T], thing: impl Fn(&mut Self, &T) -> Thing) -> Range<usize> {
        let start = self.things.len();
        for it in list {
            let thing = thing(self, it);
            self.things.push(thing);
        }
        start..self.things.len()
    }

    fn store(&mut self, items: &Items) -> Range<usize> {
        let start = self.goods.len();
        self.goods.extend(items.iter().map(|(item, count)| (*item, *count)));
        start..self.goods.len()
    }

    fn owner(&self, owner: &str) -> Option<u8> {
        side_of(self.setup, owner)
    }

    /// The number of a sector; the cross rules made sure that there is one.
    fn place(&self, at: &str) -> u8 {
        let found = self.setup.sectors.iter().position(|sector| sector.id == at);
        found.and_then(|at| u8::try_from(at).ok()).unwrap_or_default()
    }

    fn sector(&mut self, it: &Sector) -> Thing {
        Thing {
            id: it.id.clone(),
            owner: it.owner.as_deref().and_then(|owner| self.owner(owner)),
            at: u8::try_from(self.things.len()).unwrap_or_default(),
            eff: it.eff,
            guns: it.guns,
            shells: it.shells,
            difficulty: it.difficulty,
            traits: Traits::Sector { terrain: it.kind, sectdef: it.sectdef, mines: it.mines },
            goods: self.store(&it.items),
        }
    }

    fn ship(&mut self, it: &Ship) -> Thing {
        Thing {
            id: it.id.clone(),
            owner: self.owner(&it.owner),
            at: self.place(&it.at),
            eff: it.eff,
            guns: it.guns,
            shells: it.shells,
            difficulty: it.difficulty,
            traits: Traits::Ship { def: it.def, sweep: it.sweep, sub: it.sub, dch: it.dch, torp: it.torp },
            goods: 0..0,
        }
    }

    fn land(&mut self, it: &Land) -> Thing {
        Thing {
            id: it.id.clone(),
            owner: self.owner(&it.owner),
            at: self.place(&it.at),
            eff: it.eff,
            guns: it.guns,
            shells: it.shells,
            difficulty: it.difficulty,
            traits: Traits::Land { vul: it.vul, fort: it.fort, engineer: it.engineer },
            goods: 0..0,
        }
    }

    fn plane(&mut self, it: &Plane) -> Thing {
        let Plane { load, sorties, acc, hardened, nuke, .. } = *it;
        Thing {
            id: it.id.clone(),
            owner: self.owner(&it.owner),
            at: self.place(&it.at),
            eff: it.eff,
            guns: 0,
            shells: 0,
            difficulty: it.difficulty,
            traits: Traits::Plane { load, sorties, acc, hardened, nuke },
            goods: 0..0,
        }
    }

    fn convoy(&mut self, it: &Convoy) -> Thing {
        Thing {
            id: it.id.clone(),
            owner: self.owner(&it.owner),
            at: self.place(&it.at),
            eff: 0.0,
            guns: 0,
            shells: 0,
            difficulty: 0,
            traits: Traits::Convoy,
            goods: self.store(&it.items),
        }
    }
}

fn side_of(setup: &Setup, name: &str) -> Option<u8> {
    setup.sides.iter().position(|side| side == name).and_then(|at| u8::try_from(at).ok())
}
