//! The rules as pages: every published figure and formula, with examples that the engines' own formulas compute.

mod catalogue;
mod constants;
mod markdown;
mod ongrid;
mod others;

use askama::Template;
use axum::extract::{Path, State};
use ongrid_engine::{Digest, Engine, Referee};
use ongrid_engine_ongrid::OnGrid;

use crate::app::Shared;
use crate::pages::{Page, PageResult, html};
use crate::problem::Problem;
use constants::Constant;

/// A part of the rules.
#[derive(Debug)]
pub struct Section {
    /// Its anchor.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The formula, line by line; empty where there is none.
    pub formula: String,
    /// What it means, by paragraphs.
    pub about: Vec<String>,
    /// Figures in rows.
    pub tables: Vec<Table>,
    /// Worked examples.
    pub examples: Vec<Example>,
}

/// Figures in rows.
#[derive(Debug)]
pub struct Table {
    /// What it lists.
    pub title: &'static str,
    /// Names of its columns.
    pub head: Vec<String>,
    /// Its rows; the first cell names the row.
    pub rows: Vec<Vec<String>>,
}

/// A worked example.
#[derive(Debug)]
pub struct Example {
    /// What is given.
    pub given: String,
    /// What comes of it.
    pub result: String,
}

impl Section {
    fn new(id: &'static str, title: &'static str, formula: &str) -> Self {
        let (about, tables, examples) = (Vec::new(), Vec::new(), Vec::new());
        Self { id, title, formula: formula.to_owned(), about, tables, examples }
    }

    fn about(mut self, text: impl Into<String>) -> Self {
        self.about.push(text.into());
        self
    }

    fn table<const N: usize>(mut self, title: &'static str, head: [&str; N], rows: Vec<[String; N]>) -> Self {
        let head = head.map(str::to_owned).to_vec();
        self.tables.push(Table { title, head, rows: rows.into_iter().map(Vec::from).collect() });
        self
    }

    fn example(mut self, given: impl Into<String>, result: impl Into<String>) -> Self {
        self.examples.push(Example { given: given.into(), result: result.into() });
        self
    }
}

/// An engine in the list.
#[derive(Debug)]
struct EngineView {
    tag: &'static str,
    about: &'static str,
    ruleset: String,
    calls: usize,
    files: Vec<FileView>,
}

/// A data file.
#[derive(Debug)]
struct FileView {
    name: &'static str,
    bytes: usize,
    sha256: String,
}

impl EngineView {
    fn of(referee: &dyn Referee) -> Self {
        let files = referee.ruleset().files().iter();
        Self {
            tag: referee.tag(),
            about: about(referee.tag()),
            ruleset: referee.ruleset().digest().hex(),
            calls: referee.max_calls(),
            files: files
                .map(|file| FileView {
                    name: file.name,
                    bytes: file.bytes.len(),
                    sha256: Digest::of(file.bytes).hex(),
                })
                .collect(),
        }
    }
}

fn about(tag: &str) -> &'static str {
    match tag {
        OnGrid::TAG => {
            "The daily fleet fight: a pilot's fleet against a doctrine that answers what it is met with."
        }
        _ => others::about(tag),
    }
}

#[derive(Template)]
#[template(path = "rules_index.html")]
struct IndexPage {
    page: Page,
    engines: Vec<EngineView>,
}

#[derive(Template)]
#[template(path = "rules.html")]
struct RulesPage {
    page: Page,
    engine: EngineView,
    /// Rules told in words, HTML.
    prose: String,
    sections: Vec<Section>,
    constants: Vec<(&'static str, Vec<Constant>)>,
    lists: &'static [(&'static str, &'static str)],
}

/// The engines.
pub async fn index(State(app): State<Shared>) -> PageResult {
    let engines = app.verifier.registry().iter().map(EngineView::of).collect();
    let about = "The rulesets that fights are decided by, each under a tag that never changes";
    html(&IndexPage { page: Page::new("Rules", "Rules", about), engines })
}

/// The rules of an engine.
pub async fn engine(State(app): State<Shared>, Path(tag): Path<String>) -> PageResult {
    let referee = app.verifier.registry().get(&tag).ok_or_else(|| Problem::not_found("such engine"))?;
    let files = referee.ruleset().files().iter();
    let constants = files.filter_map(|file| {
        let text = std::str::from_utf8(file.bytes).ok()?;
        match (tag == OnGrid::TAG, file.name) {
            (true, "rules.toml") => Some((file.name, constants::of_toml(text))),
            (true, _) => None,
            _ => Some((file.name, constants::of_json(&serde_json::from_str(text).ok()?))),
        }
    });
    let ongrid = tag == OnGrid::TAG;
    let sections = if ongrid { ongrid::sections(app.bay.engine()) } else { others::sections(&tag) };
    html(&RulesPage {
        page: Page::new("Rules", format!("Rules of {tag}"), about(&tag)),
        engine: EngineView::of(referee),
        prose: markdown::html(referee.rules()),
        sections,
        constants: constants.collect(),
        lists: if ongrid { catalogue::LISTS } else { &[] },
    })
}

/// A list of the catalogue of `ongrid-8`.
pub async fn list(State(app): State<Shared>, Path((tag, list)): Path<(String, String)>) -> PageResult {
    if tag != OnGrid::TAG {
        return Err(Problem::not_found("such list").into());
    }
    catalogue::page(app.bay.engine(), &list)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client is written from the page: it shows the calls, whatever the engine.
    #[test]
    fn every_page_shows_the_calls() {
        let registry = crate::engines::registry().unwrap();
        for referee in registry.iter() {
            let prose = markdown::html(referee.rules());
            assert!(prose.contains("<h3 id=\"calls\">Calls</h3>"), "{}", referee.tag());
        }
    }
}
