//! The door, as a client meets it: on this machine, without WebAssembly.

use ongrid_engine::{Registry, canonical};
use ongrid_engine_wasm::{Door, engines};
use serde_json::{Value, json};

fn door() -> Door {
    Door::new().unwrap()
}

fn read(bytes: &[u8]) -> Value {
    assert!(canonical::is_canonical(bytes), "{}", String::from_utf8_lossy(bytes));
    serde_json::from_slice(bytes).unwrap()
}

fn bytes(value: &Value) -> Vec<u8> {
    serde_json::to_vec(value).unwrap()
}

/// A fight of each engine before its first call.
fn starts(door: &Door) -> Vec<Value> {
    let catalogue = read(&door.catalogue(b"ongrid-8").unwrap());
    let skills = catalogue["skills"].as_array().unwrap().iter();
    let skills: serde_json::Map<_, _> =
        skills.map(|skill| (skill["id"].as_str().unwrap().to_owned(), json!(3))).collect();
    let doctrine = &catalogue["doctrines"][4];
    let setup = json!({"doctrine": doctrine["id"], "skills": skills, "fleet": doctrine["fleets"][2]});
    let mut starts = vec![json!({"engine": "ongrid-8", "seed": "8", "setup": setup, "calls": []})];
    for host in engines().unwrap() {
        if let Some(scenario) = host.scenarios().first() {
            let setup: Value = serde_json::from_str(scenario.setup).unwrap();
            starts.push(json!({"engine": host.tag(), "seed": "8", "setup": setup, "calls": []}));
        }
    }
    assert_eq!(starts.len(), engines().unwrap().len());
    starts
}

/// Plays an open fight by the legal calls until it is over, or for as many calls as told; all the steps.
fn play(door: &mut Door, fight: u32, most: usize) -> Vec<Value> {
    let mut steps = Vec::new();
    while steps.len() < most {
        let legal = read(&door.legal(fight).unwrap());
        let legal = legal.as_array().unwrap();
        // Not always the first, nor the one that ends the fight.
        let Some(call) = legal.get(steps.len() % legal.len().saturating_sub(1).max(1)) else { break };
        steps.push(read(&door.call(fight, &bytes(call)).unwrap()));
    }
    steps
}

#[test]
fn every_engine_has_its_tag_and_digest() {
    let (door, hosts) = (door(), engines().unwrap());
    let told = read(&door.tags());
    let known: Vec<Value> = hosts
        .iter()
        .map(|host| {
            let ruleset = host.ruleset().digest().hex();
            json!({"engine": host.tag(), "max_calls": host.max_calls(), "ruleset": ruleset})
        })
        .collect();
    assert_eq!(told, json!(known));
    for host in &hosts {
        for file in host.ruleset().files() {
            let name = format!("{}/{}", host.tag(), file.name);
            assert_eq!(door.data(name.as_bytes()).unwrap(), file.bytes);
        }
    }
}

#[test]
fn what_is_not_there_is_refused() {
    let mut door = door();
    let code = |asked: ongrid_engine::Result<Vec<u8>>| asked.unwrap_err().code().to_owned();
    assert_eq!(code(door.data(b"ongrid-8/no.toml")), "file");
    assert_eq!(code(door.data(b"ongrid-8")), "file");
    assert_eq!(code(door.data(b"ongrid-9/rules.toml")), "engine");
    assert_eq!(code(door.catalogue(b"\xff")), "engine");
    assert_eq!(door.catalogue(b"mind-combat-1").unwrap(), b"null");
    for asked in [door.view(0), door.legal(0), door.state(u32::MAX), door.replay(64), door.close(0)] {
        assert_eq!(code(asked), "fight");
    }
    assert_eq!(code(door.call(0, b"{}")), "fight");
    for (replay, expected) in [
        (&b""[..], "format"),
        (b"{}", "format"),
        (b"[]", "format"),
        (br#"{"engine":"ongrid-8"}"#, "format"),
        (br#"{"engine":"ongrid-9","seed":"1","setup":{},"calls":[]}"#, "engine"),
    ] {
        assert_eq!(code(door.open(replay)), expected);
        assert_eq!(code(door.verify(replay)), expected);
        assert_eq!(code(door.fly(replay)), expected);
        assert_eq!(code(door.timeline(replay)), expected);
    }
}

#[test]
fn handles_are_few_and_used_again() {
    let mut door = door();
    let start = bytes(&starts(&door)[2]);
    for handle in 0..64 {
        assert_eq!(read(&door.open(&start).unwrap())["fight"], handle);
    }
    assert_eq!(door.open(&start).unwrap_err().code(), "fights");
    assert_eq!(door.close(17).unwrap(), b"null");
    assert_eq!(door.close(17).unwrap_err().code(), "fight");
    assert_eq!(read(&door.open(&start).unwrap())["fight"], 17);
}

/// A fight that was played call by call is the one that the referee verifies, events and checkpoints included.
#[test]
fn a_fight_played_is_the_fight_verified() {
    let mut door = door();
    for start in starts(&door) {
        let opened = read(&door.open(&bytes(&start)).unwrap());
        let mut events = opened["step"]["events"].as_array().unwrap().clone();
        let steps = play(&mut door, 0, 200);
        assert!(steps.len() > 1, "{}", start["engine"]);
        for (number, step) in steps.iter().enumerate() {
            assert_eq!(step["calls"], number + 1);
            events.extend(step["events"].as_array().unwrap().iter().cloned());
        }
        let replay = door.replay(0).unwrap();
        let checkpoints = read(&replay)["checkpoints"].clone();
        assert_eq!(json!(steps.iter().map(|step| &step["checkpoint"]).collect::<Vec<_>>()), checkpoints);
        assert_eq!(
            read(&door.state(0).unwrap())["checkpoints"].as_array().unwrap()[1..],
            checkpoints.as_array().unwrap()[..]
        );

        let verdict = read(&door.verify(&replay).unwrap());
        let end = &steps.last().unwrap()["end"];
        assert_eq!((&verdict["outcome"], &verdict["standing"]), (&end["outcome"], &end["standing"]));
        assert_eq!(verdict.get("desync"), None);
        assert_eq!(read(&door.timeline(&replay).unwrap()), json!(events));
        // The same verdict as the command line prints, to the byte.
        let registry = Registry::new(engines().unwrap().iter().map(|host| host.referee()).collect());
        let printed = serde_json::to_value(registry.verify(&replay).unwrap()).unwrap();
        assert_eq!(verdict, printed);
        door.close(0).unwrap();
    }
}

/// Wherever a fight stopped it goes on from its calls as if it had not.
#[test]
fn a_fight_is_taken_up_again() {
    let mut door = door();
    for start in starts(&door) {
        door.open(&bytes(&start)).unwrap();
        play(&mut door, 0, 5);
        let opened = read(&door.open(&door.replay(0).unwrap()).unwrap());
        assert_eq!((&opened["fight"], opened.get("desync")), (&json!(1), None));
        for asked in [Door::state, Door::replay, Door::view, Door::legal] {
            assert_eq!(asked(&door, 0).unwrap(), asked(&door, 1).unwrap());
        }
        assert_eq!(play(&mut door, 0, 5), play(&mut door, 1, 5));

        let mut other = read(&door.replay(0).unwrap());
        other["checkpoints"][2] = json!("0123456789abcdef");
        let opened = read(&door.open(&bytes(&other)).unwrap());
        assert_eq!(opened["desync"], 2);
        for handle in 0..3 {
            door.close(handle).unwrap();
        }
    }
}

#[test]
fn a_call_refused_changes_nothing() {
    let mut door = door();
    for start in starts(&door) {
        door.open(&bytes(&start)).unwrap();
        play(&mut door, 0, 3);
        let before =
            [Door::state, Door::replay, Door::view, Door::legal].map(|asked| asked(&door, 0).unwrap());
        for call in
            [&b""[..], b"{", b"{}", b"null", br#"{"do":"fire","ship":15,"target":0}"#, br#"{"op":"no"}"#]
        {
            assert!(door.call(0, call).is_err());
        }
        let after =
            [Door::state, Door::replay, Door::view, Door::legal].map(|asked| asked(&door, 0).unwrap());
        assert_eq!(before, after);
        // Nothing of what was refused is told later.
        let told = read(&door.call(0, &bytes(&read(&after[3])[0])).unwrap());
        let whole = read(&door.timeline(&door.replay(0).unwrap()).unwrap_or(b"[]".to_vec()));
        let (told, whole) = (told["events"].as_array().unwrap(), whole.as_array().unwrap());
        assert!(whole.is_empty() || whole.ends_with(told));
        door.close(0).unwrap();
    }
}

/// A call is refused as the referee refuses the replay that ends with it.
#[test]
fn a_call_is_refused_as_by_the_referee() {
    let mut door = door();
    for start in starts(&door) {
        door.open(&bytes(&start)).unwrap();
        play(&mut door, 0, 3);
        let replay = read(&door.replay(0).unwrap());
        for call in [
            json!({}),
            json!(null),
            json!([]),
            json!({"do": "no", "ship": 1}),
            json!({"do": "fire", "ship": 0, "target": 99}),
            json!({"do": "fire", "ship": 0, "target": "1"}),
            json!({"op": "no"}),
            json!({"op": "end", "t": 5}),
            json!({"op": "fire", "from": "no", "at": 5}),
            json!({"op": "fire", "from": "no", "at": "no"}),
            json!({"op": "attack", "unit": "no", "weapon": 0, "target": "no"}),
            json!({"op": "attack", "t": 1, "mode": "raid", "target": "no"}),
        ] {
            let mut with = replay.clone();
            with["calls"].as_array_mut().unwrap().push(call.clone());
            let refused = door.call(0, &bytes(&call)).unwrap_err();
            let by_referee = door.verify(&bytes(&with)).unwrap_err();
            // Messages count bytes from where the reading began.
            let place = |no: &ongrid_engine::Rejection| {
                (no.code().to_owned(), no.call(), no.path().map(str::to_owned))
            };
            assert_eq!(place(&refused), place(&by_referee), "{} {call}", start["engine"]);
        }
        door.close(0).unwrap();
    }
}

/// Every call in a list is taken.
#[test]
fn calls_listed_are_legal() {
    let mut door = door();
    for start in starts(&door) {
        door.open(&bytes(&start)).unwrap();
        for _ in 0..6 {
            let replay = door.replay(0).unwrap();
            let legal = read(&door.legal(0).unwrap());
            let legal = legal.as_array().unwrap();
            for call in legal {
                door.open(&replay).unwrap();
                door.call(1, &bytes(call)).unwrap();
                door.close(1).unwrap();
            }
            let Some(call) = legal.get(legal.len() / 2) else { break };
            door.call(0, &bytes(call)).unwrap();
        }
        door.close(0).unwrap();
    }
}

/// What the catalogue offers is legal as it stands, at every level.
#[test]
fn fleets_of_the_catalogue_are_legal() {
    let mut door = door();
    let catalogue = read(&door.catalogue(b"ongrid-8").unwrap());
    let mut start = starts(&door)[0].clone();
    let doctrines = catalogue["doctrines"].as_array().unwrap();
    assert_eq!(doctrines.len(), 12);
    for doctrine in doctrines {
        start["setup"]["doctrine"] = doctrine["id"].clone();
        for (level, fleet) in doctrine["fleets"].as_array().unwrap().iter().enumerate() {
            start["setup"]["fleet"] = fleet.clone();
            let opened = read(&door.open(&bytes(&start)).unwrap());
            assert!(opened["snapshot"]["level"].as_u64() <= Some(4), "{level}");
            door.close(0).unwrap();
        }
    }
}

#[test]
fn the_autopilot_flies_to_the_end() {
    let door = door();
    for start in starts(&door) {
        let replay = door.fly(&bytes(&start)).unwrap();
        assert!(!read(&replay)["calls"].as_array().unwrap().is_empty());
        assert_eq!(read(&door.verify(&replay).unwrap())["status"], "verified");

        // A setup that is refused is refused as by the referee, whatever is wrong with it.
        for (key, value) in [("fleet", json!([])), ("player", json!("nobody")), ("more", json!(1))] {
            let mut other = start.clone();
            other["setup"][key] = value;
            let refused = door.fly(&bytes(&other)).unwrap_err();
            assert_eq!(refused, door.verify(&bytes(&other)).unwrap_err());
            assert!(refused.path().is_some_and(|path| path.starts_with("/setup")), "{refused:?}");
        }
    }
}
