//! The state that a checkpoint is computed over (§14).

use crate::grid::Grid;
use crate::roster::{Roster, SHIPS};

/// Bytes before the first ship: round, words drawn, finished, ships.
const HEAD: usize = 15;
/// Bytes of a ship before the uses of its groups.
const SHIP: usize = 38;

/// The state as bytes, little-endian, kept from call to call: only ships that something happened to are written anew.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    bytes: Vec<u8>,
    /// Where each ship begins.
    ships: [u16; SHIPS],
    /// Where the effects begin.
    effects: usize,
    /// A bit for each ship that differs from its bytes.
    stale: u32,
}

impl Image {
    /// The image of a grid at the start, its ships still to be written.
    pub fn new(roster: &Roster) -> Self {
        let mut image = Self { bytes: vec![0; HEAD], ships: [0; SHIPS], effects: 0, stale: 0 };
        image.bytes.reserve(1024);
        for id in 0..roster.len() {
            image.ships[id] = image.bytes.len() as u16;
            image.stale |= 1 << id;
            let ship = roster.ship(id);
            image.bytes.extend_from_slice(&[0; SHIP]);
            // 65535: no limit.
            let groups = usize::from(ship.groups);
            image.bytes.extend(std::iter::repeat_n(u8::MAX, 2 * groups));
            image.bytes[usize::from(image.ships[id]) + SHIP - 1] = ship.groups;
            for active in roster.actives_of(id).0 {
                if let Some(uses) = active.uses {
                    image.set_uses(id, active.group, uses);
                }
            }
        }
        image.effects = image.bytes.len();
        image
    }

    /// Says that a ship changed.
    #[inline]
    pub fn touch(&mut self, id: usize) {
        self.stale |= 1 << id;
    }

    /// Writes the uses of a group.
    #[inline]
    pub fn set_uses(&mut self, id: usize, group: u8, uses: u16) {
        let at = usize::from(self.ships[id]) + SHIP + 2 * usize::from(group);
        self.bytes[at..at + 2].copy_from_slice(&uses.to_le_bytes());
    }

    /// The bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Grid {
    /// Brings the image up to date.
    pub fn draw(&mut self) {
        let head = self.head();
        self.image.bytes[..HEAD].copy_from_slice(&head);
        let mut stale = std::mem::take(&mut self.image.stale);
        while stale != 0 {
            let id = stale.trailing_zeros() as usize;
            stale &= stale - 1;
            let ship = self.ship_bytes(id);
            let at = usize::from(self.image.ships[id]);
            self.image.bytes[at..at + SHIP - 1].copy_from_slice(&ship);
        }
        self.image.bytes.truncate(self.image.effects);
        self.image.bytes.extend_from_slice(&(self.effects.len() as u16).to_le_bytes());
        for effect in &self.effects {
            let place = [effect.source, effect.group, effect.target, effect.last_round];
            let number = u64::from(effect.number);
            let effect = number | u64::from(u32::from_le_bytes(place)) << 32;
            self.image.bytes.extend_from_slice(&effect.to_le_bytes());
        }
    }

    fn head(&self) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        head[..4].copy_from_slice(&self.round.to_le_bytes());
        head[4..12].copy_from_slice(&self.stream.words().to_le_bytes());
        head[12] = u8::from(self.end.is_some());
        head[13..].copy_from_slice(&(self.ships as u16).to_le_bytes());
        head
    }

    #[inline]
    fn ship_bytes(&self, id: usize) -> [u8; SHIP - 1] {
        let craft = &self.crafts[id];
        let mut bytes = [0; SHIP - 1];
        bytes[0] = craft.stance as u8;
        bytes[1] = u8::from(self.is_alive(id));
        bytes[2..4].copy_from_slice(&craft.heat.to_le_bytes());
        bytes[4] = craft.jam_until;
        let [shield, armor, hull] = craft.left;
        for (place, value) in [shield, armor, hull, craft.capacitor].iter().enumerate() {
            let at = 5 + 8 * place;
            bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        }
        bytes
    }
}
