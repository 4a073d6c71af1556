//! Frozen verdicts: a change of any bit of any of them needs a new tag.

use ongrid_engine::{Chain, Referee};
use ongrid_engine_mecha::MechaBattle;
use serde_json::Value;

const FROZEN: &str = include_str!("cases/golden.txt");
/// Whole battles, played once by the autopilot.
const PLAYED: &str = include_str!("cases/played.jsonl");

/// The verdict on a replay in one line.
fn line(engine: &MechaBattle, name: &str, replay: &[u8]) -> String {
    match engine.verify(replay) {
        Ok(verdict) => format!(
            "{name} {} {} {} {}\n",
            verdict.replay_digest,
            verdict.outcome_digest,
            Chain::hex(verdict.checkpoint),
            verdict.rng_words
        ),
        Err(no) => format!("{name} {} {:?} {:?}\n", no.code(), no.call(), no.path()),
    }
}

#[test]
fn verdicts_are_frozen() {
    let engine = MechaBattle::new().unwrap();
    let mut lines = String::new();
    let cases: Vec<Value> = serde_json::from_str(include_str!("cases/mecha-battle.json")).unwrap();
    for case in cases.iter().filter(|case| case.get("replay").is_some()) {
        lines += &line(&engine, case["id"].as_str().unwrap(), case["replay"].to_string().as_bytes());
    }
    lines += &line(&engine, "sample", include_bytes!("cases/mecha-battle-sample.json"));
    for (index, replay) in PLAYED.lines().enumerate() {
        lines += &line(&engine, &format!("played-{index}"), replay.as_bytes());
    }
    for (now, frozen) in lines.lines().zip(FROZEN.lines()) {
        assert_eq!(now, frozen);
    }
    assert_eq!(lines.lines().count(), FROZEN.lines().count(), "{lines}");
}
