//! Unit vectors with right answers, by kind (`tests/cases/vectors.jsonl`), compared bit for bit.

use ongrid_engine::{Engine, Seed, Silent, json::Reader};
use serde_json::Value;

use crate::attribute::Stance;
use crate::call::Call;
use crate::catalogue::{Catalogue, HullTier, Role};
use crate::fight::Fight;
use crate::formulas::take_off;
use crate::grid::{Craft, Grid};
use crate::outcome::{DecidedBy, Totals, Verdict};
use crate::pipeline;
use crate::racks;
use crate::rules::LEVELS;
use crate::setup::Setup;
use crate::ship::{Deed, Fleet, Group, Place, Workshop, uses};
use crate::{OnGrid, legal};

const VECTORS: &str = include_str!("../tests/cases/vectors.jsonl");

fn catalogue() -> &'static Catalogue {
    racks::prepare();
    Catalogue::embedded().unwrap()
}

/// Runs every vector of a kind; there must be as many as the file had when it was frozen.
fn each(kind: &str, number: usize, check: impl Fn(&Value, &Value)) {
    let mut checked = 0;
    for line in VECTORS.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        if vector["kind"] == kind {
            check(&vector["in"], &vector["out"]);
            checked += 1;
        }
    }
    assert_eq!(checked, number, "{kind}");
}

/// The same, for formulas with one double as their answer.
fn each_number(kind: &str, number: usize, formula: impl Fn(&Value) -> f64) {
    each(kind, number, |input, out| {
        assert_eq!(formula(input).to_bits(), double(out).to_bits(), "{kind} {input} gives {out}");
    });
}

fn double(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn at(input: &Value, name: &str) -> f64 {
    double(&input[name])
}

fn doubles(value: &Value) -> Vec<f64> {
    value.as_array().map(|items| items.iter().map(double).collect()).unwrap_or_default()
}

fn text<'a>(input: &'a Value, name: &str) -> &'a str {
    input[name].as_str().unwrap()
}

fn totals(value: &Value) -> Totals {
    Totals { now: at(value, "now"), max: at(value, "max") }
}

fn verdict(name: &str) -> Verdict {
    [Verdict::Victory, Verdict::Defeat, Verdict::Draw]
        .into_iter()
        .find(|verdict| serde_json::to_value(verdict).unwrap() == name)
        .unwrap()
}

fn decided_by(name: &str) -> DecidedBy {
    [DecidedBy::Destruction, DecidedBy::Points, DecidedBy::Concession]
        .into_iter()
        .find(|by| serde_json::to_value(by).unwrap() == name)
        .unwrap()
}

#[test]
fn modifier_pipeline() {
    let penalties = catalogue().rules.penalties();
    each_number("pipeline", 52, |input| {
        let list = |name: &str| doubles(&input[name]);
        let (adds, unpenalized, penalized) = (list("adds"), list("unpenalized"), list("penalized"));
        pipeline::value(at(input, "base"), &adds, &unpenalized, &penalized, penalties)
    });
    each_number("penalty", 11, |input| {
        penalties.get(input["i"].as_u64().unwrap() as usize).copied().unwrap_or(0.0)
    });
    each_number("resonance", 3, |input| {
        let value = pipeline::value(at(input, "base"), &[], &doubles(&input["unpenalized"]), &[], penalties);
        pipeline::clamp(value, 0.0, 1.0)
    });
}

#[test]
fn fire_formulas() {
    let rules = &catalogue().rules;
    each_number("hit", 21, |input| {
        let [tracking, sig, ref_sig, ref_vel, speed] =
            ["tracking", "sig", "ref_sig", "ref_vel", "speed"].map(|name| at(input, name));
        rules.hit(tracking, sig, ref_sig, ref_vel, speed)
    });
    each_number("application", 18, |input| {
        let [sig, ref_sig, ref_vel, speed, guidance] =
            ["sig", "ref_sig", "ref_vel", "speed", "guidance"].map(|name| at(input, name));
        rules.application(sig, ref_sig, ref_vel, speed, guidance)
    });
    each_number("quality", 7, |input| rules.quality(at(input, "roll")));
    each("lands", 7, |input, out| assert_eq!(at(input, "roll") < at(input, "chance"), *out));
    each_number("overtime", 6, |input| rules.overtime(input["round"].as_u64().unwrap() as u32));
    each_number("scale", 3, |input| {
        let power = at(input, "count") * at(input, "damage") * at(input, "rate");
        let overtime = rules.overtime(input["round"].as_u64().unwrap() as u32);
        power * at(input, "quality") * at(input, "overheat") * at(input, "application") * overtime
    });
    each_number("cost", 25, |input| {
        at(input, "capacitor") * at(input, "capacitor_need") * at(input, "count")
    });
}

#[test]
fn layers() {
    each("layers", 28, |input, out| {
        let array = |value: &Value| <[f64; 3]>::try_from(doubles(value)).unwrap();
        let rows: Vec<[f64; 4]> = input["resonance"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| doubles(row).try_into().unwrap())
            .collect();
        let mut left = array(&input["left"]);
        let raw = doubles(&input["raw"]).try_into().unwrap();
        let mut ours = Vec::new();
        take_off(&mut left, &rows.try_into().unwrap(), raw, |layer, lost| {
            ours.push((["shield", "armor", "hull"][layer], lost));
        });
        assert_eq!(left, array(&out["left"]), "{input}");
        let lost: Vec<(&str, f64)> = out["lost"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| (entry[0].as_str().unwrap(), double(&entry[1])))
            .collect();
        assert_eq!(ours, lost, "{input}");
        assert_eq!(left[2] == 0.0, out["destroyed"], "{input}");
    });
}

#[test]
fn warfare_and_repair() {
    let rules = &catalogue().rules;
    let most = |x: f64, most: f64| if x < most { x } else { most };
    each_number("effect_multiplier", 6, |input| rules.effect_multiplier(at(input, "m"), at(input, "s")));
    each_number("jam_chance", 3, |input| {
        let sensor = ["radar", "ladar", "magnetometric", "gravimetric"]
            .iter()
            .position(|sensor| *sensor == text(input, "sensor"))
            .unwrap();
        let module = catalogue().module(text(input, "module")).unwrap();
        let Some(crate::catalogue::Work::Jam(jam)) = module.active.map(|active| active.work) else {
            panic!("{} does not jam", module.id)
        };
        rules.jam_chance(jam[sensor] * at(input, "s"), at(input, "sensor_strength"))
    });
    each_number("neutralize", 3, |input| {
        let capacitor = at(input, "capacitor");
        capacitor - most(capacitor, at(input, "drain") * at(input, "s") * at(input, "count"))
    });
    each("leech", 2, |input, out| {
        let moved = most(at(input, "target"), at(input, "leech") * at(input, "s") * at(input, "count"));
        assert_eq!(at(input, "target") - moved, at(out, "target"));
        assert_eq!(most(at(input, "own") + moved, at(input, "own_max")), at(out, "own"));
    });
    each_number("repair", 3, |input| {
        most(at(input, "left") + at(input, "amount") * at(input, "s") * at(input, "count"), at(input, "max"))
    });
    each_number("boost", 3, |input| {
        let energy = at(input, "energy") * at(input, "cycles") * at(input, "count");
        most(at(input, "capacitor") + energy, at(input, "max"))
    });
    each("uses", 143, |input, out| {
        let (module, charge) = (text(input, "module"), text(input, "charge"));
        let (capacity, cycles) = catalogue().module(module).unwrap().magazine.unwrap();
        let volume = catalogue().charge(charge).unwrap().volume;
        assert_eq!(
            [capacity, cycles, volume],
            ["charge_capacity", "cycles", "volume"].map(|of| at(input, of))
        );
        assert_eq!(Value::from(uses(capacity, volume, cycles)), *out, "{input}");
    });
}

#[test]
fn points_and_score() {
    let rules = &catalogue().rules;
    each("points", 9, |input, out| {
        let result = rules.points(totals(&input["pilot"]), totals(&input["hostile"]));
        assert_eq!(serde_json::to_value(result).unwrap(), *out, "{input}");
    });
    each("score", 31, |input, out| {
        let score = rules.score(
            verdict(text(input, "result")),
            decided_by(text(input, "decided_by")),
            input["round"].as_u64().unwrap() as u32,
            input["level"].as_u64().unwrap() as usize,
            totals(&input["pilot"]),
            totals(&input["hostile"]),
        );
        assert_eq!(Value::from(score), *out, "{input}");
    });
    each("level", 7, |input, out| {
        assert_eq!(Value::from(rules.level(input["score"].as_u64().unwrap() as u32)), *out);
    });
}

#[test]
fn hostile_thresholds() {
    let rules = &catalogue().rules;
    each("stance", 18, |input, out| {
        let stance = rules.hostile_stance(at(input, "frac"), text(input, "role") != "line");
        assert_eq!(serde_json::to_value(stance).unwrap(), *out, "{input}");
    });
    each("overheat", 30, |input, out| {
        let heat = input["heat"].as_u64().unwrap() as u16;
        assert_eq!(rules.hostile_overheats(heat, at(input, "expected"), at(input, "hp")), *out, "{input}");
    });
    each("booster", 3, |input, out| {
        assert_eq!(at(input, "capacitor") < rules.hostile.booster_below * at(input, "max"), *out, "{input}");
    });
    each("remote_repair", 4, |input, out| {
        let half = 0.5 * at(input, "amount") * at(input, "strength") * at(input, "count");
        assert_eq!(at(input, "missing") >= half, *out, "{input}");
    });
}

#[test]
fn initiative() {
    let setup = standard_duel();
    let legal = legal::check(setup).unwrap();
    each("initiative", 11, |input, out| {
        let mut fight = Fight::new(&legal, &Seed::from_u64(0)).grid;
        let ships = input["ships"].as_array().unwrap();
        // Ships of the case are put into the places of their sides; what is left over is dead.
        let mut place = [0, fight.pilots];
        let mut ids = Vec::new();
        fight.alive = 0;
        for ship in ships {
            let side = ship["side"].as_u64().unwrap() as usize;
            let id = place[side];
            place[side] += 1;
            assert_eq!(fight.side(id) as usize, side, "the case has more ships than the fight");
            fight.alive |= 1 << id;
            (fight.speed[id], fight.sig[id]) = (at(ship, "speed"), at(ship, "sig"));
            ids.push((id, ship["id"].clone()));
        }
        fight.start_round(&mut Silent);
        let order: Vec<Value> = fight.order[..fight.ordered]
            .iter()
            .map(|id| ids.iter().find(|(own, _)| own == &usize::from(*id)).unwrap().1.clone())
            .collect();
        assert_eq!(Value::from(order), *out, "{input}");
    });
}

/// Five against five.
fn standard_duel() -> Setup {
    let ship = r#"{"hull":"rifter","fit":[]}"#;
    let fleet = [ship; 5].join(",");
    let skills =
        r#"{"gunnery":3,"motion-prediction":3,"missiles":3,"tank":3,"navigation":3,"electronics":3}"#;
    let text = format!(r#"{{"doctrine":"minmatar-skirmish","skills":{skills},"fleet":[{fleet}]}}"#);
    Setup::read(catalogue(), &mut Reader::new(&text)).unwrap()
}

fn fit(value: &Value) -> Vec<Group> {
    let groups = value.as_array().unwrap().iter();
    groups
        .map(|group| Group {
            module: catalogue().module(text(group, "module")).unwrap(),
            charge: group.get("charge").map(|id| catalogue().charge(id.as_str().unwrap()).unwrap()),
            count: group["count"].as_u64().unwrap() as u8,
        })
        .collect()
}

#[test]
fn racks_of_every_kind() {
    each("racks", 126, |input, out| {
        let doctrine = catalogue().doctrine(text(input, "doctrine")).unwrap();
        let place = input["ship"].as_u64().unwrap() as usize;
        let tier = HullTier::ALL
            .into_iter()
            .find(|tier| serde_json::to_value(tier).unwrap() == input["tier"])
            .unwrap();
        let ship = &doctrine.ships[place];
        let hull = &catalogue().hulls[ship.hulls[tier as usize]];
        assert_eq!(hull.id, text(input, "hull"));
        for expected in out.as_array().unwrap() {
            let level = expected["level"].as_u64().unwrap() as usize;
            let rack = racks::build(catalogue(), doctrine, ship, hull, level);
            let hostile = racks::hostile(doctrine, place, tier, level);
            let groups: Vec<_> = rack.fit.iter().map(crate::FittedGroup::new).collect();
            let steps: Vec<Value> = rack
                .walk_down
                .iter()
                .map(|step| {
                    let reason = if step.cpu { "cpu" } else { "power" };
                    let to = step.to.map(|module| module.id);
                    serde_json::json!({"reason": reason, "from": step.from.id, "to": to})
                })
                .collect();
            let ours = serde_json::json!({
                "level": level, "fit": groups, "strength": rack.strength, "walk_down": steps,
                "flown": hostile.flown_level,
            });
            assert_eq!(ours, *expected, "{input} {level}");
            assert!(level < LEVELS);
        }
    });
}

#[test]
fn ships_as_flown() {
    each("ship", 45, |input, out| {
        let levels =
            catalogue().skills.each_ref().map(|skill| input["skills"][skill.id].as_u64().unwrap() as u8);
        let hull = catalogue().hull(text(input, "hull")).unwrap();
        let fit = fit(&input["fit"]);
        let mut fleet = Fleet::default();
        Workshop::new(catalogue(), levels).build(hull, Role::Line, &fit, &mut fleet);
        let ship = &fleet.ships[0];
        let [cpu, power] = racks::needs(&fit);
        let fitting = serde_json::json!({
            "cpu": cpu, "cpu_output": ship.cpu_output, "power": power, "power_output": ship.power_output,
        });
        assert_eq!(fitting, out["fitting"], "{input}");
        for stance in Stance::ALL {
            let name = serde_json::to_value(stance).unwrap();
            let expected = &out["stances"][name.as_str().unwrap()];
            assert_eq!(sheet(&fleet, &fit, stance), *expected, "{input} {name}");
        }
    });
}

/// A ship in a stance, in the shape of the cases.
fn sheet(fleet: &Fleet, fit: &[Group], stance: Stance) -> Value {
    let ship = &fleet.ships[0];
    let stance = stance as usize;
    let groups = fit.iter().zip(ship.places).map(|(group, place)| {
        let mut row = serde_json::json!({"module": group.module.id, "count": group.count, "uses": null});
        let mut put = |name: &str, value: Value| row.as_object_mut().unwrap().insert(name.to_owned(), value);
        match place {
            Place::Passive => {}
            Place::Weapon(number) => {
                let weapon = &fleet.weapons[usize::from(number)];
                put("damage", weapon.sheet.damage.into());
                put("rate", weapon.sheet.rate.into());
                put("typed", weapon.sheet.typed.to_vec().into());
                put("capacitor_need", weapon.sheet.capacitor_need.into());
                put("cost", weapon.cost.into());
                put(if weapon.turret { "tracking" } else { "guidance" }, weapon.aim.flown[stance].into());
            }
            Place::Active(number) => {
                let active = &fleet.actives[usize::from(number)];
                put("capacitor_need", active.sheet.capacitor_need.into());
                put("strength", active.sheet.strength.into());
                // What the pipeline makes of the cost; a group with capacitor charges pays none of it.
                let figures = group.module.active.unwrap();
                let cost = figures.capacitor * active.sheet.capacitor_need * f64::from(group.count);
                put("cost", cost.into());
                put("uses", active.uses.map_or(Value::Null, Value::from));
            }
        }
        row
    });
    serde_json::json!({
        "groups": groups.collect::<Vec<_>>(),
        "max": ship.max, "resonance": ship.resonance,
        "speed": ship.velocity.flown[stance], "sig": ship.signature.flown[stance],
        "capacitor": ship.capacitor, "recharge": ship.recharge,
        "sensor_strength": ship.sensor_strength, "threat": ship.threat,
    })
}

#[test]
fn calibration() {
    each("calibration", 18, |input, out| {
        let text = input["setup"].to_string();
        let setup = Setup::read(catalogue(), &mut Reader::new(&text)).unwrap();
        let legal = OnGrid::new().unwrap().check(setup).unwrap();
        assert_eq!(serde_json::to_value(crate::Snapshot::new(&legal)).unwrap(), *out);
    });
}

/// Whole fights, seen before every action of either side.
#[test]
fn traces() {
    each("trace", 16, |input, out| {
        let setup = input["setup"].to_string();
        let setup = Setup::read(catalogue(), &mut Reader::new(&setup)).unwrap();
        let legal = legal::check(setup).unwrap();
        let Fight { roster, mut grid, .. } = Fight::new(&legal, &Seed::parse(text(input, "seed")).unwrap());
        let mut calls = input["calls"].as_array().unwrap().iter();
        let mut actions = out["actions"].as_array().unwrap().iter();
        grid.start_round(&mut Silent);
        while let Some(id) = grid.next_turn(&roster, &mut Silent) {
            let before = trace_row(&grid, id);
            let call = if id < grid.pilots {
                Call::read(&mut Reader::new(&calls.next().unwrap().to_string())).unwrap()
            } else {
                let (stance, action) = grid.decide(&roster, id);
                Call::Turn { ship: id as u32, stance: Some(stance), action }
            };
            // A concession is no action and has no row.
            let Call::Turn { stance, action, .. } = call else { break };
            let expected = actions.next().unwrap();
            let wire = Call::read(&mut Reader::new(&expected["call"].to_string())).unwrap();
            assert_eq!(call, wire, "{expected}");
            for (name, value) in before.as_object().unwrap() {
                assert_eq!(value, &expected[name], "{name} {expected}");
            }
            grid.act(&roster, id, stance, action, &mut Silent);
        }
        assert!(actions.next().is_none() && calls.next().is_none());
    });
}

fn trace_row(grid: &Grid, id: usize) -> Value {
    let crafts = &grid.crafts[..grid.ships];
    let each = |of: fn(&Craft) -> Value| crafts.iter().map(of).collect::<Vec<_>>();
    let effects: Vec<Value> = grid
        .effects
        .iter()
        .map(|effect| {
            serde_json::json!([effect.number, effect.source, effect.group, effect.target, effect.last_round])
        })
        .collect();
    let order = &grid.order[grid.had_turn..grid.ordered];
    serde_json::json!({
        "round": grid.round, "ship": id, "rng_words": grid.stream.words(), "effects": effects,
        "speed": grid.speed[..grid.ships], "sig": grid.sig[..grid.ships], "hp": grid.hp[..grid.ships],
        "jam_until": each(|craft| craft.jam_until.into()), "heat": each(|craft| craft.heat.into()),
        "capacitor": each(|craft| craft.capacitor.into()),
        "order": order,
    })
}

#[test]
fn drains_ask_for_half() {
    let fleet = {
        let mut fleet = Fleet::default();
        let module = catalogue().module("medium-energy-neutralizer-ii").unwrap();
        let fit = [Group { module, charge: None, count: 2 }];
        let hull = catalogue().hull("curse").unwrap();
        Workshop::new(catalogue(), [3; 6]).build(hull, Role::Ewar, &fit, &mut fleet);
        fleet
    };
    let Deed::Drain(drain, half) = fleet.actives[0].work else { panic!("a neutralizer drains") };
    assert_eq!(half, 0.5 * drain);
}
