//! The state that a checkpoint is computed over (§14).

use crate::grid::Grid;
use crate::roster::{Roster, SHIPS};

/// Bytes before the first ship: round, words drawn, finished, ships.
const HEAD: usize = 15;
/// Bytes of a ship before the uses of its groups.
const SHIP: usize = 38;

/// The state as bytes, little-endian, kept from call to call: a ship is written anew when something happened to it.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    bytes: Vec<u8>,
    /// Where each ship begins.
    ships: [u16; SHIPS],
    /// Where the effects begin.
    effects: usize,
}

impl Image {
    /// The image of a grid at the start, its ships still to be written.
    pub fn new(roster: &Roster) -> Self {
        let mut image = Self { bytes: Vec::with_capacity(1024), ships: [0; SHIPS], effects: 0 };
        image.bytes.extend_from_slice(&[0; HEAD]);
        for id in 0..roster.len() {
            image.ships[id] = image.bytes.len() as u16;
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
    /// Brings the image up to date but for its ships, which are drawn as they change.
    pub fn draw(&mut self) {
        let bytes = &mut self.image.bytes;
        bytes[..4].copy_from_slice(&self.round.to_le_bytes());
        bytes[4..12].copy_from_slice(&self.stream.words().to_le_bytes());
        bytes[12] = u8::from(self.end.is_some());
        bytes[13..HEAD].copy_from_slice(&(self.ships as u16).to_le_bytes());
        bytes.truncate(self.image.effects);
        bytes.extend_from_slice(&(self.effects.len() as u16).to_le_bytes());
        for effect in &self.effects {
            let place = [effect.source, effect.group, effect.target, effect.last_round];
            let effect = u64::from(effect.number) | u64::from(u32::from_le_bytes(place)) << 32;
            bytes.extend_from_slice(&effect.to_le_bytes());
        }
    }

    /// Draws a ship that changed.
    #[inline]
    pub fn draw_ship(&mut self, id: usize) {
        let craft = &self.crafts[id];
        let [heat, also_heat] = craft.heat.to_le_bytes();
        let alive = u8::from(self.alive & 1 << id != 0);
        let head = [craft.stance as u8, alive, heat, also_heat, craft.jam_until];
        let [shield, armor, hull] = craft.left.map(f64::to_le_bytes);
        let at = usize::from(self.image.ships[id]);
        let Some(bytes) = self.image.bytes.get_mut(at..at + SHIP - 1) else { return };
        bytes[..5].copy_from_slice(&head);
        bytes[5..13].copy_from_slice(&shield);
        bytes[13..21].copy_from_slice(&armor);
        bytes[21..29].copy_from_slice(&hull);
        bytes[29..37].copy_from_slice(&craft.capacitor.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use ongrid_engine::{Engine, Seed, Silent};

    use crate::fight::Fight;
    use crate::ship::Place;
    use crate::{OnGrid, autopilot};

    /// The state written from nothing, field by field as §14 lists them.
    fn encode(Fight { roster, grid, .. }: &Fight) -> Vec<u8> {
        let mut out = grid.round.to_le_bytes().to_vec();
        out.extend(grid.stream.words().to_le_bytes());
        out.push(u8::from(grid.end.is_some()));
        out.extend((roster.len() as u16).to_le_bytes());
        for id in 0..roster.len() {
            let (ship, craft) = (roster.ship(id), &grid.crafts[id]);
            out.extend([craft.stance as u8, u8::from(grid.is_alive(id))]);
            out.extend(craft.heat.to_le_bytes());
            out.push(craft.jam_until);
            out.extend(craft.left.iter().flat_map(|left| left.to_le_bytes()));
            out.extend(craft.capacitor.to_le_bytes());
            out.push(ship.groups);
            let first = roster.actives_of(id).1;
            for place in &ship.places[..usize::from(ship.groups)] {
                let uses = match place {
                    Place::Active(number) => grid.uses[first + usize::from(*number)],
                    _ => u16::MAX,
                };
                out.extend(uses.to_le_bytes());
            }
        }
        out.extend((grid.effects.len() as u16).to_le_bytes());
        for effect in &grid.effects {
            out.extend(effect.number.to_le_bytes());
            out.extend([effect.source, effect.group, effect.target, effect.last_round]);
        }
        out
    }

    #[test]
    fn the_image_is_the_state() {
        let engine = OnGrid::new().unwrap();
        for (number, doctrine) in engine.catalogue().doctrines.iter().enumerate() {
            let legal = engine.judge(&engine.setup_at(doctrine, number % 5)).unwrap();
            for seed in 0..3 {
                let seed = Seed::from_u64(seed);
                let mut fight = engine.start(&legal, &seed, &mut Silent);
                for call in autopilot::play(&engine, &legal, &seed) {
                    assert_eq!(fight.grid.image.bytes(), encode(&fight));
                    engine.apply(&mut fight, &call, &mut Silent).unwrap();
                }
                assert_eq!(fight.grid.image.bytes(), encode(&fight));
                assert!(fight.grid.end.is_some());
            }
        }
    }
}
