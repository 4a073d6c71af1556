//! The table of spec §3, key by key: each bound from both sides, each key missing, of another type, and beside an
//! unknown one.

mod common;

use common::read_setup;
use serde_json::{Value, json};

/// A setup in which every key is given.
fn full() -> Value {
    json!({
        "player": "blue", "sides": ["red", "blue"], "rounds": 2,
        "ranges": {"fort": 7, "ship": 5, "land": 3, "torpedo": 2, "depth": 1, "plane": 12},
        "sectors": [
            {"id": "F", "owner": "red", "x": 0, "y": 0, "kind": "fort", "sectdef": 4, "eff": 100, "guns": 5, "shells": 3, "mines": 1,
                "items": {"civ": 1}, "difficulty": 1},
            {"id": "W", "owner": null, "x": 2, "y": 0, "kind": "sea", "sectdef": 1, "eff": 0},
        ],
        "ships": [{"id": "bb", "owner": "blue", "at": "W", "def": 50, "eff": 100, "guns": 4, "shells": 2, "sweep": true, "sub": true,
            "dch": true, "torp": true, "difficulty": 1}],
        "lands": [{"id": "art", "owner": "red", "at": "F", "vul": 70, "fort": 1, "eff": 100, "guns": 1, "shells": 1, "engineer": true,
            "difficulty": 1}],
        "planes": [{"id": "pl", "owner": "blue", "at": "W", "eff": 90, "load": 2, "sorties": 2, "acc": 40, "hardened": 1,
            "nuke": {"dam": 1, "radius": 1}, "difficulty": 1}],
        "convoys": [{"id": "cv", "owner": "red", "at": "F", "items": {"food": 5}}],
    })
}

fn judge(setup: &Value) -> String {
    match read_setup(setup) {
        Ok(_) => "good".to_owned(),
        Err(no) => format!("{} {}", no.code(), no.path().unwrap_or("none")),
    }
}

fn with(path: &str, value: Value) -> Value {
    let mut setup = full();
    *setup.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = value;
    setup
}

/// Whole numbers: least, greatest, and whether one above is `limit`.
#[test]
fn whole_numbers() {
    for (path, least, greatest, limit) in [
        ("/rounds", 1, 1000, false),
        ("/ranges/fort", 0, 100, false),
        ("/ranges/ship", 0, 100, false),
        ("/ranges/land", 0, 100, false),
        ("/ranges/torpedo", 0, 100, false),
        ("/ranges/depth", 0, 100, false),
        ("/ranges/plane", 0, 100, false),
        ("/sectors/0/x", -1000, 1000, false),
        ("/sectors/0/y", -1000, 1000, false),
        ("/sectors/0/guns", 0, 1000, true),
        ("/sectors/0/shells", 0, 1000, true),
        ("/sectors/0/mines", 0, 1000, true),
        ("/sectors/0/items/civ", 0, 1_000_000_000, true),
        ("/sectors/0/difficulty", 0, 100, false),
        ("/ships/0/guns", 0, 1000, true),
        ("/ships/0/shells", 0, 1000, true),
        ("/ships/0/difficulty", 0, 100, false),
        ("/lands/0/vul", 0, 200, false),
        ("/lands/0/fort", 0, 127, false),
        ("/lands/0/guns", 0, 1000, true),
        ("/lands/0/shells", 0, 1000, true),
        ("/lands/0/difficulty", 0, 100, false),
        ("/planes/0/load", 0, 1000, true),
        ("/planes/0/sorties", 0, 1000, true),
        ("/planes/0/acc", 0, 100, false),
        ("/planes/0/hardened", 0, 100, false),
        ("/planes/0/nuke/dam", 1, 1000, false),
        ("/planes/0/nuke/radius", 1, 100, false),
        ("/planes/0/difficulty", 0, 100, false),
        ("/convoys/0/items/food", 0, 1_000_000_000, true),
    ] {
        assert_eq!(judge(&with(path, json!(least))), "good", "{path}");
        assert_eq!(judge(&with(path, json!(greatest))), "good", "{path}");
        assert_eq!(judge(&with(path, json!(least - 1))), format!("bad_setup {path}"));
        let code = if limit { "limit" } else { "bad_setup" };
        assert_eq!(judge(&with(path, json!(greatest + 1))), format!("{code} {path}"));
        for other in [json!(1.5), json!(1.0), json!("1"), json!(true), json!(null), json!([1]), json!({})] {
            assert_eq!(judge(&with(path, other)), format!("format {path}"));
        }
    }
}

#[test]
fn real_numbers() {
    for (path, least, greatest) in [
        ("/sectors/0/sectdef", 1.0, 99.0),
        ("/sectors/0/eff", 0.0, 100.0),
        ("/ships/0/def", 0.0, 1000.0),
        ("/ships/0/eff", 0.0, 100.0),
        ("/lands/0/eff", 0.0, 100.0),
        ("/planes/0/eff", 0.0, 100.0),
    ] {
        let mut setup = full();
        setup["lands"]
            .as_array_mut()
            .unwrap()
            .push(json!({"id": "more", "owner": "red", "at": "F", "vul": 1, "eff": 1}));
        let judge = |value: f64| {
            let mut setup = setup.clone();
            *setup.pointer_mut(path).unwrap() = json!(value);
            judge(&setup)
        };
        assert_eq!(
            (judge(least), judge(greatest), judge(greatest - 0.25)),
            ("good".into(), "good".into(), "good".into())
        );
        assert_eq!(judge(least - 0.001), format!("bad_setup {path}"));
        assert_eq!(judge(greatest + 0.001), format!("bad_setup {path}"));
        assert_eq!(self::judge(&with(path, json!(2))), "good", "a whole number is a number: {path}");
        for other in [json!("1"), json!(true), json!(null)] {
            assert_eq!(self::judge(&with(path, other)), format!("format {path}"));
        }
    }
}

#[test]
fn texts_flags_and_names() {
    for path in [
        "/player",
        "/sides/0",
        "/sectors/0/id",
        "/sectors/0/owner",
        "/ships/0/id",
        "/ships/0/owner",
        "/ships/0/at",
        "/lands/0/id",
        "/lands/0/owner",
        "/lands/0/at",
        "/planes/0/id",
        "/planes/0/owner",
        "/planes/0/at",
        "/convoys/0/id",
        "/convoys/0/owner",
        "/convoys/0/at",
    ] {
        assert_eq!(judge(&with(path, json!(""))), format!("bad_setup {path}"));
        assert_eq!(judge(&with(path, json!("x".repeat(65)))), format!("limit {path}"));
        assert_eq!(judge(&with(path, json!(7))), format!("format {path}"));
        if path != "/sectors/0/owner" {
            assert_eq!(judge(&with(path, json!(null))), format!("format {path}"));
        }
    }
    for path in ["/ships/0/sweep", "/ships/0/sub", "/ships/0/dch", "/ships/0/torp", "/lands/0/engineer"] {
        for other in [json!(0), json!("true"), json!(null)] {
            assert_eq!(judge(&with(path, other)), format!("format {path}"));
        }
    }
    assert_eq!(judge(&with("/sectors/0/kind", json!("swamp"))), "bad_setup /sectors/0/kind");
    assert_eq!(judge(&with("/sectors/0/kind", json!("Fort"))), "bad_setup /sectors/0/kind");
    assert_eq!(judge(&with("/sectors/0/kind", json!(1))), "format /sectors/0/kind");
    assert_eq!(judge(&with("/sectors/0/owner", json!(null))), "good");
    assert_eq!(judge(&with("/planes/0/nuke", json!(null))), "good");
    assert_eq!(judge(&with("/planes/0/nuke", json!({}))), "format /planes/0/nuke/dam");
    assert_eq!(
        judge(&with("/convoys/0/items", json!({"gold": 1, "Food": 1}))),
        "bad_setup /convoys/0/items/Food"
    );
    for item in "civ mil uw bar food shell gun petrol iron dust oil lcm hcm rad".split(' ') {
        assert_eq!(judge(&with("/convoys/0/items", json!({item: 1}))), "good", "{item}");
    }
}

#[test]
fn lists() {
    let sides = |n: usize| {
        json!((0..n).map(|k| if k == 0 { "blue".to_owned() } else { format!("s{k}") }).collect::<Vec<_>>())
    };
    assert_eq!(judge(&with("/sides", sides(1))), "bad_setup /sides");
    assert_eq!(judge(&with("/sides", sides(9))), "bad_setup /sides");
    assert_eq!(judge(&with("/sectors", json!([]))), "bad_setup /sectors");
    for list in ["sectors", "ships", "lands", "planes", "convoys"] {
        let path = format!("/{list}");
        let one = full()[list][0].clone();
        let many = |n: usize| {
            let copy = |k: usize| {
                let mut it = one.clone();
                it["id"] = json!(format!("{list}{k}"));
                if list == "sectors" {
                    it["x"] = json!(-2 * i64::try_from(k).unwrap() - 2);
                }
                it
            };
            let mut setup = full();
            let kept = if list == "sectors" { 2 } else { 0 };
            let own = setup[list].as_array_mut().unwrap();
            own.truncate(kept);
            own.extend((kept..n).map(copy));
            setup
        };
        assert_eq!(judge(&many(64)), "good", "{list}");
        assert_eq!(judge(&many(65)), format!("limit {path}"));
        assert_eq!(judge(&with(&path, json!({}))), format!("format {path}"));
        assert_eq!(judge(&with(&path, json!(null))), format!("format {path}"));
        assert_eq!(judge(&with(&path, json!([[]]))), format!("format {path}/0"));
    }
}

/// Every object: an unknown key is refused, a key left out is missed or takes its default.
#[test]
fn keys() {
    for (object, required) in [
        ("", "player sides rounds sectors"),
        ("/ranges", ""),
        ("/sectors/0", "id owner x y kind sectdef eff"),
        ("/ships/0", "id owner at def eff"),
        ("/lands/0", "id owner at vul eff"),
        ("/planes/0", "id owner at eff acc"),
        ("/planes/0/nuke", "dam radius"),
        ("/convoys/0", "id owner at"),
    ] {
        let setup = full();
        let members = setup.pointer(object).unwrap().as_object().unwrap();
        for key in members.keys() {
            let mut setup = full();
            setup.pointer_mut(object).unwrap().as_object_mut().unwrap().remove(key);
            let needed = required.split(' ').any(|known| known == key);
            let answer = if needed { format!("format {object}/{key}") } else { "good".to_owned() };
            assert_eq!(judge(&setup), answer);
        }
        let mut setup = full();
        setup.pointer_mut(object).unwrap()["label"] = json!("x");
        assert_eq!(judge(&setup), format!("format {object}/label"));
    }
}
