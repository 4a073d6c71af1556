//! What holds in every battle, however it is played.

mod chance;

use std::collections::BTreeMap;
use std::sync::Arc;

use chance::Chance;
use ongrid_engine::json::Reader;
use ongrid_engine::{Engine, Referee, Seed, Silent, Tally};
use ongrid_engine_mecha::call::Call;
use ongrid_engine_mecha::event::{Act, Event, Happening};
use ongrid_engine_mecha::outcome::Outcome;
use ongrid_engine_mecha::words::{Pace, Part, Word};
use ongrid_engine_mecha::{Battle, MechaBattle, Roster};
use proptest::prelude::*;
use serde_json::Value;

const BOX: i64 = 10_000;
const TALLY: Tally = Tally { calls: 0, checkpoint: 0 };
const SAMPLE: &str = include_str!("cases/mecha-battle-sample.json");

fn legal(engine: &MechaBattle, setup: &Value) -> Arc<Roster> {
    let setup = engine.read_setup(&mut Reader::new(&setup.to_string()));
    engine.check(setup.unwrap_or_else(|no| panic!("{no}"))).unwrap()
}

fn read(engine: &MechaBattle, call: &Value) -> Call {
    engine.read_call(&mut Reader::new(&call.to_string())).unwrap()
}

fn state(engine: &MechaBattle, battle: &Battle) -> Vec<u8> {
    let mut state = Vec::new();
    engine.encode(battle, &mut state);
    state
}

fn outcome(engine: &MechaBattle, battle: &Battle) -> Outcome {
    engine.finish(battle, TALLY).unwrap().outcome
}

/// What is known of a unit from the setup and the log alone.
struct Book {
    setup: Value,
    armor: BTreeMap<Part, i64>,
    inside: BTreeMap<Part, i64>,
    size: BTreeMap<Part, i64>,
    shield: i64,
    reactor: u32,
    damage: u8,
    parried: u32,
    kills: u32,
    shots: u32,
    hits: u32,
    moving: bool,
}

impl Book {
    fn open(setup: &Value) -> Self {
        let boxes = |index: usize| {
            let parts = setup["parts"].as_object().into_iter().flatten();
            parts
                .map(|(name, boxes)| (Part::named(name).unwrap(), boxes[index].as_i64().unwrap() * BOX))
                .collect()
        };
        let count = |value: &Value| value.as_i64().unwrap_or(0);
        Self {
            armor: boxes(0),
            inside: Part::ALL.iter().map(|part| (*part, 0)).collect(),
            size: boxes(1),
            shield: count(&setup["shield"]["armor"]) * BOX,
            reactor: 0,
            damage: count(&setup["crew"]["damage"]) as u8,
            kills: count(&setup["crew"]["kills"]) as u32,
            parried: 0,
            shots: 0,
            hits: 0,
            moving: false,
            setup: setup.clone(),
        }
    }

    /// Centipoints of a hit by one of the unit's weapons.
    fn power(&self, weapon: usize, moving: bool) -> i64 {
        let weapon = &self.setup["weapons"][weapon];
        let (caliber, points) = (weapon["caliber"].as_i64(), weapon["points"].as_i64());
        let percent = match weapon["class"].as_str().unwrap() {
            "rocket" => 140,
            "bazooka" => 150,
            "missile" if moving => {
                return caliber.unwrap() * 120 * weapon["moving_percent"].as_i64().unwrap() / 100;
            }
            "missile" => 120,
            _ => 100,
        };
        caliber.or(points).unwrap() * percent
    }

    fn lost(&self, part: Part) -> bool {
        self.inside[&part] >= self.size[&part]
    }
}

type Books = BTreeMap<String, Book>;

/// Enters an entry of the log, checking every sum on the way.
fn enter(books: &mut Books, event: &Event) {
    assert!(!event.cut);
    for draw in &event.draws {
        assert!((0.0..1.0).contains(draw) || (1..=6).any(|face| *draw == f64::from(face)), "{draw}");
    }
    match &event.act {
        Act::Round { .. } => books.values_mut().for_each(|book| book.moving = false),
        Act::Move { unit, pace, .. } => books.get_mut(&**unit).unwrap().moving = *pace != Pace::Stationary,
        Act::Attack { unit, target, weapon, shots, hits, hitpro, distance, .. } => {
            assert!((0.0..=1.0).contains(hitpro) && *distance >= 1.0 && hits <= shots, "{event:?}");
            let power = books[&**unit].power(*weapon, books[&**target].moving);
            let book = books.get_mut(&**unit).unwrap();
            (book.shots, book.hits) = (book.shots + shots, book.hits + hits);
            enter_hits(books.get_mut(&**target).unwrap(), event, power);
        }
    }
    for happening in &event.happenings {
        if let Happening::Kill(unit, _) = happening {
            books.get_mut(&**unit).unwrap().kills += 1;
        }
    }
}

/// Enters what an attack did: what shield, armor and inside took and what was wasted make up every hit.
fn enter_hits(book: &mut Book, event: &Event, power: i64) {
    let mut shielded = 0;
    for happening in &event.happenings {
        match happening {
            Happening::Shield(_, cp, left) => {
                shielded = i64::from(*cp);
                book.shield = (book.shield - shielded).max(0);
                assert_eq!(i64::from(*left), book.shield);
            }
            Happening::Hit(_, part, armor, inside) => {
                let (armor, inside) = (i64::from(*armor), i64::from(*inside));
                *book.armor.get_mut(part).unwrap() -= armor;
                *book.inside.get_mut(part).unwrap() += inside;
                let wasted = power - shielded - armor - inside;
                assert!(wasted >= 0 && (wasted == 0 || book.lost(*part)), "{wasted} {event:?}");
                assert!(book.armor[part] >= 0 && book.inside[part] <= book.size[part]);
                shielded = 0;
            }
            Happening::Critical(_, part, boxes) => {
                let size = book.size[part];
                let inside = book.inside.get_mut(part).unwrap();
                assert!(*inside < size);
                *inside = (*inside + BOX).min(size);
                assert_eq!(i64::from(*boxes), *inside / BOX);
            }
            Happening::Lost(_, part) => assert!(book.lost(*part)),
            Happening::Reactor(_, boxes) => {
                book.reactor += 1;
                assert_eq!(*boxes, book.reactor);
            }
            Happening::Explodes(_) => {
                assert_eq!(book.reactor, 3);
                book.damage = 20;
            }
            Happening::Hurt(_, points, total) => {
                book.damage = u8::try_from((u32::from(book.damage) + points).min(20)).unwrap();
                assert_eq!(*total, book.damage);
            }
            Happening::Dies(_) => assert_eq!(book.damage, 20),
            Happening::Parried(_) => book.parried += 1,
            Happening::Faints(_) | Happening::Kill(..) | Happening::Wakes(_) | Happening::Unable(_) => {}
        }
    }
}

/// The books agree with the outcome.
fn balance(books: &Books, outcome: &Outcome) {
    for (name, book) in books {
        let unit = outcome.units.get(name).unwrap();
        assert_eq!(
            (unit.damage, unit.kills, unit.parried),
            (book.damage, book.kills, book.parried),
            "{name}"
        );
        assert_eq!((unit.shots, unit.hits), (book.shots, book.hits), "{name}");
        assert!(unit.damage < 20 || unit.out);
        let Some(mecha) = &unit.mecha else { continue };
        assert_eq!((i64::from(mecha.shield), mecha.reactor), (book.shield, book.reactor), "{name}");
        assert!((0.0..=1.0).contains(&mecha.agility) && (0.0..=1.0).contains(&mecha.output));
        for (part, [armor, inside]) in &mecha.parts {
            assert_eq!(
                (i64::from(*armor), i64::from(*inside)),
                (book.armor[part], book.inside[part]),
                "{name} {part:?}"
            );
        }
        for (part, inside) in &book.inside {
            assert!(*inside == 0 || mecha.parts.iter().any(|(changed, _)| changed == part));
        }
    }
    for (_, score) in outcome.score.iter() {
        assert!((0.0..=1.0).contains(score));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn books_balance(seed: u64) {
        let mut chance = Chance::new(seed);
        let engine = MechaBattle::new().unwrap();
        let setup = chance.setup();
        let roster = legal(&engine, &setup);
        let mut books: Books = setup["units"].as_array().unwrap().iter()
            .map(|unit| (unit["id"].as_str().unwrap().to_owned(), Book::open(unit)))
            .collect();
        let seed = Seed::from_u64(seed);
        let mut events = Vec::new();
        let mut battle = engine.start(&roster, &seed, &mut events);
        let mut blind = engine.start(&roster, &seed, &mut Silent);
        for _ in 0..60 {
            let call = read(&engine, &chance.call());
            let before = state(&engine, &battle);
            let made = engine.apply(&mut battle, &call, &mut events);
            prop_assert_eq!(&made, &engine.apply(&mut blind, &call, &mut Silent));
            prop_assert_eq!(state(&engine, &battle), state(&engine, &blind));
            if made.is_err() {
                prop_assert_eq!(state(&engine, &battle), before);
            }
        }
        for event in &events {
            enter(&mut books, event);
        }
        balance(&books, &outcome(&engine, &battle));
    }

    #[test]
    fn garbage_is_refused_without_panic(seed: u64, cuts in proptest::collection::vec((any::<u16>(), any::<u8>()), 1..6)) {
        let mut bytes = if seed % 2 == 0 {
            SAMPLE.trim().as_bytes().to_vec()
        } else {
            let mut chance = Chance::new(seed);
            let setup = chance.setup();
            let calls: Vec<Value> = (0..20).map(|_| chance.call()).collect();
            serde_json::json!({"engine": "mecha-battle-1", "seed": "1", "setup": setup, "calls": calls}).to_string().into_bytes()
        };
        let engine = MechaBattle::new().unwrap();
        for (at, byte) in cuts {
            let at = usize::from(at) % bytes.len();
            match byte % 4 {
                0 => { bytes.remove(at); }
                1 => bytes[at] = b'0' + byte % 10,
                2 => bytes.insert(at, *b"9-,\"[{}]:e".get(usize::from(byte / 4) % 10).unwrap()),
                _ => bytes.truncate(bytes.len() - at % 7),
            }
            let first = engine.verify(&bytes);
            let again = engine.verify(&bytes);
            match (first, again) {
                (Ok(one), Ok(other)) => prop_assert_eq!((one.outcome, one.checkpoint), (other.outcome, other.checkpoint)),
                (Err(one), Err(other)) => prop_assert_eq!(one, other),
                _ => prop_assert!(false, "two verdicts"),
            }
        }
    }

    #[test]
    fn setups_come_back_from_their_canonical_form(seed: u64) {
        let engine = MechaBattle::new().unwrap();
        let roster = legal(&engine, &Chance::new(seed).setup());
        let written = ongrid_engine::canonical::to_vec(roster.setup());
        prop_assert!(ongrid_engine::canonical::is_canonical(&written));
        let again = engine.read_setup(&mut Reader::from_bytes(&written).unwrap()).unwrap();
        prop_assert_eq!(&again, roster.setup());
        prop_assert_eq!(ongrid_engine::canonical::to_vec(&again), written);
    }
}

#[test]
fn random_battles_are_battles() {
    // The laws above would hold of nothing: most of the random battles must see hits, parries and losses.
    let engine = MechaBattle::new().unwrap();
    let mut seen = BTreeMap::<&str, u32>::new();
    for seed in 0..200 {
        let mut chance = Chance::new(seed);
        let roster = legal(&engine, &chance.setup());
        let mut events = Vec::new();
        let mut battle = engine.start(&roster, &Seed::from_u64(seed), &mut events);
        for _ in 0..60 {
            let _ = engine.apply(&mut battle, &read(&engine, &chance.call()), &mut events);
        }
        for happening in events.iter().flat_map(|event| &event.happenings) {
            let name = match happening {
                Happening::Wakes(..) => "wakes",
                Happening::Unable(..) => "unable",
                Happening::Shield(..) => "shield",
                Happening::Hit(..) => "hit",
                Happening::Lost(..) => "lost",
                Happening::Critical(..) => "crit",
                Happening::Reactor(..) => "reactor",
                Happening::Explodes(..) => "explodes",
                Happening::Hurt(..) => "hurt",
                Happening::Faints(..) => "faints",
                Happening::Dies(..) => "dies",
                Happening::Parried(..) => "parried",
                Happening::Kill(..) => "kill",
            };
            *seen.entry(name).or_default() += 1;
        }
    }
    assert!(seen.len() == 13 && seen.values().all(|count| *count >= 5), "{seen:?}");
}
