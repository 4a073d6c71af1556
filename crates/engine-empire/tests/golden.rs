//! Frozen results: whoever changes one of these digests changes what the tag means.

mod common;

use std::fmt::Write;

use common::engine;
use ongrid_engine::{Chain, Digest, Engine, Referee, Seed, canonical, decode, replay};
use ongrid_engine_empire::{Report, SCENARIOS, autopilot};
use serde_json::{Value, json};

/// Everything of a result that must stay, in one line.
fn line(replay: &[u8]) -> String {
    match engine().verify(replay) {
        Ok(it) => format!(
            "{} {} {} {} {} {:?}\n",
            it.replay_digest,
            it.setup_digest,
            it.outcome_digest,
            Chain::hex(it.checkpoint),
            it.rng_words,
            it.standing
        ),
        Err(no) => format!("{} {:?} {:?}\n", no.code(), no.call(), no.path()),
    }
}

#[test]
fn the_handed_replays() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("cases/empire-damage.json")).unwrap();
    let replays = cases.iter().filter_map(|case| case.get("replay"));
    let lines: String = replays.map(|replay| line(replay.to_string().as_bytes())).collect();
    assert_eq!(lines.lines().count(), 216);
    assert_eq!(
        Digest::of(lines.as_bytes()).hex(),
        "d5cd1075dd4db96340b41d9e45f0601b9968d1321be869283a733e55fa59ad86"
    );
}

#[test]
fn the_sample() {
    let sample = include_bytes!("cases/empire-damage-sample.json");
    assert_eq!(
        line(sample),
        concat!(
            "278d75e0c973e1267da45f76eb89bb7bb6961248bf3fc4d39b6b69e53731df6b ",
            "b89c4c72a2881613d5f6e364bed34fff4581064c7b46529344e5f8d7531d7be6 ",
            "e6fba4ecdd25868a632b83086c3cb22ada7780ad1eda373d1d9a29e3b0a6615e ",
            "38053117c123855c 108 Standing { finished: true, rounds: 5, score: 337 }\n"
        )
    );
    let timeline = engine().timeline(sample).unwrap();
    assert_eq!(
        Digest::of(&timeline).hex(),
        "4f17f5c1236681123fb2d1365547c13d564eeef0515978bd4d860cb9e43480b7"
    );
}

#[test]
fn the_sample_s_report() {
    let engine = engine();
    let sample = decode(&engine, include_bytes!("cases/empire-damage-sample.json")).unwrap();
    let setup = sample.setup.clone();
    let mut events = Vec::new();
    replay(&engine, sample, &mut events).unwrap();
    let report = Report::of(&setup, &events).to_string();
    assert_eq!(
        report,
        concat!(
            "shells: the player lost 0.3 points of efficiency\n",
            "shells: the others lost 106.6 points of efficiency, 129 civ, 215 food, 8 gun, 80 mil, 113 shell\n",
            "depth charges: the others lost 14.1 points of efficiency\n",
            "torpedoes: the others lost 42.2 points of efficiency\n",
            "bombs: the others lost 100.3 points of efficiency, 27 civ, 62 food, 3 gun, 24 mil, 73 shell\n",
            "mines: the player lost 31.0 points of efficiency, 22 food, 3 mil\n",
            "answering fire: the player lost 114.2 points of efficiency; destroyed: sweeper\n"
        )
    );
}

/// Both scenarios, played by the autopilot under twenty seeds each.
#[test]
fn the_scenarios() {
    let engine = engine();
    let mut lines = String::new();
    for scenario in SCENARIOS {
        let legal = engine.check(ongrid_engine_empire::scenario::read(scenario).unwrap()).unwrap();
        let setup: Value = serde_json::from_slice(&canonical::to_vec(engine.setup(&legal))).unwrap();
        for seed in 0..20 {
            let calls = autopilot::play(&engine, &legal, &Seed::from_u64(seed));
            let calls: Value = serde_json::from_slice(&canonical::to_vec(&calls)).unwrap();
            let text = json!({"engine": "empire-damage-1", "seed": seed.to_string(), "setup": setup, "calls": calls});
            write!(lines, "{} {seed} {}", scenario.name, line(text.to_string().as_bytes())).unwrap();
        }
    }
    assert!(lines.lines().count() == 40 && !lines.contains("finished: false"));
    assert_eq!(
        Digest::of(lines.as_bytes()).hex(),
        "8c878b1d04cfb215d03234df8b67490ec807f99ead90037afb5fb256b9b05907"
    );
}
