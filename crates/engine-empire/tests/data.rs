//! The published data and the code say the same.

use ongrid_engine::{Engine, Referee};
use ongrid_engine_empire::formula::{self, BombKind};
use ongrid_engine_empire::{Burst, Empire, Item, RULES};
use serde_json::Value;

#[test]
fn the_data_file_is_what_the_engine_does() {
    let engine = Empire::new().unwrap();
    let file = Engine::ruleset(&engine).files()[0];
    let data: Value = serde_json::from_slice(file.bytes).unwrap();
    assert_eq!((file.name, &data["engine"]), ("empire-damage.json", &Value::from(engine.tag())));
    assert_eq!(data["fort_guns"], formula::FORT_GUNS);
    for (name, kind) in
        [("blam", BombKind::Blam), ("Blam", BombKind::LoudBlam), ("BLAM", BombKind::LoudestBlam)]
    {
        assert_eq!(data["bombs"][name], kind.base());
    }
    let best_from = u16::try_from(data["bomb_quality"]["best_from"].as_u64().unwrap()).unwrap();
    assert_eq!(formula::bomb_kind(best_from, 100), BombKind::LoudestBlam);
    assert_ne!(formula::bomb_kind(best_from - 1, 100), BombKind::LoudestBlam);
    assert_eq!(data["shares"]["people"], formula::PEOPLE_SHARE);
    assert_eq!(data["shares"]["land_units_in_a_sector"], formula::LAND_SHARE);
    for (kind, below) in [
        ("ship", formula::SHIP_DESTROYED_BELOW),
        ("land", formula::LAND_DESTROYED_BELOW),
        ("plane", formula::PLANE_DESTROYED_BELOW),
    ] {
        assert_eq!(data["destroyed_below"][kind].as_f64(), Some(below));
    }
    let names: Vec<&str> = data["items"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(names.len(), Item::ALL.len());
    assert!(names.iter().all(|name| Item::of(name).is_some()));
    for person in data["people"].as_array().unwrap() {
        assert_eq!(formula::items_lost(Item::of(person.as_str().unwrap()).unwrap(), 100, 100.0), 40);
    }
    for nuke in data["nukes"].as_array().unwrap() {
        let figure = |key: &str| u16::try_from(nuke[key].as_u64().unwrap()).unwrap();
        for (burst, key) in [(Burst::Ground, "ground"), (Burst::Air, "air")] {
            for (distance, value) in (0..).zip(nuke[key].as_array().unwrap()) {
                let damage = formula::nuke_damage(figure("dam"), figure("radius"), distance, burst);
                assert_eq!(*value, damage, "{nuke} at {distance}");
            }
        }
    }
}

#[test]
fn the_rules_text_names_every_call_and_every_code() {
    for word in [
        "fire",
        "depth",
        "torpedo",
        "bomb",
        "enter",
        "detonate",
        "next_round",
        "battle_over",
        "unknown_op",
        "no_such_entity",
        "wrong_kind",
        "destroyed",
        "not_yours",
        "already_acted",
        "own_target",
        "not_a_fort",
        "no_guns",
        "no_shells",
        "out_of_range",
        "no_depth_charges",
        "not_a_submarine",
        "no_torpedoes",
        "carries_nuke",
        "no_bombs",
        "no_sorties",
        "bad_mode",
        "no_such_item",
        "bars_cannot_be_bombed",
        "bad_item",
        "already_moved",
        "wrong_terrain",
        "not_adjacent",
        "no_nuke",
        "bad_burst",
    ] {
        assert!(RULES.contains(&format!("`{word}`")), "{word}");
    }
}
