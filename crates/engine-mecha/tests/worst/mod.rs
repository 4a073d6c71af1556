//! The most that a legal replay can ask for.

use serde_json::{Map, Value, json};

const PARTS: [&str; 15] = [
    "head",
    "cockpit",
    "left_torso",
    "right_torso",
    "left_hip",
    "right_hip",
    "left_arm",
    "right_arm",
    "left_hand",
    "right_hand",
    "left_leg",
    "right_leg",
    "left_foot",
    "right_foot",
    "gyro",
];

fn mecha(id: usize, side: &str, place: [i32; 2], weapons: Vec<Value>) -> Value {
    let parts: Map<_, _> = PARTS.iter().map(|name| ((*name).to_owned(), json!([1000, 1000]))).collect();
    json!({
        "id": id.to_string(), "side": side, "type": "mecha", "pos": [place[0], place[1], 0], "facing": [1, 0],
        "speed": {"walk": 1}, "crew": {"piloting": 1, "gunner": 1, "kills": 1000}, "parts": parts,
        "weapons": weapons,
    })
}

fn person(id: usize, side: &str, place: [i32; 2], weapons: Vec<Value>) -> Value {
    json!({
        "id": id.to_string(), "side": side, "type": "foot", "pos": [place[0], place[1], 0], "facing": [1, 0],
        "speed": {}, "crew": {"skill": "elite"}, "weapons": weapons,
    })
}

fn replay(units: Vec<Value>, calls: Vec<Value>) -> Vec<u8> {
    let replay = json!({
        "engine": "mecha-battle-1", "seed": "1",
        "setup": {"player": "A", "sides": ["A", "B"], "rounds": 1000, "env": {"medium": "air"}, "units": units},
        "calls": calls,
    });
    let text = replay.to_string();
    assert!(text.len() <= ongrid_engine::MAX_REPLAY_BYTES, "{} bytes", text.len());
    text.into_bytes()
}

fn end() -> Value {
    json!({"op": "end_round"})
}

/// A missile that hits a unit 50 m off without fail and without harm while that moves.
fn harmless(rate: u32) -> Value {
    json!({
        "name": "m", "class": "missile", "rate": rate, "range": 100_000, "caliber": 1, "min_range": 0, "burnout": 50,
        "half_range": 100_000, "moving_percent": 0,
    })
}

fn step() -> Value {
    json!({"op": "move", "unit": "0", "to": [0, 0, 0], "facing": [-1, 0], "pace": "walk"})
}

/// The largest setup, 64 mecha with all weapons that fit, and a round in which 63 of them land 1000 hits each.
pub fn muster() -> Vec<u8> {
    let mut units = vec![mecha(0, "A", [0, 0], vec![])];
    units.extend((1..64).map(|id| mecha(id, "B", [50, 0], vec![harmless(1000); 25])));
    replay(units, vec![step(), end()])
}

/// Every round 32 units look at 32 others through 2048 weapons, and none can hit.
pub fn search(rounds: usize) -> Vec<u8> {
    let blind = json!({
        "name": "m", "class": "missile", "rate": 1, "range": 9, "caliber": 1, "min_range": 9, "burnout": 9,
        "half_range": 10,
    });
    replay(crowds(&blind), vec![end(); rounds])
}

/// The same with weapons that all may hit, none of them likely.
pub fn volleys(rounds: usize) -> Vec<u8> {
    let faint = json!({
        "name": "m", "class": "missile", "rate": 1, "range": 9, "caliber": 1, "min_range": 0, "burnout": 50_000,
        "half_range": 100_000,
    });
    replay(crowds(&faint), vec![end(); rounds])
}

/// 32 people in one place, and 32 others a metre off with 64 such weapons each.
fn crowds(weapon: &Value) -> Vec<Value> {
    let mut units: Vec<Value> = (0..32).map(|id| person(id, "A", [0, 0], vec![])).collect();
    units.extend((32..64).map(|id| person(id, "B", [1, 0], vec![weapon.clone(); 64])));
    units
}

/// A round of the muster so many times over: 63,000 hits and 152,000 words each.
pub fn storm(rounds: usize) -> Vec<u8> {
    let mut units = vec![mecha(0, "A", [0, 0], vec![])];
    units.extend((1..64).map(|id| mecha(id, "B", [50, 0], vec![harmless(1000)])));
    replay(units, (0..rounds).flat_map(|_| [step(), end()]).collect())
}

/// The largest state after every call: 64 mecha with 38 weapons each that move to and fro.
pub fn parade() -> Vec<u8> {
    let blade = json!({"name": "b", "class": "blade", "rate": 1, "points": 1, "reach": 1});
    let mut units: Vec<Value> = (0..63).map(|id| mecha(id, "A", [0, 0], vec![blade.clone(); 16])).collect();
    units.push(mecha(63, "B", [5000, 0], vec![]));
    let walk = |id: usize| json!({"op": "move", "unit": id.to_string(), "to": [0, 0, 0], "facing": [1, 0], "pace": "walk"});
    let round = (0..63).map(walk).chain([end()]);
    replay(units, round.cycle().take(1900).collect())
}
