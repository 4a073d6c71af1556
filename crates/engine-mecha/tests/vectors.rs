//! Every handed case: formulas by their names, replays by outcome, standing and words, or by code, call and path.

use ongrid_engine::{Referee, canonical};
use ongrid_engine_mecha::MechaBattle;
use ongrid_engine_mecha::armor::{blade_split, person_damage};
use ongrid_engine_mecha::chance::{Strike, dodged, hitpro_of, hits_from, weapon_accuracy};
use ongrid_engine_mecha::geometry::aspect;
use ongrid_engine_mecha::munition::Flight;
use ongrid_engine_mecha::rules::Rules;
use ongrid_engine_mecha::words::Word;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const CASES: &str = include_str!("cases/mecha-battle.json");

fn cases() -> Vec<Value> {
    serde_json::from_str(CASES).unwrap()
}

/// The arguments of a formula.
struct Arguments<'a>(&'a Value);

impl Arguments<'_> {
    fn get<T: DeserializeOwned>(&self, key: &str) -> T {
        serde_json::from_value(self.0[key].clone()).unwrap_or_else(|fault| panic!("{key}: {fault}"))
    }

    fn word<T: Word>(&self, key: &str) -> T {
        T::named(&self.get::<String>(key)).unwrap_or_else(|| panic!("{key} is no such name"))
    }
}

/// What a formula of this name gives.
fn compute(rules: &Rules, function: &str, of: &Arguments<'_>) -> Value {
    match function {
        "hitpro_of" => json!(hitpro_of(of.get::<Vec<f64>>("factors"))),
        "shooting_skill" => {
            let row = rules.shooting_skill(of.word("name"));
            json!([row.skill, row.pistol, row.rifle])
        }
        "pilot_skill" => json!(rules.pilot_skill(of.word("name"))),
        "hits_from" => json!(hits_from(of.get("p"), of.get("n"), of.get("u"))),
        "weapon_accuracy" => json!(weapon_accuracy(of.get("acc"), of.get("ref"), of.get("d"))),
        "movement_factor" => json!(rules.movement_factor(of.word("att"), of.word("tgt"))),
        "experience_skill" => json!(rules.experience_skill(of.get("start"), of.get("kills"))),
        "pilot_environment" => json!(rules.pilot_environment(of.get("skill"), of.word("medium"))),
        "terrain_factor" => {
            json!(rules.terrain_factor(of.word("medium"), of.word("terrain"), of.get("slope")))
        }
        "consciousness_number_or_null" => json!(rules.consciousness_number(of.get("damage"))),
        "sensor_factor" => json!(rules.sensor_factor(of.get("n"))),
        "reactor_factor" => json!(rules.reactor_factor(of.get("n"))),
        "leg_factor" => json!(rules.leg_factor(of.get("halves"), of.get("ground"))),
        "gyro_factor" => json!(rules.gyro_factor(of.get("halves"), of.get("ground"))),
        "aim_value_or_null" => json!(rules.aim_value(of.get("d"), of.get("mecha"), of.get("optical"))),
        "aimed_term_or_null" => {
            json!(rules.aimed_term(of.get("own"), of.get("d"), of.get("mecha"), of.get("optical")))
        }
        "missile_rate" => {
            let flight =
                Flight { min_range: of.get("mn"), burnout: of.get("burn"), half_range: of.get("half") };
            json!(rules.missile_rate(of.get("d"), flight, of.get("can_turn"), of.get("moving")))
        }
        "rocket_rate" => json!(rules.rocket_rate(of.get("d"), of.get("half"))),
        "munition_cp" => {
            let (class, caliber) = (of.word("cls"), of.get("caliber"));
            json!(rules.munition_cp(class, caliber, of.get("moving"), of.get("moving_percent")))
        }
        "person_damage" => json!(person_damage(of.get("cp"), of.get("wound"))),
        "blade_split" => json!(blade_split(of.get("cp"), of.get("armor"), of.get("pierce"))),
        "dodged" => json!(dodged(of.get("value"), of.get("piloting"), of.get("agility"))),
        "parry_chance" => {
            let strike =
                Strike { head: of.get("head"), attacked: of.get("attacked"), feint: of.get("feint") };
            json!(rules.parry_chance(of.get("skill"), of.word("pace"), of.get("earlier"), strike))
        }
        "shield_share" => json!(rules.shield_share(of.word("aspect"), of.word("arm"))),
        "aspect" => json!(aspect(of.get("tpos"), of.get("facing"), of.get("apos")).name()),
        other => panic!("no formula {other}"),
    }
}

#[test]
fn formulas() {
    let engine = MechaBattle::new().unwrap();
    let mut checked = 0;
    for case in cases().iter().filter(|case| case.get("fn").is_some()) {
        let found = compute(engine.rules(), case["fn"].as_str().unwrap(), &Arguments(&case["in"]));
        assert_eq!(canonical::to_vec(&found), canonical::to_vec(&case["out"]), "{}", case["id"]);
        checked += 1;
    }
    assert_eq!(checked, 180);
}

/// What the engine makes of a replay, as the cases write it.
fn judge(engine: &MechaBattle, replay: &Value) -> Value {
    match engine.verify(replay.to_string().as_bytes()) {
        Ok(verdict) => {
            let outcome: Value = serde_json::from_slice(&verdict.outcome).unwrap();
            assert!(canonical::is_canonical(&verdict.outcome) && canonical::is_canonical(&verdict.replay));
            assert_eq!(outcome["rng_words"], json!(verdict.rng_words));
            json!({"status": "verified", "outcome": outcome, "standing": verdict.standing})
        }
        Err(no) => {
            let mut rejected = json!({"status": "rejected", "code": no.code(), "call": no.call()});
            if let Some(path) = no.path() {
                rejected["path"] = json!(path);
            }
            rejected
        }
    }
}

#[test]
fn replays() {
    let engine = MechaBattle::new().unwrap();
    let mut checked = 0;
    for case in cases().iter().filter(|case| case.get("replay").is_some()) {
        let found = judge(&engine, &case["replay"]);
        let text = |value: &Value| String::from_utf8(canonical::to_vec(value)).unwrap();
        assert_eq!(text(&found), text(&case["out"]), "{} {}", case["id"], case["rule"]);
        checked += 1;
    }
    assert_eq!(checked, 253);
}
