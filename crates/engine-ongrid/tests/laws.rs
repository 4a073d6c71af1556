//! Laws: what holds of every fight, not only of the golden ones.

mod common;

use common::{Dice, every_call, random_call, random_calls, random_setup};
use ongrid_engine::{Chain, Engine, Referee, Replay, Seed, Silent, Verdict, canonical, checkpoints, replay};
use ongrid_engine_ongrid::{Call, Event, Legal, OnGrid, Side, Stance, What, autopilot, pipeline, view};
use proptest::prelude::*;
use serde_json::{Value, json};

fn engine() -> OnGrid {
    OnGrid::new().unwrap()
}

/// A fight: its setup, its seed and its calls.
struct Flown {
    setup: Value,
    legal: Legal,
    seed: Seed,
    calls: Vec<Call>,
}

impl Flown {
    /// A fight of a doctrine's own fleet or of a random one, flown by the autopilot or at random.
    fn new(engine: &OnGrid, number: u64) -> Self {
        let mut dice = Dice::new(number);
        let setup = match number % 4 {
            0 | 1 => {
                let doctrine = dice.pick(&engine.catalogue().doctrines);
                serde_json::from_str(&engine.setup_at(doctrine, dice.below(5))).unwrap()
            }
            _ => random_setup(engine, &mut dice),
        };
        let legal = engine.judge(&setup.to_string()).unwrap();
        let seed = Seed::from_u64(number ^ 0x5eed);
        let calls = match number % 2 {
            0 => autopilot::play(engine, &legal, &seed),
            _ => random_calls(engine, &legal, &seed, &mut dice),
        };
        Self { setup, legal, seed, calls }
    }

    /// The replay as a client sends it.
    fn bytes(&self, engine: &OnGrid) -> Vec<u8> {
        let links = checkpoints(engine, &self.legal, &self.seed, &self.calls).unwrap();
        self.document(&self.calls, links.into_iter().map(Chain::hex).collect())
    }

    fn document(&self, calls: &[Call], links: Vec<String>) -> Vec<u8> {
        let calls: Value = serde_json::from_slice(&canonical::to_vec(calls)).unwrap();
        let seed = self.seed.hex();
        let replay = json!({
            "engine": "ongrid-8", "seed": seed, "setup": self.setup, "calls": calls, "checkpoints": links,
        });
        serde_json::to_vec(&replay).unwrap()
    }

    fn replay(&self, engine: &OnGrid) -> Replay<OnGrid> {
        let setup = engine.setup(&self.legal).clone();
        Replay { seed: self.seed, setup, calls: self.calls.clone(), checkpoints: Vec::new() }
    }

    fn events(&self, engine: &OnGrid) -> Vec<Event> {
        let mut events = Vec::new();
        replay(engine, self.replay(engine), &mut events).unwrap();
        events
    }
}

/// Everything of a verdict that is told to anybody.
fn told(verdict: &Verdict) -> Vec<u8> {
    let mut bytes = canonical::to_vec(verdict);
    bytes.extend_from_slice(&verdict.replay);
    bytes.extend_from_slice(&verdict.rng_words.to_le_bytes());
    bytes
}

// ---------------------------------------------------------------------------------------------------------- rules

#[test]
fn modifiers_stack_as_published() {
    let engine = engine();
    let penalties = engine.catalogue().rules.penalties();
    let webs = |webs: [f64; 2]| pipeline::value(300.0, &[], &[], &webs, penalties);
    assert_eq!(webs([0.5, 0.4]).to_bits(), webs([0.4, 0.5]).to_bits());
    assert_eq!(webs([0.5, 0.4]), 67.85280115197615);
    assert_eq!(pipeline::value(1000.0, &[500.0], &[1.25], &[], penalties), 1875.0);
}

proptest! {
    #[test]
    fn the_order_of_penalized_multipliers_is_nothing(
        multipliers in prop::collection::vec(0.05_f64..3.0, 0..16).prop_shuffle(),
        base in 0.0_f64..1e6,
    ) {
        let engine = engine();
        let penalties = engine.catalogue().rules.penalties();
        let mut sorted = multipliers.clone();
        sorted.sort_by(f64::total_cmp);
        let value = |multipliers: &[f64]| pipeline::value(base, &[], &[], multipliers, penalties).to_bits();
        prop_assert_eq!(value(&multipliers), value(&sorted));
    }

    #[test]
    fn an_exempt_multiplier_scales_by_exactly_its_factor(
        base in 1.0_f64..1e6, adds in prop::collection::vec(0.0_f64..1e4, 0..4),
        exempt in prop::collection::vec(0.5_f64..2.0, 0..4),
        penalized in prop::collection::vec(0.3_f64..2.0, 0..8), power in -3_i32..4,
    ) {
        // A power of two rounds nowhere, so that "exactly" is to the bit.
        let factor = if power < 0 { 1.0 / f64::from(1_u32 << -power) } else { f64::from(1_u32 << power) };
        let engine = engine();
        let penalties = engine.catalogue().rules.penalties();
        let without = pipeline::value(base, &adds, &exempt, &penalized, penalties);
        let with: Vec<f64> = std::iter::once(factor).chain(exempt).collect();
        prop_assert_eq!(pipeline::value(base, &adds, &with, &penalized, penalties), without * factor);
    }
}

#[test]
fn formulas_at_their_edges() {
    let engine = engine();
    let rules = &engine.catalogue().rules;
    assert_eq!((rules.quality(0.98), rules.quality(0.98_f64.next_up())), (1.48, 3.0));
    let overtime = [17, 18, 19, 30].map(|round| rules.overtime(round));
    assert_eq!(overtime, [1.0, 1.0, 1.2, 1.0 + 0.2 * 12.0]);
}

#[test]
fn overheating_whenever_it_is_allowed() {
    let engine = engine();
    let mut seen = 0;
    for number in 0..60 {
        let doctrine = &engine.catalogue().doctrines[number % 12];
        let legal = engine.judge(&engine.setup_at(doctrine, number / 12)).unwrap();
        let mut fight = engine.start(&legal, &Seed::from_u64(number as u64), &mut Silent);
        let mut hot: Vec<(u32, bool)> = Vec::new();
        loop {
            let seen = view::View::of(&fight);
            let Some(ship) = seen.turn else { break };
            let calls = view::legal_calls(&fight);
            let overheated = calls.iter().find(|call| format!("{call:?}").contains("overheat: true"));
            let cool = calls.iter().find(|call| format!("{call:?}").contains("overheat: false"));
            let call = overheated.or(cool).copied().unwrap_or(Call::Concede);
            if ship == 0 {
                hot.push((seen.round, overheated.is_some()));
            }
            engine.apply(&mut fight, &call, &mut Silent).unwrap();
        }
        let rounds: Vec<u32> = hot.iter().map(|(round, _)| *round).take(8).collect();
        if rounds == [1, 2, 3, 4, 5, 6, 7, 8] {
            let hot: Vec<bool> = hot.iter().map(|(_, hot)| *hot).take(8).collect();
            assert_eq!(hot, [true, true, true, false, true, false, false, true]);
            seen += 1;
        }
    }
    assert!(seen > 0, "no ship acted in eight rounds on end");
}

#[test]
fn events_keep_the_rules() {
    let engine = engine();
    let (mut turrets, mut missiles, mut effects, mut killed_projectors, mut late) = (0, 0, 0, 0, 0);
    for number in 0..80 {
        let flown = Flown::new(&engine, number);
        let mut live: Vec<(u32, u32, u32, u32)> = Vec::new();
        let mut next = 0;
        let mut dead: Vec<u32> = Vec::new();
        let mut jam_until = [0; 16];
        for Event { round, what } in flown.events(&engine) {
            match what {
                What::Fired {
                    chance,
                    hit_roll,
                    landed,
                    application,
                    quality,
                    raw,
                    lost,
                    ship,
                    target,
                    ..
                } => {
                    assert!(!dead.contains(&ship) && !dead.contains(&target));
                    match (chance, hit_roll) {
                        (Some(chance), Some(roll)) => {
                            assert!((0.05..=0.95).contains(&chance));
                            assert_eq!(landed, roll < chance);
                            assert_eq!(quality.is_some(), landed);
                            turrets += 1;
                        }
                        _ => {
                            assert!(landed && (0.2..=1.0).contains(&application.unwrap()));
                            missiles += 1;
                        }
                    }
                    if !landed {
                        assert_eq!((raw, lost.shield + lost.armor + lost.hull), ([0.0; 4], 0.0));
                    }
                    late += u32::from(round > 18);
                }
                What::EffectStarted { number, source, group, target, last_round, .. } => {
                    assert_eq!((number, last_round), (next, round + 2));
                    next += 1;
                    // The same group again refreshes; another ship's adds.
                    assert!(live.iter().all(|effect| (effect.1, effect.2) != (source, group)));
                    live.push((number, source, group, target));
                    effects += 1;
                }
                What::EffectEnded { number, .. } => {
                    let before = live.len();
                    live.retain(|effect| effect.0 != number);
                    assert_eq!(live.len() + 1, before);
                }
                What::Jam { rolls, chance, target, jam_until: until, .. } => {
                    assert_eq!(until.is_some(), rolls.iter().any(|roll| *roll < chance));
                    jam_until[target as usize] = until.unwrap_or(jam_until[target as usize]);
                }
                What::SatOut { ship, jam_until: until } => {
                    // A jam stays, whatever became of the jammer.
                    assert!(until >= round && jam_until[ship as usize] == until);
                }
                What::Destroyed { ship, .. } => {
                    dead.push(ship);
                    killed_projectors += usize::from(live.iter().any(|effect| effect.1 == ship));
                }
                What::Turn { ship, .. } | What::Held { ship } => {
                    assert!(!dead.contains(&ship) && jam_until[ship as usize] < round);
                    // A killed projector has taken all its effects along by now, and a wreck bears none.
                    assert!(live.iter().all(|effect| !dead.contains(&effect.1) && !dead.contains(&effect.3)));
                }
                _ => {}
            }
        }
    }
    assert!(turrets > 500 && missiles > 200 && effects > 100 && killed_projectors > 5 && late > 10);
}

#[test]
fn books_are_balanced() {
    let engine = engine();
    for number in 0..60 {
        let flown = Flown::new(&engine, number);
        let (verified, _) = replay(&engine, flown.replay(&engine), &mut Silent).unwrap();
        let outcome = verified.outcome;
        let sum =
            |of: fn(&ongrid_engine_ongrid::ShipOutcome) -> f64| outcome.ships.iter().map(of).sum::<f64>();
        let (dealt, taken) = (sum(|ship| ship.damage_dealt), sum(|ship| ship.damage_taken));
        assert!((dealt - taken).abs() <= 1e-6 * (1.0 + taken), "{dealt} {taken}");
        for ship in &outcome.ships {
            assert_eq!(ship.destroyed_round.is_some(), ship.left.hull == 0.0);
            assert_eq!(ship.last_shooter.is_some(), ship.damage_taken > 0.0);
            if let Some(shooter) = ship.last_shooter {
                assert_ne!(outcome.ships[shooter as usize].side, ship.side);
            }
        }
        let now = |side: Side| {
            let ships = outcome.ships.iter().filter(|ship| ship.side == side);
            ships
                .map(|ship| ship.left.shield + ship.left.armor + ship.left.hull)
                .fold(0.0, |sum, hp| sum + hp)
        };
        assert_eq!((now(Side::Pilot), now(Side::Hostile)), (outcome.pilot.now, outcome.hostile.now));
        assert!(
            outcome.rounds <= 30 && verified.standing.finished && verified.standing.rounds == outcome.rounds
        );
    }
}

/// A ship without effects flies as it did before the first: recomputed, never divided back.
#[test]
fn what_an_effect_changed_comes_back_to_the_bit() {
    let engine = engine();
    let mut came_back = 0;
    for number in 0..60 {
        let flown = Flown::new(&engine, number);
        let mut fight = engine.start(&flown.legal, &flown.seed, &mut Silent);
        let mut free: Vec<[Option<(u64, u64)>; 3]> = vec![[None; 3]; 16];
        let mut touched = [false; 16];
        for call in &flown.calls {
            let seen = view::View::of(&fight);
            for ship in seen.ships.iter().filter(|ship| ship.alive) {
                let id = ship.id as usize;
                if seen.effects.iter().any(|effect| effect.target == ship.id) {
                    touched[id] = true;
                    continue;
                }
                let bits = (ship.speed.to_bits(), ship.signature.to_bits());
                let before = *free[id][ship.stance as usize].get_or_insert(bits);
                assert_eq!(bits, before);
                came_back += usize::from(std::mem::take(&mut touched[id]));
            }
            engine.apply(&mut fight, call, &mut Silent).unwrap();
        }
    }
    assert!(came_back > 20, "{came_back}");
}

#[test]
fn the_order_of_a_round_stays_until_the_next() {
    let engine = engine();
    for number in 0..40 {
        let flown = Flown::new(&engine, number);
        let mut fight = engine.start(&flown.legal, &flown.seed, &mut Silent);
        let mut before: Option<(u32, Vec<u32>)> = None;
        for call in &flown.calls {
            let seen = view::View::of(&fight);
            match &before {
                Some((round, order)) if *round == seen.round => assert_eq!(order, &seen.order),
                _ => before = Some((seen.round, seen.order.clone())),
            }
            let turn = seen.turn.unwrap();
            assert!(seen.order.contains(&turn) && !seen.to_come.contains(&turn));
            engine.apply(&mut fight, call, &mut Silent).unwrap();
        }
    }
}

/// What a player is shown before it fires is what the shot is drawn against, and its factors are all of it.
#[test]
fn chances_are_their_factors_and_those_of_the_shots() {
    let engine = engine();
    let (mut hits, mut applications, mut jams, mut fired) = (0, 0, 0, 0);
    for number in 0..60 {
        let flown = Flown::new(&engine, number);
        let mut fight = engine.start(&flown.legal, &flown.seed, &mut Silent);
        for call in &flown.calls {
            let seen = view::View::of(&fight);
            for chance in seen.sights.iter().flat_map(|sight| &sight.groups) {
                let view::Factors { aim, bounds: [least, most], jam, pace, sensors, size } = chance.factors;
                for stance in 0..3 {
                    let aim = aim.map(|aim| aim[stance]);
                    let made = match chance.of {
                        view::ChanceOf::Hit => aim.unwrap() * size.unwrap() * pace.unwrap(),
                        view::ChanceOf::Application => size.unwrap() * pace.unwrap() * aim.unwrap(),
                        view::ChanceOf::Jam => jam.unwrap() / sensors.unwrap(),
                    };
                    assert_eq!(made.max(least).min(most), chance.chance[stance]);
                }
                *match chance.of {
                    view::ChanceOf::Hit => &mut hits,
                    view::ChanceOf::Application => &mut applications,
                    view::ChanceOf::Jam => &mut jams,
                } += 1;
            }
            let mut events: Vec<Event> = Vec::new();
            engine.apply(&mut fight, call, &mut events).unwrap();
            let Call::Turn { ship: shooter, stance, .. } = call else { continue };
            let stance = stance.unwrap_or(seen.ships[*shooter as usize].stance) as usize;
            for event in &events {
                let What::Fired { ship, group, target, chance, application, .. } = &event.what else {
                    continue;
                };
                if ship == shooter {
                    let sight = seen.sights.iter().find(|sight| sight.target == *target).unwrap();
                    let shown = sight.groups.iter().find(|chance| chance.group == *group).unwrap();
                    assert_eq!(chance.or(*application), Some(shown.chance[stance]));
                    fired += 1;
                }
            }
        }
    }
    assert!(
        hits > 500 && applications > 500 && jams > 50 && fired > 500,
        "{hits} {applications} {jams} {fired}"
    );
}

// --------------------------------------------------------------------------------------------------------- legality

/// The calls listed as legal are those that are taken, and a call that is refused changes nothing.
#[test]
fn legal_calls_are_those_that_are_taken() {
    // Those two that are rare, no_weapon_ready and no_uses, are in the golden set.
    const CODES: [&str; 11] = [
        "wrong_ship",
        "unknown_group",
        "not_active",
        "target_missing",
        "target_not_allowed",
        "unknown_target",
        "target_destroyed",
        "target_side",
        "no_weapons",
        "overheat_locked",
        "capacitor",
    ];
    let engine = engine();
    let mut refused = std::collections::BTreeMap::new();
    for number in 0..24 {
        let flown = Flown::new(&engine, number);
        let mut fight = engine.start(&flown.legal, &flown.seed, &mut Silent);
        let mut dice = Dice::new(number);
        for (index, call) in flown.calls.iter().enumerate() {
            if index % 3 == 0 {
                let legal = view::legal_calls(&fight);
                assert!(legal.contains(&Call::Concede));
                let mut before = Vec::new();
                engine.encode(&fight, &mut before);
                for call in every_call(13, 23) {
                    let mut trial = fight.clone();
                    match engine.apply(&mut trial, &call, &mut Silent) {
                        Ok(()) => assert!(legal.contains(&call), "{call:?}"),
                        Err(no) => {
                            assert!(!legal.contains(&call), "{call:?} {no}");
                            assert!(no.at().round.is_some() && no.at().ship.is_some(), "{no}");
                            *refused.entry(no.code()).or_insert(0) += 1;
                            let mut after = Vec::new();
                            engine.encode(&trial, &mut after);
                            assert_eq!(before, after);
                        }
                    }
                }
                // Stances change nothing about it.
                if let Some(call) = random_call(&fight, &mut dice) {
                    engine.apply(&mut fight.clone(), &call, &mut Silent).unwrap();
                }
            }
            engine.apply(&mut fight, call, &mut Silent).unwrap();
        }
        assert!(view::legal_calls(&fight).is_empty());
        for call in every_call(3, 2) {
            assert_eq!(engine.apply(&mut fight, &call, &mut Silent).unwrap_err().code(), "trailing_calls");
        }
    }
    for code in CODES {
        assert!(refused.contains_key(code), "{code} never seen among {refused:?}");
    }
}

#[test]
fn an_illegal_call_names_its_index() {
    let engine = engine();
    for number in 0..30 {
        let flown = Flown::new(&engine, number);
        let mut dice = Dice::new(number);
        let Some(last) = flown.calls.len().checked_sub(1) else { continue };
        let at = dice.below(last + 1);
        let mut calls = flown.calls.clone();
        calls.insert(
            at,
            Call::Turn {
                ship: 99,
                stance: Some(Stance::Evasive),
                action: ongrid_engine_ongrid::Action::Hold,
            },
        );
        let no = engine.verify(&flown.document(&calls, Vec::new())).unwrap_err();
        assert_eq!((no.code(), no.call()), ("wrong_ship", Some(at as u32)));
    }
}

// ------------------------------------------------------------------------------------------------------ determinism

#[test]
fn watching_and_viewing_never_move_the_generator() {
    let engine = engine();
    for number in 0..40 {
        let flown = Flown::new(&engine, number);
        let (silent, _) = replay(&engine, flown.replay(&engine), &mut Silent).unwrap();
        let mut events: Vec<Event> = Vec::new();
        let (watched, _) = replay(&engine, flown.replay(&engine), &mut events).unwrap();
        assert_eq!(silent.outcome, watched.outcome);
        assert!(!events.is_empty());
        let mut fight = engine.start(&flown.legal, &flown.seed, &mut Silent);
        let mut state = Vec::new();
        engine.encode_start(&flown.legal, &flown.seed, &mut state);
        let mut chain = Chain::start(&state);
        for call in &flown.calls {
            let seen = canonical::to_vec(&view::View::of(&fight));
            assert!(canonical::is_canonical(&seen));
            assert_eq!(seen, canonical::to_vec(&view::View::of(&fight)));
            assert!(!view::legal_calls(&fight).is_empty());
            engine.apply(&mut fight, call, &mut Silent).unwrap();
            state.clear();
            engine.encode(&fight, &mut state);
            chain.step(&state);
        }
        assert_eq!(chain.value(), silent.checkpoint);
    }
}

#[test]
fn the_same_bits_again_and_on_sixteen_threads() {
    let engine = engine();
    let replays: Vec<Vec<u8>> = (0..24).map(|number| Flown::new(&engine, number).bytes(&engine)).collect();
    let alone: Vec<_> = replays.iter().map(|bytes| told(&engine.verify(bytes).unwrap())).collect();
    // A, B, A; and again after a replay that was refused.
    for (first, second) in [(0, 1), (1, 2), (5, 3)] {
        for index in [first, second, first] {
            assert_eq!(told(&engine.verify(&replays[index]).unwrap()), alone[index]);
            assert!(engine.verify(&replays[index][1..]).is_err());
            assert_eq!(told(&engine.verify(&replays[index]).unwrap()), alone[index]);
        }
    }
    let verify_all = |turn: usize| {
        let order = (0..replays.len()).map(move |index| (index + turn * 5) % 24);
        order.map(|index| (index, told(&OnGrid::new().unwrap().verify(&replays[index]).unwrap())))
    };
    #[expect(clippy::disallowed_methods, reason = "the engine has no threads; its callers have")]
    std::thread::scope(|scope| {
        for turn in 0..16 {
            let (verify_all, alone) = (&verify_all, &alone);
            scope.spawn(move || {
                for (index, told) in verify_all(turn) {
                    assert_eq!(told, alone[index]);
                }
            });
        }
    });
}

#[test]
fn what_is_told_is_canonical() {
    let engine = engine();
    for number in 0..40 {
        let flown = Flown::new(&engine, number);
        let bytes = flown.bytes(&engine);
        let verdict = engine.verify(&bytes).unwrap();
        let timeline = engine.timeline(&bytes).unwrap();
        for told in [&verdict.replay, &verdict.outcome, verdict.snapshot.as_ref().unwrap(), &timeline] {
            assert!(canonical::is_canonical(told), "{}", String::from_utf8_lossy(told));
        }
        assert_eq!(verdict.desync, None);
        // What c₀ is computed over is the setup with engine and seed, canonical too.
        let mut start = Vec::new();
        engine.encode_start(&flown.legal, &flown.seed, &mut start);
        assert!(canonical::is_canonical(&start));
        let mut setup: Value =
            serde_json::from_slice(&canonical::to_vec(engine.setup(&flown.legal))).unwrap();
        setup["engine"] = "ongrid-8".into();
        setup["seed"] = flown.seed.hex().into();
        assert_eq!(canonical::to_vec(&setup), start);
    }
}

#[test]
fn labels_and_defaults_are_no_part_of_a_fight() {
    let engine = engine();
    let mut flown = Flown::new(&engine, 4);
    let plain = engine.verify(&flown.bytes(&engine)).unwrap();
    for ship in flown.setup["fleet"].as_array_mut().unwrap() {
        ship["name"] = "Ünïted 🚀".into();
    }
    let labelled = engine.verify(&flown.bytes(&engine)).unwrap();
    assert_eq!(told(&plain), told(&labelled));
    assert_eq!(plain.play_digest, labelled.play_digest);
}

// ------------------------------------------------------------------------------------------------------------ format

#[test]
fn calls_dropped_changed_or_added_never_give_the_same_verdict() {
    let engine = engine();
    for number in 0..30 {
        let flown = Flown::new(&engine, number);
        let Some(last) = flown.calls.last().copied() else { continue };
        let whole = engine.verify(&flown.document(&flown.calls, Vec::new())).unwrap();
        let verify = |calls: &[Call]| engine.verify(&flown.document(calls, Vec::new()));
        let end = flown.calls.len();
        let no = verify(&flown.calls[..end - 1]).unwrap_err();
        assert_eq!((no.code(), no.call()), ("unfinished", Some(end as u32 - 1)));
        assert_eq!(verify(&[]).unwrap_err().code(), "unfinished");
        for extra in [last, Call::Concede] {
            let calls: Vec<Call> = flown.calls.iter().copied().chain([extra]).collect();
            let no = verify(&calls).unwrap_err();
            assert_eq!((no.code(), no.call()), ("trailing_calls", Some(end as u32)));
        }
        let mut changed = flown.calls.clone();
        changed[end - 1] = Call::Concede;
        let conceded = verify(&changed);
        if last != Call::Concede {
            assert_ne!(conceded.unwrap().outcome_digest, whole.outcome_digest);
        }
        let mut without = flown.calls.clone();
        without.remove(end / 2);
        if let Ok(other) = verify(&without) {
            assert_ne!(other.outcome_digest, whole.outcome_digest);
        }
    }
}

#[test]
fn engines_and_seeds_that_are_none() {
    let engine = engine();
    let flown = Flown::new(&engine, 2);
    let replay: Value = serde_json::from_slice(&flown.bytes(&engine)).unwrap();
    let with = |key: &str, value: Value| {
        let mut replay = replay.clone();
        replay[key] = value;
        engine.verify(&serde_json::to_vec(&replay).unwrap())
    };
    for tag in ["", "ongrid-08", "ongrid-80", "ONGRID-8", " ongrid-8", "ongrid-8\u{200b}", "ongrid-8\n"] {
        assert_eq!(with("engine", tag.into()).unwrap_err().code(), "engine", "{tag:?}");
    }
    for tag in [Value::Null, json!(["ongrid-8"]), json!(8), json!({"tag": "ongrid-8"})] {
        assert_eq!(with("engine", tag).unwrap_err().code(), "format");
    }
    for seed in [
        json!(""),
        json!("abc"),
        json!("-1"),
        json!("007"),
        json!("1e3"),
        json!("0x10"),
        json!(5),
        Value::Null,
        json!("18446744073709551616"),
        json!(1e300),
    ] {
        assert_eq!(with("seed", seed.clone()).unwrap_err().code(), "format", "{seed}");
    }
    for seed in ["9007199254740993", "18446744073709551615"] {
        let legal = engine.judge(&flown.setup.to_string()).unwrap();
        let seed_of = Seed::parse(seed).unwrap();
        let flown = Flown {
            setup: flown.setup.clone(),
            calls: autopilot::play(&engine, &legal, &seed_of),
            legal,
            seed: seed_of,
        };
        let mut replay: Value = serde_json::from_slice(&flown.bytes(&engine)).unwrap();
        replay["seed"] = seed.into();
        let verdict = engine.verify(&serde_json::to_vec(&replay).unwrap()).unwrap();
        assert_eq!((verdict.seed.hex(), verdict.desync), (flown.seed.hex(), None));
    }
}

#[test]
fn monstrous_documents_are_refused() {
    let engine = engine();
    let skills =
        r#"{"gunnery":3,"motion-prediction":3,"missiles":3,"tank":3,"navigation":3,"electronics":3}"#;
    let document = |fleet: &str, calls: &str| {
        format!(
            r#"{{"engine":"ongrid-8","seed":"1","setup":{{"doctrine":"minmatar-line","skills":{skills},"fleet":[{fleet}]}},"calls":[{calls}]}}"#
        )
    };
    let many = |item: &str, number: usize| vec![item; number].join(",");
    let rifter = r#"{"hull":"rifter","fit":[]}"#;
    let concede = r#"{"do":"concede"}"#;
    for (text, code, call, path) in [
        (document(rifter, &many(concede, 60_000)), "too_large", None, None),
        (document(rifter, &many(concede, 10_000)), "too_many_calls", Some(512), None),
        (document(rifter, &many(concede, 513)), "too_many_calls", Some(512), None),
        (document(&many(rifter, 5), &many(concede, 512)), "trailing_calls", Some(1), None),
        (document(&many(r#"{"hull":"a","fit":[]}"#, 10_000), ""), "fleet_size", None, Some("/setup/fleet")),
        (
            document(
                &format!(r#"{{"hull":"rifter","fit":[{}]}}"#, many(r#"{"module":"a","count":1}"#, 1000)),
                "",
            ),
            "limit",
            None,
            Some("/setup/fleet/0/fit/24"),
        ),
        ("[".repeat(200_000), "format", None, Some("")),
        (document(rifter, "NaN"), "format", None, Some("/calls/0")),
        (document(rifter, "1e400"), "format", None, Some("/calls/0")),
        (format!("\u{feff}{}", document(rifter, concede)), "format", None, None),
        (document(rifter, concede) + "x", "format", None, None),
        (document(rifter, r#"{"do":"concede","why":1}"#), "format", None, Some("/calls/0/why")),
        (document(r#"["rifter",[]]"#, concede), "format", None, Some("/setup/fleet/0")),
        (
            document(r#"{"hull":"rifter","fit":[{"module":"a","count":1,"count":1}]}"#, concede),
            "format",
            None,
            Some("/setup/fleet/0/fit/0/count"),
        ),
        (
            document(r#"{"hull":"rifter","fit":[],"name":"a\u0007b"}"#, concede),
            "format",
            None,
            Some("/setup/fleet/0/name"),
        ),
    ] {
        let no = engine.verify(text.as_bytes()).unwrap_err();
        assert_eq!((no.code(), no.call()), (code, call), "{no}");
        if let Some(path) = path {
            assert!(no.path().is_some_and(|found| found.starts_with(path)), "{no} is not at {path}");
        }
    }
    let label = |length: usize| {
        let name = "ü".repeat(length);
        engine.verify(
            document(
                &format!(r#"{{"hull":"rifter","fit":[],"name":"{name}"}},{}"#, many(rifter, 4)),
                concede,
            )
            .as_bytes(),
        )
    };
    assert!(label(64).is_ok());
    assert_eq!(label(65).unwrap_err().path(), Some("/setup/fleet/0/name"));
}

#[test]
fn a_setup_alone_is_judged_with_paths_from_the_replay() {
    let engine = engine();
    let doctrine = &engine.catalogue().doctrines[0];
    let mut setup: Value = serde_json::from_str(&engine.setup_at(doctrine, 2)).unwrap();
    let legal = engine.judge(&setup.to_string()).unwrap();
    assert_eq!(engine.setup(&legal).doctrine(), doctrine.id);
    assert_eq!(engine.setup(&legal).skills().count(), 6);
    assert_eq!(engine.snapshot(&legal).unwrap().level, legal.level());
    setup["fleet"][1]["fit"][0]["module"] = "sling".into();
    let no = engine.judge(&setup.to_string()).unwrap_err();
    assert_eq!((no.code(), no.path()), ("unknown_module", Some("/setup/fleet/1/fit/0")));
    setup["fleet"][1]["fit"][0]["module"] = 5.into();
    let no = engine.judge(&setup.to_string()).unwrap_err();
    assert_eq!((no.code(), no.path()), ("format", Some("/setup/fleet/1/fit/0/module")));
    assert_eq!(engine.judge("{} x").unwrap_err().code(), "format");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// A replay with bytes changed, cut or doubled is verified or refused; nothing panics, and what is refused has a
    /// code and what is format has a place.
    #[test]
    fn spoilt_replays_never_panic(
        number in 0_u64..6, at in any::<prop::sample::Index>(), kind in 0..4, byte in any::<u8>(),
        with in any::<prop::sample::Index>(),
    ) {
        let engine = engine();
        let mut bytes = Flown::new(&engine, number).bytes(&engine);
        let (at, with) = (at.index(bytes.len()), with.index(bytes.len()));
        match kind {
            0 => bytes[at] = byte,
            1 => bytes.truncate(at),
            2 => bytes.insert(at, byte),
            _ => bytes.swap(at, with),
        }
        if let Err(no) = engine.verify(&bytes) {
            prop_assert!(!no.code().is_empty() && !no.message().is_empty());
            prop_assert!(no.code() != "format" || no.path().is_some());
        }
    }
}
