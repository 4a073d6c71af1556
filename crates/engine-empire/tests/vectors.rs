//! The handed cases: every unit vector by its function, every replay by its result.

use ongrid_engine::{Referee, Result, Verdict};
use ongrid_engine_empire::formula::{self, BombKind};
use ongrid_engine_empire::{Burst, Empire, Item};
use serde_json::{Value, json};

const CASES: &str = include_str!("cases/empire-damage.json");

fn cases() -> Vec<Value> {
    serde_json::from_str(CASES).unwrap()
}

fn replays() -> Vec<Value> {
    cases().into_iter().filter(|case| case.get("replay").is_some()).collect()
}

fn verify(replay: &Value) -> Result<Verdict> {
    Empire::new().unwrap().verify(replay.to_string().as_bytes())
}

/// A figure of a unit vector's `in`.
struct In<'a>(&'a Value);

impl In<'_> {
    fn num(&self, key: &str) -> f64 {
        self.0[key].as_f64().unwrap_or_else(|| panic!("{key} in {}", self.0))
    }
    fn int<T: TryFrom<i64>>(&self, key: &str) -> T {
        let value = self.0[key].as_i64().and_then(|value| T::try_from(value).ok());
        value.unwrap_or_else(|| panic!("{key} in {}", self.0))
    }
    fn text(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap_or_else(|| panic!("{key} in {}", self.0))
    }
    fn flag(&self, key: &str) -> bool {
        self.0[key].as_bool().unwrap_or_else(|| panic!("{key} in {}", self.0))
    }
    fn burst(&self) -> Burst {
        if self.text("burst") == "air" { Burst::Air } else { Burst::Ground }
    }
}

const KINDS: [(&str, BombKind); 3] =
    [("blam", BombKind::Blam), ("Blam", BombKind::LoudBlam), ("BLAM", BombKind::LoudestBlam)];

fn call(name: &str, it: &In<'_>) -> Value {
    match name {
        "fort_damage" => json!(formula::fort_damage(it.int("guns"), it.num("eff"), it.int("r30"))),
        "unit_damage" => json!(formula::unit_damage(it.int("guns"), it.num("eff"), it.int("r6"))),
        "ship_damage" => json!(formula::ship_damage(it.int("guns"), it.num("eff"), it.int("r6"))),
        "depth_damage" => json!(formula::depth_damage(it.num("eff"), it.int("r6"))),
        "torp_damage" => json!(formula::torpedo_damage(it.int("a40"), it.int("b40"))),
        "bomb_damage" => {
            let kind = KINDS.iter().find(|(name, _)| *name == it.text("kind")).unwrap().1;
            json!(formula::bomb_damage(kind, it.int("r6")))
        }
        "bomb_kind" => {
            let kind = formula::bomb_kind(it.int("q100"), it.int("aim"));
            json!(KINDS.iter().find(|(_, known)| *known == kind).unwrap().0)
        }
        "bomb_aim" => json!(formula::bomb_aim(it.int("acc"), it.int("difficulty"))),
        "landmine_land" => json!(formula::land_mine_damage(it.int("r10"), it.flag("engineer"))),
        "seamine" => json!(formula::sea_mine_damage(it.int("r20"), it.flag("sweep"))),
        "nuke_reaches" => json!(formula::nuke_reaches(it.int("radius"), it.int("dist"), it.burst())),
        "nuke_damage" => {
            json!(formula::nuke_damage(it.int("dam"), it.int("radius"), it.int("dist"), it.burst()))
        }
        "pct_ship" => json!(formula::ship_percent(it.num("d"), it.num("de"))),
        "pct_land" => json!(formula::land_percent(it.num("d"), it.int("vul"), it.int("fort"))),
        "pct_land_in_sector" => json!(formula::land_in_sector_percent(it.num("pct"))),
        "pct_plane" => json!(formula::plane_percent(it.num("d"))),
        "pct_plane_nuke" => json!(formula::plane_nuke_percent(it.num("d"), it.int("hardened"))),
        "pct_sector" => json!(formula::sector_percent(it.num("d"), it.num("sectdef"), it.num("eff"))),
        "pct_commodity" => json!(formula::commodity_percent(it.num("d"))),
        "new_eff" => json!(formula::new_efficiency(it.num("eff"), it.num("pct"))),
        "item_lost" => {
            json!(formula::items_lost(Item::of(it.text("item")).unwrap(), it.int("count"), it.num("pct")))
        }
        "hexdist" => {
            json!(formula::distance((it.int("ax"), it.int("ay")), (it.int("bx"), it.int("by"))))
        }
        other => panic!("no function for {other}"),
    }
}

/// Equal as numbers, to the bit: 7 and 7.0 are the same.
fn same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(a), Value::Number(b)) => a.as_f64().map(f64::to_bits) == b.as_f64().map(f64::to_bits),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => ours == theirs,
    }
}

#[test]
fn unit_vectors() {
    let units: Vec<Value> = cases().into_iter().filter(|case| case.get("fn").is_some()).collect();
    assert_eq!(units.len(), 146);
    for case in units {
        let ours = call(case["fn"].as_str().unwrap(), &In(&case["in"]));
        assert!(same(&ours, &case["out"]), "{case}: {ours}");
    }
}

#[test]
fn replays_agree() {
    let replays = replays();
    assert_eq!(replays.len(), 216);
    for case in replays {
        let (why, out) = (format!("{} {}", case["id"], case["rule"]), &case["out"]);
        match verify(&case["replay"]) {
            Ok(verdict) => {
                assert_eq!(out["status"], "verified", "{why}");
                let outcome: Value = serde_json::from_slice(&verdict.outcome).unwrap();
                assert!(same(&outcome, &out["outcome"]), "{why}\n{outcome}\n{}", out["outcome"]);
                assert!(same(&json!(verdict.standing), &out["standing"]), "{why}");
                assert_eq!(json!(verdict.rng_words), out["outcome"]["rng_words"], "{why}");
            }
            Err(no) => {
                assert_eq!(out["status"], "rejected", "{why}: {no}");
                assert_eq!(
                    (json!(no.code()), json!(no.call())),
                    (out["code"].clone(), out["call"].clone()),
                    "{why}"
                );
                assert_eq!(no.path(), out.get("path").and_then(Value::as_str), "{why}");
            }
        }
    }
}
