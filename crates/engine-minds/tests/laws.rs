//! What holds in every war: nothing negative, nothing from nowhere, the same bits twice, no panic.

mod common;

use ongrid_engine::json::Reader;
use ongrid_engine::{Engine, Referee, Seed, canonical};
use ongrid_engine_minds::{Architecture, Call, Event, Mind, MindCombat, Setup, War, autopilot, spread};
use proptest::prelude::*;
use serde_json::{Value, json};

fn factor() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), 0.001..10.0_f64, 0.7..1.4_f64]
}

fn amount() -> impl Strategy<Value = u64> {
    prop_oneof![0..100_u64, 0..50_000_u64, Just(1_000_000_000)]
}

fn unit() -> impl Strategy<Value = Value> {
    (amount(), prop_oneof![0..40_u64, Just(100_000)], 0..40_u64, any::<bool>()).prop_map(
        |(count, attack, defense, ranged)| {
            json!({ "count": count, "attack": attack, "defense": defense, "ranged": ranged })
        },
    )
}

fn program() -> impl Strategy<Value = Value> {
    let effect = || proptest::option::of(factor());
    (
        0..300_u64,
        0.0..=1.0_f64,
        [effect(), effect(), effect()],
        proptest::option::of((0.0..=1.0_f64, factor())),
    )
        .prop_map(|(compute, crash, [own_strength, enemy_strength, own_loss], miss)| {
            json!({
                "compute": compute, "crash": crash, "own_strength": own_strength, "own_loss": own_loss,
                "enemy_strength": enemy_strength, "miss_chance": miss.map(|miss| miss.0),
                "miss_factor": miss.map(|miss| miss.1),
            })
        })
}

fn mind() -> impl Strategy<Value = Value> {
    let figures = (0..5_usize, [amount(), amount(), amount()], 0..=8_u32, 0..1000_u64, 0..200_u64);
    let buildings = (proptest::array::uniform5(0..300_u64), prop_oneof![Just(1_u64), 1..50_u64]);
    let standing = proptest::array::uniform3(proptest::collection::vec(factor(), 0..3));
    let guard = proptest::option::of(0.0..=2.0_f64);
    (figures, buildings, proptest::collection::vec(unit(), 0..4), program(), standing, guard).prop_map(
        |(figures, (b, core), mut units, program, [attack, defense, loss], guard)| {
            let (architecture, [territory, capital, users], capability, compute, cycles) = figures;
            for (index, unit) in units.iter_mut().enumerate() {
                unit["kind"] = json!(format!("u{index}"));
            }
            json!({
                "architecture": Architecture::NAMES[architecture], "territory": territory, "capital": capital,
                "users": users, "capability": capability, "compute": compute, "cycles": cycles, "units": units,
                "buildings": {
                    "city": b[0], "datacenter": b[1], "factory": b[2], "lab": b[3], "firewall": b[4], "core": core,
                },
                "programs": { "p": program },
                "standing": { "attack": attack, "defense": defense, "loss": loss },
                "countermeasure": guard.map(|above| json!({ "program": "p", "above": above })),
            })
        },
    )
}

fn setup() -> impl Strategy<Value = Value> {
    let protection = proptest::option::of((0.0..1.0_f64, 1.0..1000.0_f64));
    (proptest::collection::vec(mind(), 2..6), 1..100_u32, protection).prop_map(
        |(mut minds, hours, protection)| {
            for (index, mind) in minds.iter_mut().enumerate() {
                mind["id"] = json!(format!("m{index}"));
            }
            let protection = protection.map(|(min, max)| json!({ "range_min": min, "range_max": max }));
            json!({ "player": "m0", "hours": hours, "minds": minds, "protection": protection })
        },
    )
}

/// Calls that are often good: minutes grow, names mostly exist.
fn calls() -> impl Strategy<Value = Vec<Value>> {
    let call = (0..400_i64, 0..7_usize, 0..4_usize, any::<bool>(), 0.0..2.1_f64);
    proptest::collection::vec(call, 0..25).prop_map(|calls| {
        let mut t = 0;
        let mut made = Vec::new();
        for (passed, target, kind, program, above) in calls {
            t += passed;
            let program = program.then_some("p");
            made.push(match kind {
                0 => json!({ "op": "set_countermeasure", "t": t, "program": program, "above": above }),
                1 => json!({ "op": "attack", "t": t, "target": format!("m{target}"), "mode": "raid" }),
                _ => json!({
                    "op": "attack", "t": t, "target": format!("m{target}"), "mode": "conquest", "program": program,
                }),
            });
        }
        made.push(json!({ "op": "end" }));
        made
    })
}

fn read_setup(setup: &Value) -> Setup {
    Setup::read(&mut Reader::new(&setup.to_string())).unwrap_or_else(|no| panic!("{no}: {setup}"))
}

fn read_call(call: &Value) -> Call {
    Call::read(&mut Reader::new(&call.to_string())).unwrap_or_else(|no| panic!("{no}: {call}"))
}

fn total(war: &War, of: impl Fn(&Mind) -> u64) -> u64 {
    war.minds().iter().map(of).sum()
}

/// What no step may break, from a war to the same war later.
fn check_step(before: &War, after: &War, start: &Setup) {
    for of in [|mind: &Mind| mind.territory, |mind: &Mind| mind.capital, |mind: &Mind| mind.users] {
        assert_eq!(total(before, of), total(after, of), "moved, never made or lost");
    }
    assert!(before.minute() <= after.minute() && before.turns() <= after.turns());
    for index in 0..after.minds().len() {
        let (was, is, setup) = (&before.minds()[index], &after.minds()[index], &start.minds()[index]);
        assert!(was.units.iter().zip(&is.units).all(|(was, is)| is <= was));
        assert!(was.buildings.plain().iter().zip(is.buildings.plain()).all(|(was, is)| is <= *was));
        assert!(is.buildings.core <= was.buildings.core && is.compute <= was.compute);
        assert_eq!(is.deleted, is.buildings.core == 0);
        assert!(after.cycles(index) <= setup.cycles.max(96));
        if was.deleted {
            let same = (was.territory, was.capital, was.users, &was.units, before.cycles(index));
            assert_eq!(same, (is.territory, is.capital, is.users, &is.units, after.cycles(index)));
        }
        let sum = |of: fn(&ongrid_engine_minds::Unit) -> u64| {
            is.units.iter().zip(&setup.units).map(|(count, unit)| count * of(unit)).sum::<u64>()
        };
        let rules = *MindCombat::new().unwrap().constants();
        let (attack, defense) = (sum(|unit| unit.attack), sum(|unit| unit.defense));
        assert_eq!((is.force().attack, is.force().defense), (attack, defense));
        let buildings = is.buildings.total();
        assert_eq!(is.force().power, rules.power(is.territory, buildings, attack, defense, setup.capability));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_war_keeps_its_laws(setup in setup(), calls in calls(), seed: u64) {
        let engine = MindCombat::new().unwrap();
        let setup = read_setup(&setup);
        let legal = engine.check(setup.clone()).unwrap();
        let mut events: Vec<Event> = Vec::new();
        let mut war = engine.start(&legal, &Seed::from_u64(seed), &mut events);
        for call in &calls {
            let mut later = war.clone();
            if engine.apply(&mut later, &read_call(call), &mut events).is_ok() {
                check_step(&war, &later, &setup);
                war = later;
            }
        }
        prop_assert!(war.is_over());
        for event in &events {
            if let Event::Attack(fought) = event {
                prop_assert!(fought.attacker_strength.is_finite() && fought.attacker_strength >= 0.0);
                prop_assert!(fought.defender_strength.is_finite() && fought.defender_strength >= 0.0);
                prop_assert!(fought.ratio.is_none_or(|ratio| ratio.is_finite() && ratio >= 1.0));
                prop_assert!(fought.draws.iter().all(|u| (0.0..1.0).contains(u)));
                prop_assert!(fought.won || fought.sectors + fought.capital + fought.users + fought.cores == 0);
            }
        }
        prop_assert!(canonical::is_canonical(&canonical::to_vec(&events)));
        prop_assert!(canonical::is_canonical(&canonical::to_vec(&war.outcome())));
    }

    #[test]
    fn a_replay_has_the_same_bits_twice(setup in setup(), calls in calls(), seed: u64) {
        let mut good = Vec::new();
        for call in calls {
            good.push(call);
            let replay = json!({ "engine": "mind-combat-1", "seed": seed.to_string(), "setup": setup, "calls": good });
            if common::verify(&replay).is_err() {
                good.pop();
            }
        }
        let replay = json!({ "engine": "mind-combat-1", "seed": seed.to_string(), "setup": setup, "calls": good });
        let first = common::verify(&replay).unwrap();
        let second = MindCombat::new().unwrap().verify(&first.replay).unwrap();
        prop_assert_eq!(&first.replay, &second.replay, "the canonical replay is a replay");
        prop_assert_eq!(&first.outcome, &second.outcome);
        prop_assert_eq!(first.checkpoint, second.checkpoint);
        prop_assert_eq!(first.standing, second.standing);
        prop_assert!(canonical::is_canonical(&first.replay) && canonical::is_canonical(&first.outcome));
    }

    #[test]
    fn the_autopilot_plays_any_setup_to_its_end(setup in setup(), seed: u64) {
        let engine = MindCombat::new().unwrap();
        let legal = engine.check(read_setup(&setup)).unwrap();
        let seed = Seed::from_u64(seed);
        let calls = autopilot::play(&engine, &legal, &seed);
        prop_assert_eq!(&calls, &autopilot::play(&engine, &legal, &seed));
        prop_assert!(calls.len() <= MindCombat::MAX_CALLS);
        let mut war = engine.start(&legal, &seed, &mut ongrid_engine::Silent);
        for call in &calls {
            prop_assert!(engine.apply(&mut war, call, &mut ongrid_engine::Silent).is_ok());
        }
        prop_assert!(war.is_over());
    }

    #[test]
    fn garbage_never_panics(
        setup in setup(), seed: u64, spoiled in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        calls in proptest::collection::vec((any::<i64>(), ".{0,6}", ".{0,6}", any::<f64>(), 0..5_usize), 0..5),
    ) {
        let calls: Vec<Value> = calls.into_iter().map(|(t, target, mode, above, kind)| match kind {
            0 => json!({ "op": "attack", "t": t, "target": target, "mode": mode }),
            1 => json!({ "op": "attack", "t": t, "target": "m1", "mode": "raid", "program": mode }),
            2 => json!({ "op": "set_countermeasure", "t": t, "program": "p", "above": above }),
            3 => json!({ "op": mode, "t": target }),
            _ => json!({ "op": "end" }),
        }).collect();
        let replay = json!({ "engine": "mind-combat-1", "seed": seed.to_string(), "setup": setup, "calls": calls });
        let mut bytes = replay.to_string().into_bytes();
        for (place, byte) in spoiled {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let engine = MindCombat::new().unwrap();
        if let Err(no) = engine.verify(&bytes) {
            prop_assert!(!no.code().is_empty() && !no.message().is_empty());
        }
    }

    #[test]
    fn formulas_keep_their_bounds(
        a in 0..=6_400_000_000_000_000_u64, b in 0..=6_400_000_000_000_000_u64, u in 0.0..1.0_f64,
        attacker in 0.0..1e40_f64, defender in 0.0..1e40_f64, share in 0.0..1e20_f64, count in 0..=1_000_000_000_u64,
    ) {
        let rules = *MindCombat::new().unwrap().constants();
        prop_assert!((0.85..1.15).contains(&rules.random_factor(u)));
        prop_assert!((1.0..=1.5).contains(&rules.core_factor(count)));
        let outcome = rules.battle_outcome(attacker, defender);
        prop_assert_eq!(outcome.attacker_won, attacker > defender);
        prop_assert!(outcome.ratio.is_none_or(|ratio| ratio >= 1.0));
        let (winner, loser) = match outcome.attacker_won {
            true => (outcome.attacker_loss, outcome.defender_loss),
            false => (outcome.defender_loss, outcome.attacker_loss),
        };
        prop_assert!((0.0..=0.12).contains(&winner) && (0.15..=0.35).contains(&loser));
        prop_assert!(rules.units_lost(count, share, false) <= count);
        prop_assert!(rules.units_lost(count, share, true) <= rules.units_lost(count, share, false));
        let factor = rules.conquest_factor(a, b);
        prop_assert!((0.0..=1.0).contains(&factor));
        prop_assert!(rules.conquest_sectors(count, factor) <= count / 10);
        prop_assert!(rules.lopsided_cores(factor, count) <= count.min(1));
        let spoils = rules.raid_spoils(count, count, count);
        prop_assert!(spoils.capital <= count / 10 && spoils.users <= count / 20 && spoils.buildings <= count / 50);
        prop_assert!(rules.power(count, count, a, b, 8) >= rules.power(count, count, a, b, 0));
        prop_assert!(rules.power(count, count, a, b, 8) < 1 << 53);
        prop_assert!(rules.credited(count, 200) == count.max(96));
    }

    #[test]
    fn spread_takes_exactly_what_it_should(have in proptest::array::uniform5(0..=1_000_000_000_u64), k: u64) {
        let taken = spread(have, k);
        prop_assert_eq!(taken.iter().sum::<u64>(), k.min(have.iter().sum()));
        for kind in 0..5 {
            prop_assert!(taken[kind] <= have[kind]);
        }
    }
}
