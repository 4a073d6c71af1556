//! What the tests share: random battles, and playing calls against the engine without a document.
#![allow(dead_code)]

use ongrid_engine::json::Reader;
use ongrid_engine::{Engine, Result, Seed, Stream, Tally, canonical};
use ongrid_engine_empire::{Call, Empire, Event, Fight, Item, Legal, Setup};
use serde_json::{Map, Value, json};

pub fn engine() -> Empire {
    Empire::new().unwrap()
}

pub fn read_setup(setup: &Value) -> Result<Setup> {
    engine().read_setup(&mut Reader::new(&setup.to_string()))
}

pub fn legal(setup: &Value) -> Legal {
    let setup = read_setup(setup).unwrap_or_else(|no| panic!("{no}\n{setup}"));
    engine().check(setup).unwrap()
}

pub fn call(call: &Value) -> Call {
    engine().read_call(&mut Reader::new(&call.to_string())).unwrap()
}

/// A battle being played, with its events.
pub struct Play {
    pub engine: Empire,
    pub legal: Legal,
    pub fight: Fight,
    pub events: Vec<Event>,
}

impl Play {
    pub fn new(setup: &Value, seed: u64) -> Self {
        let (engine, legal) = (engine(), legal(setup));
        let mut events = Vec::new();
        let fight = engine.start(&legal, &Seed::from_u64(seed), &mut events);
        Self { engine, legal, fight, events }
    }

    /// Makes a call; gives the code of a rejection.
    pub fn make(&mut self, value: &Value) -> std::result::Result<(), &'static str> {
        let made = self.engine.apply(&mut self.fight, &call(value), &mut self.events);
        made.map_err(|no| no.code())
    }

    pub fn state(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.engine.encode(&self.fight, &mut bytes);
        bytes
    }

    /// The outcome as the wire has it.
    pub fn outcome(&self) -> Value {
        let end = self.engine.finish(&self.fight, Tally { calls: 0, checkpoint: 0 }).unwrap();
        let bytes = canonical::to_vec(&end.outcome);
        assert!(canonical::is_canonical(&bytes), "{}", String::from_utf8_lossy(&bytes));
        serde_json::from_slice(&bytes).unwrap()
    }

    /// The last event as the wire has it.
    pub fn last_event(&self) -> Value {
        serde_json::from_slice(&canonical::to_vec(self.events.last().unwrap())).unwrap()
    }
}

/// Chance for tests: the engine's own generator.
pub struct Chance(pub Stream);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(Stream::new(&Seed::from_u64(seed)))
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0.below(n)
    }

    pub fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len() as u64) as usize]
    }

    /// Often a round figure, else any in range with a fraction.
    fn figure(&mut self, low: u64, high: u64) -> f64 {
        let whole = (low + self.below(high - low + 1)) as f64;
        if self.below(3) == 0 { (whole + self.below(1000) as f64 / 1000.0).min(high as f64) } else { whole }
    }

    fn items(&mut self) -> Value {
        let mut items = Map::new();
        for _ in 0..self.below(5) {
            items.insert(self.one(&Item::ALL).name().to_owned(), json!(self.below(400)));
        }
        Value::Object(items)
    }

    /// A legal setup: every side has a land unit to begin with, there is a sea and a shore.
    pub fn setup(&mut self) -> Value {
        let sides: Vec<String> = (0..2 + self.below(2)).map(|n| format!("side{n}")).collect();
        let sectors: Vec<Value> = (0..4 + self.below(10)).map(|n| self.sector(n, &sides)).collect();
        let at = |chance: &mut Self| chance.one(&sectors)["id"].clone();
        let seas: Vec<Value> =
            sectors.iter().filter(|it| it["kind"] == "sea").map(|it| it["id"].clone()).collect();
        let ships: Vec<Value> = (0..self.below(6))
            .map(|n| {
                json!({
                    "id": format!("ship{n}"), "owner": self.one(&sides).clone(), "at": self.one(&seas).clone(),
                    "def": self.figure(0, 120), "eff": self.figure(0, 100), "guns": self.below(9), "shells": self.below(6),
                    "sweep": self.below(2) == 0, "sub": self.below(2) == 0, "dch": self.below(2) == 0, "torp": self.below(2) == 0,
                })
            })
            .collect();
        let mut lands: Vec<Value> = (0..self.below(5))
            .map(|n| {
                json!({
                    "id": format!("land{n}"), "owner": self.one(&sides).clone(), "at": at(self), "vul": self.below(201),
                    "fort": self.below(128), "eff": self.figure(0, 100), "guns": self.below(9), "shells": self.below(6),
                    "engineer": self.below(2) == 0, "difficulty": self.below(101),
                })
            })
            .collect();
        for side in &sides {
            lands.push(json!({"id": format!("guard of {side}"), "owner": side, "at": at(self), "vul": 50, "eff": 80}));
        }
        let planes: Vec<Value> = (0..self.below(6))
            .map(|n| {
                let nuke = if self.below(2) == 0 { json!({"dam": 1 + self.below(150), "radius": 1 + self.below(5)}) } else { Value::Null };
                json!({
                    "id": format!("plane{n}"), "owner": self.one(&sides).clone(), "at": at(self), "eff": self.figure(0, 100),
                    "load": self.below(9), "sorties": self.below(4), "acc": self.below(101), "hardened": self.below(101), "nuke": nuke,
                })
            })
            .collect();
        let convoys: Vec<Value> = (0..self.below(4))
            .map(|n| json!({"id": format!("convoy{n}"), "owner": self.one(&sides).clone(), "at": at(self), "items": self.items()}))
            .collect();
        json!({
            "player": self.one(&sides).clone(), "sides": sides, "rounds": 1 + self.below(20),
            "sectors": sectors, "ships": ships, "lands": lands, "planes": planes, "convoys": convoys,
        })
    }

    fn sector(&mut self, n: u64, sides: &[String]) -> Value {
        let kind = match n {
            0 => "sea",
            1 => "fort",
            _ => *self.one(&["sea", "land", "fort"]),
        };
        let owner = if self.below(4) == 0 { Value::Null } else { json!(self.one(sides)) };
        json!({
            "id": format!("sector{n}"), "owner": owner, "x": n % 4 * 2 + n / 4 % 2, "y": n / 4, "kind": kind,
            "sectdef": self.figure(1, 9), "eff": self.figure(0, 100), "guns": self.below(10), "shells": self.below(6),
            "mines": self.below(4), "items": self.items(), "difficulty": self.below(101),
        })
    }

    /// A call that is often legal: mostly by one of the player's own things at one of the others'.
    pub fn call(&mut self, setup: &Value) -> Value {
        const ACTORS: [&[&str]; 7] = [
            &["sectors", "ships", "lands"],
            &["ships"],
            &["ships"],
            &["planes"],
            &["ships", "lands", "convoys"],
            &["planes"],
            &[],
        ];
        const TARGETS: [&[&str]; 7] = [
            &["sectors", "ships", "lands"],
            &["ships"],
            &["ships"],
            &["sectors", "ships", "lands", "planes"],
            &["sectors"],
            &["sectors"],
            &[],
        ];
        let op = self.below(7) as usize;
        let from = self.id(setup, ACTORS[op], |own| own);
        let anyone = op > 3;
        let at = self.id(setup, TARGETS[op], |own| anyone || !own);
        match op {
            0 => json!({"op": "fire", "from": from, "at": at}),
            1 => json!({"op": "depth", "from": from, "at": at}),
            2 => json!({"op": "torpedo", "from": from, "at": at}),
            3 if self.below(2) == 0 => {
                let item = *self.one(&["food", "civ", "iron", "uw", "bar", "gold"]);
                json!({"op": "bomb", "from": from, "at": at, "mode": "pin", "item": item})
            }
            3 => {
                json!({"op": "bomb", "from": from, "at": at, "mode": *self.one(&["pin", "strategic", "dive"])})
            }
            4 => json!({"op": "enter", "unit": from, "to": at}),
            5 => {
                json!({"op": "detonate", "from": from, "at": at, "burst": *self.one(&["ground", "air", "under"])})
            }
            _ if self.below(4) > 0 => json!({"op": "next_round"}),
            _ => json!({"op": "surrender", "to": at}),
        }
    }

    /// An id out of some lists, as wanted; now and then any id, or none that exists.
    fn id(&mut self, setup: &Value, lists: &[&str], wanted: impl Fn(bool) -> bool) -> String {
        let all: [&str; 5] = ["sectors", "ships", "lands", "planes", "convoys"];
        let any = self.below(12) == 0;
        let mut ids = Vec::new();
        for list in if any { &all } else { lists } {
            let things = setup[list].as_array().unwrap().iter();
            let fit = things.filter(|it| any || wanted(it["owner"] == setup["player"]));
            ids.extend(fit.map(|it| it["id"].as_str().unwrap().to_owned()));
        }
        if ids.is_empty() { "nobody".to_owned() } else { self.one(&ids).clone() }
    }
}
