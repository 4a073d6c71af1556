//! The formulas of the rules page, each under its rule's number. Efficiencies and percentages are 0..100; `ef` of
//! the spec is an efficiency divided by 100. Expressions keep the order in which the spec writes them.

use crate::{Burst, Item};

/// Ships, land units and planes whose efficiency falls below these after a hit are destroyed (X1).
pub const SHIP_DESTROYED_BELOW: f64 = 20.0;
/// See [`SHIP_DESTROYED_BELOW`].
pub const LAND_DESTROYED_BELOW: f64 = 10.0;
/// See [`SHIP_DESTROYED_BELOW`].
pub const PLANE_DESTROYED_BELOW: f64 = 10.0;

/// Most guns a fort fires at once (R10).
pub const FORT_GUNS: u16 = 7;
/// Share of a %damage that people take (R30, R34).
pub const PEOPLE_SHARE: f64 = 0.4;
/// Share of a sector's %damage that each land unit in it takes (R31).
pub const LAND_SHARE: f64 = 0.3;

/// R23: a %damage is never above 100, never below 0.
pub fn percent(value: f64) -> f64 {
    value.clamp(0.0, 100.0)
}

/// R5: a fort's volley, 0..50; `die` is a die(30).
pub fn fort_damage(guns: u16, eff: f64, die: u16) -> f64 {
    f64::from(guns.min(FORT_GUNS)) * (eff / 100.0) * f64::from(die + 20) / 7.0
}

/// R6: an artillery unit's volley; `die` is a die(6).
pub fn unit_damage(guns: u16, eff: f64, die: u16) -> f64 {
    f64::from(guns) * (eff / 100.0) * f64::from(5 + die)
}

/// R7: a ship's volley; `die` is a die(6).
pub fn ship_damage(guns: u16, eff: f64, die: u16) -> f64 {
    f64::from(guns) * (eff / 100.0) * f64::from(10 + die)
}

/// R8: a depth charge of a ship of this efficiency; `die` is a die(6).
pub fn depth_damage(eff: f64, die: u16) -> f64 {
    2.0 * (eff / 100.0) * f64::from(10 + die)
}

/// R9: a torpedo, 42..120, from two die(40).
pub fn torpedo_damage(first: u16, second: u16) -> f64 {
    40.0 + f64::from(first) + f64::from(second)
}

/// How well a bomb falls (R12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BombKind {
    /// The worst: 1 + die(6).
    Blam,
    /// 5 + die(6); "Blam" on the page.
    LoudBlam,
    /// The best: 8 + die(6); "BLAM" on the page.
    LoudestBlam,
}

impl BombKind {
    /// What is added to the die (R12).
    pub fn base(self) -> u16 {
        match self {
            BombKind::Blam => 1,
            BombKind::LoudBlam => 5,
            BombKind::LoudestBlam => 8,
        }
    }
}

/// X2: a plane's aim at a target; a lower `accuracy` is better.
pub fn bomb_aim(accuracy: u8, difficulty: u8) -> u16 {
    100_u16.saturating_sub(u16::from(accuracy)).saturating_sub(u16::from(difficulty))
}

/// X2 (R14): the kind of a bomb from its quality, a die(100), and the aim.
pub fn bomb_kind(quality: u16, aim: u16) -> BombKind {
    if quality >= 90 {
        BombKind::LoudestBlam
    } else if quality < aim {
        BombKind::LoudBlam
    } else {
        BombKind::Blam
    }
}

/// R12: damage of one bomb; `die` is a die(6).
pub fn bomb_damage(kind: BombKind, die: u16) -> u16 {
    kind.base() + die
}

/// R15, R16: a land mine under a land unit; `die` is a die(10), engineers take half.
pub fn land_mine_damage(die: u16, engineer: bool) -> f64 {
    let damage = f64::from(10 + die);
    if engineer { damage / 2.0 } else { damage }
}

/// R17, R18: a sea mine under a ship; `die` is a die(20), a sweeping ship takes half.
pub fn sea_mine_damage(die: u16, sweep: bool) -> f64 {
    let damage = f64::from(22 + die);
    if sweep { damage / 2.0 } else { damage }
}

/// R19: whether a blast reaches so far; strictly, in integers.
pub fn nuke_reaches(radius: u16, distance: u16, burst: Burst) -> bool {
    let (radius, distance) = (u32::from(radius), u32::from(distance));
    match burst {
        Burst::Ground => 3 * distance < 2 * radius,
        Burst::Air => 2 * distance < 3 * radius,
    }
}

/// R20–R22: a blast's damage at a distance, rounded half to even, 0 out of reach; 0..1000.
pub fn nuke_damage(dam: u16, radius: u16, distance: u16, burst: Burst) -> u16 {
    if !nuke_reaches(radius, distance, burst) {
        return 0;
    }
    let (dam, distance) = (u32::from(dam), u32::from(distance));
    let (above, below) = match burst {
        Burst::Ground => (dam, distance + 1),
        // 0.75 × dam − 20 × dist, in quarters; below 0 there is nothing left.
        Burst::Air => ((3 * dam).saturating_sub(80 * distance), 4),
    };
    let (whole, rest) = (above / below, above % below);
    let up = 2 * rest > below || (2 * rest == below && whole % 2 == 1);
    u16::try_from(whole + u32::from(up)).unwrap_or(u16::MAX)
}

/// R24: efficiency left after a %damage.
pub fn new_efficiency(eff: f64, pct: f64) -> f64 {
    eff * (1.0 - pct / 100.0)
}

/// R25: %damage of a plane hardened in a silo under a blast.
pub fn plane_nuke_percent(damage: f64, hardened: u8) -> f64 {
    percent(damage - f64::from(hardened))
}

/// R26: %damage of a ship of this defence.
pub fn ship_percent(damage: f64, def: f64) -> f64 {
    percent(damage / (1.0 + def / 100.0))
}

/// R27: %damage of a land unit of this vulnerability and fortification.
pub fn land_percent(damage: f64, vul: u8, fort: u8) -> f64 {
    percent(damage * (f64::from(vul) / 100.0) * (127.0 / (f64::from(fort) + 127.0)))
}

/// R28: %damage of a plane.
pub fn plane_percent(damage: f64) -> f64 {
    percent(damage)
}

/// R29: %damage of a sector; below 100 for any damage.
pub fn sector_percent(damage: f64, sectdef: f64, eff: f64) -> f64 {
    let reduced = damage / ((sectdef - 2.0) * (eff / 100.0) + 2.0);
    percent(100.0 * reduced / (reduced + 100.0))
}

/// R31: %damage of a land unit in a sector that takes `pct`, whatever its vulnerability and fortification.
pub fn land_in_sector_percent(pct: f64) -> f64 {
    percent(LAND_SHARE * pct)
}

/// R33: %damage of a commodity that is hit directly.
pub fn commodity_percent(damage: f64) -> f64 {
    percent(100.0 * damage / (damage + 50.0))
}

/// R30, R34, X6: units of an item lost to a %damage; never more than there are.
pub fn items_lost(item: Item, count: u32, pct: f64) -> u32 {
    let pct = match item {
        Item::Bar => 0.0,
        Item::Civ | Item::Mil | Item::Uw => PEOPLE_SHARE * pct,
        _ => pct,
    };
    // The cast is exact: the value is whole and lies in 0..count + 1.
    count.min((f64::from(count) * pct / 100.0 + 0.5).floor() as u32)
}

/// X4: distance in hexes, on doubled coordinates.
pub fn distance(from: (i16, i16), to: (i16, i16)) -> u16 {
    let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
    dy + dx.saturating_sub(dy) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The table of L40-45; blanks of the page are 0, its "/" is the value that makes a wasteland.
    #[test]
    fn the_page_s_table_of_blasts() {
        for (dam, radius, ground, air) in [
            (80, 1, [80, 0, 0, 0], [60, 40, 0, 0]),
            (90, 2, [90, 45, 0, 0], [68, 48, 28, 0]),
            (101, 3, [101, 50, 0, 0], [76, 56, 36, 16]),
        ] {
            for distance in 0..4_u16 {
                let at = usize::from(distance);
                assert_eq!(
                    nuke_damage(dam, radius, distance, Burst::Ground),
                    ground[at],
                    "{dam} at {distance}"
                );
                assert_eq!(nuke_damage(dam, radius, distance, Burst::Air), air[at], "{dam} at {distance}");
            }
        }
    }

    proptest! {
        #[test]
        fn sources_keep_their_bounds(guns in 0_u16..=1000, eff in 0.0..=100.0, d6 in 1_u16..=6, d30 in 1_u16..=30, a in 1_u16..=40, b in 1_u16..=40) {
            prop_assert!((0.0..=50.0).contains(&fort_damage(guns, eff, d30)));
            prop_assert!((0.0..=11_000.0).contains(&unit_damage(guns, eff, d6)));
            prop_assert!((0.0..=16_000.0).contains(&ship_damage(guns, eff, d6)));
            prop_assert!((0.0..=32.0).contains(&depth_damage(eff, d6)));
            prop_assert!((42.0..=120.0).contains(&torpedo_damage(a, b)));
        }

        #[test]
        fn percentages_are_percentages(damage in 0.0..30_000.0, def in 0.0..=1000.0, vul in 0_u8..=200, fort in 0_u8..=127, sectdef in 1.0..=99.0, eff in 0.0..=100.0, hardened in 0_u8..=100) {
            for pct in [
                ship_percent(damage, def), land_percent(damage, vul, fort), plane_percent(damage), sector_percent(damage, sectdef, eff),
                commodity_percent(damage), plane_nuke_percent(damage, hardened),
            ] {
                prop_assert!((0.0..=100.0).contains(&pct), "{pct}");
                prop_assert!((0.0..=eff).contains(&new_efficiency(eff, pct)));
                prop_assert!((0.0..=30.0).contains(&land_in_sector_percent(pct)));
            }
            prop_assert!(sector_percent(damage, sectdef, eff) < 100.0 && commodity_percent(damage) < 100.0);
        }

        #[test]
        fn more_damage_is_never_milder(low in 0.0..1000.0, more in 0.0..1000.0, sectdef in 1.0..=99.0, eff in 0.0..=100.0, count in 0_u32..=1_000_000_000) {
            let high = low + more;
            prop_assert!(sector_percent(low, sectdef, eff) <= sector_percent(high, sectdef, eff));
            prop_assert!(commodity_percent(low) <= commodity_percent(high));
            prop_assert!(items_lost(Item::Food, count, percent(low)) <= items_lost(Item::Food, count, percent(high)));
        }

        #[test]
        fn items_lost_are_there(count in 0_u32..=1_000_000_000, pct in 0.0..=100.0) {
            for item in Item::ALL {
                let lost = items_lost(item, count, pct);
                prop_assert!(lost <= count);
                prop_assert!(item != Item::Bar || lost == 0);
                let people = matches!(item, Item::Civ | Item::Mil | Item::Uw);
                prop_assert!(!people || f64::from(lost) <= 0.4 * f64::from(count) + 0.5);
            }
        }

        #[test]
        fn blasts_fade_and_round_as_the_real_numbers_do(dam in 1_u16..=1000, radius in 1_u16..=100, distance in 0_u16..200) {
            for burst in [Burst::Ground, Burst::Air] {
                let here = nuke_damage(dam, radius, distance, burst);
                prop_assert!(here <= dam && nuke_damage(dam, radius, distance + 1, burst) <= here);
                if nuke_reaches(radius, distance, burst) {
                    let real = match burst {
                        Burst::Ground => f64::from(dam) / f64::from(distance + 1),
                        Burst::Air => 0.75 * f64::from(dam) - 20.0 * f64::from(distance),
                    };
                    prop_assert_eq!(f64::from(here), real.round_ties_even().max(0.0));
                }
            }
        }

        #[test]
        fn distance_is_a_metric(a in (-1000_i16..=1000, -500_i16..=500), b in (-1000_i16..=1000, -500_i16..=500), c in (-1000_i16..=1000, -500_i16..=500)) {
            let even = |(x, y): (i16, i16)| (x, if (x + y) % 2 == 0 { y } else { y + 1 });
            let (a, b, c) = (even(a), even(b), even(c));
            prop_assert_eq!(distance(a, b), distance(b, a));
            prop_assert_eq!(distance(a, b) == 0, a == b);
            prop_assert!(distance(a, c) <= distance(a, b) + distance(b, c));
        }
    }
}
