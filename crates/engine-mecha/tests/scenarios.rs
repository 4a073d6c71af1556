//! The battles that come with the ruleset, the autopilot, the report.

mod common;

use ongrid_engine::json::Reader;
use ongrid_engine::{Engine, MAX_REPLAY_BYTES, Referee, Replay, Seed, canonical, replay, write_canonical};
use ongrid_engine_mecha::call::Call;
use ongrid_engine_mecha::event::{Act, Event, Happening};
use ongrid_engine_mecha::report::{Report, State, report};
use ongrid_engine_mecha::scenario::{self, SCENARIOS};
use ongrid_engine_mecha::setup::Setup;
use ongrid_engine_mecha::{MechaBattle, autopilot};

fn play(engine: &MechaBattle, setup: Setup, seed: u64) -> (Seed, Setup, Vec<Call>) {
    let seed = Seed::from_u64(seed);
    let legal = engine.check(setup.clone()).unwrap();
    let calls = autopilot::play(engine, &legal, &seed);
    (seed, setup, calls)
}

fn bytes((seed, setup, calls): &(Seed, Setup, Vec<Call>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_canonical::<MechaBattle>(seed, setup, calls, &mut bytes);
    bytes
}

fn told(engine: &MechaBattle, (seed, setup, calls): (Seed, Setup, Vec<Call>)) -> (Vec<Event>, Report) {
    let mut events = Vec::new();
    let played = Replay::<MechaBattle> { seed, setup, calls, checkpoints: Vec::new() };
    let (verified, _) = replay(engine, played, &mut events).unwrap();
    let report = report(&events, &verified.outcome);
    (events, report)
}

#[test]
fn scenarios_are_legal_and_played_to_their_end() {
    let engine = MechaBattle::new().unwrap();
    for scenario in SCENARIOS {
        let setup = scenario::read(scenario).unwrap();
        for seed in 0..12 {
            let played = play(&engine, setup.clone(), seed);
            let verdict = engine.verify(&bytes(&played)).unwrap();
            assert!(verdict.standing.finished, "{} {seed}", scenario.name);
            assert!(verdict.standing.rounds > 2 && played.2.len() > 8);
            assert_eq!(verdict.replay, bytes(&played));
        }
    }
    assert!(scenario::named("ridge-at-dawn").is_some() && scenario::named("").is_none());
}

#[test]
fn the_autopilot_holds_its_own() {
    // A plausible play wins some of the battles and loses some.
    let engine = MechaBattle::new().unwrap();
    for scenario in SCENARIOS {
        let setup = scenario::read(scenario).unwrap();
        let won = (0..20)
            .filter(|seed| {
                engine.verify(&bytes(&play(&engine, setup.clone(), *seed))).unwrap().standing.score > 0
            })
            .count();
        assert!((4..20).contains(&won), "{} {won}", scenario.name);
    }
}

#[test]
fn the_autopilot_keeps_to_the_limits() {
    // Nobody can hit anybody, for a thousand rounds of 32 units.
    let units: Vec<_> = (0..32)
        .map(|unit| {
            let side = if unit < 30 { "A" } else { "B" };
            common::person(&format!("unit {unit}"), side, [unit * 1000, 0], serde_json::json!([]))
        })
        .collect();
    let mut replay = common::replay(1, &units, &[]);
    replay["setup"]["rounds"] = 1000.into();
    let setup = Setup::read(&mut Reader::new(&replay["setup"].to_string())).unwrap();
    let engine = MechaBattle::new().unwrap();
    let played = play(&engine, setup, 1);
    let bytes = bytes(&played);
    assert!(bytes.len() <= MAX_REPLAY_BYTES && bytes.len() > MAX_REPLAY_BYTES - 2048, "{}", bytes.len());
    assert!(!engine.verify(&bytes).unwrap().standing.finished);
}

#[test]
fn setups_are_canonical_and_come_back() {
    for scenario in SCENARIOS {
        let setup = scenario::read(scenario).unwrap();
        let written = canonical::to_vec(&setup);
        assert!(canonical::is_canonical(&written));
        let again = Setup::read(&mut Reader::from_bytes(&written).unwrap()).unwrap();
        assert_eq!(again, setup);
    }
}

#[test]
fn defaults_are_left_out_of_the_canonical_form() {
    let text = r#"{
        "player": "A", "sides": ["A", "B"], "rounds": 1,
        "env": {"medium": "air", "terrain": "open", "slope_percent": 0, "light": "day", "fog": false, "underwater": false},
        "units": [
            {"id": "a", "side": "A", "type": "foot", "pos": [0, 0, 0], "facing": [1, 0], "flies": false,
             "speed": {"walk": 0, "run": 7}, "size_m2": 1.0, "flags": [],
             "crew": {"skill": "child", "damage": 0, "out": false}, "weapons": [
                {"name": "g", "class": "bullet", "rate": 1, "rapid": null, "ammo": null, "arm": null, "optical": false,
                 "optical_only": false, "sniper": false, "wound": null, "range": 9, "accuracy": null, "ref": null,
                 "hand": "pistol", "caliber": 9},
                {"name": "k", "class": "blade", "rate": 1, "points": 1, "accuracy": 1, "reach": 2, "thrust": false,
                 "pierce": 25},
                {"name": "m", "class": "missile", "rate": 1, "range": 9, "caliber": 1, "min_range": 0, "burnout": 1,
                 "half_range": 2, "moving_percent": 90, "wingless": false},
                {"name": "b", "class": "beam", "rate": 2, "rapid": 2, "ammo": 0, "range": 9, "accuracy": 0.50, "ref": 3,
                 "hand": null, "points": 7}
             ]},
            {"id": "b", "side": "B", "type": "foot", "pos": [0, 0, 9], "facing": [0, -1], "speed": {},
             "crew": {"skill": "elite"}, "weapons": []}
        ]
    }"#;
    let setup = Setup::read(&mut Reader::new(text)).unwrap();
    let written = String::from_utf8(canonical::to_vec(&setup)).unwrap();
    let weapons = concat!(
        r#"{"accuracy":null,"caliber":9,"class":"bullet","hand":"pistol","name":"g","range":9,"rate":1},"#,
        r#"{"class":"blade","name":"k","points":1,"rate":1,"reach":2},"#,
        r#"{"burnout":1,"caliber":1,"class":"missile","half_range":2,"min_range":0,"name":"m","range":9,"rate":1},"#,
        r#"{"accuracy":0.5,"ammo":0,"class":"beam","name":"b","points":7,"range":9,"rapid":2,"rate":2,"ref":3}"#,
    );
    let expected = format!(
        concat!(
            r#"{{"env":{{"medium":"air"}},"player":"A","rounds":1,"sides":["A","B"],"units":["#,
            r#"{{"crew":{{"skill":"child"}},"facing":[1,0],"id":"a","pos":[0,0,0],"side":"A","speed":{{"run":7}},"#,
            r#""type":"foot","weapons":[{}]}},"#,
            r#"{{"crew":{{"skill":"elite"}},"facing":[0,-1],"id":"b","pos":[0,0,9],"side":"B","speed":{{}},"#,
            r#""type":"foot","weapons":[]}}]}}"#,
        ),
        weapons
    );
    assert_eq!(written, expected);
}

#[test]
fn a_report_tells_what_the_log_tells() {
    let engine = MechaBattle::new().unwrap();
    for scenario in SCENARIOS {
        for seed in 0..6 {
            let (events, report) = told(&engine, play(&engine, scenario::read(scenario).unwrap(), seed));
            let happenings = || events.iter().flat_map(|event| &event.happenings);
            let count = |which: fn(&Happening) -> bool| happenings().filter(|it| which(it)).count() as u32;
            let sum = |what: fn(&ongrid_engine_mecha::report::UnitReport) -> u32| {
                report.units.iter().map(what).sum()
            };
            let parried: u32 = sum(|unit| unit.parried);
            assert_eq!(parried, count(|it| matches!(it, Happening::Parried(_))));
            let kills: u32 = sum(|unit| unit.kills.len() as u32);
            assert_eq!(kills, count(|it| matches!(it, Happening::Kill(..))));
            let critical: u32 = sum(|unit| unit.parts.values().map(|part| part.critical).sum());
            assert_eq!(critical, count(|it| matches!(it, Happening::Critical(..))));
            let dead = report.units.iter().filter(|unit| unit.state == State::Dead).count() as u32;
            assert_eq!(dead, count(|it| matches!(it, Happening::Dies(_) | Happening::Explodes(_))));
            let shots: u32 = sum(|unit| unit.shots);
            let fired = events.iter().map(|event| match event.act {
                Act::Attack { shots, .. } => shots,
                _ => 0,
            });
            assert_eq!(shots, fired.sum::<u32>());
        }
    }
}

#[test]
fn a_report_for_people() {
    let engine = MechaBattle::new().unwrap();
    let (_, report) = told(&engine, play(&engine, scenario::read(&SCENARIOS[0]).unwrap(), 1));
    let text = report.to_string();
    for unit in &report.units {
        assert!(text.contains(&*unit.unit));
    }
    assert!(canonical::is_canonical(&canonical::to_vec(&report)), "{text}");
    assert!(text.lines().next().unwrap().ends_with(&format!("after {} rounds.", report.rounds)), "{text}");
    assert!(text.contains("  cockpit: ") || text.contains("  gyro: "), "{text}");
}

#[test]
fn the_rules_text_names_every_figure_of_the_data_that_a_player_meets() {
    let rules = ongrid_engine_mecha::RULES;
    for figure in
        ["0.95", "0.97", "2/3", "3/4", "5/6", "6/7", "1/5", "1/3", "0.65", "1.25", "1.15", "23 %", "45 %"]
    {
        assert!(rules.contains(figure), "{figure}");
    }
}
