//! Does one of the frozen pieces of work once, for callgrind to count its instructions (`.ci/instructions`); without a
//! name, lists them.

#![allow(missing_docs)]

use std::hint::black_box;

use ongrid_engine::{Chain, Engine, Referee, Replay, Silent, decode, replay};
use ongrid_engine_empire::Empire;
use ongrid_engine_mecha::MechaBattle;
use ongrid_engine_minds::MindCombat;
use ongrid_engine_ongrid::OnGrid;

#[path = "../../engine-ongrid/benches/set/mod.rs"]
mod set;

const EMPIRE: &str = include_str!("../../engine-empire/tests/cases/empire-damage-sample.json");
const MECHA: &str = include_str!("../../engine-mecha/tests/cases/mecha-battle-sample.json");
const MINDS: &str = include_str!("../../engine-minds/tests/cases/mind-combat-sample.json");

const NAMES: [&str; 7] = [
    "ongrid-decode",
    "ongrid-new-fleets",
    "ongrid-known-fleets",
    "ongrid-long-fights",
    "empire-sample",
    "mecha-sample",
    "minds-sample",
];

type Work = Box<dyn FnOnce()>;

/// What is counted: by this name callgrind knows it.
#[inline(never)]
fn counted(work: Work) {
    work();
}

fn decoded(engine: &OnGrid) -> Vec<Replay<OnGrid>> {
    set::set().iter().map(|text| decode(engine, text).expect("a golden replay")).collect()
}

fn run(engine: &OnGrid, replays: Vec<Replay<OnGrid>>) {
    for it in replays {
        black_box(replay(engine, it, &mut Silent).expect("legal"));
    }
}

fn judged(engine: impl Referee + 'static, sample: &'static str) -> Work {
    Box::new(move || {
        black_box(engine.verify(sample.as_bytes()).expect("legal"));
    })
}

/// Gets everything ready for a piece of work.
fn prepare(name: &str) -> Option<Work> {
    let ongrid = || OnGrid::new().expect("the embedded data");
    Some(match name {
        "ongrid-decode" => {
            let (engine, set) = (ongrid(), set::set());
            Box::new(move || {
                for text in &set {
                    black_box(decode(&engine, text).expect("a golden replay"));
                }
            })
        }
        "ongrid-new-fleets" => {
            let engine = ongrid();
            let replays = decoded(&engine);
            Box::new(move || run(&engine, replays))
        }
        "ongrid-known-fleets" => {
            let engine = ongrid();
            run(&engine, decoded(&engine));
            let replays = decoded(&engine);
            Box::new(move || run(&engine, replays))
        }
        "ongrid-long-fights" => {
            let engine = ongrid();
            let long = decoded(&engine).into_iter().filter(|it| it.calls.len() >= 40);
            let fights: Vec<_> =
                long.map(|it| (engine.check(it.setup).expect("legal"), it.seed, it.calls)).collect();
            Box::new(move || {
                for (legal, seed, calls) in &fights {
                    let (mut chain, mut state) = (Chain::start(b""), Vec::new());
                    let mut fight = engine.start(legal, seed, &mut Silent);
                    for call in calls {
                        engine.apply(&mut fight, call, &mut Silent).expect("legal");
                        chain.step(engine.state(&fight, &mut state));
                    }
                    black_box((fight, chain));
                }
            })
        }
        "empire-sample" => judged(Empire::new().expect("the embedded data"), EMPIRE),
        "mecha-sample" => judged(MechaBattle::new().expect("the embedded data"), MECHA),
        "minds-sample" => judged(MindCombat::new().expect("the embedded data"), MINDS),
        _ => return None,
    })
}

fn main() {
    match std::env::args().nth(1) {
        None => NAMES.iter().for_each(|name| println!("{name}")),
        Some(name) => match prepare(&name) {
            Some(work) => counted(work),
            None => {
                eprintln!("there is no work named {name:?}");
                std::process::exit(2);
            }
        },
    }
}
