//! A replay with something changed in it is judged, never a panic, and a refusal says where.

#[path = "../../engine/tests/mutation/mod.rs"]
mod mutation;

use ongrid_engine_minds::MindCombat;

const SAMPLE: &str = include_str!("cases/mind-combat-sample.json");

#[test]
fn changed_values() {
    mutation::values(&MindCombat::new().unwrap(), SAMPLE, 3000);
}

#[test]
fn changed_bytes() {
    mutation::bytes(&MindCombat::new().unwrap(), SAMPLE, 3000);
}
