//! Time of one verification: the sample, and wars that are as long as the limits let them be.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ongrid_engine::{MAX_REPLAY_BYTES, Referee};
use ongrid_engine_minds::MindCombat;
use serde_json::{Value, json};

const SAMPLE: &str = include_str!("../tests/cases/mind-combat-sample.json");

/// Minds of `kinds` kinds of unit each; the first has no defense at all, the others attack it at every turn.
fn minds(count: usize, kinds: usize) -> Vec<Value> {
    let unit = |kind: usize, of: usize| json!({ "kind": kind.to_string(), "count": 9, "attack": 1, "defense": u8::from(of > 0) });
    let mind = |of: usize| {
        json!({
            "id": of.to_string(), "architecture": "oracle", "territory": 9, "capability": 0, "capital": 9, "users": 9,
            "cycles": 1_000_000_000, "buildings": { "core": 1_000_000 },
            "units": (0..kinds).map(|kind| unit(kind, of)).collect::<Vec<_>>(),
        })
    };
    (0..count).map(mind).collect()
}

/// A replay of these minds, with as many calls of the player as the size of a replay allows.
fn longest(minds: &[Value], call: impl Fn(usize, usize) -> Value) -> String {
    let replay = |calls: &[Value]| {
        json!({
            "engine": "mind-combat-1", "seed": "1", "calls": calls,
            "setup": { "player": "0", "hours": 2000, "minds": minds },
        })
    };
    let room = MAX_REPLAY_BYTES - replay(&[json!({ "op": "end" })]).to_string().len();
    let bytes = call(4999, 5000).to_string().len() + 1;
    let count = (room / bytes).min(4999);
    let mut calls: Vec<Value> = (0..count).map(|index| call(index, count)).collect();
    calls.push(json!({ "op": "end" }));
    replay(&calls).to_string()
}

/// 64 minds of which the small may not attack the great but in revenge, at each turn of 2,000 hours.
fn feud() -> String {
    let mut minds = minds(64, 1);
    for (index, mind) in minds.iter_mut().enumerate() {
        mind["territory"] = json!(if index < 32 { 10 } else { 1_000_000 });
    }
    let wait = |index: usize, of: usize| json!({ "op": "set_countermeasure", "t": index * 120_000 / of, "program": null });
    let mut replay: Value = serde_json::from_str(&longest(&minds, wait)).expect("a replay");
    replay["setup"]["protection"] = json!({ "range_min": 0.5, "range_max": 2 });
    replay["calls"].as_array_mut().expect("calls").drain(..500);
    replay.to_string()
}

fn verify(criterion: &mut Criterion) {
    let engine = MindCombat::new().expect("the data belong to the tag");
    let wait = |index: usize, of: usize| json!({ "op": "set_countermeasure", "t": index * 120_000 / of, "program": null });
    let raid = |index: usize, of: usize| json!({ "op": "attack", "t": index * 1439 / of, "target": "1", "mode": "raid" });
    for (name, replay) in [
        ("sample", SAMPLE.to_owned()),
        ("64 minds of 1 kind", longest(&minds(64, 1), wait)),
        ("64 minds of 30 kinds", longest(&minds(64, 30), wait)),
        ("64 minds of 60 kinds", longest(&minds(64, 60), wait)),
        ("64 minds in two leagues", feud()),
        ("2 minds, a raid a call", longest(&minds(2, 1), raid)),
        ("64 minds, a raid a call", longest(&minds(64, 1), raid)),
    ] {
        criterion.bench_function(name, |bench| {
            bench.iter(|| engine.verify(black_box(replay.as_bytes())).expect(name));
        });
    }
}

criterion_group!(benches, verify);
criterion_main!(benches);
