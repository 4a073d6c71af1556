//! The cases handed with the rules: every formula by its name, every replay by its outcome or its rejection.

use ongrid_engine::Referee;
use ongrid_engine_minds::{Architecture, MindCombat, spread};
use serde_json::{Value, json};

const CASES: &str = include_str!("cases/mind-combat.jsonl");

fn cases() -> impl Iterator<Item = Value> {
    CASES.lines().map(|line| serde_json::from_str(line).unwrap())
}

fn architecture(name: &Value) -> Architecture {
    Architecture::named(name.as_str().unwrap()).unwrap()
}

/// What the formula `name` gives for `given`, in the shape of the cases.
fn formula(engine: &MindCombat, name: &str, given: &Value) -> Value {
    let rules = engine.constants();
    let int = |key: &str| given[key].as_u64().unwrap_or_else(|| panic!("{name} {key} {given}"));
    let num = |key: &str| given[key].as_f64().unwrap_or_else(|| panic!("{name} {key} {given}"));
    let effects =
        || given["effects"].as_array().unwrap().iter().map(|e| e.as_f64().unwrap()).collect::<Vec<_>>();
    match name {
        "random_factor" => json!(rules.random_factor(num("u"))),
        "core_factor" => json!(rules.core_factor(int("cores"))),
        "opposing_factor" => {
            json!(rules.opposing_factor(architecture(&given["a"]), architecture(&given["b"])))
        }
        "attacker_strength" => {
            let (a, b) = (architecture(&given["a"]), architecture(&given["b"]));
            json!(rules.attacker_strength(int("attack"), a, b, &effects(), num("u")))
        }
        "defender_strength" => json!(rules.defender_strength(int("defense"), int("cores"), &effects())),
        "battle_outcome" => {
            let outcome = rules.battle_outcome(num("attacker"), num("defender"));
            json!({
                "attacker_won": outcome.attacker_won, "ratio": outcome.ratio, "lopsided": outcome.lopsided,
                "attacker_loss": outcome.attacker_loss, "defender_loss": outcome.defender_loss,
            })
        }
        "units_lost" => {
            json!(rules.units_lost(int("count"), num("share"), given["ranged"].as_bool().unwrap()))
        }
        "power" => {
            let capability = u32::try_from(int("capability")).unwrap();
            json!(rules.power(int("territory"), int("buildings"), int("attack"), int("defense"), capability))
        }
        "conquest_factor" => json!(rules.conquest_factor(int("defender_power"), int("attacker_power"))),
        "conquest_sectors" => json!(rules.conquest_sectors(int("territory"), num("factor"))),
        "lopsided_cores" => json!(rules.lopsided_cores(num("factor"), int("cores"))),
        "raid_spoils" => {
            let spoils = rules.raid_spoils(int("capital"), int("users"), int("buildings_except_cores"));
            json!({ "capital": spoils.capital, "users": spoils.users, "buildings": spoils.buildings })
        }
        "attack_cost" => json!(rules.attack_cost(int("recent"))),
        "spread" => {
            let have: Vec<u64> = serde_json::from_value(given["have"].clone()).unwrap();
            json!(spread(have.try_into().unwrap(), int("k")))
        }
        _ => panic!("no formula {name}"),
    }
}

#[test]
fn every_formula_agrees_bit_for_bit() {
    let engine = MindCombat::new().unwrap();
    let mut count = 0;
    for case in cases().filter(|case| case.get("fn").is_some()) {
        let found = formula(&engine, case["fn"].as_str().unwrap(), &case["in"]);
        assert_eq!(found, case["out"], "{case}");
        count += 1;
    }
    assert_eq!(count, 71);
}

#[test]
fn every_replay_agrees_exactly() {
    let engine = MindCombat::new().unwrap();
    let (mut verified, mut rejected) = (0, 0);
    for case in cases().filter(|case| case.get("replay").is_some()) {
        let (name, out) = (format!("{} {}", case["id"], case["rule"]), &case["out"]);
        match engine.verify(case["replay"].to_string().as_bytes()) {
            Ok(verdict) => {
                let outcome: Value = serde_json::from_slice(&verdict.outcome).unwrap();
                assert_eq!(outcome, out["outcome"], "{name}");
                assert_eq!(json!(verdict.standing), out["standing"], "{name}");
                assert_eq!(json!(verdict.rng_words), out["outcome"]["rng_words"], "{name}");
                verified += 1;
            }
            Err(no) => {
                assert_eq!(json!(no.code()), out["code"], "{name}: {no}");
                assert_eq!(json!(no.call()), out["call"], "{name}: {no}");
                assert_eq!(json!(no.path()), out["path"], "{name}: {no}");
                rejected += 1;
            }
        }
    }
    assert_eq!((verified, rejected), (58, 73));
}
