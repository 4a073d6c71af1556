//! A pilot: totals, streak, ranks, seasons, history.

use askama::Template;
use axum::extract::State;
use ongrid_store::{Board, Fight, Kind};
use serde::Deserialize;

use crate::app::{App, Shared};
use crate::pages::format::{minute, span, whole};
use crate::pages::visitor::Visitor;
use crate::pages::{Asked, Page, PageId, PageResult, html};
use crate::problem::Problem;
use crate::routes::fights::sealed_for;
use crate::routes::pilots::read_cursor;

/// Fights of a page.
const FIGHTS: u32 = 30;

#[derive(Template)]
#[template(path = "pilot.html")]
struct PilotPage {
    page: Page,
    id: uuid::Uuid,
    name: String,
    state: &'static str,
    since: String,
    figures: Vec<(&'static str, String)>,
    seasons: Vec<(String, String, u32)>,
    history: Vec<FightView>,
    next: Option<String>,
}

/// A fight of a history.
#[derive(Debug)]
struct FightView {
    id: uuid::Uuid,
    day: String,
    kind: &'static str,
    state: &'static str,
    engine: String,
    doctrine: String,
    score: String,
    rounds: u32,
    verified: String,
    elapsed: String,
}

/// Which part of a history.
#[derive(Debug, Deserialize)]
pub struct Part {
    after: Option<String>,
}

/// A pilot's page.
pub async fn page(
    State(app): State<Shared>,
    PageId(id): PageId,
    Asked(part): Asked<Part>,
    visitor: Visitor,
) -> PageResult {
    let pilot = app.store.pilot(id).await?.ok_or_else(|| Problem::not_found("such pilot"))?;
    let today = app.calendar.day_of(app.clock.now());
    let totals = app.store.totals(id, today).await?;
    let after = part.after.as_deref().map(read_cursor).transpose()?;
    let fights = app.store.fights_of(id, today, FIGHTS, after).await?;
    let mut history = Vec::with_capacity(fights.fights.len());
    for fight in &fights.fights {
        let sealed = sealed_for(&app, fight, visitor.caller().as_ref()).await?.is_some();
        history.push(FightView::new(&app, fight, sealed));
    }
    let mut figures = vec![
        ("Ranked days", totals.days.to_string()),
        ("Points", whole(totals.score as f64)),
        ("Streak", days(totals.streak)),
        ("Best streak", days(totals.best_streak)),
    ];
    for (name, board) in [("Today", Board::Day(today)), ("This season", Board::Season(today.month()))] {
        if let Some(rank) = app.store.rank(&board, id).await? {
            figures.push((
                name,
                format!(
                    "{} of {}, top {:.1} %",
                    rank.rank,
                    rank.of,
                    100.0 - rank.percentile() + 100.0 / rank.of.max(1) as f64
                ),
            ));
        }
    }
    let name = pilot.name.unwrap_or_else(|| "an erased pilot".to_owned());
    let seasons = totals.seasons.iter().rev();
    html(&PilotPage {
        page: Page::new(
            "Boards",
            format!("Pilot {name}"),
            format!("{name}: history, streak and best of the daily fleet fight"),
        ),
        id,
        state: match (pilot.erased_at, pilot.banned_at) {
            (Some(_), _) => "erased",
            (None, Some(_)) => "banned",
            (None, None) => "",
        },
        since: minute(pilot.created_at),
        figures,
        seasons: seasons
            .map(|(month, score, days)| (month.to_string(), whole(*score as f64), days.count_ones()))
            .collect(),
        history,
        next: fights.next.map(|(day, fight)| format!("{day}_{fight}")),
        name,
    })
}

fn days(count: u32) -> String {
    if count == 1 { "1 day".to_owned() } else { format!("{count} days") }
}

impl FightView {
    fn new(app: &App, fight: &Fight, sealed: bool) -> Self {
        let doctrine = fight.doctrine.as_deref().unwrap_or_default();
        Self {
            id: fight.id,
            day: fight.day.to_string(),
            kind: match fight.kind {
                Kind::Free => "free",
                Kind::Practice => "practice",
                Kind::Ranked => "ranked",
            },
            state: match (&fight.void, sealed) {
                (Some(_), _) => "void",
                (None, true) => "sealed",
                (None, false) => "",
            },
            engine: fight.engine.clone(),
            doctrine: app.fleets.doctrine(doctrine).map_or(doctrine, |doctrine| doctrine.name).to_owned(),
            score: whole(fight.standing.score as f64),
            rounds: fight.standing.rounds,
            verified: minute(fight.verified_at),
            elapsed: fight.elapsed().map(span).unwrap_or_default(),
        }
    }
}
