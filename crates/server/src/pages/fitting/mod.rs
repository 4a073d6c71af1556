//! The fitting bay: paste fits or build them, and see what the rules make of them.

mod form;
mod view;

use askama::Template;
use axum::extract::rejection::FormRejection;
use axum::extract::{Form, State};
use axum::http::StatusCode;
use ongrid_engine_ongrid::Catalogue;
use serde::Deserialize;
use serde_json::Value;

use crate::app::Shared;
use crate::eft;
use crate::fitting::{Judgement, Question, Source};
use crate::pages::visitor::Visitor;
use crate::pages::{Asked, Page, PageResult, html};
use crate::problem::Problem;
use crate::routes::fights::sealed_for;
use form::{Builder, Filled};
use view::Verdict;

#[derive(Template)]
#[template(path = "fitting.html")]
struct FittingPage {
    page: Page,
    form: Filled,
    doctrines: Vec<(&'static str, String)>,
    skills: Vec<SkillView>,
    hulls: Vec<HullClassView>,
    builder: Option<Builder>,
    verdict: Option<Verdict>,
}

/// A skill and its chosen level.
#[derive(Debug)]
struct SkillView {
    id: &'static str,
    name: &'static str,
    level: u32,
    highest: u32,
}

/// The hulls of a class.
#[derive(Debug)]
struct HullClassView {
    class: String,
    hulls: Vec<(&'static str, String)>,
}

/// What the bay is opened with.
#[derive(Debug, Deserialize)]
pub struct Opened {
    /// A stored fight whose fleet is looked at.
    fight: Option<String>,
    /// A doctrine to meet.
    doctrine: Option<String>,
    /// A hull to build on.
    hull: Option<String>,
}

/// The bay, empty or with the fleet of a stored fight.
pub async fn open(State(app): State<Shared>, Asked(opened): Asked<Opened>, visitor: Visitor) -> PageResult {
    let catalogue = app.bay.catalogue();
    let mut form = Filled::empty(catalogue);
    if let Some(doctrine) = opened.doctrine.filter(|id| catalogue.doctrine(id).is_some()) {
        form.doctrine = doctrine;
    }
    form.hull = opened.hull.unwrap_or_default();
    if let Some(id) = opened.fight {
        let id = id.parse().map_err(|_| Problem::not_found("such fight"))?;
        let fight = app.fight(id).await?;
        if let Some(until) = sealed_for(&app, &fight, visitor.caller().as_ref()).await? {
            return Err(Problem::forbidden("sealed", &format!("this fight is sealed until {until}")).into());
        }
        let documents = app.store.documents(id).await?.ok_or_else(|| Problem::not_found("such fight"))?;
        let replay: Value = serde_json::from_slice(&documents.replay).unwrap_or_default();
        let ships = app.bay.ships_of(&replay["setup"]);
        form.load(&replay["setup"], eft::write(&ships), catalogue);
    }
    show(&app, form).await
}

/// The bay with what was filled in.
pub async fn fill(
    State(app): State<Shared>,
    fields: Result<Form<Vec<(String, String)>>, FormRejection>,
) -> PageResult {
    let Form(fields) = fields.map_err(|error| {
        let status = error.status();
        let code = if status == StatusCode::PAYLOAD_TOO_LARGE { "too_large" } else { "format" };
        Problem::new(status, code, error.body_text())
    })?;
    let form = Filled::read(fields, app.bay.catalogue());
    show(&app, form).await
}

async fn show(app: &Shared, mut form: Filled) -> PageResult {
    let catalogue = app.bay.catalogue();
    form.add_built(catalogue);
    let judged = match form.fleet.trim().is_empty() {
        true => None,
        false => Some(judge(app, &form).await?),
    };
    let verdict = judged.as_ref().map(|judgement| Verdict::new(judgement, app.bay.engine()));
    let doctrines = catalogue.doctrines.iter().map(|doctrine| {
        let about = format!("{}: {} points, {} ships", doctrine.name, doctrine.points, doctrine.max_ships);
        (doctrine.id, about)
    });
    let skills = catalogue.skills.iter().zip(&form.levels).map(|(skill, level)| SkillView {
        id: skill.id,
        name: skill.name,
        level: *level,
        highest: catalogue.rules.max_level(),
    });
    let builder = Builder::of(&form.hull, catalogue);
    html(&FittingPage {
        page: Page::new(
            "Fitting",
            "Fitting bay",
            "Paste or build a fleet: legality, figures as flown, and the hostile fleet it would meet",
        ),
        doctrines: doctrines.collect(),
        skills: skills.collect(),
        hulls: hulls(catalogue),
        builder,
        verdict,
        form,
    })
}

async fn judge(app: &Shared, form: &Filled) -> Result<Judgement, Problem> {
    let question = Question {
        fleet: Source::Eft(form.fleet.clone()),
        doctrine: form.doctrine.clone(),
        skills: Some(form.skills(app.bay.catalogue())),
    };
    let judged = app.clone();
    app.verifier.run(move |_| judged.bay.judge(&question)).await
}

/// Hulls by class, small ones first.
fn hulls(catalogue: &Catalogue) -> Vec<HullClassView> {
    let classes = ["frigate", "destroyer", "cruiser", "battlecruiser", "battleship"];
    let of_class = |class: &str| {
        let hulls = catalogue.hulls.iter().filter(|hull| super::report::view::class_id(hull.class) == class);
        let shown = hulls.map(|hull| {
            let tier = super::report::view::class_id(hull.tier);
            (hull.id, format!("{} ({tier}, {} points)", hull.name, hull.points))
        });
        HullClassView { class: class.to_owned(), hulls: shown.collect() }
    };
    classes.into_iter().map(of_class).collect()
}
