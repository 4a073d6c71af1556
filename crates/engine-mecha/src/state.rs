//! What a checkpoint is computed over (docs/state-mecha-battle-1.md). Little-endian throughout.

use crate::battle::Battle;
use crate::unit::{Frame, Unit};
use crate::words::Word;

impl Battle {
    /// Appends the state.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.round.to_le_bytes());
        out.extend(self.dice.words().to_le_bytes());
        out.push(u8::from(self.over));
        out.push(self.units.len() as u8);
        for unit in &self.units {
            encode_unit(unit, out);
        }
    }
}

fn encode_unit(unit: &Unit, out: &mut Vec<u8>) {
    for metres in unit.pos.iter().chain(&unit.facing) {
        out.extend(metres.to_le_bytes());
    }
    out.push(unit.pace.index() as u8);
    let destroyed = unit.frame.as_ref().is_some_and(|frame| frame.destroyed);
    let flags = [
        unit.dodging,
        unit.parrying,
        unit.moved,
        unit.attacked,
        unit.unconscious,
        unit.able,
        destroyed,
        unit.is_mecha(),
    ];
    out.push(flags.iter().enumerate().fold(0, |bits, (bit, flag)| bits | u8::from(*flag) << bit));
    out.push(unit.damage);
    for count in [unit.kills, unit.shots, unit.hits, unit.parried, unit.parry.tests] {
        out.extend(count.to_le_bytes());
    }
    out.push(unit.ammo.len() as u8);
    out.extend(unit.ammo.iter().flat_map(|left| left.to_le_bytes()));
    if let Some(frame) = unit.frame.as_deref() {
        encode_frame(frame, out);
    }
}

fn encode_frame(frame: &Frame, out: &mut Vec<u8>) {
    for (armor, marked) in frame.armor.iter().zip(&frame.marked) {
        out.extend(armor.to_le_bytes());
        out.extend(marked.to_le_bytes());
    }
    out.extend(frame.shield.to_le_bytes());
    out.extend(frame.reactor.to_le_bytes());
}
