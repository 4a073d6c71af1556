//! Legal setups and calls at random, from a seed.

use ongrid_engine::{Seed, Stream};
use ongrid_engine_mecha::words::{Flag, Light, Medium, Mode, Pace, Part, Rank, Soldier, Terrain, Word};
use serde_json::{Map, Value, json};

/// Random choices; the seed tells all of them.
pub struct Chance(Stream);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(Stream::new(&Seed::from_u64(seed)))
    }

    /// An integer from `min` to `max`.
    pub fn int(&mut self, min: i64, max: i64) -> i64 {
        min + self.0.below((max - min + 1) as u64) as i64
    }

    /// Whether something of this percentage happens.
    pub fn percent(&mut self, percent: i64) -> bool {
        self.int(1, 100) <= percent
    }

    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.int(0, of.len() as i64 - 1) as usize]
    }

    fn word<T: Word>(&mut self) -> &'static str {
        self.one(T::NAMES)
    }

    fn share(&mut self) -> f64 {
        self.int(0, 100) as f64 / 100.0
    }

    /// A legal setup of two to seven units.
    pub fn setup(&mut self) -> Value {
        let sides = if self.percent(30) { vec!["A", "B", "C"] } else { vec!["A", "B"] };
        let more = self.int(0, 4) as usize;
        let units: Vec<Value> = (0..sides.len() + more)
            .map(|index| {
                let side = if index < sides.len() { sides[index] } else { self.one(&sides) };
                self.unit(index, side)
            })
            .collect();
        json!({
            "player": "A", "sides": sides, "rounds": self.int(1, 12), "units": units,
            "env": {
                "medium": self.word::<Medium>(), "terrain": self.word::<Terrain>(), "light": self.word::<Light>(),
                "slope_percent": self.int(0, 40), "fog": self.percent(20), "underwater": self.percent(10),
            },
        })
    }

    fn unit(&mut self, index: usize, side: &str) -> Value {
        let mecha = self.percent(65);
        let weapons: Vec<Value> = (0..self.int(0, 4)).map(|_| self.weapon(mecha)).collect();
        let flags: Vec<&str> = Flag::NAMES.iter().copied().filter(|_| self.percent(10)).collect();
        let mut unit = json!({
            "id": format!("u{index}"), "side": side, "type": if mecha { "mecha" } else { "foot" },
            "pos": [self.int(-200, 200), self.int(-200, 200), self.int(0, 60)],
            "facing": [self.int(1, 3), self.int(-3, 3)], "flies": self.percent(50), "flags": flags,
            "speed": {"walk": self.int(0, 60), "run": self.int(0, 200), "flying": 500},
            "size_m2": self.int(1, 80), "weapons": weapons,
        });
        let (damage, out) = (if self.percent(20) { self.int(0, 19) } else { 0 }, self.percent(5));
        if mecha {
            unit["crew"] = json!({
                "piloting": self.word::<Rank>(), "gunner": self.word::<Rank>(), "kills": self.int(0, 30),
                "damage": damage, "out": out,
            });
            unit["parts"] = self.parts();
            if self.percent(50) {
                unit["shield"] =
                    json!({"armor": self.int(0, 6), "arm": self.one(&["left_arm", "right_arm"])});
            }
        } else {
            unit["crew"] = json!({"skill": self.word::<Soldier>(), "damage": damage, "out": out});
        }
        unit
    }

    fn parts(&mut self) -> Value {
        let mut parts = Map::new();
        for name in Part::NAMES {
            let least = i64::from(*name == "cockpit");
            parts.insert((*name).to_owned(), json!([self.int(0, 5), self.int(least, 12)]));
        }
        parts.into()
    }

    fn weapon(&mut self, mecha: bool) -> Value {
        let class = self.one(&["bullet", "beam", "rocket", "bazooka", "missile", "blade", "blade"]);
        let rate = self.int(1, 12);
        let mut weapon = json!({"name": class, "class": class, "rate": rate, "optical": self.percent(50)});
        if self.percent(40) {
            weapon["ammo"] = json!(self.int(0, 30));
        }
        if self.percent(40) {
            weapon["rapid"] = json!(rate + self.int(0, 10));
        }
        if mecha && self.percent(60) {
            weapon["arm"] = json!(self.one(&["left_arm", "right_arm"]));
        }
        let range = self.int(50, 3000);
        match class {
            "bullet" | "beam" => {
                let power = if class == "bullet" { "caliber" } else { "points" };
                weapon[power] = json!(self.int(1, 500));
                weapon["range"] = json!(range);
                if mecha || self.percent(50) {
                    weapon["accuracy"] = json!(self.share());
                    weapon["ref"] = json!(self.int(50, 2000));
                } else {
                    weapon["accuracy"] = Value::Null;
                    weapon["hand"] = json!(self.one(&["pistol", "rifle"]));
                }
            }
            "blade" => {
                weapon["points"] = json!(self.int(1, 900));
                weapon["reach"] = json!(self.int(100, 1000));
                weapon["pierce"] = json!(self.int(0, 100));
                weapon["thrust"] = json!(self.percent(50));
            }
            _ => {
                weapon["caliber"] = json!(self.int(1, 500));
                weapon["range"] = json!(range);
                weapon["half_range"] = json!(self.int(201, 1000));
            }
        }
        if class == "missile" {
            weapon["min_range"] = json!(self.int(0, 60));
            weapon["burnout"] = json!(self.int(60, 200));
            weapon["moving_percent"] = json!(self.int(0, 100));
            weapon["wingless"] = json!(self.percent(30));
        }
        weapon
    }

    /// A call that is well formed and more often than not legal.
    pub fn call(&mut self) -> Value {
        let unit = format!("u{}", self.int(0, 7));
        match self.int(1, 10) {
            1..=2 => json!({"op": "end_round"}),
            3..=5 => json!({
                "op": "move", "unit": unit, "pace": self.word::<Pace>(), "facing": [self.int(-2, 2), self.int(-2, 2)],
                "to": [self.int(-200, 200), self.int(-200, 200), self.int(0, 60)],
                "dodge": self.percent(50), "parry": self.percent(50),
            }),
            6 => json!({"op": self.one(&["rest", "", "Move"]), "unit": 5}),
            _ => {
                let mut attack = json!({
                    "op": "attack", "unit": unit, "weapon": self.int(0, 3), "target": format!("u{}", self.int(0, 7)),
                    "shots": self.int(1, 8), "feint": self.percent(10), "fast_draw": self.percent(10),
                    "weak_hand": self.percent(10), "mode": self.word::<Mode>(),
                });
                if self.percent(30) {
                    attack["part"] = json!(self.word::<Part>());
                }
                attack
            }
        }
    }
}
