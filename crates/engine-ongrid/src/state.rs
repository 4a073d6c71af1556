//! The state that a checkpoint is computed over (§14).

use crate::fight::Fight;
use crate::ship::Place;

/// A group without limit of uses.
const NO_LIMIT: u16 = u16::MAX;

impl Fight {
    /// Appends the state, little-endian.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.round.to_le_bytes());
        out.extend_from_slice(&self.stream.words().to_le_bytes());
        out.push(u8::from(self.end.is_some()));
        out.extend_from_slice(&(self.roster.len() as u16).to_le_bytes());
        for id in 0..self.roster.len() {
            self.encode_ship(id, out);
        }
        out.extend_from_slice(&(self.effects.len() as u16).to_le_bytes());
        for effect in &self.effects {
            out.extend_from_slice(&effect.number.to_le_bytes());
            out.extend_from_slice(&[effect.source, effect.group, effect.target, effect.last_round]);
        }
    }

    fn encode_ship(&self, id: usize, out: &mut Vec<u8>) {
        let ship = self.roster.ship(id);
        out.extend_from_slice(&[self.stance[id] as u8, u8::from(self.is_alive(id))]);
        out.extend_from_slice(&self.heat[id].to_le_bytes());
        out.push(self.jam_until[id]);
        for value in self.left[id] {
            out.extend_from_slice(&value.to_le_bytes());
        }
        out.extend_from_slice(&self.capacitor[id].to_le_bytes());
        out.push(ship.groups);
        let (_, first) = self.roster.actives_of(id);
        for place in &ship.places[..usize::from(ship.groups)] {
            let uses = match place {
                Place::Active(number) => self.uses[first + usize::from(*number)],
                _ => NO_LIMIT,
            };
            out.extend_from_slice(&uses.to_le_bytes());
        }
    }
}
