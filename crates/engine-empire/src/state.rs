//! The state that a checkpoint is computed over (docs/state-empire-damage-1.md).

use crate::fight::{Fight, Status};

/// Bytes of each thing.
const THING: usize = 8 + 2 + 2 + 1 + 1;

/// Appends the state.
pub(crate) fn encode(fight: &Fight, out: &mut Vec<u8>) {
    out.extend(fight.round.to_le_bytes());
    out.extend(fight.stream.words().to_le_bytes());
    out.push(u8::from(fight.over));
    let things = out.len();
    let items = things + THING * fight.status.len();
    out.resize(items + 4 * fight.items.len(), 0);
    for (bytes, status) in out[things..items].chunks_exact_mut(THING).zip(&fight.status) {
        bytes.copy_from_slice(&thing(status));
    }
    for (bytes, count) in out[items..].chunks_exact_mut(4).zip(&fight.items) {
        bytes.copy_from_slice(&count.to_le_bytes());
    }
}

fn thing(status: &Status) -> [u8; THING] {
    let mut bytes = [0; THING];
    bytes[0..8].copy_from_slice(&status.eff.to_le_bytes());
    bytes[8..10].copy_from_slice(&status.shells.to_le_bytes());
    bytes[10..12].copy_from_slice(&status.stock.to_le_bytes());
    bytes[12] = status.at;
    bytes[13] = u8::from(status.alive)
        | u8::from(status.acted) << 1
        | u8::from(status.moved) << 2
        | u8::from(status.nuke) << 3;
    bytes
}
