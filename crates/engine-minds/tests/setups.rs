//! Setups: their canonical form, their limits, the scenarios, and what is told of them.

mod common;

use common::{mind, refusal, replay, setup};
use ongrid_engine::json::Reader;
use ongrid_engine::{Engine, Seed, Silent, canonical, decode};
use ongrid_engine_minds::{Call, Event, MindCombat, RULES, Report, SCENARIOS, Setup, TAG, autopilot};
use serde_json::{Value, json};

const CASES: &str = include_str!("cases/mind-combat.jsonl");
const SAMPLE: &str = include_str!("cases/mind-combat-sample.json");

fn read(text: &str) -> Option<Setup> {
    Setup::read(&mut Reader::new(text)).ok()
}

#[test]
fn canonical_form_is_canonical_and_reads_back() {
    let mut count = 0;
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let Some(setup) = read(&case["replay"]["setup"].to_string()) else { continue };
        let bytes = canonical::to_vec(&setup);
        assert!(canonical::is_canonical(&bytes), "{}", case["id"]);
        assert_eq!(read(std::str::from_utf8(&bytes).unwrap()), Some(setup), "{}", case["id"]);
        count += 1;
    }
    assert_eq!(count, 88);
}

#[test]
fn defaults_are_left_out() {
    let spelled = json!({
        "compute": 0, "cycles": 96, "standing": { "attack": [], "loss": [] }, "countermeasure": null,
        "buildings": { "core": 1, "lab": 0 },
        "units": [{ "kind": "k", "count": 0, "attack": 0, "defense": 0, "ranged": false }],
        "programs": { "p": { "compute": 0, "crash": 0, "own_loss": null, "miss_chance": null } },
    });
    let minds = json!([mind("A", 0, 0, spelled), mind("B", 0, 0, json!({}))]);
    let setup = read(&setup(minds, json!({ "protection": null })).to_string()).unwrap();
    let canonical: Value = serde_json::from_slice(&canonical::to_vec(&setup)).unwrap();
    assert_eq!(
        canonical["minds"][0],
        json!({
            "architecture": "steward", "buildings": { "core": 1 }, "capability": 2, "capital": 1000, "id": "A",
            "programs": { "p": { "compute": 0 } }, "territory": 500, "users": 1000,
            "units": [{ "attack": 0, "count": 0, "defense": 0, "kind": "k" }],
        })
    );
    assert_eq!(canonical.get("protection"), None);
}

#[test]
fn the_bounds_that_no_handed_case_touches() {
    let with = |more: Value| setup(json!([mind("A", 1, 1, more), mind("B", 1, 1, json!({}))]), json!({}));
    let long = "é".repeat(64);
    assert!(
        common::verify(&replay(&with(json!({ "programs": { &long: { "compute": 1 } } })), json!([]))).is_ok()
    );
    let programs: serde_json::Map<String, Value> =
        (0..65).map(|index| (format!("p{index:02}"), json!({ "compute": 0 }))).collect();
    for (more, refused) in [
        (json!({ "programs": { (long + "e"): { "compute": 1 } } }), "limit - /setup/minds/0/programs/"),
        (json!({ "programs": programs }), "limit - /setup/minds/0/programs"),
        (json!({ "architecture": "Oracle" }), "bad_setup - /setup/minds/0/architecture"),
        (json!({ "architecture": 3 }), "format - /setup/minds/0/architecture"),
        (json!({ "compute": null }), "format - /setup/minds/0/compute"),
        (json!({ "cycles": 1_000_000_001 }), "limit - /setup/minds/0/cycles"),
        (json!({ "territory": "5" }), "format - /setup/minds/0/territory"),
        (json!({ "standing": { "loss": [0.0009] } }), "bad_setup - /setup/minds/0/standing/loss/0"),
        (json!({ "standing": { "loss": [null] } }), "format - /setup/minds/0/standing/loss/0"),
        (
            json!({ "programs": { "a/b~c": { "compute": -1 } } }),
            "bad_setup - /setup/minds/0/programs/a~1b~0c/compute",
        ),
        (json!({ "programs": { "p": { "crash": 0 } } }), "format - /setup/minds/0/programs/p/compute"),
        (
            json!({ "programs": { "p": { "compute": 1, "miss_factor": 1 } } }),
            "bad_setup - /setup/minds/0/programs/p/miss_factor",
        ),
        (json!({ "countermeasure": {} }), "format - /setup/minds/0/countermeasure/program"),
        (
            json!({ "countermeasure": { "program": "p" } }),
            "bad_setup - /setup/minds/0/countermeasure/program",
        ),
        (json!({ "units": [[]] }), "format - /setup/minds/0/units/0"),
    ] {
        let found = refusal(&replay(&with(more.clone()), json!([])));
        assert!(found.starts_with(refused), "{more}: {found}");
    }
    let backwards = json!({ "protection": { "range_min": 2, "range_max": 1 } });
    let minds = json!([mind("A", 1, 1, json!({})), mind("A", 1, 1, json!({}))]);
    assert_eq!(
        refusal(&replay(&setup(minds, backwards), json!([]))),
        "bad_setup - /setup/protection/range_max"
    );
}

#[test]
fn the_number_of_calls_is_bounded() {
    let minds = json!([mind("A", 1, 1, json!({})), mind("B", 1, 1, json!({}))]);
    let call = json!({ "op": "set_countermeasure", "t": 0, "program": null });
    let replay_of = |count: usize, setup: &Value| replay(setup, json!(vec![&call; count]));
    let good = setup(minds, json!({}));
    assert!(common::verify(&replay_of(5000, &good)).is_ok());
    let no = common::verify(&replay_of(5001, &json!({}))).unwrap_err();
    assert_eq!((no.code(), no.call()), ("too_many_calls", None), "before the setup is looked at");
}

#[test]
fn scenarios_read_and_play_to_their_end() {
    let engine = MindCombat::new().unwrap();
    for scenario in SCENARIOS {
        assert_eq!(ongrid_engine_minds::scenario::named(scenario.name).unwrap().setup, scenario.setup);
        let legal = engine.check(ongrid_engine_minds::scenario::read(scenario).unwrap()).unwrap();
        for seed in 0..5 {
            let calls = autopilot::play(&engine, &legal, &Seed::from_u64(seed));
            let attacks = calls.iter().filter(|call| matches!(call, Call::Attack(_))).count();
            assert!(attacks >= 5, "{} {seed}: only {attacks} attacks", scenario.name);
            assert_eq!(calls.last(), Some(&Call::End));
        }
    }
    assert!(ongrid_engine_minds::scenario::named("none").is_none());
}

/// The sample with every event.
fn sample() -> (Setup, Vec<Event>, ongrid_engine_minds::Outcome) {
    let engine = MindCombat::new().unwrap();
    let decoded = decode(&engine, SAMPLE.as_bytes()).unwrap();
    let mut events = Vec::new();
    let (verified, _) = ongrid_engine::replay(&engine, decoded, &mut events).unwrap();
    (engine.setup(&verified.legal).clone(), events, verified.outcome)
}

#[test]
fn the_report_adds_up_to_the_outcome() {
    let (setup, events, outcome) = sample();
    let report = Report::new(&setup, &events, &outcome);
    assert_eq!(report.minds.len(), 4);
    for told in &report.minds {
        let was = &setup.minds()[setup.find(&told.id).unwrap()];
        let is = outcome.minds.get(&told.id).unwrap();
        assert_eq!(was.territory + told.sectors_taken - told.sectors_lost, is.territory);
        assert_eq!(was.capital + told.capital_taken - told.capital_lost, is.capital);
        assert_eq!(was.users + told.users_taken - told.users_lost, is.users);
        assert_eq!(was.buildings.core - told.cores_lost, is.buildings.core);
        for unit in &was.units {
            let lost = told.units_lost.get(&unit.kind).copied().unwrap_or_default();
            assert_eq!(unit.count - lost, *is.units.get(&unit.kind).unwrap());
        }
    }
    let wrecked: u64 = report.attacks.iter().map(|attack| attack.buildings_wrecked).sum();
    assert_eq!(wrecked, report.minds.iter().map(|mind| mind.buildings_lost).sum::<u64>());
    assert!(canonical::is_canonical(&canonical::to_vec(&report)));
}

#[test]
fn the_report_speaks_the_words_of_the_game() {
    let (setup, events, outcome) = sample();
    let told = Report::new(&setup, &events, &outcome).to_string();
    let first = told.lines().next().unwrap();
    assert_eq!(
        first,
        "day 1 02:00  VESTA raids PIKE, its program runs, the countermeasure runs, and wins 1.70 to 1; 3001 capital \
         taken; 900 users taken; 9 buildings wrecked; units lost: 49 drones, 6 hunter_drones, 2 siege_frames, by PIKE: \
         7 rams, 184 sentries, 14 wardens"
    );
    assert!(
        told.contains("1 core destroyed") && told.ends_with("day 8 00:00: the war is over, VESTA wins.\n")
    );
}

#[test]
fn events_can_be_left_unseen() {
    let engine = MindCombat::new().unwrap();
    let run = |watched: bool| {
        let decoded = decode(&engine, SAMPLE.as_bytes()).unwrap();
        let verified = match watched {
            true => ongrid_engine::replay(&engine, decoded, &mut Vec::new()).unwrap().0,
            false => ongrid_engine::replay(&engine, decoded, &mut Silent).unwrap().0,
        };
        (verified.outcome, verified.checkpoint)
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn the_rules_text_names_every_call_and_code() {
    assert!(RULES.starts_with(&format!("# {TAG}\n")));
    for word in [
        "attack",
        "set_countermeasure",
        "end",
        "war_over",
        "unknown_op",
        "time_goes_back",
        "after_the_end",
        "bad_mode",
        "no_such_mind",
        "deleted",
        "own_target",
        "unknown_program",
        "out_of_range",
        "out_of_cycles",
        "no_attack",
        "no_compute",
        "bad_above",
    ] {
        assert!(RULES.contains(word), "{word}");
    }
}
