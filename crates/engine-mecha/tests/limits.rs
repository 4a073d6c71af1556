//! The largest setup and the longest log stay within bounds.

mod worst;

use ongrid_engine::{Engine, MAX_REPLAY_BYTES, Referee, Replay, Seed, Silent, decode, replay};
use ongrid_engine_mecha::event::Event;
use ongrid_engine_mecha::{MAX_WORK, MechaBattle};

#[test]
fn the_largest_setup_is_judged_and_played() {
    let engine = MechaBattle::new().unwrap();
    let muster = worst::muster();
    assert!(muster.len() > MAX_REPLAY_BYTES * 9 / 10, "{}", muster.len());
    let verdict = engine.verify(&muster).unwrap();
    assert!(verdict.rng_words > 63_000 * 2, "{}", verdict.rng_words);
}

#[test]
fn a_log_is_cut_and_says_so() {
    let engine = MechaBattle::new().unwrap();
    let mut events: Vec<Event> = Vec::new();
    let decoded: Replay<MechaBattle> = decode(&engine, &worst::muster()).unwrap();
    let (seen, _) = replay(&engine, decoded, &mut events).unwrap();
    let told: usize = events.iter().map(|event| event.draws.len() + event.happenings.len()).sum();
    assert_eq!(told, 100_000);
    assert!(events.iter().any(|event| event.cut) && !events[0].cut);
    // What is told never moves the dice.
    let blind = engine.verify(&worst::muster()).unwrap();
    assert_eq!((seen.rng_words, seen.checkpoint), (blind.rng_words, blind.checkpoint));
}

fn refusal(replay: &[u8]) -> (&'static str, Option<u32>) {
    let no = MechaBattle::new().unwrap().verify(replay).unwrap_err();
    (no.code(), no.call())
}

#[test]
fn work_without_end_is_refused_at_its_call() {
    let engine = MechaBattle::new().unwrap();
    // 63 attackers, some 63,000 hits of two or three dice: the seventh round's is one too many, two calls a round.
    assert!(engine.verify(&worst::storm(6)).unwrap().rng_words < MAX_WORK);
    assert_eq!(refusal(&worst::storm(1000)), ("limit", Some(13)));
    // 32 × 2,048 options a round.
    let a_round = 32 * 2048;
    assert_eq!(refusal(&worst::search(1000)), ("limit", Some((MAX_WORK / a_round) as u32)));
    assert_eq!(engine.verify(&worst::search((MAX_WORK / a_round) as usize)).unwrap().rng_words, 0);
    assert!(engine.verify(&worst::volleys(14)).is_ok());
    assert_eq!(refusal(&worst::volleys(1000)), ("limit", Some(15)));
    assert!(engine.verify(&worst::parade()).is_ok());
}

#[test]
fn battles_take_a_hundredth_of_it() {
    let engine = MechaBattle::new().unwrap();
    let played = include_str!("cases/played.jsonl").lines();
    for text in played.chain([include_str!("cases/mecha-battle-sample.json")]) {
        let replay: Replay<MechaBattle> = decode(&engine, text.as_bytes()).unwrap();
        let legal = engine.check(replay.setup).unwrap();
        let mut battle = engine.start(&legal, &replay.seed, &mut Silent);
        for call in &replay.calls {
            engine.apply(&mut battle, call, &mut Silent).unwrap();
        }
        assert!(battle.work() < MAX_WORK / 100, "{}", battle.work());
    }
}

#[test]
fn the_autopilot_stops_in_time() {
    let engine = MechaBattle::new().unwrap();
    let replay: serde_json::Value = serde_json::from_slice(&worst::search(1)).unwrap();
    let flown = Referee::fly(&engine, &replay["setup"].to_string(), &Seed::from_u64(1)).unwrap();
    assert!(engine.verify(&flown).unwrap().calls > 10);
}
