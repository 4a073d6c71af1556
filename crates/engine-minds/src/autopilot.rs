//! A player that plays any setup to its end: for demonstrations, load and long-run tests.
//!
//! It looks at the war every few hours and takes the most that it can take with a fair margin. It knows the seed only
//! by playing: it decides from what is plain to see, as the other minds do.

use ongrid_engine::{Engine, Seed, Silent};

use crate::call::{Attack, Call, Mode, SetCountermeasure};
use crate::setup::Program;
use crate::war::War;
use crate::{Legal, MindCombat};

/// Minutes from one look at the war to the next.
const LOOK_MINUTES: u32 = 360;
/// Minute of the first look.
const FIRST_LOOK: u32 = 120;
/// Least reckoned ratio at which it attacks.
const MARGIN: f64 = 1.25;
/// Most cycles that it pays for an attack: two others in a day.
const MAX_COST: u64 = 6;
/// Times its own defense that an attack must have to set its countermeasure off.
const ABOVE: f64 = 0.8;

/// Plays a war of `legal` and gives its calls: every one of them is good, and the last brings the war to its end.
pub fn play(engine: &MindCombat, legal: &Legal, seed: &Seed) -> Vec<Call> {
    let mut war = engine.start(legal, seed, &mut Silent);
    let mut calls = Vec::new();
    if let Some(call) = raise_guard(&war)
        && engine.apply(&mut war, &call, &mut Silent).is_ok()
    {
        calls.push(call);
    }
    let mut t = FIRST_LOOK;
    while t <= war.setup().minutes() {
        war.play_turns(t, &mut Silent);
        if war.is_over() {
            break;
        }
        if let Some(call) = best_attack(&war, t)
            && engine.apply(&mut war, &call, &mut Silent).is_ok()
        {
            calls.push(call);
            if war.is_over() {
                return calls; // its own attack ended the war: no call may follow
            }
        }
        t += LOOK_MINUTES;
    }
    calls.push(Call::End);
    calls
}

/// The countermeasure that does most for the defense, if any does.
fn raise_guard(war: &War) -> Option<Call> {
    let programs = war.mind_setup(war.setup().player()).programs.iter();
    let best = programs.max_by(|a, b| advantage(a.1).total_cmp(&advantage(b.1)))?;
    (advantage(best.1) > 1.0).then(|| {
        Call::SetCountermeasure(SetCountermeasure { above: ABOVE, program: Some(best.0.to_owned()), t: 0 })
    })
}

/// What a program is expected to make of a ratio of 1, crashes included; an enemy brought to nothing counts much.
fn advantage(program: &Program) -> f64 {
    let missed = 1.0 - program.miss_chance.unwrap_or(0.0) * (1.0 - program.miss_factor.unwrap_or(1.0));
    let enemy = (program.enemy_strength.unwrap_or(1.0) * missed).max(0.01);
    program.crash + (1.0 - program.crash) * program.own_strength.unwrap_or(1.0) / enemy
}

/// The attack that promises most, if one is worth its cycles.
fn best_attack(war: &War, t: u32) -> Option<Call> {
    let by = war.setup().player();
    let (cycles, cost) = war.means(by, t);
    if cycles < cost || cost > MAX_COST || war.minds()[by].force().attack == 0 {
        return None;
    }
    let choices = (0..war.minds().len())
        .filter(|on| *on != by && !war.minds()[*on].deleted && war.may_attack(by, *on, t))
        .filter_map(|on| choose(war, by, on));
    let choice = choices.max_by(|a, b| a.promise.total_cmp(&b.promise))?;
    Some(Call::Attack(Attack {
        mode: if choice.conquest { Mode::Conquest } else { Mode::Raid },
        program: choice.program,
        t: i64::from(t),
        target: war.mind_setup(choice.on).id.clone(),
    }))
}

struct Choice {
    on: usize,
    conquest: bool,
    program: Option<String>,
    /// What it would take, in points of power or thereabouts.
    promise: f64,
}

/// How it would attack one mind, if at all.
fn choose(war: &War, by: usize, on: usize) -> Option<Choice> {
    let (own, target) = (&war.minds()[by], &war.minds()[on]);
    let mut ratio = war.reckoned_attack(by, on) / target.force().wall.max(0.01);
    let affordable = war.mind_setup(by).programs.iter().filter(|(_, program)| program.compute <= own.compute);
    let helper = affordable.max_by(|a, b| advantage(a.1).total_cmp(&advantage(b.1)));
    // Where the way is clear already, the compute is better kept.
    let helper = helper.filter(|(_, program)| ratio < 2.0 && advantage(program) > 1.0);
    if let Some((_, program)) = helper {
        ratio *= advantage(program);
    }
    if ratio < MARGIN {
        return None;
    }
    let rules = &war.rules;
    let factor = rules.conquest_factor(target.force().power, own.force().power);
    let sectors = rules.conquest_sectors(target.territory, factor);
    let spoils = rules.raid_spoils(target.capital, target.users, target.buildings.except_cores());
    let conquest = sectors as f64 * rules.power.per_sector;
    let raid = spoils.capital as f64 * 0.01
        + spoils.users as f64 * 0.05
        + spoils.buildings as f64 * rules.power.per_building;
    let promise = conquest.max(raid);
    (promise > 0.0).then(|| Choice {
        on,
        conquest: conquest >= raid,
        program: helper.map(|(name, _)| name.to_owned()),
        promise,
    })
}
