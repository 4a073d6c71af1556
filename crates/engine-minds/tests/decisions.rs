//! What docs/state-mind-combat-1.md decides where the rules leave a question open; the numbers are its own.

mod common;

use common::{events, mind, outcome, refusal, replay, setup};
use serde_json::{Value, json};

fn raid(t: i64, target: &str) -> Value {
    json!({ "op": "attack", "t": t, "target": target, "mode": "raid" })
}

fn wait(t: i64) -> Value {
    json!({ "op": "set_countermeasure", "t": t, "program": null })
}

/// Attacks as "minute attacker>target".
fn attacks(replay: &Value) -> Vec<String> {
    let told = events(replay).into_iter().filter(|event| event["op"] == "attack");
    told.map(|event| {
        let name = |key: &str| event[key].as_str().unwrap().to_owned();
        format!("{} {}>{}", event["t"], name("by"), name("target"))
    })
    .collect()
}

/// A weak mind that everybody else is too strong to attack, and two strong ones behind high walls.
fn sheltered() -> Value {
    let weak = json!({ "territory": 50, "capability": 0 });
    let minds = json!([
        mind("WEAK", 1, 0, weak),
        mind("STRONG", 20, 100, json!({})),
        mind("OTHER", 0, 50, json!({})),
    ]);
    setup(minds, json!({ "protection": { "range_min": 0.5, "range_max": 1000 } }))
}

#[test]
fn d1_the_others_take_revenge_out_of_range() {
    let peace = replay(&sheltered(), json!([wait(720)]));
    assert!(attacks(&peace).is_empty(), "STRONG cannot reach WEAK and does not dare OTHER's wall");
    let provoked = replay(&sheltered(), json!([raid(10, "STRONG"), wait(1440)]));
    assert_eq!(attacks(&provoked), ["10 WEAK>STRONG", "720 STRONG>WEAK", "1440 STRONG>WEAK"]);
    let forgotten = replay(&sheltered(), json!([raid(0, "STRONG"), wait(1440)]));
    assert_eq!(attacks(&forgotten), ["0 WEAK>STRONG", "720 STRONG>WEAK"]);
}

#[test]
fn d1_revenge_is_no_duty() {
    let mut bait = sheltered();
    bait["minds"][0]["units"][0]["defense"] = json!(5);
    bait["minds"][2]["units"][0]["defense"] = json!(1);
    let provoked = replay(&bait, json!([raid(10, "STRONG"), wait(720)]));
    assert_eq!(attacks(&provoked)[1..], ["720 STRONG>OTHER"]);
}

#[test]
fn d2_an_attack_on_another_does_not_wipe_the_last_one_out() {
    let both = replay(&sheltered(), json!([raid(10, "STRONG"), raid(20, "OTHER"), wait(720)]));
    assert_eq!(attacks(&both), ["10 WEAK>STRONG", "20 WEAK>OTHER", "720 STRONG>WEAK"]);
    let other = replay(&sheltered(), json!([raid(20, "OTHER"), wait(720)]));
    assert_eq!(attacks(&other), ["20 WEAK>OTHER"], "an attack on OTHER is not STRONG's to avenge");
}

#[test]
fn d3_a_deleted_mind_is_credited_up_to_its_deletion() {
    let doomed = json!({ "buildings": { "core": 1 }, "cycles": 10, "territory": 5000 });
    let minds = json!([
        mind("A", 1, 1000, json!({})),
        mind("B", 9, 100, json!({ "capability": 0 })),
        mind("C", 0, 1, doomed),
    ]);
    let ended = replay(&setup(minds, json!({})), json!([{ "op": "end" }]));
    assert_eq!(attacks(&ended)[0], "720 B>C");
    let outcome = outcome(&ended);
    assert_eq!(outcome["minds"]["C"]["deleted"], true);
    assert_eq!(outcome["minds"]["C"]["cycles"], 10 + 24);
    assert_eq!(outcome["minds"]["C"]["territory"], 4500);
    assert_eq!(outcome["minds"]["A"]["cycles"], 96);
}

/// The player is the first victim of the first of two others.
fn lost() -> Value {
    let minds = json!([
        mind("A", 1, 1, json!({ "buildings": { "core": 1 } })),
        mind("B", 30, 10, json!({ "territory": 0, "capability": 0 })),
        mind("C", 30, 100, json!({ "territory": 0, "capability": 0 })),
    ]);
    setup(minds, json!({}))
}

#[test]
fn d4_the_turn_that_ends_the_war_counts_and_stops() {
    let ended = replay(&lost(), json!([{ "op": "end" }]));
    assert_eq!(attacks(&ended), ["720 B>A"], "C does not act any more, though B is an easy prey");
    assert_eq!(events(&ended).last().unwrap(), &json!({ "op": "end", "t": 720 }));
    let outcome = outcome(&ended);
    assert_eq!(
        (&outcome["minute"], &outcome["turns"], &outcome["over"]),
        (&json!(720), &json!(1), &json!(true))
    );
    let verdict = common::verify(&ended).unwrap();
    assert!(verdict.standing.finished);
    assert_eq!(verdict.standing.score, -outcome["ranking"][0]["power"].as_i64().unwrap());
    assert_eq!(refusal(&replay(&lost(), json!([wait(720)]))), "war_over 0 -");
    assert_eq!(refusal(&replay(&lost(), json!([{ "op": "end" }, { "op": "end" }]))), "war_over 1 -");
}

#[test]
fn d5_any_whole_minute_is_read_and_judged() {
    for (t, refused) in [
        (-1, "time_goes_back 0 -"),
        (i64::MIN, "time_goes_back 0 -"),
        (2881, "after_the_end 0 -"),
        (i64::MAX, "after_the_end 0 -"),
    ] {
        assert_eq!(refusal(&replay(&sheltered(), json!([wait(t)]))), refused);
    }
    assert_eq!(outcome(&replay(&sheltered(), json!([wait(2880)])))["turns"], 4);
}

#[test]
fn d6_shape_of_calls() {
    for (call, refused) in [
        (json!(["end"]), "format 1 /calls/1"),
        (json!({}), "format 1 /calls/1/op"),
        (json!({ "op": null }), "format 1 /calls/1/op"),
        (json!({ "op": "end", "t": 5 }), "format 1 /calls/1/t"),
        (json!({ "op": "attack", "t": 1, "mode": "raid" }), "format 1 /calls/1/target"),
        (json!({ "op": "attack", "t": 1.5, "mode": "raid", "target": "OTHER" }), "format 1 /calls/1/t"),
        (json!({ "op": "attack", "t": 1, "mode": 1, "target": "OTHER" }), "format 1 /calls/1/mode"),
        (
            json!({ "op": "attack", "t": 1, "mode": "raid", "target": "OTHER", "above": 0 }),
            "format 1 /calls/1/above",
        ),
        (json!({ "op": "set_countermeasure", "t": 1 }), "format 1 /calls/1/program"),
        (
            json!({ "op": "set_countermeasure", "t": 1, "program": null, "above": null }),
            "format 1 /calls/1/above",
        ),
        (json!({ "op": "retreat", "t": "now" }), "unknown_op 1 -"),
        (json!({ "op": "", "t": 1 }), "unknown_op 1 -"),
        (json!({ "op": "attack", "t": 1, "mode": "", "target": "" }), "bad_mode 1 -"),
        (json!({ "op": "attack", "t": 1, "mode": "raid", "target": "x".repeat(999) }), "no_such_mind 1 -"),
        (
            json!({ "op": "attack", "t": 1, "mode": "raid", "target": "OTHER", "program": "" }),
            "unknown_program 1 -",
        ),
    ] {
        assert_eq!(refusal(&replay(&sheltered(), json!([wait(0), call]))), refused, "{call}");
    }
    let late = replay(&lost(), json!([{ "op": "end" }, { "op": "retreat" }]));
    assert_eq!(refusal(&late), "war_over 1 -");
    let early = replay(&sheltered(), json!([wait(-5), { "op": "attack" }]));
    assert_eq!(refusal(&early), "format 1 /calls/1/t", "shape comes before the war begins");
}

#[test]
fn d7_faults_of_the_setup_come_before_those_of_calls() {
    let mut twice = sheltered();
    twice["minds"][1]["id"] = json!("WEAK");
    assert_eq!(refusal(&replay(&twice, json!([{ "op": 5 }]))), "bad_setup - /setup/minds/1/id");
    twice["zeal"] = json!(1);
    twice["anger"] = json!(1);
    assert_eq!(refusal(&replay(&twice, json!([{ "op": 5 }]))), "format - /setup/anger");
}

#[test]
fn d8_a_strength_of_0_attacks_a_wall_of_0() {
    let helpless = json!({ "standing": { "attack": [0] } });
    let minds = json!([mind("A", 1, 0, json!({})), mind("B", 5, 10, helpless)]);
    let turn = replay(&setup(minds, json!({})), json!([wait(720)]));
    assert_eq!(attacks(&turn), ["720 B>A"]);
    assert_eq!(events(&turn)[0]["won"], false);
    assert_eq!(events(&turn)[0]["ratio"], 1.0);
    let idle = json!([mind("A", 1, 0, json!({})), mind("B", 0, 10, json!({}))]);
    assert!(attacks(&replay(&setup(idle, json!({})), json!([wait(720)]))).is_empty());
}

#[test]
fn d9_maps_are_ordered_as_canonical_json_orders_them() {
    let minds = json!([mind("\u{FF5E}", 1, 1, json!({})), mind("\u{1F600}", 1, 1, json!({}))]);
    let verdict = common::verify(&replay(&setup(minds, json!({})), json!([]))).unwrap();
    assert!(ongrid_engine::canonical::is_canonical(&verdict.outcome));
}
