//! What holds in every battle: quantities never grow or go below zero, what is lost is told, an illegal call changes
//! nothing, the same replay gives the same bits.

mod common;

use common::{Chance, Play, engine};
use ongrid_engine::{Engine, Referee, Seed, Silent, canonical};
use ongrid_engine_empire::{Event, Hit, Report, autopilot};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Every code of spec §4.
const CODES: [&str; 29] = [
    "battle_over",
    "unknown_op",
    "no_such_entity",
    "wrong_kind",
    "destroyed",
    "not_yours",
    "already_acted",
    "own_target",
    "not_a_fort",
    "no_guns",
    "no_shells",
    "out_of_range",
    "no_depth_charges",
    "not_a_submarine",
    "no_torpedoes",
    "carries_nuke",
    "no_bombs",
    "no_sorties",
    "bad_mode",
    "no_such_item",
    "bars_cannot_be_bombed",
    "bad_item",
    "already_moved",
    "wrong_terrain",
    "not_adjacent",
    "no_nuke",
    "bad_burst",
    "format",
    "limit",
];

fn replay(setup: &Value, seed: u64, calls: &[Value]) -> Vec<u8> {
    json!({"engine": "empire-damage-1", "seed": seed.to_string(), "setup": setup, "calls": calls})
        .to_string()
        .into_bytes()
}

/// Plays a random battle; checks each step; gives it and the legal calls.
fn random_play(seed: u64, attempts: usize) -> (Value, Play, Vec<Value>) {
    let mut chance = Chance::new(seed);
    let setup = chance.setup();
    let mut play = Play::new(&setup, seed);
    let mut calls = Vec::new();
    let mut before = play.outcome();
    let mut state = play.state();
    for _ in 0..attempts {
        let call = chance.call(&setup);
        match play.make(&call) {
            Ok(()) => {
                let after = play.outcome();
                check_step(&before, &after);
                assert_eq!(play.state().len(), state.len());
                before = after;
                state = play.state();
                calls.push(call);
            }
            Err(code) => {
                assert!(CODES.contains(&code), "{code}");
                assert_eq!(play.state(), state, "{call} was refused and changed something");
            }
        }
    }
    (setup, play, calls)
}

/// What one call may do to the outcome.
fn check_step(before: &Value, after: &Value) {
    for (id, eff) in after["eff"].as_object().unwrap() {
        let (was, is) = (before["eff"][id].as_f64().unwrap(), eff.as_f64().unwrap());
        assert!((0.0..=was).contains(&is), "{id}: {was} to {is}");
        if before["dead"].as_array().unwrap().contains(&json!(id)) {
            assert_eq!(was, is, "{id} is destroyed and was hit");
        }
    }
    for id in before["dead"].as_array().unwrap() {
        assert!(after["dead"].as_array().unwrap().contains(id), "{id} rose");
    }
    for key in ["mines", "shells", "sorties"] {
        for (id, count) in after[key].as_object().unwrap() {
            let was = before[key][id].as_u64().unwrap();
            assert!(count.as_u64().unwrap() <= was && was - count.as_u64().unwrap() <= 1, "{key} of {id}");
        }
    }
    for (id, items) in after["items"].as_object().unwrap() {
        for (item, count) in items.as_object().unwrap() {
            let was = &before["items"][id][item];
            assert!(count.as_u64().unwrap() <= was.as_u64().unwrap());
            assert!(item != "bar" || count == was, "bars of {id}");
        }
    }
    for part in after["fraction"].as_object().unwrap().values() {
        assert!((0.0..=1.0).contains(&part.as_f64().unwrap()), "{part}");
    }
    assert!(after["rng_words"].as_u64() >= before["rng_words"].as_u64());
    assert!(before["over"] == false, "a call went through after the end");
}

/// The dice of all events, for the count of words.
fn dice(events: &[Event]) -> Vec<u16> {
    let of = |event: &Event| match event {
        Event::Act(act) => act.draws.clone(),
        Event::Round(round) => round.shots.iter().flat_map(|shot| shot.draws.clone()).collect(),
    };
    events.iter().flat_map(of).collect()
}

fn sum_of_items(items: &Value) -> u64 {
    items
        .as_object()
        .unwrap()
        .values()
        .flat_map(|of| of.as_object().unwrap().values())
        .filter_map(Value::as_u64)
        .sum()
}

fn sum_of_efficiency(outcome: &Value) -> f64 {
    outcome["eff"].as_object().unwrap().values().filter_map(Value::as_f64).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn every_step_keeps_the_laws_and_the_events_tell_all(seed in any::<u64>()) {
        let (setup, play, calls) = random_play(seed, 120);
        let start = Play::new(&setup, seed).outcome();
        let end = play.outcome();
        prop_assert_eq!(play.events.len(), calls.len());

        // What is lost is told, and nothing else.
        let report = Report::of(play.engine.setup(&play.legal), &play.events);
        let losses = || report.tolls.iter().flat_map(|toll| [&toll.player, &toll.others]);
        let items: u64 = losses().flat_map(|losses| losses.items.values()).sum();
        prop_assert_eq!(items, sum_of_items(&start["items"]) - sum_of_items(&end["items"]));
        let efficiency: f64 = losses().map(|losses| losses.efficiency).sum();
        prop_assert!((efficiency - (sum_of_efficiency(&start) - sum_of_efficiency(&end))).abs() < 1e-6);
        let mut destroyed: Vec<&String> = losses().flat_map(|losses| &losses.destroyed).collect();
        destroyed.sort();
        let mut dead: Vec<&str> = end["dead"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        dead.sort_unstable();
        prop_assert_eq!(destroyed, dead);

        // A die takes one word, unless the word lies above the last whole multiple of its faces.
        let dice = dice(&play.events);
        prop_assert!(dice.iter().all(|die| (1..=100).contains(die)));
        let words = end["rng_words"].as_u64().unwrap() as usize;
        prop_assert!(words >= dice.len() && words <= dice.len() + 2);
    }

    #[test]
    fn the_same_replay_gives_the_same_bits(seed in any::<u64>()) {
        let (setup, play, calls) = random_play(seed, 60);
        let engine = engine();
        let text = replay(&setup, seed, &calls);
        let verdict = engine.verify(&text).unwrap();
        let outcome: Value = serde_json::from_slice(&verdict.outcome).unwrap();
        prop_assert_eq!(outcome, play.outcome());
        prop_assert_eq!(engine.timeline(&text).unwrap(), canonical::to_vec(&play.events));
        prop_assert!(canonical::is_canonical(&verdict.replay) && canonical::is_canonical(&canonical::to_vec(&play.events)));

        // Rejected replays in between leave no trace; the canonical form is the same replay.
        let mut longer = calls.clone();
        longer.push(json!({"op": "surrender"}));
        let no = engine.verify(&replay(&setup, seed, &longer)).unwrap_err();
        prop_assert_eq!(no.call(), u32::try_from(calls.len()).ok());
        for again in [engine.verify(&text).unwrap(), engine.verify(&verdict.replay).unwrap()] {
            prop_assert_eq!(&again.outcome, &verdict.outcome);
            prop_assert_eq!((again.replay_digest, again.checkpoint), (verdict.replay_digest, verdict.checkpoint));
        }
    }

    #[test]
    fn another_call_less_is_another_checkpoint(seed in any::<u64>()) {
        let (setup, _, calls) = random_play(seed, 60);
        let engine = engine();
        let whole = engine.verify(&replay(&setup, seed, &calls)).unwrap();
        if let Some((_, rest)) = calls.split_last() {
            let part = engine.verify(&replay(&setup, seed, rest)).unwrap();
            prop_assert_ne!(part.checkpoint, whole.checkpoint);
            prop_assert_ne!(part.replay_digest, whole.replay_digest);
        }
    }

    #[test]
    fn broken_texts_are_refused_and_nothing_panics(at in 0.0..1.0, piece in prop_oneof![
        Just("".to_owned()), Just("null".to_owned()), Just("-1".to_owned()), Just("1e400".to_owned()), Just("\"".to_owned()), "[ -~]{1,4}",
    ], drop in 0_usize..12) {
        const SAMPLE: &str = include_str!("cases/empire-damage-sample.json");
        let at = (at * SAMPLE.len() as f64) as usize;
        let broken = format!("{}{piece}{}", &SAMPLE[..at], &SAMPLE[(at + drop).min(SAMPLE.len())..]);
        if let Err(no) = engine().verify(broken.as_bytes()) {
            prop_assert!(CODES.contains(&no.code()) || ["engine", "bad_setup"].contains(&no.code()), "{no}");
        }
    }

    #[test]
    fn the_autopilot_plays_every_battle_to_its_end(seed in any::<u64>()) {
        let setup = Chance::new(seed).setup();
        let mut play = Play::new(&setup, seed);
        let calls = autopilot::play(&play.engine, &play.legal, &Seed::from_u64(seed));
        for call in &calls {
            play.engine.apply(&mut play.fight, call, &mut Silent).unwrap();
        }
        prop_assert!(play.fight.is_over());
        prop_assert_eq!(autopilot::play(&play.engine, &play.legal, &Seed::from_u64(seed)), calls);
    }
}

/// The policy's shots are told in the shape of the others, with the dice and hits of each apart.
#[test]
fn answers_are_told_one_by_one() {
    let sector = |id: &str, x: i32, kind: &str, owner: Value, eff: f64| json!({"id": id, "owner": owner, "x": x, "y": 0, "kind": kind, "sectdef": 2, "eff": eff, "guns": 5, "shells": 2});
    let setup = json!({
        "player": "blue", "sides": ["red", "blue"], "rounds": 1,
        "sectors": [sector("north", 0, "fort", json!("red"), 100.0), sector("south", 4, "fort", json!("red"), 50.0), sector("W", 2, "sea", Value::Null, 0.0)],
        "ships": [{"id": "bb", "owner": "blue", "at": "W", "def": 90, "eff": 100}],
    });
    let mut play = Play::new(&setup, 1);
    play.make(&json!({"op": "next_round"})).unwrap();
    let Some(Event::Round(round)) = play.events.last() else { panic!("no round") };
    let from: Vec<&str> = round.shots.iter().map(|shot| &*shot.from).collect();
    assert_eq!(from, ["north", "south"]);
    for shot in &round.shots {
        assert!(shot.draws.len() == 1 && shot.hits.len() == 1 && shot.at == "bb");
        assert!(matches!(&shot.hits[0], Hit::Efficiency { id, .. } if id == "bb"));
    }
    assert!(round.over && play.fight.is_over());
}
