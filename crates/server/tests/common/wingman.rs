//! A simple pilot, who asks the engine and nobody else: fires at the first enemy that can be fired at, holds where
//! there is none, until the fight is over.

use ongrid_engine::json::Reader;
use ongrid_engine::{Engine, Seed, Silent, Tally};
use ongrid_engine_ongrid::{Action, Call, OnGrid};
use serde_json::Value;

/// More ships than any fight has.
const SHIPS: u32 = 64;

/// Flies a frozen setup; `patience` turns are held before the first shot, which makes one flight unlike another.
///
/// # Panics
/// Where setup or seed are not what an attempt has.
pub fn fly(engine: &OnGrid, setup: &Value, seed: &str, patience: usize) -> Vec<Call> {
    let text = setup.to_string();
    let setup = engine.read_setup(&mut Reader::new(&text)).expect("a frozen setup can be read");
    let legal = engine.check(setup).expect("a frozen setup is legal");
    let seed = Seed::parse(seed).expect("an attempt's seed is one");
    let mut fight = engine.start(&legal, &seed, &mut Silent);
    let mut calls = Vec::new();
    loop {
        let so_far = Tally { calls: 0, checkpoint: 0 };
        // What is not finished says whose turn it is.
        let Err(unfinished) = engine.finish(&fight, so_far) else { return calls };
        let ship = unfinished.at().ship.expect("it is some ship's turn");
        let shots = (0..SHIPS).map(|target| Action::Fire { target, overheat: false });
        let shots = shots.take(if calls.len() < patience { 0 } else { SHIPS as usize });
        let call = shots
            .chain([Action::Hold])
            .map(|action| Call::Turn { ship, stance: None, action })
            .find(|call| engine.apply(&mut fight, call, &mut Silent).is_ok())
            .expect("a ship may always hold");
        calls.push(call);
    }
}
