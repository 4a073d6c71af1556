//! Small battles to test with.
#![allow(dead_code)]

use ongrid_engine::{Referee, Rejection, Verdict};
use ongrid_engine_mecha::MechaBattle;
use ongrid_engine_mecha::words::{Part, Word};
use serde_json::{Map, Value, json};

/// Parts with so many boxes of armor and internal structure each.
pub fn parts(armor: u32, internal: u32) -> Value {
    Part::NAMES
        .iter()
        .map(|name| ((*name).to_owned(), json!([armor, internal])))
        .collect::<Map<_, _>>()
        .into()
}

/// A mecha with a perfect crew at x, y, looking along x (side A) or against it.
pub fn mecha(id: &str, side: &str, place: [i32; 2], weapons: Value) -> Value {
    json!({
        "id": id, "side": side, "type": "mecha", "pos": [place[0], place[1], 0],
        "facing": [if side == "A" { 1 } else { -1 }, 0], "flies": true,
        "speed": {"walk": 60, "jog": 120, "run": 200, "sprint_jump": 300, "flying": 900},
        "crew": {"piloting": 1, "gunner": 1}, "parts": parts(4, 6), "weapons": weapons,
    })
}

/// A person on foot.
pub fn person(id: &str, side: &str, place: [i32; 2], weapons: Value) -> Value {
    json!({
        "id": id, "side": side, "type": "foot", "pos": [place[0], place[1], 0],
        "facing": [if side == "A" { 1 } else { -1 }, 0], "speed": {"walk": 10, "jog": 20, "run": 40},
        "crew": {"skill": "elite"}, "weapons": weapons,
    })
}

/// A gun that never misses within 1000 m.
pub fn gun(caliber: u32, rate: u32) -> Value {
    json!({
        "name": "gun", "class": "bullet", "rate": rate, "range": 5000, "accuracy": 1, "ref": 100_000,
        "caliber": caliber, "optical": true, "sniper": true,
    })
}

/// A blade that never misses within 1000 m.
pub fn blade(points: u32, rate: u32) -> Value {
    json!({"name": "blade", "class": "blade", "rate": rate, "points": points, "reach": 1000})
}

/// The same with some fields set otherwise.
pub fn with(mut value: Value, fields: Value) -> Value {
    for (key, field) in fields.as_object().expect("fields") {
        value[key] = field.clone();
    }
    value
}

pub fn attack(unit: &str, weapon: u32, target: &str, more: Value) -> Value {
    with(json!({"op": "attack", "unit": unit, "weapon": weapon, "target": target}), more)
}

pub fn end_round() -> Value {
    json!({"op": "end_round"})
}

/// A replay of sides A (the player's), B and, if a unit is on it, C.
pub fn replay(seed: u64, units: &[Value], calls: &[Value]) -> Value {
    let mut sides = vec!["A", "B"];
    if units.iter().any(|unit| unit["side"] == "C") {
        sides.push("C");
    }
    json!({
        "engine": "mecha-battle-1", "seed": seed.to_string(),
        "setup": {"player": "A", "sides": sides, "rounds": 6, "env": {"medium": "ground"}, "units": units},
        "calls": calls,
    })
}

pub fn verify(replay: &Value) -> Result<Verdict, Rejection> {
    MechaBattle::new().unwrap().verify(replay.to_string().as_bytes())
}

/// The outcome of a legal replay.
pub fn outcome(replay: &Value) -> Value {
    let verdict = verify(replay).unwrap_or_else(|no| panic!("{no}"));
    serde_json::from_slice(&verdict.outcome).unwrap()
}

/// The log of a legal replay.
pub fn timeline(replay: &Value) -> Vec<Value> {
    let log = MechaBattle::new().unwrap().timeline(replay.to_string().as_bytes());
    serde_json::from_slice(&log.unwrap_or_else(|no| panic!("{no}"))).unwrap()
}

/// The entries of the log about attacks of a unit.
pub fn attacks_of(replay: &Value, unit: &str) -> Vec<Value> {
    let log = timeline(replay).into_iter();
    log.filter(|entry| entry["op"] == "attack" && entry["unit"] == unit).collect()
}

/// `code call path` of a rejection.
pub fn refusal(replay: &Value) -> String {
    let no = verify(replay).expect_err("illegal");
    let call = no.call().map_or("-".to_owned(), |call| call.to_string());
    format!("{} {call} {}", no.code(), no.path().unwrap_or("-"))
}
