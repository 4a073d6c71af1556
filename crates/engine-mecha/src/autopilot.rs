//! Plays a battle to its end, as a careful but unimaginative player would: something to verify, watch and compare.

use std::sync::Arc;

use ongrid_engine::{Engine, MAX_REPLAY_BYTES, Seed, Silent, canonical};

use crate::aim::Manner;
use crate::battle::{Battle, Roster};
use crate::call::{Attack, Call, Move, Named};
use crate::engine::MechaBattle;
use crate::geometry::{distance, offset, squared};
use crate::setup::Weapon;
use crate::words::{Mode, Pace, Part};

/// Bytes of a replay that are neither setup nor calls, generously.
const ENVELOPE: usize = 1024;

/// A full list of calls from a legal setup and a seed. It ends with the battle, or where the replay would grow
/// longer than the limits allow.
pub fn play(engine: &MechaBattle, legal: &Arc<Roster>, seed: &Seed) -> Vec<Call> {
    let mut game = Game {
        battle: engine.start(legal, seed, &mut Silent),
        calls: Vec::new(),
        room: MAX_REPLAY_BYTES.saturating_sub(ENVELOPE + size(legal.setup())),
    };
    while !game.battle.over {
        for unit in (0..legal.setup().units.len()).filter(|unit| legal.mine[*unit]) {
            game.command(unit);
        }
        if !game.call(Call::EndRound) {
            break;
        }
    }
    game.calls
}

fn size<T: serde::Serialize>(value: &T) -> usize {
    canonical::to_vec(value).len()
}

/// The ways to attack that it considers.
const MANNERS: [(Mode, Option<Part>); 4] =
    [(Mode::Normal, None), (Mode::Aim, None), (Mode::Rapid, None), (Mode::Aim, Some(Part::Cockpit))];

struct Game {
    battle: Battle,
    calls: Vec<Call>,
    /// Bytes left for calls.
    room: usize,
}

/// An attack under consideration.
#[derive(Clone, Copy)]
struct Plan {
    target: usize,
    weapon: usize,
    shots: u32,
    mode: Mode,
    part: Option<Part>,
    /// Hits to be expected.
    hits: f64,
    /// Damage to be expected, in points; at a cockpit it counts more.
    worth: f64,
}

/// How much better a hit on the cockpit is than one that the dice place.
const COCKPIT: f64 = 4.0;

/// Expected hits for which a unit stands and fires instead of closing in: as likely to hit as not.
const WORTH_STANDING: f64 = 0.5;

impl Game {
    /// Makes a call where limits and rules allow it; tells whether they did.
    fn call(&mut self, call: Call) -> bool {
        let bytes = size(&call) + 1;
        if self.calls.len() >= MechaBattle::MAX_CALLS || bytes > self.room {
            return false;
        }
        let made = self.battle.apply(&call, &mut Silent).is_ok();
        if made {
            self.room -= bytes;
            self.calls.push(call);
        }
        made
    }

    /// Lets a unit close in until its fire tells, then stand and fire; with an enemy at its throat it parries.
    fn command(&mut self, unit: usize) {
        if self.battle.over || !self.battle.units[unit].can_act(&self.battle.rules) {
            return;
        }
        let Some(enemy) = self.nearest(unit) else { return };
        match self.best(unit) {
            Some(plan) if plan.hits >= WORTH_STANDING => {
                if self.in_melee(unit, enemy) {
                    self.parry(unit, enemy);
                }
                self.fire(unit, plan);
            }
            _ => {
                self.close_in(unit, enemy);
                if let Some(plan) = self.best(unit) {
                    self.fire(unit, plan);
                }
            }
        }
    }

    fn enemies(&self) -> impl Iterator<Item = usize> {
        let battle = &self.battle;
        (0..battle.units.len()).filter(|unit| !battle.roster.mine[*unit] && !battle.out(*unit))
    }

    fn nearest(&self, unit: usize) -> Option<usize> {
        let units = &self.battle.units;
        self.enemies().min_by_key(|enemy| squared(units[unit].pos, units[*enemy].pos))
    }

    /// The attack from where it stands that promises the most damage.
    fn best(&self, unit: usize) -> Option<Plan> {
        let battle = &self.battle;
        let mut best: Option<Plan> = None;
        for target in self.enemies() {
            for (index, weapon) in battle.roster.unit(unit).weapons.iter().enumerate() {
                for (mode, part) in MANNERS {
                    let manner = Manner { mode, part, ..Manner::PLAIN };
                    let plan = self.weigh(unit, target, index, weapon, manner);
                    if plan.worth > best.map_or(0.0, |best| best.worth) {
                        best = Some(plan);
                    }
                }
            }
        }
        best
    }

    fn weigh(&self, unit: usize, target: usize, index: usize, weapon: &Weapon, manner: Manner) -> Plan {
        let (battle, Manner { mode, part, .. }) = (&self.battle, manner);
        let line = battle.line(unit, target);
        let shots = weapon.rate(mode == Mode::Rapid).min(battle.units[unit].ammo[index]);
        let near = weapon.is_blade() || weapon.sniper || 2.0 * line.distance <= f64::from(weapon.range);
        let usable = shots > 0
            && line.distance <= f64::from(weapon.range)
            && (part.is_none() || (near && battle.units[target].is_mecha()))
            && battle.units[unit].has(weapon)
            && battle.works_in_water(weapon);
        let hitpro = if usable { battle.hitpro(line, weapon, manner) } else { None };
        let hits = hitpro.unwrap_or(0.0) * f64::from(shots);
        let aimed = if part.is_some() { COCKPIT } else { 1.0 };
        Plan { target, weapon: index, shots, mode, part, hits, worth: hits * f64::from(weapon.power) * aimed }
    }

    fn fire(&mut self, unit: usize, plan: Plan) {
        let roster = &self.battle.roster;
        let call = Attack {
            unit: roster.id(unit).to_string(),
            weapon: plan.weapon as i64,
            target: roster.id(plan.target).to_string(),
            shots: i64::from(plan.shots),
            mode: Named::Known(plan.mode),
            part: plan.part.map(Named::Known),
            feint: false,
            fast_draw: false,
            weak_hand: false,
        };
        self.call(Call::Attack(call));
    }

    /// Whether the enemy is within twice the reach of a blade of the unit's.
    fn in_melee(&self, unit: usize, enemy: usize) -> bool {
        let (battle, distance) = (&self.battle, self.battle.line(unit, enemy).distance);
        let weapons = battle.roster.unit(unit).weapons.iter();
        weapons
            .filter(|weapon| weapon.is_blade() && battle.units[unit].has(weapon))
            .any(|weapon| distance <= 2.0 * f64::from(weapon.range))
    }

    /// Faces the enemy in parry stance.
    fn parry(&mut self, unit: usize, enemy: usize) {
        let step = self.step(unit, enemy, Pace::Stationary, 0.0);
        self.call(Call::Move(Move { parry: true, dodge: false, ..step }));
    }

    /// Runs at the enemy, dodging, as far as it comes and no nearer than a metre.
    fn close_in(&mut self, unit: usize, enemy: usize) {
        let battle = &self.battle;
        let env = &battle.roster.setup.env;
        for pace in [Pace::Run, Pace::Jog, Pace::Walk] {
            let reach = battle.units[unit].reach(&battle.rules, env, battle.roster.unit(unit), pace).floor();
            if reach >= 1.0 {
                let step = self.step(unit, enemy, pace, reach);
                self.call(Call::Move(step));
                return;
            }
        }
    }

    /// A move of so many metres towards an enemy.
    fn step(&self, unit: usize, enemy: usize, pace: Pace, reach: f64) -> Move {
        let battle = &self.battle;
        let (from, to) = (battle.units[unit].pos, battle.units[enemy].pos);
        let far = distance(squared(from, to));
        let share = reach.min(far.ceil() - 1.0).max(0.0) / far;
        let delta = offset(from, to);
        let facing = match [delta[0], delta[1]] {
            [0, 0] => battle.units[unit].facing.map(i64::from),
            ahead => ahead.map(|axis| axis.clamp(-crate::geometry::FIELD, crate::geometry::FIELD)),
        };
        Move {
            unit: battle.roster.id(unit).to_string(),
            to: [0, 1, 2].map(|axis| i64::from(from[axis]) + (delta[axis] as f64 * share).trunc() as i64),
            facing,
            pace: Named::Known(pace),
            dodge: true,
            parry: false,
        }
    }
}
