//! The kill report: what a fight came to, made of its events (§17).

use serde::Serialize;

use crate::event::{Event, What};
use crate::outcome::Outcome;

/// What a fight came to, ship by ship and round by round.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Hit points of both fleets at the end of each round, and of the start (round 0).
    pub rounds: Vec<RoundReport>,
    /// By ship id.
    pub ships: Vec<ShipReport>,
}

/// Hit points left after a round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RoundReport {
    /// Of the hostile side.
    pub hostile: f64,
    /// Of the pilot's side.
    pub pilot: f64,
    /// The round; 0 is the start.
    pub round: u32,
}

/// What a ship did and suffered.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ShipReport {
    /// Hit points taken off it, by attacker, most first.
    pub attackers: Vec<DamageShare>,
    /// The ship, group and round that destroyed it.
    pub final_blow: Option<FinalBlow>,
    /// Volleys fired; every missile volley lands.
    pub fired: u32,
    /// Its ship id.
    pub id: u32,
    /// Jams that took hold of it.
    pub jammed: u32,
    /// Volleys that landed.
    pub landed: u32,
    /// Timed effects, jams and drains it projected.
    pub projected: u32,
    /// Hit points it gave to itself and to allies.
    pub repaired: f64,
    /// Hit points it took off others, by target, most first.
    pub targets: Vec<DamageShare>,
}

/// A share of damage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DamageShare {
    /// Hit points.
    pub damage: f64,
    /// The other ship.
    pub ship: u32,
}

/// What destroyed a ship.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FinalBlow {
    /// The weapon group.
    pub group: u32,
    /// The round.
    pub round: u32,
    /// The shooter.
    pub ship: u32,
}

impl Report {
    /// The report of a fight.
    pub fn new(events: &[Event], outcome: &Outcome) -> Self {
        let ships = outcome.ships.iter().map(|ship| ShipReport { id: ship.id, ..ShipReport::default() });
        let mut report = Self { rounds: Vec::new(), ships: ships.collect() };
        let pilots = outcome.ships.iter().filter(|ship| ship.side == crate::Side::Pilot).count();
        let (mut pilot, mut hostile) = (outcome.pilot.max, outcome.hostile.max);
        report.rounds.push(RoundReport { hostile, pilot, round: 0 });
        for Event { round, what } in events {
            report.count(what, *round);
            let (ship, change) = match what {
                What::Fired { target, lost, .. } => (*target, -(lost.shield + lost.armor + lost.hull)),
                What::Repaired { target, amount, .. } => (*target, *amount),
                What::RoundEnded {} | What::Ended { .. } => {
                    if report.rounds.last().is_none_or(|last| last.round != *round) {
                        report.rounds.push(RoundReport { hostile, pilot, round: *round });
                    }
                    continue;
                }
                _ => continue,
            };
            let side = if (ship as usize) < pilots { &mut pilot } else { &mut hostile };
            *side = (*side + change).max(0.0);
        }
        for ship in &mut report.ships {
            // Most first, equal ones by id: a total order, so that the report is the same each time.
            let order =
                |a: &DamageShare, b: &DamageShare| b.damage.total_cmp(&a.damage).then(a.ship.cmp(&b.ship));
            ship.attackers.sort_by(order);
            ship.targets.sort_by(order);
        }
        report
    }

    fn count(&mut self, what: &What, round: u32) {
        match what {
            What::Fired { ship, target, landed, lost, .. } => {
                let damage = lost.shield + lost.armor + lost.hull;
                if let Some(shooter) = self.ships.get_mut(*ship as usize) {
                    shooter.fired += 1;
                    shooter.landed += u32::from(*landed);
                    add(&mut shooter.targets, *target, damage);
                }
                if let Some(target) = self.ships.get_mut(*target as usize) {
                    add(&mut target.attackers, *ship, damage);
                }
            }
            What::Repaired { source, amount, .. } => self.with(*source, |ship| ship.repaired += amount),
            What::Jam { source, target, jam_until, .. } => {
                self.with(*source, |ship| ship.projected += 1);
                self.with(*target, |ship| ship.jammed += u32::from(jam_until.is_some()));
            }
            What::EffectStarted { source, .. }
            | What::Drained { source, .. }
            | What::Leeched { source, .. } => {
                self.with(*source, |ship| ship.projected += 1);
            }
            What::Destroyed { ship, by, group } => {
                let blow = FinalBlow { group: *group, round, ship: *by };
                self.with(*ship, |ship| ship.final_blow = Some(blow));
            }
            _ => {}
        }
    }

    fn with(&mut self, ship: u32, change: impl FnOnce(&mut ShipReport)) {
        if let Some(ship) = self.ships.get_mut(ship as usize) {
            change(ship);
        }
    }
}

fn add(shares: &mut Vec<DamageShare>, ship: u32, damage: f64) {
    if damage <= 0.0 {
        return;
    }
    match shares.iter_mut().find(|share| share.ship == ship) {
        Some(share) => share.damage += damage,
        None => shares.push(DamageShare { damage, ship }),
    }
}

#[cfg(test)]
mod tests {
    use ongrid_engine::json::Reader;
    use ongrid_engine::{Engine, Replay, Seed, canonical, replay};

    use super::*;
    use crate::{OnGrid, autopilot};

    #[test]
    fn the_report_adds_up_to_the_outcome() {
        let engine = OnGrid::new().unwrap();
        for (number, doctrine) in engine.catalogue().doctrines.iter().enumerate() {
            let setup = engine.setup_at(doctrine, number % 5);
            let legal = engine.check(engine.read_setup(&mut Reader::new(&setup)).unwrap()).unwrap();
            let seed = Seed::from_u64(number as u64);
            let calls = autopilot::play(&engine, &legal, &seed);
            let setup = engine.setup(&legal).clone();
            let mut events = Vec::new();
            let flown = Replay { seed, setup, calls, checkpoints: Vec::new() };
            let (verified, _) = replay(&engine, flown, &mut events).unwrap();
            let report = Report::new(&events, &verified.outcome);
            assert!(canonical::is_canonical(&canonical::to_vec(&report)));
            for (told, ship) in report.ships.iter().zip(&verified.outcome.ships) {
                let dealt: f64 = told.targets.iter().map(|share| share.damage).sum();
                let taken: f64 = told.attackers.iter().map(|share| share.damage).sum();
                assert!((dealt - ship.damage_dealt).abs() < 1e-6 && (taken - ship.damage_taken).abs() < 1e-6);
                assert_eq!(told.final_blow.map(|blow| blow.round), ship.destroyed_round);
            }
            let last = report.rounds.last().unwrap();
            assert_eq!(last.round, verified.outcome.rounds);
            assert!((last.pilot - verified.outcome.pilot.now).abs() < 1e-6);
            assert!((last.hostile - verified.outcome.hostile.now).abs() < 1e-6);
        }
    }
}
