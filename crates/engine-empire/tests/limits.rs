//! What a replay may ask of the referee is bounded, far above what battles ask.

mod common;
mod worst;

use common::engine;
use ongrid_engine::{Engine, Referee, Seed, Silent, decode};
use ongrid_engine_empire::MAX_WORK;
use serde_json::Value;

fn refusal(replay: &str) -> (&'static str, Option<u32>) {
    let no = engine().verify(replay.as_bytes()).unwrap_err();
    (no.code(), no.call())
}

#[test]
fn work_without_end_is_refused_at_its_call() {
    // 64 runs of 2,000 words and a hit each, then a call that ends the round: the 1,000th run is one too many.
    assert_eq!(refusal(&worst::bombs(5000)), ("limit", Some(999 + 999 / 64)));
    assert_eq!(
        engine().verify(worst::bombs(1000).as_bytes()).unwrap().rng_words,
        1000 / 65 * 128_000 + 1000 % 65 * 2000
    );
    // 126 shots a round, each at the sector, four items of it and 64 land units in it.
    let a_round = 126 * (1 + 1 + 4 + 64);
    assert_eq!(refusal(&worst::barrage(1000)), ("limit", Some((MAX_WORK / a_round) as u32)));
    assert!(engine().verify(worst::barrage((MAX_WORK / a_round) as usize).as_bytes()).is_ok());
}

#[test]
fn the_greatest_setups_are_played() {
    for replay in [worst::answers(), worst::moves()] {
        let verdict = engine().verify(replay.as_bytes()).unwrap();
        assert!(verdict.calls >= 1000);
    }
}

#[test]
fn battles_take_a_thousandth_of_it() {
    let engine = engine();
    let cases: Vec<Value> = serde_json::from_str(include_str!("cases/empire-damage.json")).unwrap();
    let replays = cases.iter().filter_map(|case| case.get("replay").map(Value::to_string));
    for text in replays.chain([include_str!("cases/empire-damage-sample.json").to_owned()]) {
        let Ok(replay) = decode(&engine, text.as_bytes()) else { continue };
        let legal = engine.check(replay.setup).unwrap();
        let mut fight = engine.start(&legal, &replay.seed, &mut Silent);
        let played =
            replay.calls.iter().take_while(|call| engine.apply(&mut fight, call, &mut Silent).is_ok());
        let _ = played.count();
        assert!(fight.work() < MAX_WORK / 1000, "{}", fight.work());
    }
}

#[test]
fn the_autopilot_stops_in_time() {
    let replay: Value = serde_json::from_str(&worst::barrage(1)).unwrap();
    let flown = Referee::fly(&engine(), &replay["setup"].to_string(), &Seed::from_u64(1)).unwrap();
    assert!(engine().verify(&flown).unwrap().calls > 200);
}
