//! A fight in progress as clients show it: whose turn it is, what may be called, what that is likely to do. Reading
//! only: nothing here draws or changes anything.
//!
//! ```
//! use ongrid_engine::{Engine, Seed, Silent};
//! use ongrid_engine_ongrid::{OnGrid, view};
//! let engine = OnGrid::new()?;
//! let setup = engine.setup_at(&engine.catalogue().doctrines[0], 0);
//! let legal = engine.judge(&setup)?;
//! let mut fight = engine.start(&legal, &Seed::from_u64(7), &mut Silent);
//! let seen = view::View::of(&fight);
//! assert_eq!((seen.round, seen.ships.len()), (1, 10));
//! let call = view::legal_calls(&fight)[0];
//! engine.apply(&mut fight, &call, &mut Silent)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use serde::Serialize;

use crate::attribute::{Class, Side, Stance};
use crate::call::{Action, Call};
use crate::catalogue::Role;
use crate::fight::Fight;
use crate::formulas::at_most_one;
use crate::grid::{Grid, NOBODY};
use crate::outcome::{DecidedBy, Layers, Totals, Verdict};
use crate::roster::Roster;
use crate::ship::{Deed, Place};

/// A fight, seen. Serialises to canonical JSON.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// Timed effects, by number.
    pub effects: Vec<EffectView>,
    /// How the fight ended, once it has.
    pub ended: Option<Ended>,
    /// Hit points of the hostile side.
    pub hostile: Totals,
    /// The round after which points decide.
    pub last_round: u32,
    /// Ships of this round in the order of their turns, those destroyed since included (§5).
    pub order: Vec<u32>,
    /// What overtime multiplies damage by in this round.
    pub overtime: f64,
    /// Hit points of the pilot's side.
    pub pilot: Totals,
    /// The round in progress, from 1.
    pub round: u32,
    /// Every ship, by id.
    pub ships: Vec<ShipView>,
    /// What the ship whose turn it is can expect of each living enemy.
    pub sights: Vec<Sight>,
    /// Ships of this round that are still to have a turn after the one at hand.
    pub to_come: Vec<u32>,
    /// The pilot ship whose turn it is; none once the fight is over.
    pub turn: Option<u32>,
}

/// How a fight ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ended {
    /// By what.
    pub decided_by: DecidedBy,
    /// For the pilot.
    pub result: Verdict,
}

/// A timed effect (§9).
#[derive(Clone, Debug, Serialize)]
pub struct EffectView {
    /// The class of the group that projects it.
    pub class: Class,
    /// That group's place in its ship's fit.
    pub group: u32,
    /// The last round it lasts.
    pub last_round: u32,
    /// One multiplier for each attribute it touches, projected once for each module of the group.
    pub multipliers: Vec<f64>,
    /// Its number.
    pub number: u32,
    /// Who projects it.
    pub source: u32,
    /// On whom.
    pub target: u32,
}

/// A ship in the fight.
#[derive(Clone, Debug, Serialize)]
pub struct ShipView {
    /// Whether it lives.
    pub alive: bool,
    /// GJ left.
    pub capacitor: f64,
    /// Most GJ it holds.
    pub capacitor_max: f64,
    /// GJ it gains at the end of a round.
    pub capacitor_recharge: f64,
    /// Hit points it took off others.
    pub damage_dealt: f64,
    /// Hit points others took off it.
    pub damage_taken: f64,
    /// The round it was destroyed in.
    pub destroyed_round: Option<u32>,
    /// Its groups, in fit order.
    pub groups: Vec<GroupView>,
    /// Its heat; above the lock nothing may be overheated (§7).
    pub heat: u32,
    /// Id of its hull.
    pub hull: &'static str,
    /// Its ship id.
    pub id: u32,
    /// The last round it sits out; 0 where it was never jammed (§9).
    pub jam_until: u32,
    /// The last ship whose volley took more than 0 off it.
    pub last_shooter: Option<u32>,
    /// Hit points left.
    pub left: Layers,
    /// Most hit points.
    pub max: Layers,
    /// Its hull's name for people.
    pub name: &'static str,
    /// Whether it is too hot to overheat.
    pub overheat_locked: bool,
    /// What comes through each layer (shield, armor, hull), by type: em, thermal, kinetic, explosive.
    pub resonance: [[f64; 4]; 3],
    /// What it is for; pilot ships count as of the line.
    pub role: Role,
    /// Strength of its sensors against jammers.
    pub sensor_strength: f64,
    /// Whose it is.
    pub side: Side,
    /// Signature radius as flown, in metres.
    pub signature: f64,
    /// Speed as flown, in m/s.
    pub speed: f64,
    /// Its stance.
    pub stance: Stance,
}

/// A group of modules in the fight.
#[derive(Clone, Debug, Serialize)]
pub struct GroupView {
    /// Tracking of turrets or guidance of launchers as flown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aim: Option<f64>,
    /// Id of its charge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charge: Option<&'static str>,
    /// Its class, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// GJ a volley or an activation costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Number of modules.
    pub count: u32,
    /// Number of its live effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<u32>,
    /// Id of its module.
    pub module: &'static str,
    /// Its module's name for people.
    pub name: &'static str,
    /// Whether it could fire or be activated now: capacitor and uses suffice.
    pub ready: bool,
    /// Activations left, where they are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses: Option<u32>,
}

/// What the ship whose turn it is can expect of an enemy.
#[derive(Clone, Debug, Serialize)]
pub struct Sight {
    /// Hit points a volley is expected to take off its first standing layer, not overheated, by stance: standard,
    /// aggressive, evasive (§12's `expected`).
    pub expected: [f64; 3],
    /// Its weapon groups and jammers against the enemy, in fit order.
    pub groups: Vec<Chance>,
    /// The enemy.
    pub target: u32,
}

/// What a group can do to an enemy.
#[derive(Clone, Debug, Serialize)]
pub struct Chance {
    /// Turrets: chance to hit; launchers: how much applies; jammers: chance of each draw. By stance: standard,
    /// aggressive, evasive.
    pub chance: [f64; 3],
    /// What it is made of.
    pub factors: Factors,
    /// The group's place in the fit.
    pub group: u32,
    /// What the chance is of.
    pub of: ChanceOf,
}

/// What a chance is made of: turrets `aim × size × pace`, launchers `size × pace × aim`, jammers `jam ÷ sensors`, kept
/// within the bounds (§7, §9).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Factors {
    /// Tracking of the turret or guidance of the launcher as flown, by stance: standard, aggressive, evasive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aim: Option<[f64; 3]>,
    /// The least and the most that the chance can be.
    pub bounds: [f64; 2],
    /// Strength of the jammer against the enemy's kind of sensors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jam: Option<f64>,
    /// Turrets: the weapon's reference speed ÷ the enemy's speed; launchers: the square root of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pace: Option<f64>,
    /// Strength of the enemy's sensors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensors: Option<f64>,
    /// The enemy's signature ÷ the weapon's reference size, at most 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<f64>,
}

/// What a chance is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChanceOf {
    /// A turret's hit.
    Hit,
    /// A missile's application; always lands.
    Application,
    /// One draw of a jammer.
    Jam,
}

impl View {
    /// A fight as it stands.
    pub fn of(fight: &Fight) -> Self {
        let Fight { roster, grid, turn, .. } = fight;
        let ids = |order: &[u8]| order.iter().copied().map(u32::from).collect();
        Self {
            effects: grid.effects.iter().map(EffectView::of).collect(),
            ended: grid.end.map(|(result, decided_by)| Ended { decided_by, result }),
            hostile: grid.totals(Side::Hostile),
            last_round: grid.rules.clock.last_round,
            order: ids(&grid.order[..grid.ordered]),
            overtime: grid.overtime,
            pilot: grid.totals(Side::Pilot),
            round: grid.round,
            ships: (0..grid.ships).map(|id| ShipView::of(grid, roster, id)).collect(),
            sights: turn.map_or(Vec::new(), |id| sights(fight, id)),
            to_come: grid.order[grid.had_turn..grid.ordered]
                .iter()
                .filter(|id| grid.is_alive(usize::from(**id)))
                .copied()
                .map(u32::from)
                .collect(),
            turn: turn.map(|id| id as u32),
        }
    }
}

/// Every call that would be legal now (§6), without stances: each but `concede` may carry any stance, which changes
/// nothing about its legality. Empty once the fight is over.
pub fn legal_calls(fight: &Fight) -> Vec<Call> {
    let Some(id) = fight.turn else { return Vec::new() };
    let (grid, roster) = (&fight.grid, &fight.roster);
    let ship = id as u32;
    let mut actions = Vec::new();
    for target in (0..grid.ships as u32).filter(|target| grid.judge_fire(id, *target, false).is_ok()) {
        actions.push(Action::Fire { target, overheat: false });
        if grid.judge_fire(id, target, true).is_ok() {
            actions.push(Action::Fire { target, overheat: true });
        }
    }
    for group in 0..u32::from(roster.ship(id).groups) {
        let targets = std::iter::once(None).chain((0..grid.ships as u32).map(Some));
        let legal = targets.filter(|target| grid.judge_activate(roster, id, group, *target).is_ok());
        actions.extend(legal.map(|target| Action::Activate { group, target }));
    }
    actions.push(Action::Hold);
    let turns = actions.into_iter().map(|action| Call::Turn { ship, stance: None, action });
    turns.chain([Call::Concede]).collect()
}

/// What the ship whose turn it is can expect of each living enemy.
fn sights(fight: &Fight, id: usize) -> Vec<Sight> {
    let (grid, roster) = (&fight.grid, &fight.roster);
    let enemies = grid.enemies_of(id);
    let first = enemies.start;
    let expected = Stance::ALL.map(|stance| grid.expected(id, stance));
    let living = enemies.filter(|enemy| grid.is_alive(*enemy));
    living
        .map(|enemy| Sight {
            expected: expected.map(|of| of[enemy - first]),
            groups: chances(grid, roster, id, enemy),
            target: enemy as u32,
        })
        .collect()
}

fn chances(grid: &Grid, roster: &Roster, id: usize, enemy: usize) -> Vec<Chance> {
    let (sig, speed, rules) = (grid.sig[enemy], grid.speed[enemy], grid.rules);
    let guns = &grid.guns[grid.guns_of(id)];
    let mut chances: Vec<Chance> = guns
        .iter()
        .map(|gun| {
            let pace = gun.ref_vel / speed;
            let (of, bounds, pace) = match gun.turret {
                true => (ChanceOf::Hit, [rules.turret.min_hit, rules.turret.max_hit], pace),
                false => {
                    let bounds = [rules.missile.min_application, rules.missile.max_application];
                    (ChanceOf::Application, bounds, pace.sqrt())
                }
            };
            let chance = gun.aim.map(|aim| match gun.turret {
                true => rules.hit(aim, sig, gun.ref_sig, gun.ref_vel, speed),
                false => rules.application(sig, gun.ref_sig, gun.ref_vel, speed, aim),
            });
            let size = Some(at_most_one(sig / gun.ref_sig));
            let factors =
                Factors { aim: Some(gun.aim), bounds, jam: None, pace: Some(pace), sensors: None, size };
            Chance { chance, factors, group: gun.group.into(), of }
        })
        .collect();
    let target = roster.ship(enemy);
    for active in roster.actives_of(id).0 {
        if let Deed::Jam(jam) = active.work {
            let (jam, sensors) = (jam[target.hull.sensor as usize], target.sensor_strength);
            chances.push(Chance {
                chance: [rules.jam_chance(jam, sensors); 3],
                factors: Factors {
                    aim: None,
                    bounds: [rules.ewar.min_jam, rules.ewar.max_jam],
                    jam: Some(jam),
                    pace: None,
                    sensors: Some(sensors),
                    size: None,
                },
                group: active.group.into(),
                of: ChanceOf::Jam,
            });
        }
    }
    chances.sort_by_key(|chance| chance.group);
    chances
}

impl EffectView {
    fn of(effect: &crate::effect::Effect) -> Self {
        Self {
            class: effect.class,
            group: effect.group.into(),
            last_round: effect.last_round.into(),
            multipliers: effect.multipliers().to_vec(),
            number: effect.number,
            source: effect.source.into(),
            target: effect.target.into(),
        }
    }
}

impl ShipView {
    fn of(grid: &Grid, roster: &Roster, id: usize) -> Self {
        let (craft, ship) = (&grid.crafts[id], roster.ship(id));
        Self {
            alive: grid.is_alive(id),
            capacitor: craft.capacitor,
            capacitor_max: craft.capacitor_max,
            capacitor_recharge: craft.recharge,
            damage_dealt: craft.damage_dealt,
            damage_taken: craft.damage_taken,
            destroyed_round: craft.destroyed_round.map(u32::from),
            groups: (0..roster.fit_of(id).len())
                .map(|group| GroupView::of(grid, roster, id, group))
                .collect(),
            heat: craft.heat.into(),
            hull: ship.hull.id,
            id: id as u32,
            jam_until: craft.jam_until.into(),
            last_shooter: (craft.last_shooter != NOBODY).then_some(craft.last_shooter.into()),
            left: craft.left.into(),
            max: ship.max.into(),
            name: ship.hull.name,
            overheat_locked: craft.heat > grid.rules.heat.lock_above,
            resonance: craft.resonance,
            role: ship.role,
            sensor_strength: ship.sensor_strength,
            side: grid.side(id),
            signature: grid.sig[id],
            speed: grid.speed[id],
            stance: craft.stance,
        }
    }
}

impl GroupView {
    fn of(grid: &Grid, roster: &Roster, id: usize, index: usize) -> Self {
        let (group, craft) = (&roster.fit_of(id)[index], &grid.crafts[id]);
        let mut view = Self {
            aim: None,
            charge: group.charge.map(|charge| charge.id),
            class: group.module.class,
            cost: None,
            count: group.count.into(),
            effect: None,
            module: group.module.id,
            name: group.module.name,
            ready: false,
            uses: None,
        };
        match roster.place(id, index as u32) {
            Some(Place::Weapon(number)) => {
                let gun = &grid.guns[grid.guns_of(id)][usize::from(number)];
                view.aim = Some(gun.aim[craft.stance as usize]);
                view.cost = Some(gun.cost);
                view.ready = grid.is_alive(id) && gun.cost <= craft.capacitor;
            }
            Some(Place::Active(number)) => {
                let (active, number) = roster.active(id, number);
                let uses = grid.uses[number];
                view.cost = Some(active.cost);
                view.ready = grid.is_alive(id) && active.cost <= craft.capacitor && uses > 0;
                view.uses = active.uses.map(|_| uses.into());
                let mine = grid
                    .effects
                    .iter()
                    .find(|effect| usize::from(effect.source) == id && usize::from(effect.group) == index);
                view.effect = mine.map(|effect| effect.number);
            }
            _ => {}
        }
        view
    }
}
