//! Writing a fleet as EFT text.

use std::fmt::Write;

use ongrid_engine_ongrid::Slot;

use crate::eft::Ship;

/// The slots in the order in which the format lists them, and their names there.
const SLOTS: [(Slot, &str); 3] = [(Slot::Low, "Low"), (Slot::Mid, "Med"), (Slot::High, "High")];

/// Most modules of a group that are written; no legal group has as many.
const MOST: u32 = 64;

/// The fits of a fleet, one after the other. Modules stand by slot (low, mid, high), within a slot in fit order, like
/// ones together as they are read; slots left over are written as empty. Ships whose hull is not known are left out.
pub fn write(ships: &[Ship]) -> String {
    let mut text = String::new();
    for ship in ships {
        let Some(hull) = ship.hull else { continue };
        if !text.is_empty() {
            text.push('\n');
        }
        let name = if ship.name.is_empty() { hull.name } else { &ship.name };
        let _ = writeln!(text, "[{}, {name}]", hull.name);
        for (place, (slot, title)) in SLOTS.into_iter().enumerate() {
            if place > 0 {
                text.push('\n');
            }
            write_slot(&mut text, ship, slot, title, hull.slots[slot as usize]);
        }
    }
    text
}

fn write_slot(text: &mut String, ship: &Ship, slot: Slot, title: &str, has: u32) {
    let mut groups = Vec::new();
    for group in ship.groups.iter().filter(|group| group.module.slot == slot) {
        group.clone().put_into(&mut groups);
    }
    let mut used = 0;
    for group in groups {
        for _ in 0..group.count.min(MOST) {
            let _ = match group.charge {
                Some(charge) => writeln!(text, "{}, {}", group.module.name, charge.name),
                None => writeln!(text, "{}", group.module.name),
            };
        }
        used = group.count.saturating_add(used);
    }
    for _ in used..has {
        let _ = writeln!(text, "[Empty {title} slot]");
    }
}
