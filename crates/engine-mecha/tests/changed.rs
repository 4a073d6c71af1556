//! A replay with something changed in it is judged, never a panic, and a refusal says where.

#[path = "../../engine/tests/mutation/mod.rs"]
mod mutation;

use ongrid_engine_mecha::MechaBattle;

const SAMPLE: &str = include_str!("cases/mecha-battle-sample.json");

#[test]
fn changed_values() {
    mutation::values(&MechaBattle::new().unwrap(), SAMPLE, 3000);
}

#[test]
fn changed_bytes() {
    mutation::bytes(&MechaBattle::new().unwrap(), SAMPLE, 3000);
}
