//! How a setup is checked and taken over (section 3; conventions, "Setups").

use ongrid_engine::json::Reader;
use ongrid_engine::schema::{
    FLAG, Field, Node, Rule, TEXT, Table, check, int, int_up_to, list, list_of, num, optional, required,
};
use ongrid_engine::{Rejection, Result};

use crate::geometry::FIELD;
use crate::munition::Flight;
use crate::setup::{
    Body, Env, Kind, MOVING_PERCENT, Mecha, PIERCE, Setup, ShieldSetup, Sight, Training, UnitSetup, Weapon,
};
use crate::words::{Arm, Class, Flag, Hand, Light, Medium, Pace, Part, Rank, Soldier, Terrain, Word};

/// Rule of a name of an enumeration.
const fn name<T: Word>() -> Rule {
    Rule::Name(T::NAMES)
}

const COORDINATE: Rule = int(-FIELD, FIELD);
const SPEED_METRES: Rule = int(0, 100_000);
const BOXES: Rule = int(0, 1000);
const DISTANCE: Rule = int(1, 100_000);
const POINTS: Rule = int(1, 100_000);
const CALIBER: Rule = int(1, 1000);
const PERCENT: Rule = int(0, 100);
const SHARE: Rule = num(0.0, 1.0);
const SHOTS: Rule = int_up_to(1, 1000);
const TRAINING: Rule = Rule::NameOr(Rank::NAMES, &SHARE);
const ONE_FLAG: Rule = name::<Flag>();
const ARMOR_AND_INTERNAL: Rule = list_of(&BOXES, 2, 2);

static SETUP: Table = Table(&[
    required("player", TEXT),
    required("sides", list_of(&TEXT, 2, 8)),
    required("rounds", int(1, 1000)),
    required("env", Rule::Object(&ENV)),
    required("units", list(&UNIT, 2, 64)),
]);

static ENV: Table = Table(&[
    required("medium", name::<Medium>()),
    optional("terrain", name::<Terrain>()),
    optional("slope_percent", int(0, 1000)),
    optional("light", name::<Light>()),
    optional("fog", FLAG),
    optional("underwater", FLAG),
]);

const UNIT: Rule = Rule::Tagged { tag: "type", tables: &[("mecha", &MECHA), ("foot", &FOOT)] };

const ID: Field = required("id", TEXT);
const SIDE: Field = required("side", TEXT);
const TYPE: Field = required("type", Rule::Name(&["mecha", "foot"]));
const POS: Field = required("pos", list_of(&COORDINATE, 3, 3));
const FACING: Field = required("facing", list_of(&COORDINATE, 2, 2));
const FLIES: Field = optional("flies", FLAG);
const SPEED_FIELD: Field = required("speed", Rule::Object(&SPEED));
const SIZE: Field = optional("size_m2", num(0.01, 10_000.0));
const FLAGS: Field = optional("flags", list_of(&ONE_FLAG, 0, Flag::ALL.len()));
const WEAPONS: Field = required("weapons", list(&WEAPON, 0, 64));

static MECHA: Table = Table(&[
    ID,
    SIDE,
    TYPE,
    POS,
    FACING,
    FLIES,
    SPEED_FIELD,
    SIZE,
    FLAGS,
    required("crew", Rule::Object(&PILOT)),
    required("parts", Rule::Object(&PARTS)),
    optional("shield", Rule::Object(&SHIELD)).or_null(),
    WEAPONS,
]);

static FOOT: Table = Table(&[
    ID,
    SIDE,
    TYPE,
    POS,
    FACING,
    FLIES,
    SPEED_FIELD,
    SIZE,
    FLAGS,
    required("crew", Rule::Object(&PERSON)),
    WEAPONS,
]);

static SPEED: Table = Table(&[
    optional("walk", SPEED_METRES),
    optional("jog", SPEED_METRES),
    optional("run", SPEED_METRES),
    optional("sprint_jump", SPEED_METRES),
    optional("flying", SPEED_METRES),
]);

const DAMAGE: Field = optional("damage", int(0, 19));
const OUT: Field = optional("out", FLAG);

static PILOT: Table = Table(&[
    required("piloting", TRAINING),
    required("gunner", TRAINING),
    optional("kills", int_up_to(0, 1000)),
    DAMAGE,
    OUT,
]);

static PERSON: Table = Table(&[required("skill", name::<Soldier>()), DAMAGE, OUT]);

static PARTS: Table = Table(&{
    let mut fields = [required("", ARMOR_AND_INTERNAL); Part::COUNT];
    let mut at = 0;
    while at < Part::COUNT {
        fields[at] = required(Part::NAMES[at], ARMOR_AND_INTERNAL);
        at += 1;
    }
    fields
});

static SHIELD: Table = Table(&[required("armor", BOXES), required("arm", name::<Arm>())]);

const WEAPON: Rule = Rule::Tagged {
    tag: "class",
    tables: &[
        ("bullet", &BULLET),
        ("beam", &BEAM),
        ("rocket", &ROCKET),
        ("bazooka", &ROCKET),
        ("missile", &MISSILE),
        ("blade", &BLADE),
    ],
};

/// The keys of every weapon, then those of its class.
macro_rules! weapon {
    ($($field:expr),+ $(,)?) => {
        Table(&[
            required("name", TEXT),
            required("class", name::<Class>()),
            required("rate", SHOTS),
            optional("rapid", SHOTS).or_null(),
            optional("ammo", int_up_to(0, 1_000_000_000)).or_null(),
            optional("arm", name::<Arm>()).or_null(),
            optional("optical", FLAG),
            optional("optical_only", FLAG),
            optional("sniper", FLAG),
            optional("wound", int(1, 1000)).or_null(),
            $($field,)+
        ])
    };
}

const RANGE: Field = required("range", DISTANCE);
const ACCURACY: Field = required("accuracy", SHARE).or_null();
const REF: Field = optional("ref", DISTANCE).or_null();
const HAND: Field = optional("hand", name::<Hand>()).or_null();
const CALIBER_FIELD: Field = required("caliber", CALIBER);
const POINTS_FIELD: Field = required("points", POINTS);
const HALF_RANGE: Field = required("half_range", DISTANCE);

static BULLET: Table = weapon!(RANGE, ACCURACY, REF, HAND, CALIBER_FIELD);
static BEAM: Table = weapon!(RANGE, ACCURACY, REF, HAND, POINTS_FIELD);
static ROCKET: Table = weapon!(RANGE, CALIBER_FIELD, HALF_RANGE);
static MISSILE: Table = weapon!(
    RANGE,
    CALIBER_FIELD,
    required("min_range", int(0, 100_000)),
    required("burnout", DISTANCE),
    HALF_RANGE,
    optional("moving_percent", PERCENT),
    optional("wingless", FLAG),
);
static BLADE: Table = weapon!(
    POINTS_FIELD,
    optional("accuracy", SHARE),
    required("reach", int(1, 1000)),
    optional("thrust", FLAG),
    optional("pierce", PERCENT),
);

/// Reads a setup: the three passes over the tables, the cross rules, then the setup itself.
pub(crate) fn read(json: &mut Reader<'_>) -> Result<Setup> {
    let value = json.value()?;
    check(&SETUP, &value)?;
    let root = Node::of(&value);
    check_across(root)?;
    Ok(setup(root))
}

/// The cross rules, in the order listed.
fn check_across(root: Node<'_, '_>) -> Result<()> {
    let sides: Vec<&str> = texts(root, "sides");
    if let Some(second) = second_of_two(&sides) {
        return Err(bad("two sides have the same name").under(second).under("sides"));
    }
    if !sides.contains(&root.text("player")) {
        return Err(bad("the player leads none of the sides").under("player"));
    }
    let ids: Vec<&str> = root.items("units").map(|unit| unit.text("id")).collect();
    if let Some(second) = second_of_two(&ids) {
        return Err(bad("two units have the same name").under("id").under(second).under("units"));
    }
    let of: Vec<&str> = root.items("units").map(|unit| unit.text("side")).collect();
    if let Some(index) = of.iter().position(|side| !sides.contains(side)) {
        return Err(bad("the unit is on no side").under("side").under(index).under("units"));
    }
    for (index, unit) in root.items("units").enumerate() {
        check_unit(unit).map_err(|no| no.under(index).under("units"))?;
    }
    match sides.iter().position(|side| !of.contains(side)) {
        Some(index) => Err(bad("the side has no unit").under(index).under("sides")),
        None => Ok(()),
    }
}

fn check_unit(unit: Node<'_, '_>) -> Result<()> {
    if unit.items("facing").all(|axis| axis.as_int() == Some(0)) {
        return Err(bad("0, 0 is no direction").under("facing"));
    }
    if let Some(second) = second_of_two(&texts(unit, "flags")) {
        return Err(bad("the flag stands twice").under(second).under("flags"));
    }
    let mecha = unit.text("type") == "mecha";
    if mecha && unit.get("parts").items("cockpit").nth(1).and_then(Node::as_int) == Some(0) {
        return Err(bad("a cockpit has internal boxes").under(1).under("cockpit").under("parts"));
    }
    for (index, weapon) in unit.items("weapons").enumerate() {
        check_weapon(weapon, mecha).map_err(|no| no.under(index).under("weapons"))?;
    }
    Ok(())
}

fn check_weapon(weapon: Node<'_, '_>, mecha: bool) -> Result<()> {
    let class = class(weapon);
    let gun = matches!(class, Class::Bullet | Class::Beam);
    let missile = class == Class::Missile;
    let given = |key: &str| !weapon.get(key).is_empty();
    let metres = |key: &str| weapon.int::<u32>(key);
    for (wrong, key, message) in [
        (
            weapon.maybe_int::<u32>("rapid").is_some_and(|rapid| rapid < metres("rate")),
            "rapid",
            "rapid fire is slower than plain fire",
        ),
        (!mecha && given("arm"), "arm", "a person's weapon is in no mecha's arm"),
        (gun && mecha && !given("accuracy"), "accuracy", "a mecha's weapon needs an accuracy of its own"),
        (
            gun && given("ref") != given("accuracy"),
            "ref",
            "an accuracy and its reference distance belong together",
        ),
        (
            gun && given("hand") == given("accuracy"),
            "hand",
            "a weapon has either an accuracy of its own or a hand that holds it",
        ),
        (missile && metres("burnout") < metres("min_range"), "burnout", "it burns out before it can hit"),
        (
            missile && metres("half_range") <= metres("burnout"),
            "half_range",
            "the half range is not beyond the burnout",
        ),
    ] {
        if wrong {
            return Err(bad(message).under(key));
        }
    }
    Ok(())
}

fn bad(message: &str) -> Rejection {
    Rejection::new("bad_setup", message).with_path("")
}

fn texts<'v>(node: Node<'v, '_>, key: &str) -> Vec<&'v str> {
    node.items(key).filter_map(Node::as_text).collect()
}

/// Index of the first text that stood before.
fn second_of_two(texts: &[&str]) -> Option<usize> {
    (1..texts.len()).find(|index| texts[..*index].contains(&texts[*index]))
}

fn setup(root: Node<'_, '_>) -> Setup {
    Setup {
        player: root.text("player").into(),
        sides: texts(root, "sides").into_iter().map(Into::into).collect(),
        rounds: root.int("rounds"),
        env: env(root.get("env")),
        units: root.items("units").map(unit).collect(),
    }
}

fn env(node: Node<'_, '_>) -> Env {
    Env {
        medium: word(node, "medium").unwrap_or(Medium::Ground),
        terrain: word(node, "terrain").unwrap_or(Terrain::Open),
        slope_percent: node.int("slope_percent"),
        light: word(node, "light").unwrap_or(Light::Day),
        fog: node.flag("fog"),
        underwater: node.flag("underwater"),
    }
}

fn unit(node: Node<'_, '_>) -> UnitSetup {
    let (crew, speed) = (node.get("crew"), node.get("speed"));
    let body = if node.text("type") == "mecha" {
        Body::Mecha(mecha(node))
    } else {
        Body::Foot { skill: word(crew, "skill").unwrap_or(Soldier::Child) }
    };
    UnitSetup {
        id: node.text("id").into(),
        side: node.text("side").into(),
        pos: numbers(node, "pos"),
        facing: numbers(node, "facing"),
        flies: node.flag("flies"),
        speed: std::array::from_fn(|pace| speed.int(Pace::NAMES[pace])),
        size_m2: node.num_or("size_m2", 1.0),
        flags: texts(node, "flags").into_iter().filter_map(Flag::named).collect(),
        damage: crew.int("damage"),
        unconscious: crew.flag("out"),
        body,
        weapons: node.items("weapons").map(weapon).collect(),
    }
}

fn mecha(node: Node<'_, '_>) -> Mecha {
    let crew = node.get("crew");
    let mut given = node.get("parts").each(Part::NAMES);
    let parts = std::array::from_fn(|_| given.next().map(array).unwrap_or_default());
    let shield = node.get("shield").some().map(|shield| ShieldSetup {
        armor: shield.int("armor"),
        arm: word(shield, "arm").unwrap_or(Arm::Left),
    });
    Mecha {
        piloting: training(crew, "piloting"),
        gunner: training(crew, "gunner"),
        kills: crew.int("kills"),
        parts,
        shield,
    }
}

fn training(crew: Node<'_, '_>, key: &str) -> Training {
    match word(crew, key) {
        Some(rank) => Training::Rank(rank),
        None => Training::Number(crew.num(key)),
    }
}

fn class(weapon: Node<'_, '_>) -> Class {
    word(weapon, "class").unwrap_or(Class::Bullet)
}

fn weapon(node: Node<'_, '_>) -> Weapon {
    let class = class(node);
    let sight = match word(node, "hand") {
        Some(hand) => Sight::Hand(hand),
        None => Sight::Own { accuracy: node.num("accuracy"), reference: node.int("ref") },
    };
    let kind = match class {
        Class::Bullet | Class::Beam => Kind::Gun(sight),
        Class::Rocket | Class::Bazooka => Kind::Rocket { half_range: node.int("half_range") },
        Class::Missile => Kind::Missile {
            flight: Flight {
                min_range: node.int("min_range"),
                burnout: node.int("burnout"),
                half_range: node.int("half_range"),
            },
            moving_percent: node.int_or("moving_percent", MOVING_PERCENT),
            wingless: node.flag("wingless"),
        },
        Class::Blade => Kind::Blade {
            accuracy: node.num_or("accuracy", 1.0),
            thrust: node.flag("thrust"),
            pierce: node.int_or("pierce", PIERCE),
        },
    };
    Weapon {
        name: node.text("name").into(),
        class,
        rate: node.int("rate"),
        rapid: node.maybe_int("rapid"),
        ammo: node.maybe_int("ammo"),
        arm: word(node, "arm"),
        optical: node.flag("optical"),
        optical_only: node.flag("optical_only"),
        sniper: node.flag("sniper"),
        wound: node.maybe_int("wound"),
        power: node.int(if matches!(class, Class::Beam | Class::Blade) { "points" } else { "caliber" }),
        range: node.int(if class == Class::Blade { "reach" } else { "range" }),
        kind,
    }
}

fn word<T: Word>(node: Node<'_, '_>, key: &str) -> Option<T> {
    node.maybe_text(key).and_then(T::named)
}

fn numbers<T: TryFrom<i64> + Default, const N: usize>(node: Node<'_, '_>, key: &str) -> [T; N] {
    array(node.get(key))
}

fn array<T: TryFrom<i64> + Default, const N: usize>(node: Node<'_, '_>) -> [T; N] {
    let mut items = node.list();
    std::array::from_fn(|_| items.next().and_then(Node::as_int).unwrap_or_default())
}
