//! Where the spec leaves something open: the decisions D1.. of docs/state-empire-damage-1.md, each pinned.

mod common;

use common::{Play, engine, read_setup};
use ongrid_engine::{Referee, Rejection};
use serde_json::{Value, json};

/// A shore `L` that the first nuke lays waste, a sea `M` beside it, a land `N` on its other side, a base `R` far away.
fn shore() -> Value {
    let plane = |id: &str, owner: &str, at: &str, hardened: u32, nuke: Value| json!({"id": id, "owner": owner, "at": at, "eff": 100, "acc": 0, "load": 1, "hardened": hardened, "nuke": nuke});
    json!({
        "player": "blue", "sides": ["red", "blue"], "rounds": 3,
        "sectors": [
            {"id": "L", "owner": "red", "x": 0, "y": 0, "kind": "land", "sectdef": 2, "eff": 50, "items": {"food": 100, "bar": 5, "civ": 100}},
            {"id": "M", "owner": null, "x": 2, "y": 0, "kind": "sea", "sectdef": 2, "eff": 0},
            {"id": "N", "owner": "red", "x": -2, "y": 0, "kind": "land", "sectdef": 2, "eff": 60},
            {"id": "R", "owner": "blue", "x": 12, "y": 0, "kind": "land", "sectdef": 2, "eff": 50},
        ],
        "ships": [{"id": "bb", "owner": "blue", "at": "M", "def": 0, "eff": 15, "guns": 1, "shells": 9}],
        "lands": [{"id": "inf", "owner": "red", "at": "L", "vul": 100, "eff": 100}, {"id": "our", "owner": "blue", "at": "N", "vul": 100, "eff": 100}],
        "planes": [
            plane("q1", "blue", "R", 0, json!({"dam": 101, "radius": 1})),
            plane("q2", "blue", "R", 0, json!({"dam": 160, "radius": 1})),
            plane("silo", "red", "L", 95, Value::Null),
            plane("old", "red", "L", 0, Value::Null),
            plane("dug-in", "blue", "L", 100, Value::Null),
        ],
        "convoys": [
            {"id": "cv", "owner": "red", "at": "L", "items": {"food": 1000, "mil": 1000}},
            {"id": "ours", "owner": "blue", "at": "L", "items": {"bar": 3}},
        ],
    })
}

fn detonate(from: &str, at: &str, burst: &str) -> Value {
    json!({"op": "detonate", "from": from, "at": at, "burst": burst})
}

fn ids(event: &Value) -> Vec<&str> {
    event["hits"].as_array().unwrap().iter().filter_map(|hit| hit["id"].as_str()).collect()
}

fn refused(setup: Value, calls: Value) -> Rejection {
    let replay = json!({"engine": "empire-damage-1", "seed": "1", "setup": setup, "calls": calls});
    engine().verify(replay.to_string().as_bytes()).unwrap_err()
}

/// D1: no later blast touches a wasteland, but it hits what lives there. D2: it passes over what is destroyed.
#[test]
fn later_blasts_beside_a_wasteland() {
    let mut play = Play::new(&shore(), 1);
    play.make(&detonate("q1", "L", "ground")).unwrap();
    assert_eq!(ids(&play.last_event()), ["L", "L", "inf", "silo", "old", "dug-in", "cv", "ours"]);
    let first = play.outcome();
    assert_eq!(first["dead"], json!(["L", "inf", "old"]));
    assert_eq!((&first["eff"]["silo"], &first["eff"]["dug-in"]), (&json!(94), &json!(99)));
    assert_eq!(first["items"]["L"], json!({"bar": 5, "civ": 60, "food": 0}));
    assert_eq!(first["items"]["cv"], json!({"food": 0, "mil": 600}));

    // At one hex 0.75 × 160 − 20 = 100 is left: 5 against the silo, nothing against the one dug in.
    play.make(&detonate("q2", "M", "air")).unwrap();
    assert_eq!(ids(&play.last_event()), ["M", "M", "silo", "bb", "cv", "ours"]);
    let second = play.outcome();
    assert_eq!(second["items"]["L"], first["items"]["L"]);
    assert_eq!(second["items"]["cv"], json!({"food": 0, "mil": 360}));
    assert_eq!((&second["eff"]["inf"], &second["eff"]["old"]), (&json!(0), &json!(0)));
    assert!(second["eff"]["silo"].as_f64() < Some(94.0));
}

/// D3: a wasteland can be neither aimed at nor entered, but what lives there may act and leave.
#[test]
fn life_in_a_wasteland() {
    let mut play = Play::new(&shore(), 1);
    play.make(&detonate("q1", "L", "ground")).unwrap();
    for call in [
        json!({"op": "fire", "from": "bb", "at": "L"}),
        detonate("q2", "L", "air"),
        json!({"op": "enter", "unit": "our", "to": "L"}),
    ] {
        assert_eq!(play.make(&call), Err("destroyed"), "{call}");
    }
    play.make(&json!({"op": "bomb", "from": "dug-in", "at": "silo", "mode": "pin"})).unwrap();
    play.make(&json!({"op": "enter", "unit": "ours", "to": "N"})).unwrap();
    assert_eq!(play.outcome()["at"]["ours"], "N");
}

/// D4: any hit destroys a thing that is below its least efficiency after it, even one of no damage.
#[test]
fn a_hit_of_no_damage_destroys_the_weak() {
    let mut setup = shore();
    setup["ships"] = json!([
        {"id": "hulk", "owner": "blue", "at": "M", "def": 0, "eff": 0, "guns": 1, "shells": 1},
        {"id": "weak", "owner": "red", "at": "M", "def": 0, "eff": 19.5},
    ]);
    let mut play = Play::new(&setup, 1);
    assert_eq!(play.outcome()["dead"], json!([]));
    play.make(&json!({"op": "fire", "from": "hulk", "at": "weak"})).unwrap();
    assert_eq!((&play.outcome()["dead"], &play.outcome()["eff"]["weak"]), (&json!(["weak"]), &json!(19.5)));
}

/// D5: the document is read as a whole before anything is played; the cross rules belong to the reading of the setup.
#[test]
fn malformed_calls_and_their_rank() {
    for (call, path) in [
        (json!({"op": "fire", "from": "bb"}), "/calls/1/at"),
        (json!({"op": "fire", "from": "bb", "at": 3}), "/calls/1/at"),
        (json!({"op": "fire", "from": "bb", "at": "L", "mode": "pin", "item": "food"}), "/calls/1/item"),
        (json!({"op": "bomb", "from": "bb", "at": "L", "mode": "pin", "item": null}), "/calls/1/item"),
        (json!({"op": 7}), "/calls/1/op"),
        (json!([]), "/calls/1"),
    ] {
        let no = refused(shore(), json!([{"op": "surrender"}, call]));
        assert_eq!((no.code(), no.call(), no.path()), ("format", Some(1), Some(path)));
    }
    // An unknown op is judged in its turn, whatever else the call holds.
    let no = refused(shore(), json!([{"op": "next_round"}, {"op": "surrender", "from": 3, "terms": {}}]));
    assert_eq!((no.code(), no.call(), no.path()), ("unknown_op", Some(1), None));

    let mut setup = shore();
    setup["player"] = json!("green");
    let no = refused(setup, json!([{"op": "fire"}]));
    assert_eq!((no.code(), no.call(), no.path()), ("bad_setup", None, Some("/setup/player")));
}

/// D6: of several unknown keys the least is named; a number that no double holds is `format`.
#[test]
fn faults_do_not_depend_on_the_order_of_the_document() {
    let mut text = shore().to_string();
    text.insert_str(1, r#""zeal":1,"ardour":1,"#);
    let no = engine()
        .verify(format!(r#"{{"engine":"empire-damage-1","seed":"1","calls":[],"setup":{text}}}"#).as_bytes());
    assert_eq!(no.unwrap_err().path(), Some("/setup/ardour"));
    let text = shore().to_string().replace(r#""sectdef":2"#, r#""sectdef":1e400"#);
    let no = engine()
        .verify(format!(r#"{{"engine":"empire-damage-1","seed":"1","calls":[],"setup":{text}}}"#).as_bytes());
    let no = no.unwrap_err();
    assert_eq!((no.code(), no.path()), ("format", Some("/setup/sectors/0/sectdef")));
}

/// D7: no items and an empty map of items are the same; an item of quantity 0 is there.
#[test]
fn empty_items() {
    let mut setup = shore();
    setup["convoys"][0]["items"] = json!({});
    setup["convoys"][1]["items"] = json!({"oil": 0});
    let mut bare = setup.clone();
    bare["convoys"][0].as_object_mut().unwrap().remove("items");
    assert_eq!(read_setup(&setup).unwrap(), read_setup(&bare).unwrap());
    let items = &Play::new(&setup, 1).outcome()["items"];
    assert_eq!((items.get("cv"), &items["ours"]), (None, &json!({"oil": 0})));
}

/// D8: where every side falls at once the battle is over and nobody wins.
#[test]
fn mutual_destruction() {
    let setup = json!({
        "player": "blue", "sides": ["red", "blue"], "rounds": 3,
        "sectors": [{"id": "L", "owner": null, "x": 0, "y": 0, "kind": "land", "sectdef": 2, "eff": 50}],
        "lands": [{"id": "inf", "owner": "red", "at": "L", "vul": 100, "eff": 100}],
        "planes": [{"id": "q", "owner": "blue", "at": "L", "eff": 100, "acc": 0, "nuke": {"dam": 100, "radius": 1}}],
    });
    let mut play = Play::new(&setup, 1);
    play.make(&detonate("q", "L", "ground")).unwrap();
    let outcome = play.outcome();
    assert_eq!(
        (&outcome["over"], &outcome["winner"], &outcome["round"]),
        (&json!(true), &Value::Null, &json!(1))
    );
    assert_eq!(play.make(&json!({"op": "next_round"})), Err("battle_over"));
}

/// D9: ids are sorted as canonical JSON sorts, by UTF-16 code units, not by code points.
#[test]
fn ids_beyond_the_basic_plane() {
    let text = shore().to_string().replace("silo", "\u{1F680}").replace("old", "\u{FF21}");
    let play = Play::new(&serde_json::from_str(&text).unwrap(), 1);
    // The helper makes sure that the outcome is canonical; the rocket comes first.
    assert_eq!(play.outcome()["eff"]["\u{1F680}"], json!(100));
}
