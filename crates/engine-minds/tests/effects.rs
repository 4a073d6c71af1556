//! The order of effects (mind-combat §4, "Effect order"), to the last bit, and of draws.

mod common;

use common::{events, mind, replay, setup};
use ongrid_engine_minds::{Architecture, MindCombat};
use serde_json::{Value, json};

/// A battle in which every effect there is comes into play: both programs run, both sides miss.
fn battle(seed: u64) -> Value {
    let program = |own: f64, enemy: f64, miss: f64| {
        json!({
            "compute": 5, "own_strength": own, "enemy_strength": enemy, "own_loss": 0.9, "miss_chance": 1,
            "miss_factor": miss,
        })
    };
    let attacker = json!({
        "architecture": "oracle", "programs": { "p": program(0.79, 0.92, 1.14) },
        "standing": { "attack": [0.74, 0.71], "defense": [9], "loss": [0.8] },
    });
    let defender = json!({
        "architecture": "symbiote", "programs": { "q": program(0.63, 0.9, 0.74) },
        "standing": { "attack": [9], "defense": [0.81, 0.76], "loss": [0.6] },
        "countermeasure": { "program": "q" },
    });
    let minds = json!([mind("A", 37, 11, attacker), mind("B", 5, 29, defender)]);
    let mut replay = replay(
        &setup(minds, json!({})),
        json!([{ "op": "attack", "t": 1, "target": "B", "mode": "raid", "program": "p" }]),
    );
    replay["seed"] = json!(seed.to_string());
    events(&replay).remove(0)
}

#[test]
fn effects_come_in_their_order() {
    let rules = *MindCombat::new().unwrap().constants();
    let mut others = 0;
    for seed in 0..50 {
        let fought = battle(seed);
        let draws: Vec<f64> = serde_json::from_value(fought["draws"].clone()).unwrap();
        assert_eq!(draws.len(), 5, "crash, crash, random factor, miss, miss");
        let attack = |effects: &[f64]| {
            rules.attacker_strength(3700, Architecture::Oracle, Architecture::Symbiote, effects, draws[2])
        };
        let defense = |effects: &[f64]| rules.defender_strength(2900, 2, effects);
        assert_eq!(fought["attacker_strength"], attack(&[0.74, 0.71, 0.79, 0.9, 0.74]));
        assert_eq!(fought["defender_strength"], defense(&[0.81, 0.76, 0.92, 1.14, 0.63]));
        for swapped in
            [[0.74, 0.79, 0.71, 0.9, 0.74], [0.74, 0.71, 0.9, 0.79, 0.74], [0.74, 0.71, 0.79, 0.74, 0.9]]
        {
            others += u32::from(fought["attacker_strength"] != attack(&swapped));
        }
        for swapped in
            [[0.81, 0.92, 0.76, 1.14, 0.63], [0.81, 0.76, 1.14, 0.92, 0.63], [0.81, 0.76, 0.92, 0.63, 1.14]]
        {
            assert_ne!(fought["defender_strength"], defense(&swapped));
        }
    }
    assert!(others > 100, "another order would show");
}

#[test]
fn losses_take_their_effects_in_their_order() {
    let rules = *MindCombat::new().unwrap().constants();
    for seed in 0..20 {
        let fought = battle(seed);
        let strength = |key: &str| fought[key].as_f64().unwrap();
        let outcome = rules.battle_outcome(strength("attacker_strength"), strength("defender_strength"));
        let lost = |share: f64| json!([rules.units_lost(100, share, false)]);
        assert_eq!(fought["attacker_lost"], lost(outcome.attacker_loss * 0.9 * 0.8));
        assert_eq!(fought["defender_lost"], lost(outcome.defender_loss * 0.9 * 0.6));
    }
}
