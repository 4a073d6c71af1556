//! Reading a setup: the table of mind-combat §3, its cross rules, and what is built from it.

use ongrid_engine::json::{Reader, Value};
use ongrid_engine::schema::{
    FLAG, Node, Rule, TEXT, Table, check, int, int_up_to, list, list_of, num, optional, required,
};
use ongrid_engine::{Rejection, Result};

use crate::Architecture;
use crate::named::Named;
use crate::setup::{
    Buildings, Countermeasure, DEFAULT_CYCLES, MindSetup, Program, Protection, Setup, StandingPrograms, Unit,
};

/// Figures and counts marked `†`.
const AMOUNT: Rule = int_up_to(0, 1_000_000_000);
/// Attack or defense of one unit.
const POINTS: Rule = int(0, 100_000);
/// A program effect.
const FACTOR: Rule = Rule::Num { min: 0.001, max: 10.0, or_zero: true };
/// A chance.
const CHANCE: Rule = num(0.0, 1.0);
/// A part of the attacker's power.
const RANGE: Rule = num(0.0, 1000.0);
/// Effects that always run.
const FACTORS: Rule = list_of(&FACTOR, 0, 16);

static SETUP: Table = Table(&[
    required("player", TEXT),
    required("hours", int(1, 2000)),
    optional("protection", Rule::Object(&PROTECTION)).or_null(),
    required("minds", list(&Rule::Object(&MIND), 2, Setup::MAX_MINDS)),
]);

static PROTECTION: Table = Table(&[required("range_min", RANGE), required("range_max", RANGE)]);

static MIND: Table = Table(&[
    required("id", TEXT),
    required("architecture", Rule::Name(&Architecture::NAMES)),
    required("territory", AMOUNT),
    required("capability", int(0, 8)),
    required("capital", AMOUNT),
    required("users", AMOUNT),
    optional("compute", AMOUNT),
    optional("cycles", AMOUNT),
    required("buildings", Rule::Object(&BUILDINGS)),
    required("units", list(&Rule::Object(&UNIT), 0, 64)),
    optional("programs", Rule::Map { key: &TEXT, of: &Rule::Object(&PROGRAM), max: 64 }),
    optional("standing", Rule::Object(&STANDING)),
    optional("countermeasure", Rule::Object(&COUNTERMEASURE)).or_null(),
]);

static BUILDINGS: Table = Table(&[
    optional("city", AMOUNT),
    optional("datacenter", AMOUNT),
    optional("factory", AMOUNT),
    optional("lab", AMOUNT),
    optional("firewall", AMOUNT),
    optional("core", AMOUNT),
]);

static UNIT: Table = Table(&[
    required("kind", TEXT),
    required("count", AMOUNT),
    required("attack", POINTS),
    required("defense", POINTS),
    optional("ranged", FLAG),
]);

static PROGRAM: Table = Table(&[
    required("compute", AMOUNT),
    optional("crash", CHANCE),
    optional("own_strength", FACTOR).or_null(),
    optional("enemy_strength", FACTOR).or_null(),
    optional("own_loss", FACTOR).or_null(),
    optional("miss_chance", CHANCE).or_null(),
    optional("miss_factor", FACTOR).or_null(),
]);

static STANDING: Table =
    Table(&[optional("attack", FACTORS), optional("defense", FACTORS), optional("loss", FACTORS)]);

static COUNTERMEASURE: Table = Table(&[required("program", TEXT), optional("above", num(0.0, 2.0))]);

/// Reads a setup in the four passes of conventions.
pub(crate) fn read(json: &mut Reader<'_>) -> Result<Setup> {
    let value = json.value()?;
    judge(&value)
}

fn judge(value: &Value<'_>) -> Result<Setup> {
    check(&SETUP, value)?;
    let setup = Node::of(value);
    let protection = setup.get("protection").some().map(build_protection);
    let minds: Vec<MindSetup> = setup.items("minds").map(build_mind).collect();
    if protection.is_some_and(|range| range.range_max < range.range_min) {
        return Err(bad("the range ends below its beginning").under("range_max").under("protection"));
    }
    check_ids(&minds).map_err(|fault| fault.under("minds"))?;
    let player = setup.text("player");
    let player = minds
        .iter()
        .position(|mind| mind.id == player)
        .ok_or_else(|| bad("the player is none of the minds").under("player"))?;
    for (index, mind) in minds.iter().enumerate() {
        check_mind(mind).map_err(|fault| fault.under(index).under("minds"))?;
    }
    Ok(Setup::new(player, setup.int("hours"), protection, minds))
}

fn bad(message: &str) -> Rejection {
    Rejection::new("bad_setup", message)
}

fn check_ids(minds: &[MindSetup]) -> Result<()> {
    let repeats = |index: &usize| minds[..*index].iter().any(|other| other.id == minds[*index].id);
    match (0..minds.len()).find(repeats) {
        Some(index) => Err(bad("another mind has this id").under("id").under(index)),
        None => Ok(()),
    }
}

fn check_mind(mind: &MindSetup) -> Result<()> {
    if mind.buildings.core == 0 {
        return Err(bad("a mind has at least one core").under("core").under("buildings"));
    }
    for (index, unit) in mind.units.iter().enumerate() {
        if mind.units[..index].iter().any(|other| other.kind == unit.kind) {
            return Err(bad("the mind already has units of this kind")
                .under("kind")
                .under(index)
                .under("units"));
        }
    }
    for (name, program) in mind.programs.iter() {
        if program.miss_chance.is_some() != program.miss_factor.is_some() {
            return Err(bad("a chance to miss and its factor go together")
                .under("miss_factor")
                .under(name)
                .under("programs"));
        }
    }
    match &mind.countermeasure {
        Some(countermeasure) if mind.programs.get(&countermeasure.program).is_none() => {
            Err(bad("the mind has no such program").under("program").under("countermeasure"))
        }
        _ => Ok(()),
    }
}

fn build_protection(node: Node<'_, '_>) -> Protection {
    Protection { range_max: node.num("range_max"), range_min: node.num("range_min") }
}

fn build_mind(node: Node<'_, '_>) -> MindSetup {
    MindSetup {
        architecture: node
            .maybe_name("architecture", &Architecture::NAMES, &Architecture::WHEEL)
            .unwrap_or(Architecture::Steward),
        buildings: build_buildings(node.get("buildings")),
        capability: node.int("capability"),
        capital: node.int("capital"),
        compute: node.int("compute"),
        countermeasure: node.get("countermeasure").some().map(build_countermeasure),
        cycles: node.int_or("cycles", DEFAULT_CYCLES),
        id: node.text("id").to_owned(),
        programs: node
            .entries("programs")
            .map(|(name, program)| (name.to_owned(), build_program(program)))
            .collect::<Named<_>>(),
        standing: build_standing(node.get("standing")),
        territory: node.int("territory"),
        units: node.items("units").map(build_unit).collect(),
        users: node.int("users"),
    }
}

fn build_buildings(node: Node<'_, '_>) -> Buildings {
    Buildings {
        city: node.int("city"),
        core: node.int("core"),
        datacenter: node.int("datacenter"),
        factory: node.int("factory"),
        firewall: node.int("firewall"),
        lab: node.int("lab"),
    }
}

fn build_unit(node: Node<'_, '_>) -> Unit {
    Unit {
        attack: node.int("attack"),
        count: node.int("count"),
        defense: node.int("defense"),
        kind: node.text("kind").to_owned(),
        ranged: node.flag("ranged"),
    }
}

fn build_program(node: Node<'_, '_>) -> Program {
    Program {
        compute: node.int("compute"),
        crash: node.num("crash"),
        enemy_strength: node.maybe_num("enemy_strength"),
        miss_chance: node.maybe_num("miss_chance"),
        miss_factor: node.maybe_num("miss_factor"),
        own_loss: node.maybe_num("own_loss"),
        own_strength: node.maybe_num("own_strength"),
    }
}

fn build_standing(node: Node<'_, '_>) -> StandingPrograms {
    let factors = |key| node.items(key).filter_map(Node::as_num).collect();
    StandingPrograms { attack: factors("attack"), defense: factors("defense"), loss: factors("loss") }
}

fn build_countermeasure(node: Node<'_, '_>) -> Countermeasure {
    Countermeasure { above: node.num("above"), program: node.text("program").to_owned() }
}
