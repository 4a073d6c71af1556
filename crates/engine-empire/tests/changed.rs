//! A replay with something changed in it is judged, never a panic, and a refusal says where.

#[path = "../../engine/tests/mutation/mod.rs"]
mod mutation;

use ongrid_engine_empire::Empire;

const SAMPLE: &str = include_str!("cases/empire-damage-sample.json");

#[test]
fn changed_values() {
    mutation::values(&Empire::new().unwrap(), SAMPLE, 3000);
}

#[test]
fn changed_bytes() {
    mutation::bytes(&Empire::new().unwrap(), SAMPLE, 3000);
}
