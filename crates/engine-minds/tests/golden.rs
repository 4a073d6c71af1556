//! Frozen verdicts: whatever changes one of these changes the ruleset, and needs a new tag.

mod common;

use ongrid_engine::{Chain, Digest, Referee, Verdict};
use ongrid_engine_minds::MindCombat;
use serde_json::{Value, json};

/// Replays of the shipped scenarios with what was found once.
const GOLDEN: &str = include_str!("cases/golden.jsonl");
/// The handed cases.
const CASES: &str = include_str!("cases/mind-combat.jsonl");
/// The handed sample.
const SAMPLE: &str = include_str!("cases/mind-combat-sample.json");

/// Digest over the verdicts of every handed case that is verified, in order.
const CASES_DIGEST: &str = "2fe8bc87a989f4d78e5900ad42f9db06ea551cfb422fe8f410247242f9f8bd40";

fn found(verdict: &Verdict) -> Value {
    json!({
        "replay_digest": verdict.replay_digest, "outcome_digest": verdict.outcome_digest,
        "checkpoint": Chain::hex(verdict.checkpoint), "rng_words": verdict.rng_words, "standing": verdict.standing,
    })
}

#[test]
fn scenarios_played_once_come_out_the_same() {
    let mut count = 0;
    for line in GOLDEN.lines() {
        let golden: Value = serde_json::from_str(line).unwrap();
        let verdict = common::verify(&golden["replay"]).unwrap();
        assert_eq!(found(&verdict), golden["found"], "{}", golden["name"]);
        count += 1;
    }
    assert_eq!(count, 8);
}

#[test]
fn handed_cases_keep_their_verdicts() {
    let engine = MindCombat::new().unwrap();
    let cases = CASES.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["replay"].to_string());
    let mut told = Vec::new();
    for replay in cases.chain([SAMPLE.to_owned()]) {
        if let Ok(verdict) = engine.verify(replay.as_bytes()) {
            told.extend(found(&verdict).to_string().into_bytes());
        }
    }
    assert_eq!(Digest::of(&told).hex(), CASES_DIGEST);
}

#[test]
fn a_false_checkpoint_is_placed() {
    let engine = MindCombat::new().unwrap();
    let mut sample: Value = serde_json::from_str(SAMPLE).unwrap();
    let calls = sample["calls"].as_array().unwrap().len();
    let links: Vec<String> = (1..=calls)
        .map(|upto| {
            let mut part = sample.clone();
            part["calls"].as_array_mut().unwrap().truncate(upto);
            Chain::hex(engine.verify(part.to_string().as_bytes()).unwrap().checkpoint)
        })
        .collect();
    sample["checkpoints"] = json!(links);
    assert_eq!(engine.verify(sample.to_string().as_bytes()).unwrap().desync, None);
    sample["checkpoints"][6] = json!("0000000000000000");
    assert_eq!(engine.verify(sample.to_string().as_bytes()).unwrap().desync, Some(6));
}

#[test]
fn one_minute_or_one_seed_changes_the_chain() {
    let engine = MindCombat::new().unwrap();
    let checkpoint = |text: String| engine.verify(text.as_bytes()).unwrap().checkpoint;
    let plain = checkpoint(SAMPLE.to_owned());
    assert_ne!(plain, checkpoint(SAMPLE.replace("\"t\":6500", "\"t\":6501")));
    assert_ne!(plain, checkpoint(SAMPLE.replace("\"seed\":\"2026\"", "\"seed\":\"2027\"")));
    assert_ne!(plain, checkpoint(SAMPLE.replace("\"above\":0.9", "\"above\":0.91")));
}
