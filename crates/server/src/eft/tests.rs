use super::*;
use ongrid_engine_ongrid::{Catalogue, OnGrid};
use proptest::prelude::*;
use std::sync::LazyLock;

static CATALOGUE: LazyLock<&Catalogue> = LazyLock::new(|| OnGrid::new().unwrap().catalogue());
static NAMES: LazyLock<Names> = LazyLock::new(|| Names::new(&CATALOGUE));

fn names() -> &'static Names {
    &NAMES
}

fn catalogue() -> &'static Catalogue {
    &CATALOGUE
}

fn one(text: &str) -> Fleet {
    read(names(), &format!("[Rifter, test]\n{text}\n"))
}

/// What is fitted, as text.
fn fitted(fleet: &Fleet) -> Vec<String> {
    let groups = fleet.ships.iter().flat_map(|ship| &ship.groups);
    groups
        .map(|group| match group.charge {
            Some(charge) => format!("{}× {}, {}", group.count, group.module.name, charge.name),
            None => format!("{}× {}", group.count, group.module.name),
        })
        .collect()
}

#[test]
fn a_fit_as_eve_writes_it() {
    let text = "\u{feff}[Rifter, Test, with a comma]\r\nDamage Control II\r\nGyrostabilizer II  \r\n[Empty Low slot]\r\n\
        \r\n1MN Afterburner II\r\nStasis Webifier II\r\n[Empty Med slot]\r\n\r\n200mm AutoCannon II, Republic Fleet EMP S\r\n\
        200mm AutoCannon II,Republic Fleet EMP S\r\n200mm AutoCannon II, EMP S\r\n[Empty High slot]\r\n\r\n\
        Small Projectile Burst Aerator I\r\n[Empty Rig slot]\r\n\r\nWarrior II x3\r\n\r\nRepublic Fleet EMP S x1000\r\n";
    let fleet = read(names(), text);
    assert_eq!(fleet.faults, []);
    assert_eq!((fleet.ships[0].hull.unwrap().id, &*fleet.ships[0].name), ("rifter", "Test, with a comma"));
    assert_eq!(
        fitted(&fleet),
        [
            "1× Damage Control II",
            "1× Gyrostabilizer II",
            "1× 1MN Afterburner II",
            "1× Stasis Webifier II",
            "2× 200mm AutoCannon II, Republic Fleet EMP S",
            "1× 200mm AutoCannon II, EMP S",
        ]
    );
    let notes: Vec<_> = fleet.notes.iter().map(|note| (note.line, note.kind)).collect();
    assert_eq!(notes, [(15, Kind::Rig), (18, Kind::Drone), (20, Kind::Cargo)]);
}

#[test]
fn what_is_not_modelled_is_told_line_by_line() {
    for (line, kind) in [
        ("Small Trimark Armor Pump II", Kind::Rig),
        ("Hobgoblin II", Kind::Drone),
        ("Hobgoblin II x5", Kind::Drone),
        ("Hornet EC-300", Kind::Drone),
        ("5MN Microwarpdrive II", Kind::Microwarpdrive),
        ("5MN Quad LiF Restrained Microwarpdrive", Kind::Microwarpdrive),
        ("Warp Scrambler II", Kind::Tackle),
        ("J5b Enduring Warp Scrambler", Kind::Tackle),
        ("Warp Disruption Field Generator II", Kind::Tackle),
        ("Nanite Repair Paste x50", Kind::Cargo),
        ("Damage Control II x1", Kind::Cargo),
        ("EMP S", Kind::Cargo),
        ("Zainou 'Deadeye' Small Hybrid Turret SH-603", Kind::Implant),
        ("Strong Blue Pill Booster", Kind::Booster),
        ("Tengu Defensive - Covert Reconfiguration", Kind::Subsystem),
        ("Gatling Pulse Laser II, Scorch S", Kind::Weapon),
        ("Rapid Light Missile Launcher II", Kind::Weapon),
        ("Gistum C-Type Multispectrum Shield Hardener", Kind::Variant),
        ("Domination 200mm AutoCannon", Kind::Variant),
        ("Drone Damage Amplifier II", Kind::Module),
        ("Covert Ops Cloaking Device II", Kind::Module),
        ("Damage Control II /OFFLINE", Kind::Offline),
        ("Damage Control II /offline", Kind::Offline),
    ] {
        let fleet = one(line);
        assert_eq!(fleet.faults, [], "{line}");
        assert_eq!(fleet.notes.len(), 1, "{line}");
        assert_eq!((fleet.notes[0].line, fleet.notes[0].kind), (2, kind), "{line}");
        assert!(fitted(&fleet).is_empty(), "{line}");
    }
}

#[test]
fn a_module_whose_load_is_not_modelled_is_flown_without_it() {
    let fleet = one(
        "Tracking Computer II, Tracking Speed Script\nDamage Control II [1]\n\n[1] Damage Control II\n  \
                     Unstable Damage Control Mutaplasmid\n  cpu 25.5, hullEmDamageResonance 0.6",
    );
    assert_eq!(fitted(&fleet), ["1× Tracking Computer II", "1× Damage Control II"]);
    let notes: Vec<_> = fleet.notes.iter().map(|note| (note.line, note.kind)).collect();
    assert_eq!(
        notes,
        [
            (2, Kind::Charge),
            (3, Kind::Mutation),
            (5, Kind::Mutation),
            (6, Kind::Mutation),
            (7, Kind::Mutation)
        ]
    );
    assert_eq!(fleet.faults, []);
}

#[test]
fn unknown_names_are_faults_with_the_nearest() {
    for (line, text, nearest) in [
        ("200mm AutoCanon II, EMP S", "200mm AutoCanon II", "200mm AutoCannon II"),
        ("Gyrostablizer II", "Gyrostablizer II", "Gyrostabilizer II"),
        ("200mm AutoCannon II, EMMP S", "EMMP S", "EMP S"),
        ("1NM Afterburner II", "1NM Afterburner II", "1MN Afterburner II"),
        ("Republic Flet EMP S", "Republic Flet EMP S", "Republic Fleet EMP S"),
    ] {
        let fleet = one(line);
        assert_eq!(fleet.faults.len(), 1, "{line}");
        let fault = &fleet.faults[0];
        assert_eq!((fault.line, &*fault.text, fault.nearest[0]), (2, text, nearest));
    }
    let fleet = read(names(), "[Riffter, x]\nDamage Control II");
    assert_eq!((fleet.faults[0].line, fleet.faults[0].nearest[0]), (1, "Rifter"));
    for text in ["", "hello", "Damage Control II\n[Rifter, x]", "[Rifter, x", "[Empty Low slot]", "[, x]"] {
        assert!(!read(names(), text).faults.is_empty(), "{text:?}");
    }
}

#[test]
fn old_names_resolve_and_are_told() {
    for (old, today) in [
        ("Adaptive Invulnerability Field II", "Multispectrum Shield Hardener II"),
        ("Invulnerability Field II", "Multispectrum Shield Hardener II"),
        ("Energized Adaptive Nano Membrane II", "Multispectrum Energized Membrane II"),
        ("Prototype Energized Adaptive Nano Membrane I", "Compact Multispectrum Energized Membrane"),
        ("Adaptive Nano Plating II", "Multispectrum Coating II"),
        ("Armor Thermic Hardener II", "Thermal Armor Hardener II"),
        ("EM Ward Field II", "EM Shield Hardener II"),
        ("Ballistic Deflection Field II", "Kinetic Shield Hardener II"),
        ("1600mm Reinforced Steel Plates II", "1600mm Steel Plates II"),
        ("1600mm Reinforced Rolled Tungsten Plates I", "1600mm Rolled Tungsten Compact Plates"),
        ("ECM - Multispectral Jammer II", "Multispectral ECM II"),
        ("X5 Prototype Engine Enervator", "X5 Enduring Stasis Webifier"),
        ("Internal Force Field Array I", "IFFA Compact Damage Control"),
        ("Small Shield Transporter II", "Small Remote Shield Booster II"),
        ("Standard Missile Launcher II", "Light Missile Launcher II"),
        ("Medium Nosferatu II", "Medium Energy Nosferatu II"),
        ("Small 'Ghoul' Energy Siphon I", "Small Ghoul Compact Energy Nosferatu"),
    ] {
        let fleet = one(old);
        assert_eq!(fitted(&fleet), [format!("1× {today}")], "{old}: {fleet:?}");
        assert_eq!(fleet.renamed, [Renamed { line: 2, from: old.to_owned(), to: today }]);
        assert!(fleet.notes.is_empty() && fleet.faults.is_empty());
    }
    let fleet = one("Rocket Launcher II, Caldari Navy Phalanx Rocket");
    assert_eq!(fitted(&fleet), ["1× Rocket Launcher II, Caldari Navy Nova Rocket"]);
}

#[test]
fn several_fits_are_a_fleet() {
    let fleet = read(names(), "[Rifter, a]\nDamage Control I\n\n[Slasher, b]\n[Vigil]\nTarget Painter I\n");
    let hulls: Vec<_> = fleet.ships.iter().map(|ship| ship.hull.unwrap().id).collect();
    assert_eq!(hulls, ["rifter", "slasher", "vigil"]);
    assert_eq!(fleet.ships.iter().map(|ship| ship.line).collect::<Vec<_>>(), [1, 4, 5]);
    assert_eq!(fleet.ships[2].groups[0].line, 6);
}

#[test]
fn quantities_with_a_charge_are_modules() {
    let fleet = one("200mm AutoCannon II, EMP S x3");
    assert_eq!(fitted(&fleet), ["3× 200mm AutoCannon II, EMP S"]);
    let fleet = one("200mm AutoCannon II, EMP S x99999999999999999999");
    assert_eq!(fleet.ships[0].groups[0].count, u32::MAX);
    assert!(write(&fleet.ships).len() < 10_000);
}

#[test]
fn long_texts_are_one_fault() {
    for text in ["x".repeat(MAX_BYTES + 1), "\n".repeat(MAX_LINES + 1)] {
        let fleet = read(names(), &text);
        assert_eq!((fleet.faults.len(), fleet.faults[0].line), (1, 1));
    }
    let name = "é".repeat(100);
    let fleet = read(names(), &format!("[Rifter, {name}]"));
    assert_eq!((fleet.ships[0].name.chars().count(), fleet.notes[0].kind), (64, Kind::Name));
}

#[test]
fn every_name_of_the_ruleset_is_read_as_itself() {
    let names = names();
    for module in &catalogue().modules {
        let fleet = read(names, &format!("[Rifter, x]\n{}", module.name.to_uppercase()));
        assert_eq!(fleet.ships[0].groups.first().map(|group| group.module.id), Some(module.id));
        assert!(fleet.renamed.is_empty());
        let kind = unmodelled::classify(&names::fold(module.name), names);
        assert!(matches!(kind, None | Some(Kind::Variant)), "{}: {kind:?}", module.name);
    }
    for hull in &catalogue().hulls {
        assert_eq!(names.hull(hull.name).map(|found| found.id), Some(hull.id));
    }
    for charge in &catalogue().charges {
        assert!(!charge.name.contains(','));
        assert_eq!(names.charge(charge.name).map(|(found, _)| found.id), Some(charge.id));
        let kind = unmodelled::classify(&names::fold(charge.name), names);
        assert!(matches!(kind, None | Some(Kind::Variant)), "{}: {kind:?}", charge.name);
    }
}

prop_compose! {
    fn ships()(picks in prop::collection::vec(
        (0_usize..139, "[^\\p{Cc}]{0,20}", prop::collection::vec((0_usize..506, 0_usize..300, 1_u32..4), 0..6)), 1..4,
    )) -> Vec<Ship> {
        let catalogue = catalogue();
        picks.into_iter().map(|(hull, name, groups)| Ship {
            line: 0,
            hull: Some(&catalogue.hulls[hull]),
            name: name.trim().to_owned(),
            groups: groups.into_iter().map(|(module, charge, count)| Group {
                line: 0, module: &catalogue.modules[module], charge: catalogue.charges.get(charge), count,
            }).collect(),
        }).collect()
    }
}

/// Ships as a sorted list of what they carry.
fn loads(ships: &[Ship]) -> Vec<(String, Vec<String>)> {
    ships
        .iter()
        .map(|ship| {
            let groups = ship.groups.iter().flat_map(|group| {
                let charge = group.charge.map_or("", |charge| charge.id);
                std::iter::repeat_n(format!("{} {charge}", group.module.id), group.count as usize)
            });
            let mut groups: Vec<String> = groups.collect();
            groups.sort();
            (ship.hull.map_or("", |hull| hull.id).to_owned(), groups)
        })
        .collect()
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(ships in ships()) {
        let text = write(&ships);
        let fleet = read(names(), &text);
        prop_assert_eq!(&fleet.faults, &[]);
        prop_assert_eq!(loads(&fleet.ships), loads(&ships));
        prop_assert_eq!(write(&fleet.ships), text);
    }

    #[test]
    fn no_text_is_a_panic_and_no_line_is_dropped(text in "(\\[?(Rifter|Empty|1|)[],x ]?[ -~é]{0,12}(/OFFLINE| x9|, EMP S)?\\]?\r?\n){0,8}") {
        let fleet = read(names(), &text);
        let fitted: u32 = fleet.ships.iter().flat_map(|ship| &ship.groups).map(|group| group.count).sum();
        let told = fleet.notes.len() + fleet.faults.len() + fleet.ships.len() + fitted as usize;
        let lines = text.lines().filter(|line| {
            let line = line.trim().to_lowercase();
            !(line.is_empty() || line.starts_with("[empty") && line.ends_with("slot]"))
        });
        prop_assert!(told >= lines.count());
    }
}

#[test]
fn like_modules_are_written_together() {
    let ship =
        "[Rifter, x]\n200mm AutoCannon II, EMP S\n1MN Afterburner II\n150mm Light AutoCannon II, EMP S\n";
    let mut ships = read(names(), ship).ships;
    let again = ships[0].groups[0].clone();
    ships[0].groups.push(again);
    let text = write(&ships);
    assert_eq!(text.matches("200mm AutoCannon II, EMP S\n200mm AutoCannon II, EMP S\n").count(), 1, "{text}");
    assert_eq!(write(&read(names(), &text).ships), text);
}

#[test]
fn a_name_that_was_cut_is_read_again_as_it_was() {
    let cut = format!("{} and more", "x".repeat(ongrid_engine_ongrid::MAX_LABEL - 1));
    let fleet = read(names(), &format!("[Rifter, {cut}]\n"));
    assert_eq!(fleet.ships[0].name, "x".repeat(ongrid_engine_ongrid::MAX_LABEL - 1));
    assert_eq!(fleet.notes.len(), 1);
    let written = write(&fleet.ships);
    assert_eq!(write(&read(names(), &written).ships), written);
}
