//! Replays built in tests, and how they are run.

// Every test binary uses its own part of this.
#![allow(dead_code)]

use ongrid_engine::{Referee, Rejection, Verdict};
use ongrid_engine_minds::MindCombat;
use serde_json::{Value, json};

/// A mind of plain figures; `more` is laid over it.
pub fn mind(id: &str, attack: u64, defense: u64, more: Value) -> Value {
    let mut mind = json!({
        "id": id, "architecture": "steward", "territory": 500, "capability": 2, "capital": 1000, "users": 1000,
        "compute": 100, "buildings": {"city": 60, "core": 2},
        "units": [{"kind": "host", "count": 100, "attack": attack, "defense": defense}],
    });
    lay_over(&mut mind, more);
    mind
}

/// A war of 48 hours that the first mind leads.
pub fn setup(minds: Value, more: Value) -> Value {
    let mut setup = json!({ "player": minds[0]["id"], "hours": 48, "minds": minds });
    lay_over(&mut setup, more);
    setup
}

fn lay_over(base: &mut Value, more: Value) {
    if let (Value::Object(base), Value::Object(more)) = (base, more) {
        base.extend(more);
    }
}

pub fn replay(setup: &Value, calls: Value) -> Value {
    json!({ "engine": "mind-combat-1", "seed": "7", "setup": setup, "calls": calls })
}

pub fn verify(replay: &Value) -> Result<Verdict, Rejection> {
    MindCombat::new().unwrap().verify(replay.to_string().as_bytes())
}

pub fn outcome(replay: &Value) -> Value {
    let verdict = verify(replay).unwrap_or_else(|no| panic!("{no}\n{replay}"));
    serde_json::from_slice(&verdict.outcome).unwrap()
}

pub fn events(replay: &Value) -> Vec<Value> {
    let timeline = MindCombat::new().unwrap().timeline(replay.to_string().as_bytes());
    serde_json::from_slice(&timeline.unwrap_or_else(|no| panic!("{no}\n{replay}"))).unwrap()
}

/// `code call path` of a rejection.
pub fn refusal(replay: &Value) -> String {
    let no = verify(replay).expect_err("the replay is refused");
    let call = no.call().map_or("-".to_owned(), |call| call.to_string());
    format!("{} {call} {}", no.code(), no.path().unwrap_or("-"))
}
