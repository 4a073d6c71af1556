//! The largest setup and the longest log stay within bounds.

mod worst;

use ongrid_engine::{MAX_REPLAY_BYTES, Referee, Replay, decode, replay};
use ongrid_engine_mecha::MechaBattle;
use ongrid_engine_mecha::event::Event;

#[test]
fn the_largest_setup_is_judged_and_played() {
    let engine = MechaBattle::new().unwrap();
    let muster = worst::muster();
    assert!(muster.len() > MAX_REPLAY_BYTES * 9 / 10, "{}", muster.len());
    let verdict = engine.verify(&muster).unwrap();
    assert!(verdict.rng_words > 63_000 * 2, "{}", verdict.rng_words);
    assert!(worst::search().len() < MAX_REPLAY_BYTES && worst::storm().len() < MAX_REPLAY_BYTES);
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
