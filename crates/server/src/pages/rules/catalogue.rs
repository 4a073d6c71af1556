//! Hulls, modules, charges and doctrines of `ongrid-8` as lists.

use askama::Template;
use ongrid_engine::Engine;
use ongrid_engine_ongrid::OnGrid;
use serde_json::Value;

use crate::pages::format::{exact, words};
use crate::pages::rules::Table;
use crate::pages::{Page, PageResult, html};
use crate::problem::Problem;

/// The lists there are: name in the address, title.
pub const LISTS: &[(&str, &str)] =
    &[("hulls", "Hulls"), ("modules", "Modules"), ("charges", "Charges"), ("doctrines", "Doctrines")];

#[derive(Template)]
#[template(path = "rules_list.html")]
struct ListPage {
    page: Page,
    title: &'static str,
    lists: &'static [(&'static str, &'static str)],
    tables: Vec<Table>,
}

/// A list as a page.
pub fn page(engine: &OnGrid, list: &str) -> PageResult {
    let known = LISTS.iter().find(|(name, _)| *name == list);
    let (name, title) = *known.ok_or_else(|| Problem::not_found("such list"))?;
    let tables = match name {
        "doctrines" => doctrines(engine),
        _ => vec![rows(engine, name)],
    };
    html(&ListPage {
        page: Page::new(
            "Rules",
            format!("{title} of {}", OnGrid::TAG),
            format!("Every figure of the {name} of {}", OnGrid::TAG),
        ),
        title,
        lists: LISTS,
        tables,
    })
}

fn file(engine: &OnGrid, name: &str) -> &'static str {
    let files = Engine::ruleset(engine).files();
    let file = files.iter().find(|file| file.name == name);
    file.and_then(|file| std::str::from_utf8(file.bytes).ok()).unwrap_or_default()
}

/// A JSON file of rows as a table: name first, then what all rows have, then the rest in words.
fn rows(engine: &OnGrid, name: &'static str) -> Table {
    let parsed: Vec<Value> = serde_json::from_str(file(engine, &format!("{name}.json"))).unwrap_or_default();
    let columns: &[&str] = match name {
        "hulls" => &[
            "class",
            "tier",
            "race",
            "role",
            "points",
            "turrets",
            "launchers",
            "cpu",
            "power",
            "mass",
            "sensor",
        ],
        "modules" => &["tier", "slot", "cpu", "power", "skill", "level"],
        _ => &["group", "tier", "size"],
    };
    let mut head: Vec<String> = std::iter::once("name").chain(columns.iter().copied()).map(words).collect();
    head.push("figures".to_owned());
    let hidden = ["id", "name", "type_id"];
    let rows = parsed.iter().map(|row| {
        let mut cells = vec![text(&row["name"])];
        cells.extend(columns.iter().map(|column| text(&row[*column])));
        let rest = row.as_object().into_iter().flatten();
        let rest = rest.filter(|(key, _)| !columns.contains(&&***key) && !hidden.contains(&&***key));
        cells.push(
            rest.map(|(key, value)| format!("{} {}", words(key), text(value)))
                .collect::<Vec<_>>()
                .join(" · "),
        );
        cells
    });
    Table { title: name, head, rows: rows.collect() }
}

/// A value in words.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => words(text),
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), exact),
        Value::Bool(flag) => flag.to_string(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(", "),
        Value::Object(members) => {
            let bonus = members.get("attr").map(text);
            match bonus {
                Some(attribute) => modifier(&attribute, members),
                None => members
                    .iter()
                    .map(|(key, value)| format!("{} {}", words(key), text(value)))
                    .collect::<Vec<_>>()
                    .join(" "),
            }
        }
    }
}

/// A modifier: `damage × 1.25 for large energy, penalized`.
fn modifier(attribute: &str, members: &serde_json::Map<String, Value>) -> String {
    let figure = match (members.get("mul"), members.get("add")) {
        (Some(factor), _) => format!("× {}", text(factor)),
        (None, Some(add)) => format!("+ {}", text(add)),
        (None, None) => String::new(),
    };
    let classes = members.get("for").map(|classes| format!(" for {}", text(classes))).unwrap_or_default();
    let penalized =
        if members.get("penalized").is_some_and(|flag| flag == true) { ", penalized" } else { "" };
    format!("{attribute} {figure}{classes}{penalized}")
}

/// A table for each doctrine: ships, hulls by tier, the rack's families in order.
fn doctrines(engine: &OnGrid) -> Vec<Table> {
    let parsed: toml::Table = toml::from_str(file(engine, "doctrines.toml")).unwrap_or_default();
    let catalogue = engine.catalogue();
    let hull = |ship: &toml::Value, tier: &str| {
        let id = ship.get("hull").and_then(|hulls| hulls.get(tier)).and_then(toml::Value::as_str);
        id.map(|id| catalogue.hull(id).map_or(id, |hull| hull.name).to_owned()).unwrap_or_default()
    };
    let mut tables = Vec::new();
    for (doctrine, known) in
        parsed.get("doctrine").and_then(toml::Value::as_array).into_iter().flatten().zip(&catalogue.doctrines)
    {
        let ships = doctrine.get("ship").and_then(toml::Value::as_array).into_iter().flatten();
        let rows = ships.map(|ship| {
            let rack = ship.get("rack").and_then(toml::Value::as_array).into_iter().flatten().map(|entry| {
                let family = entry.get(0).and_then(toml::Value::as_str).unwrap_or_default();
                let wanted = entry.get(1).and_then(toml::Value::as_integer).unwrap_or_default();
                format!("{wanted} × {}", catalogue.module(family).map_or(family, |module| module.name))
            });
            vec![
                ship.get("role").and_then(toml::Value::as_str).unwrap_or_default().to_owned(),
                hull(ship, "t1"),
                hull(ship, "navy"),
                hull(ship, "t2"),
                rack.collect::<Vec<_>>().join(", "),
            ]
        });
        let head = ["role", "t1 hull", "navy hull", "t2 hull", "rack, first things first"];
        tables.push(Table {
            title: known.name,
            head: head.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        });
    }
    tables
}
