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

/// Every round for a thousand rounds 32 units look at 32 others through 2048 weapons, and none can hit.
pub fn search() -> Vec<u8> {
    let blind = json!({
        "name": "m", "class": "missile", "rate": 1, "range": 9, "caliber": 1, "min_range": 9, "burnout": 9,
        "half_range": 10,
    });
    let mut units: Vec<Value> = (0..32).map(|id| person(id, "A", [0, 0], vec![])).collect();
    units.extend((32..64).map(|id| person(id, "B", [1, 0], vec![blind.clone(); 64])));
    replay(units, vec![end(); 1000])
}

/// The muster's round a thousand times over: 63 million hits, 152 million words.
pub fn storm() -> Vec<u8> {
    let mut units = vec![mecha(0, "A", [0, 0], vec![])];
    units.extend((1..64).map(|id| mecha(id, "B", [50, 0], vec![harmless(1000)])));
    replay(units, (0..1000).flat_map(|_| [step(), end()]).collect())
}
