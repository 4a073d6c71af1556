//! The ships of a fight, both sides, by ship id.

use crate::catalogue::SIDE;
use crate::racks::Hostile;
use crate::ship::{Active, Fleet, Group, Place, Ship, Weapon};

/// Most ships in a fight.
pub(crate) const SHIPS: usize = 2 * SIDE;

/// Pilot ships are `0..p` in setup order, hostile ships `p..p+h` in doctrine order (§0).
#[derive(Clone, Debug)]
pub(crate) struct Roster {
    pub pilots: Fleet,
    pub hostiles: Vec<&'static Hostile>,
    /// By ship: its first active group among all of the fight's.
    first_active: [u8; SHIPS],
    /// How many weapon groups and active groups there are.
    pub weapons: usize,
    pub actives: usize,
}

impl Roster {
    /// Puts the sides together.
    pub fn new(pilots: Fleet, hostiles: impl Iterator<Item = &'static Hostile>) -> Self {
        let mut hostile_ships = Vec::with_capacity(SIDE);
        hostile_ships.extend(hostiles);
        let mut roster =
            Self { pilots, hostiles: hostile_ships, first_active: [0; SHIPS], weapons: 0, actives: 0 };
        for id in 0..roster.len() {
            roster.first_active[id] = roster.actives as u8;
            let ship = roster.ship(id);
            let (weapons, actives) = (ship.weapons.1, ship.actives.1);
            roster.weapons += usize::from(weapons);
            roster.actives += usize::from(actives);
        }
        roster
    }

    /// How many ships there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.pilots.ships.len() + self.hostiles.len()
    }

    /// How many of them are the pilot's.
    #[inline]
    pub fn pilot_ships(&self) -> usize {
        self.pilots.ships.len()
    }

    /// The fleet that a ship's groups are in, and the ship.
    #[inline]
    fn berth(&self, id: usize) -> (&Fleet, &Ship) {
        match id.checked_sub(self.pilot_ships()) {
            None => (&self.pilots, &self.pilots.ships[id]),
            Some(place) => {
                let fleet = &self.hostiles[place].fleet;
                (fleet, &fleet.ships[0])
            }
        }
    }

    /// A ship.
    #[inline]
    pub fn ship(&self, id: usize) -> &Ship {
        self.berth(id).1
    }

    /// A ship's fit.
    pub fn fit_of(&self, id: usize) -> &[Group] {
        let (fleet, ship) = self.berth(id);
        fleet.fit_of(ship)
    }

    /// A ship's weapon groups, in fit order.
    #[inline]
    pub fn weapons_of(&self, id: usize) -> &[Weapon] {
        let (fleet, ship) = self.berth(id);
        fleet.weapons_of(ship)
    }

    /// A ship's active groups, in fit order, and the number of the first among all of the fight's.
    #[inline]
    pub fn actives_of(&self, id: usize) -> (&[Active], usize) {
        let (fleet, ship) = self.berth(id);
        (fleet.actives_of(ship), usize::from(self.first_active[id]))
    }

    /// An active group of a ship, and its number among all of the fight's.
    #[inline]
    pub fn active(&self, id: usize, number: u8) -> (&Active, usize) {
        let (actives, first) = self.actives_of(id);
        (&actives[usize::from(number)], first + usize::from(number))
    }

    /// What stands at a place of a ship's fit; `None` beyond it.
    #[inline]
    pub fn place(&self, id: usize, group: u32) -> Option<Place> {
        let ship = self.ship(id);
        let group = usize::try_from(group).ok().filter(|group| *group < usize::from(ship.groups))?;
        ship.places.get(group).copied()
    }
}
