//! An autopilot for the pilot's side: it flies as the hostile pilot does (§12).

use ongrid_engine::{Engine, Seed, Silent};

use crate::call::Call;
use crate::legal::Legal;
use crate::{MAX_CALLS, OnGrid};

/// A full list of calls: the fight flown to its end.
pub fn play(engine: &OnGrid, legal: &Legal, seed: &Seed) -> Vec<Call> {
    let mut fight = engine.start(legal, seed, &mut Silent);
    let mut calls = Vec::new();
    while let Some(ship) = fight.turn {
        let roster = fight.roster.clone();
        let (stance, action) = fight.grid.decide(&roster, ship);
        let call = Call::Turn { ship: u32::try_from(ship).unwrap_or(u32::MAX), stance: Some(stance), action };
        // Whatever it decides is legal; were it not, giving up is.
        let call = match engine.apply(&mut fight, &call, &mut Silent) {
            Ok(()) if calls.len() + 1 < MAX_CALLS => call,
            _ => {
                calls.push(Call::Concede);
                break;
            }
        };
        calls.push(call);
    }
    calls
}

#[cfg(test)]
mod tests {
    use ongrid_engine::json::Reader;
    use ongrid_engine::{Replay, replay};

    use super::*;

    #[test]
    fn it_flies_every_doctrine_at_every_level_to_the_end() {
        let engine = OnGrid::new().unwrap();
        let mut won = 0;
        for doctrine in &engine.catalogue().doctrines {
            for level in 0..5 {
                let setup = engine.setup_at(doctrine, level);
                let legal = engine.check(engine.read_setup(&mut Reader::new(&setup)).unwrap()).unwrap();
                let seed = Seed::from_u64(level as u64);
                let calls = play(&engine, &legal, &seed);
                assert!(!calls.contains(&Call::Concede), "{} {level}", doctrine.id);
                let setup = engine.setup(&legal).clone();
                let (verified, _) =
                    replay(&engine, Replay { seed, setup, calls, checkpoints: Vec::new() }, &mut Silent)
                        .unwrap();
                won += usize::from(verified.outcome.result == crate::Verdict::Victory);
            }
        }
        assert!(won > 10, "{won} fights won");
    }
}
