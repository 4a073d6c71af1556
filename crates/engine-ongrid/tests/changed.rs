//! A replay with something changed in it is judged, never a panic, and a refusal says where.

#[path = "../../engine/tests/mutation/mod.rs"]
mod mutation;

use ongrid_engine_ongrid::OnGrid;

/// A golden replay with calls.
fn sample() -> String {
    let case = include_str!("cases/long.jsonl").lines().next().unwrap();
    let case: serde_json::Value = serde_json::from_str(case).unwrap();
    case["replay"].to_string()
}

#[test]
fn changed_values() {
    mutation::values(&OnGrid::new().unwrap(), &sample(), 2000);
}

#[test]
fn changed_bytes() {
    mutation::bytes(&OnGrid::new().unwrap(), &sample(), 2000);
}
