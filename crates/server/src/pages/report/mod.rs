//! The kill report: what was flown, what happened, who dealt what, and why the hostile fleet was as it was.

pub(super) mod chart;
pub(super) mod record;
pub(super) mod story;
pub(super) mod view;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use ongrid_engine::Engine;
use ongrid_engine_ongrid::OnGrid;
use ongrid_store::{Documents, Fight, Micros};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::app::{App, Shared};
use crate::pages::format::{machine, minute, span, words};
use crate::pages::preview::{self, Preview};
use crate::pages::visitor::Visitor;
use crate::pages::{Asked, Page, PageId, PageResult, html, origin, score_text};
use crate::problem::Problem;
use crate::routes::fights::sealed_for;
use record::{Outcome, Snapshot};
use story::Story;
use view::{Audit, DamageView, FleetView, Lookup, RoundView, Scrub};

/// What every report begins with.
#[derive(Debug)]
struct Head {
    fight: Fight,
    pilot: String,
    verified: String,
    elapsed: String,
    void: Option<(String, String)>,
}

impl Head {
    fn new(fight: Fight) -> Self {
        Self {
            pilot: fight.pilot_name.clone().unwrap_or_else(|| "an erased pilot".to_owned()),
            verified: minute(fight.verified_at),
            elapsed: fight.elapsed().map(span).unwrap_or_default(),
            void: fight.void.as_ref().map(|void| (minute(void.at), void.reason.clone())),
            fight,
        }
    }
}

#[derive(Template)]
#[template(path = "report.html")]
struct ReportPage {
    page: Page,
    head: Head,
    tone: &'static str,
    result: String,
    decided_by: String,
    doctrine: String,
    outcome: Outcome,
    shares: Vec<(&'static str, &'static str, String, String, chart::Bar)>,
    scrub: Option<Scrub>,
    fleets: Vec<FleetView>,
    damage: Option<DamageView>,
    audit: Audit,
    form_code: Option<String>,
}

#[derive(Template)]
#[template(path = "report_other.html")]
struct OtherPage {
    page: Page,
    head: Head,
    outcome: String,
    form_code: Option<String>,
}

#[derive(Template)]
#[template(path = "sealed.html")]
struct SealedPage {
    page: Page,
    head: Head,
    until: String,
    until_machine: String,
}

#[derive(Template)]
#[template(path = "round.html")]
struct RoundPart {
    shown: RoundView,
}

/// Which round a report shows.
#[derive(Debug, Deserialize)]
pub struct Shown {
    round: Option<String>,
}

/// What a report is made of.
struct Material {
    documents: Documents,
    story: Option<Story>,
}

/// A fight's report.
pub async fn page(
    State(app): State<Shared>,
    PageId(id): PageId,
    Asked(shown): Asked<Shown>,
    headers: HeaderMap,
    visitor: Visitor,
) -> PageResult {
    let fight = app.fight(id).await?;
    let mut page = Page::new("", "", "");
    let origin = origin(&headers);
    page.shared = Some((format!("{origin}/fights/{id}"), format!("{origin}/fights/{id}/preview.png")));
    if let Some(until) = sealed_for(&app, &fight, visitor.caller().as_ref()).await? {
        return sealed(page, fight, until);
    }
    let form_code = visitor.operator().map(|session| session.form_code.clone());
    let Material { documents, story } = gather(&app, &fight).await?;
    if fight.engine != OnGrid::TAG {
        return other(page, fight, &documents, form_code);
    }
    let outcome: Outcome = read(&documents.outcome)?;
    let snapshot: Snapshot = read(documents.snapshot.as_deref().unwrap_or_default())?;
    let catalogue = app.bay.catalogue();
    let names = Lookup(catalogue);
    let head = Head::new(fight);
    let doctrine = doctrine_of(&app, &documents);
    let result = outcome.result.to_uppercase();
    page.title = format!("{}: {} for {}", title_case(&outcome.result), score_text(outcome.score), head.pilot);
    page.description = format!(
        "{} by {} after {} rounds against {doctrine}, calibration level {}",
        title_case(&outcome.result),
        words(&outcome.decided_by),
        outcome.rounds,
        snapshot.level
    );
    let index = shown.round.as_deref().and_then(|round| round.parse().ok()).unwrap_or(usize::MAX);
    let scrub = story.as_ref().map(|story| Scrub {
        chart: chart::HitPoints::new(story, index),
        shown: RoundView::new(story, index),
    });
    html(&ReportPage {
        page,
        tone: tone(&outcome.result),
        result,
        decided_by: words(&outcome.decided_by),
        doctrine,
        shares: view::shares(&outcome),
        fleets: view::fleets(&outcome, &snapshot, story.as_ref(), names),
        damage: story.as_ref().map(DamageView::new),
        audit: Audit::new(&snapshot, &catalogue.rules.calibration.thresholds, names),
        form_code,
        scrub,
        outcome,
        head,
    })
}

/// A round of a report alone, for the script that scrubs.
pub async fn round(
    State(app): State<Shared>,
    Path((id, round)): Path<(String, String)>,
    visitor: Visitor,
) -> PageResult {
    let fight = app.fight(id.parse().map_err(|_| Problem::not_found("such fight"))?).await?;
    if sealed_for(&app, &fight, visitor.caller().as_ref()).await?.is_some() {
        return Err(Problem::forbidden("sealed", "this fight is sealed").into());
    }
    let material = gather(&app, &fight).await?;
    let round = round.parse().ok().zip(material.story);
    let (round, story): (usize, _) = round.ok_or_else(|| Problem::not_found("such round"))?;
    html(&RoundPart { shown: RoundView::new(&story, round) })
}

/// The preview image of a report.
pub async fn preview(State(app): State<Shared>, PageId(id): PageId) -> PageResult {
    let fight = app.fight(id).await?;
    // A preview is everybody's, so it shows what everybody may see.
    let sealed = app.sealed_until(&fight).await?.is_some();
    let Material { documents, story } = gather(&app, &fight).await?;
    let preview = match fight.engine == OnGrid::TAG && !sealed {
        false if sealed => Preview::sealed(&fight),
        false => Preview::plain(&fight.engine, &fight.pilot_name.unwrap_or_default(), fight.standing.score),
        true => {
            let outcome: Outcome = read(&documents.outcome)?;
            let snapshot: Snapshot = read(documents.snapshot.as_deref().unwrap_or_default())?;
            let doctrine = doctrine_of(&app, &documents);
            Preview::of_fight(&fight, &outcome, &snapshot, story.as_ref(), &doctrine)
        }
    };
    let bytes = app.verifier.run(move |_| Ok(preview::png(&preview))).await?;
    let bytes = bytes.ok_or_else(Problem::internal)?;
    let headers = [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "public, max-age=3600")];
    Ok((headers, bytes).into_response())
}

async fn gather(app: &Shared, fight: &Fight) -> Result<Material, Problem> {
    let documents = app.store.documents(fight.id).await?.ok_or_else(|| Problem::not_found("such fight"))?;
    let mut story = None;
    if fight.engine == OnGrid::TAG && fight.ruleset == Engine::ruleset(app.bay.engine()).digest() {
        let replay = documents.replay.clone();
        let told = app.clone();
        // The canonical replay runs as the received one did.
        story = Some(app.verifier.run(move |_| Story::of(told.bay.engine(), &replay)).await?);
    }
    Ok(Material { documents, story })
}

fn sealed(mut page: Page, fight: Fight, until: Micros) -> PageResult {
    let head = Head::new(fight);
    page.title = format!("Sealed: {} for {}", score_text(head.fight.standing.score), head.pilot);
    page.description = format!("How it was fought is shown from {} UTC on", minute(until));
    html(&SealedPage { page, head, until: minute(until), until_machine: machine(until) })
}

fn other(mut page: Page, fight: Fight, documents: &Documents, form_code: Option<String>) -> PageResult {
    let head = Head::new(fight);
    page.title = format!("{} points for {}", score_text(head.fight.standing.score), head.pilot);
    page.description = format!("A fight under {}", head.fight.engine);
    let outcome: serde_json::Value = read(&documents.outcome)?;
    let outcome = serde_json::to_string_pretty(&outcome).unwrap_or_default();
    html(&OtherPage { page, head, outcome, form_code })
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(bytes).map_err(|error| {
        tracing::error!(%error, "a record is not what its engine writes");
        Problem::internal()
    })
}

/// The name of the doctrine that a stored replay was fought against.
fn doctrine_of(app: &App, documents: &Documents) -> String {
    #[derive(Deserialize)]
    struct Replay {
        setup: Setup,
    }
    #[derive(Deserialize)]
    struct Setup {
        doctrine: String,
    }
    let replay: Option<Replay> = serde_json::from_slice(&documents.replay).ok();
    let id = replay.map(|replay| replay.setup.doctrine).unwrap_or_default();
    app.bay.catalogue().doctrine(&id).map_or(id, |doctrine| doctrine.name.to_owned())
}

fn tone(result: &str) -> &'static str {
    match result {
        "victory" => "own",
        "defeat" => "foe",
        _ => "even",
    }
}

fn title_case(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
