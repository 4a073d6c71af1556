//! The setup of a battle (spec §3): its tables, its cross rules, its canonical form.
//!
//! A [`Setup`] is only made by reading one, so one that exists is legal. Fields stand in the order of their names;
//! those that hold their default are left out when it is written.

use std::collections::BTreeMap;

use ongrid_engine::Result;
use ongrid_engine::json::Reader;
use ongrid_engine::schema::{
    self, FLAG, Field, Node, Rule, TEXT, Table, int, int_up_to, list, list_of, num, optional, required,
};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::{Item, cross};

/// A legal setup.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Setup {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) convoys: Vec<Convoy>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) lands: Vec<Land>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) planes: Vec<Plane>,
    pub(crate) player: String,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) ranges: Ranges,
    pub(crate) rounds: u32,
    pub(crate) sectors: Vec<Sector>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) ships: Vec<Ship>,
    pub(crate) sides: Vec<String>,
}

/// How far things reach, in hexes, 0..100 each (X7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ranges {
    pub depth: u8,
    pub fort: u8,
    pub land: u8,
    pub plane: u8,
    pub ship: u8,
    pub torpedo: u8,
}

/// What a sector is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Terrain {
    Fort,
    Land,
    Sea,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Sector {
    #[serde(skip_serializing_if = "is_default")]
    pub difficulty: u8,
    #[serde(serialize_with = "figure")]
    pub eff: f64,
    #[serde(skip_serializing_if = "is_default")]
    pub guns: u16,
    pub id: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub items: Items,
    pub kind: Terrain,
    #[serde(skip_serializing_if = "is_default")]
    pub mines: u16,
    pub owner: Option<String>,
    #[serde(serialize_with = "figure")]
    pub sectdef: f64,
    #[serde(skip_serializing_if = "is_default")]
    pub shells: u16,
    pub x: i16,
    pub y: i16,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Ship {
    pub at: String,
    #[serde(skip_serializing_if = "is_default")]
    pub dch: bool,
    #[serde(serialize_with = "figure")]
    pub def: f64,
    #[serde(skip_serializing_if = "is_default")]
    pub difficulty: u8,
    #[serde(serialize_with = "figure")]
    pub eff: f64,
    #[serde(skip_serializing_if = "is_default")]
    pub guns: u16,
    pub id: String,
    pub owner: String,
    #[serde(skip_serializing_if = "is_default")]
    pub shells: u16,
    #[serde(skip_serializing_if = "is_default")]
    pub sub: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub sweep: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub torp: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Land {
    pub at: String,
    #[serde(skip_serializing_if = "is_default")]
    pub difficulty: u8,
    #[serde(serialize_with = "figure")]
    pub eff: f64,
    #[serde(skip_serializing_if = "is_default")]
    pub engineer: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub fort: u8,
    #[serde(skip_serializing_if = "is_default")]
    pub guns: u16,
    pub id: String,
    pub owner: String,
    #[serde(skip_serializing_if = "is_default")]
    pub shells: u16,
    pub vul: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Plane {
    pub acc: u8,
    pub at: String,
    #[serde(skip_serializing_if = "is_default")]
    pub difficulty: u8,
    #[serde(serialize_with = "figure")]
    pub eff: f64,
    #[serde(skip_serializing_if = "is_default")]
    pub hardened: u8,
    pub id: String,
    #[serde(skip_serializing_if = "is_default")]
    pub load: u16,
    #[serde(skip_serializing_if = "is_default")]
    pub nuke: Option<Nuke>,
    pub owner: String,
    #[serde(skip_serializing_if = "is_one")]
    pub sorties: u16,
}

/// A nuclear device: its percent at ground zero (1..1000) and its radius in hexes (1..100).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Nuke {
    pub dam: u16,
    pub radius: u16,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Convoy {
    pub at: String,
    pub id: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub items: Items,
    pub owner: String,
}

/// Quantities of items, 0..10^9 each.
pub(crate) type Items = BTreeMap<Item, u32>;

impl Default for Ranges {
    fn default() -> Self {
        Self { depth: 1, fort: 7, land: 3, plane: 12, ship: 5, torpedo: 2 }
    }
}

impl Serialize for Ranges {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let usual = Self::default();
        let mut map = serializer.serialize_map(None)?;
        for (key, value, usual) in [
            ("depth", self.depth, usual.depth),
            ("fort", self.fort, usual.fort),
            ("land", self.land, usual.land),
            ("plane", self.plane, usual.plane),
            ("ship", self.ship, usual.ship),
            ("torpedo", self.torpedo, usual.torpedo),
        ] {
            if value != usual {
                map.serialize_entry(key, &value)?;
            }
        }
        map.end()
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Writes whole figures as integers: the same digits, in a third of the time.
fn figure<S: Serializer>(value: &f64, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    let whole = *value as i64;
    if whole as f64 == *value { serializer.serialize_i64(whole) } else { serializer.serialize_f64(*value) }
}

fn is_one(value: &u16) -> bool {
    *value == 1
}

const TERRAINS: [&str; 3] = ["fort", "land", "sea"];
const RANGE: Rule = int(0, 100);
const PERCENT: Rule = num(0.0, 100.0);
const QUANTITY: Rule = int_up_to(0, 1000);
const COORDINATE: Rule = int(-1000, 1000);
const STOCK: Rule = int_up_to(0, 1_000_000_000);
const ITEMS: Rule = Rule::Map { key: &Rule::Name(&Item::NAMES), of: &STOCK, max: 64 };

const ID: Field = required("id", TEXT);
const OWNER: Field = required("owner", TEXT);
const AT: Field = required("at", TEXT);
const EFF: Field = required("eff", PERCENT);
const GUNS: Field = optional("guns", QUANTITY);
const SHELLS: Field = optional("shells", QUANTITY);
const DIFFICULTY: Field = optional("difficulty", int(0, 100));

static SECTOR: Table = Table(&[
    ID,
    OWNER.or_null(),
    required("x", COORDINATE),
    required("y", COORDINATE),
    required("kind", Rule::Name(&TERRAINS)),
    required("sectdef", num(1.0, 99.0)),
    EFF,
    GUNS,
    SHELLS,
    optional("mines", QUANTITY),
    optional("items", ITEMS),
    DIFFICULTY,
]);
static SHIP: Table = Table(&[
    ID,
    OWNER,
    AT,
    required("def", num(0.0, 1000.0)),
    EFF,
    GUNS,
    SHELLS,
    optional("sweep", FLAG),
    optional("sub", FLAG),
    optional("dch", FLAG),
    optional("torp", FLAG),
    DIFFICULTY,
]);
static LAND: Table = Table(&[
    ID,
    OWNER,
    AT,
    required("vul", int(0, 200)),
    optional("fort", int(0, 127)),
    EFF,
    GUNS,
    SHELLS,
    optional("engineer", FLAG),
    DIFFICULTY,
]);
static NUKE: Table = Table(&[required("dam", int(1, 1000)), required("radius", int(1, 100))]);
static PLANE: Table = Table(&[
    ID,
    OWNER,
    AT,
    EFF,
    optional("load", QUANTITY),
    optional("sorties", QUANTITY),
    required("acc", int(0, 100)),
    optional("hardened", int(0, 100)),
    optional("nuke", Rule::Object(&NUKE)).or_null(),
    DIFFICULTY,
]);
static CONVOY: Table = Table(&[ID, OWNER, AT, optional("items", ITEMS)]);
static RANGES: Table = Table(&[
    optional("fort", RANGE),
    optional("ship", RANGE),
    optional("land", RANGE),
    optional("torpedo", RANGE),
    optional("depth", RANGE),
    optional("plane", RANGE),
]);
static SETUP: Table = Table(&[
    required("player", TEXT),
    required("sides", list_of(&TEXT, 2, 8)),
    required("rounds", int(1, 1000)),
    optional("ranges", Rule::Object(&RANGES)),
    required("sectors", list(&Rule::Object(&SECTOR), 1, 64)),
    optional("ships", list(&Rule::Object(&SHIP), 0, 64)),
    optional("lands", list(&Rule::Object(&LAND), 0, 64)),
    optional("planes", list(&Rule::Object(&PLANE), 0, 64)),
    optional("convoys", list(&Rule::Object(&CONVOY), 0, 64)),
]);

/// Reads a setup and judges it wholly.
///
/// # Errors
/// `format`, `limit`, `bad_setup`; the path starts at the setup's own root.
pub(crate) fn read(json: &mut Reader<'_>) -> Result<Setup> {
    let value = json.value()?;
    schema::check(&SETUP, &value)?;
    let setup = Setup::of(Node::of(&value));
    cross::check(&setup)?;
    Ok(setup)
}

impl Setup {
    fn of(node: Node<'_, '_>) -> Self {
        let usual = Ranges::default();
        let ranges = node.get("ranges");
        Self {
            player: node.text("player").to_owned(),
            sides: node.items("sides").filter_map(Node::as_text).map(str::to_owned).collect(),
            rounds: node.int("rounds"),
            ranges: Ranges {
                fort: ranges.int_or("fort", usual.fort),
                ship: ranges.int_or("ship", usual.ship),
                land: ranges.int_or("land", usual.land),
                torpedo: ranges.int_or("torpedo", usual.torpedo),
                depth: ranges.int_or("depth", usual.depth),
                plane: ranges.int_or("plane", usual.plane),
            },
            sectors: node.items("sectors").map(Sector::of).collect(),
            ships: node.items("ships").map(Ship::of).collect(),
            lands: node.items("lands").map(Land::of).collect(),
            planes: node.items("planes").map(Plane::of).collect(),
            convoys: node.items("convoys").map(Convoy::of).collect(),
        }
    }

    /// The side that makes the calls.
    pub fn player(&self) -> &str {
        &self.player
    }

    /// The sides, in the setup's order.
    pub fn sides(&self) -> &[String] {
        &self.sides
    }

    /// How many rounds the battle lasts, unless a side falls before, 1..1000.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }
}

impl Sector {
    fn of(node: Node<'_, '_>) -> Self {
        Self {
            id: node.text("id").to_owned(),
            owner: node.maybe_text("owner").map(str::to_owned),
            x: node.int("x"),
            y: node.int("y"),
            kind: node
                .maybe_name("kind", &TERRAINS, &[Terrain::Fort, Terrain::Land, Terrain::Sea])
                .unwrap_or(Terrain::Sea),
            sectdef: node.num("sectdef"),
            eff: node.num("eff"),
            guns: node.int("guns"),
            shells: node.int("shells"),
            mines: node.int("mines"),
            items: items_of(node),
            difficulty: node.int("difficulty"),
        }
    }
}

impl Ship {
    fn of(node: Node<'_, '_>) -> Self {
        Self {
            id: node.text("id").to_owned(),
            owner: node.text("owner").to_owned(),
            at: node.text("at").to_owned(),
            def: node.num("def"),
            eff: node.num("eff"),
            guns: node.int("guns"),
            shells: node.int("shells"),
            sweep: node.flag("sweep"),
            sub: node.flag("sub"),
            dch: node.flag("dch"),
            torp: node.flag("torp"),
            difficulty: node.int("difficulty"),
        }
    }
}

impl Land {
    fn of(node: Node<'_, '_>) -> Self {
        Self {
            id: node.text("id").to_owned(),
            owner: node.text("owner").to_owned(),
            at: node.text("at").to_owned(),
            vul: node.int("vul"),
            fort: node.int("fort"),
            eff: node.num("eff"),
            guns: node.int("guns"),
            shells: node.int("shells"),
            engineer: node.flag("engineer"),
            difficulty: node.int("difficulty"),
        }
    }
}

impl Plane {
    fn of(node: Node<'_, '_>) -> Self {
        let nuke = node.get("nuke").some();
        Self {
            id: node.text("id").to_owned(),
            owner: node.text("owner").to_owned(),
            at: node.text("at").to_owned(),
            eff: node.num("eff"),
            load: node.int("load"),
            sorties: node.int_or("sorties", 1),
            acc: node.int("acc"),
            hardened: node.int("hardened"),
            nuke: nuke.map(|nuke| Nuke { dam: nuke.int("dam"), radius: nuke.int("radius") }),
            difficulty: node.int("difficulty"),
        }
    }
}

impl Convoy {
    fn of(node: Node<'_, '_>) -> Self {
        Self {
            id: node.text("id").to_owned(),
            owner: node.text("owner").to_owned(),
            at: node.text("at").to_owned(),
            items: items_of(node),
        }
    }
}

fn items_of(node: Node<'_, '_>) -> Items {
    node.entries("items").filter_map(|(name, count)| Some((Item::of(name)?, count.as_int()?))).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use ongrid_engine::canonical;

    use super::*;

    pub(crate) const SMALL: &str = r#"{
        "rounds": 2, "player": "blue", "sides": ["red", "blue"],
        "ranges": {"fort": 7, "plane": 3},
        "sectors": [
            {"id": "F", "owner": "red", "x": 0, "y": 0, "kind": "fort", "sectdef": 4, "eff": 100, "guns": 5, "mines": 0, "items": {"rad": 0, "bar": 3}},
            {"id": "W", "owner": null, "x": 2, "y": 0, "kind": "sea", "sectdef": 1.50, "eff": 0, "items": {}}],
        "ships": [{"id": "bb", "owner": "blue", "at": "W", "def": 50, "eff": 100, "sub": false, "torp": true}],
        "lands": [],
        "planes": [{"id": "pl", "owner": "blue", "at": "W", "eff": 90, "sorties": 1, "acc": 40, "nuke": null},
                   {"id": "jb", "owner": "blue", "at": "W", "eff": 90, "sorties": 0, "acc": 40, "nuke": {"radius": 2, "dam": 90}}],
        "convoys": [{"id": "cv", "owner": "red", "at": "F"}]}"#;

    fn judge(text: &str) -> Result<Setup> {
        read(&mut Reader::new(text))
    }

    #[test]
    fn the_canonical_form_leaves_defaults_out() {
        let bytes = canonical::to_vec(&judge(SMALL).unwrap());
        assert!(canonical::is_canonical(&bytes));
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(
            text,
            concat!(
                r#"{"convoys":[{"at":"F","id":"cv","owner":"red"}],"#,
                r#""planes":[{"acc":40,"at":"W","eff":90,"id":"pl","owner":"blue"},"#,
                r#"{"acc":40,"at":"W","eff":90,"id":"jb","nuke":{"dam":90,"radius":2},"owner":"blue","sorties":0}],"#,
                r#""player":"blue","ranges":{"plane":3},"rounds":2,"#,
                r#""sectors":[{"eff":100,"guns":5,"id":"F","items":{"bar":3,"rad":0},"kind":"fort","owner":"red","sectdef":4,"x":0,"y":0},"#,
                r#"{"eff":0,"id":"W","kind":"sea","owner":null,"sectdef":1.5,"x":2,"y":0}],"#,
                r#""ships":[{"at":"W","def":50,"eff":100,"id":"bb","owner":"blue","torp":true}],"sides":["red","blue"]}"#
            )
        );
        assert_eq!(judge(&text).unwrap(), judge(SMALL).unwrap());
    }
}
