//! What a checkpoint is computed over (docs/state-mecha-battle-1.md). Little-endian throughout.

use crate::battle::Battle;
use crate::unit::{Frame, Unit};
use crate::words::Word;

impl Battle {
    /// Appends the state.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, [self.round]);
        out.extend(self.dice.words().to_le_bytes());
        out.extend([u8::from(self.over), self.units.len() as u8]);
        for unit in &self.units {
            encode_unit(unit, out);
        }
    }
}

fn encode_unit(unit: &Unit, out: &mut Vec<u8>) {
    let ([x, y, z], [fx, fy]) = (unit.pos, unit.facing);
    put(out, [x, y, z, fx, fy].map(i32::cast_unsigned));
    out.extend([unit.pace.index() as u8, flags(unit), unit.damage]);
    put(out, [unit.kills, unit.shots, unit.hits, unit.parried, unit.parry.tests]);
    out.push(unit.ammo.len() as u8);
    for left in &unit.ammo {
        put(out, [*left]);
    }
    if let Some(frame) = unit.frame.as_deref() {
        encode_frame(frame, out);
    }
}

/// Bits from the lowest: dodging, parrying, moved, attacked, unconscious, able, destroyed, mecha.
fn flags(unit: &Unit) -> u8 {
    let destroyed = unit.frame.as_ref().is_some_and(|frame| frame.destroyed);
    [
        unit.dodging,
        unit.parrying,
        unit.moved,
        unit.attacked,
        unit.unconscious,
        unit.able,
        destroyed,
        unit.is_mecha(),
    ]
    .iter()
    .rev()
    .fold(0, |bits, flag| bits << 1 | u8::from(*flag))
}

fn encode_frame(frame: &Frame, out: &mut Vec<u8>) {
    put(out, frame.armor);
    put(out, frame.marked);
    put(out, [frame.shield, frame.reactor]);
}

fn put<const N: usize>(out: &mut Vec<u8>, words: [u32; N]) {
    out.extend_from_slice(words.map(u32::to_le_bytes).as_flattened());
}
