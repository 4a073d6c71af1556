//! The order of the codes (mind-combat §4): a call that is wrong in every way is mended fault by fault.

mod common;

use common::{mind, refusal, replay, setup, verify};
use serde_json::{Value, json};

/// A war of two days in which FAR is out of reach, and A has spent its cycles by minute 5.
fn war(attack: u64, compute: u64) -> Value {
    let own = json!({ "cycles": 2, "compute": compute, "programs": { "p": { "compute": 50 } } });
    let gone = json!({ "buildings": { "core": 1 }, "territory": 9000 });
    let minds = json!([
        mind("A", attack, 1000, own),
        mind("NEAR", 0, 1000, json!({})),
        mind("FAR", 0, 1000, json!({ "territory": 50_000 })),
        mind("GONE", 0, 0, gone),
    ]);
    setup(minds, json!({ "protection": { "range_min": 0, "range_max": 7 } }))
}

/// What the last of these calls is refused with, after A has deleted GONE.
fn refused(war: &Value, last: &Value) -> String {
    let conquest = json!({ "op": "attack", "t": 5, "target": "GONE", "mode": "conquest" });
    let found = refusal(&replay(war, json!([conquest, last])));
    found.strip_suffix(" 1 -").unwrap_or(&found).to_owned()
}

#[test]
fn an_attack_is_mended_fault_by_fault() {
    let war = war(5, 20);
    let mut call = json!({ "op": "strike", "t": 9999, "target": "NOBODY", "mode": "siege", "program": "q" });
    for (field, value, code) in [
        ("op", json!("strike"), "unknown_op"),
        ("op", json!("attack"), "after_the_end"),
        ("t", json!(4), "time_goes_back"),
        ("t", json!(119), "bad_mode"),
        ("mode", json!("raid"), "no_such_mind"),
        ("target", json!("GONE"), "deleted"),
        ("target", json!("A"), "own_target"),
        ("target", json!("FAR"), "unknown_program"),
        ("program", json!("p"), "out_of_range"),
        ("target", json!("NEAR"), "out_of_cycles"),
        ("t", json!(120), "no_compute"),
    ] {
        call[field] = value;
        assert_eq!(refused(&war, &call), code, "{call}");
    }
    call["program"] = json!(null);
    let conquest = json!({ "op": "attack", "t": 5, "target": "GONE", "mode": "conquest" });
    assert!(verify(&replay(&war, json!([conquest, call]))).is_ok());
}

#[test]
fn no_attack_stands_between_cycles_and_compute() {
    let war = war(0, 20);
    let mut call = json!({ "op": "attack", "t": 0, "target": "FAR", "mode": "raid", "program": "p" });
    assert_eq!(refusal(&replay(&war, json!([call]))), "out_of_range 0 -");
    call["target"] = json!("NEAR");
    assert_eq!(refusal(&replay(&war, json!([call]))), "no_attack 0 -");
    let mut poor = war.clone();
    poor["minds"][0]["cycles"] = json!(1);
    assert_eq!(refusal(&replay(&poor, json!([call]))), "out_of_cycles 0 -");
}

#[test]
fn a_countermeasure_is_mended_fault_by_fault() {
    let war = war(5, 20);
    let mut call = json!({ "op": "set_countermeasure", "t": -1, "program": "q", "above": 2.01 });
    for (field, value, code) in [
        ("t", json!(-1), "time_goes_back"),
        ("t", json!(2881), "after_the_end"),
        ("t", json!(2880), "unknown_program"),
        ("program", json!("p"), "bad_above"),
        ("program", json!(null), "bad_above"),
        ("above", json!(-0.01), "bad_above"),
    ] {
        call[field] = value;
        assert_eq!(refused(&war, &call), code, "{call}");
    }
    for above in [0.0, 2.0] {
        call["above"] = json!(above);
        assert!(verify(&replay(&war, json!([call]))).is_ok());
    }
    for late in [json!({ "op": "strike" }), call, json!({ "op": "end" })] {
        assert_eq!(refusal(&replay(&war, json!([{ "op": "end" }, late]))), "war_over 1 -");
    }
}
