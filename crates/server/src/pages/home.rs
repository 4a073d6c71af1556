//! Today's fight: doctrine, limits, time left, commitment, the board; days before and after.

use askama::Template;
use axum::extract::{Path, State};
use ongrid_engine::canonical;
use ongrid_engine_ongrid::Doctrine;
use ongrid_store::{Board, DayRecord, Micros};

use crate::app::{App, Shared};
use crate::calendar::AHEAD;
use crate::pages::boards::{RowView, rows};
use crate::pages::format::{machine, minute, span};
use crate::pages::report::chart::outline;
use crate::pages::report::view::class_id;
use crate::pages::visitor::Visitor;
use crate::pages::{Page, PageResult, html};
use crate::problem::Problem;
use crate::routes::days::parse;

/// Rows of the board on this page.
const ROWS: u32 = 10;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    page: Page,
    today: bool,
    day: DayView,
    doctrine: &'static Doctrine,
    standard: Vec<StandardShip>,
    rows: Vec<RowView>,
    total: i64,
    days: Vec<NeighbourView>,
}

/// A day as shown.
#[derive(Debug)]
struct DayView {
    day: String,
    /// `future`, `open`, `grace` or `final`.
    state: &'static str,
    opens: String,
    closes: String,
    closes_machine: String,
    opens_machine: String,
    left: String,
    commitment: String,
    secret: Option<String>,
    seed: &'static str,
    ranked: u32,
    practice: u32,
    attempt_minutes: u32,
    grace_minutes: u32,
    engine: String,
}

/// A ship of the standard issue.
#[derive(Debug)]
struct StandardShip {
    hull: &'static str,
    role: String,
    outline: &'static str,
    fit: String,
}

/// A day before or after.
#[derive(Debug)]
struct NeighbourView {
    day: String,
    doctrine: String,
    state: &'static str,
    here: bool,
}

/// Today's fight.
pub async fn today(State(app): State<Shared>, visitor: Visitor) -> PageResult {
    let now = app.clock.now();
    let record = app.today(now).await?;
    show(&app, &record, now, true, &visitor).await
}

/// The fight of a day.
pub async fn day(State(app): State<Shared>, Path(day): Path<String>, visitor: Visitor) -> PageResult {
    let now = app.clock.now();
    let record = app.day(parse(&day)?, now).await?.ok_or_else(|| Problem::not_found("such day"))?;
    let today = record.day == app.calendar.day_of(now);
    show(&app, &record, now, today, &visitor).await
}

async fn show(app: &App, record: &DayRecord, now: Micros, today: bool, visitor: &Visitor) -> PageResult {
    let doctrine = app.fleets.doctrine(&record.doctrine).ok_or_else(Problem::internal)?;
    let board = app.store.top(&Board::Day(record.day), ROWS, None).await?;
    let neighbours = app.store.days(record.day.plus(-7), record.day.plus(AHEAD)).await?;
    let days = neighbours.iter().rev().map(|other| NeighbourView {
        day: other.day.to_string(),
        doctrine: app.fleets.doctrine(&other.doctrine).map_or("", |doctrine| doctrine.name).to_owned(),
        state: state(other, now),
        here: other.day == record.day,
    });
    let title = if today { "Today's fight".to_owned() } else { format!("The fight of {}", record.day) };
    let about = format!("{}: {} points, {} ships", doctrine.name, doctrine.points, doctrine.max_ships);
    html(&HomePage {
        page: Page::new("Today", title, about),
        today,
        day: DayView::new(app, record, now)?,
        standard: standard(app, doctrine),
        doctrine,
        total: board.total,
        rows: rows(&board, visitor.pilot()),
        days: days.collect(),
    })
}

fn state(day: &DayRecord, now: Micros) -> &'static str {
    match () {
        () if now < day.opens_at => "future",
        () if now < day.closes_at => "open",
        () if now < day.final_at => "grace",
        () => "final",
    }
}

impl DayView {
    fn new(app: &App, day: &DayRecord, now: Micros) -> Result<Self, Problem> {
        let until = if now < day.opens_at { day.opens_at } else { day.closes_at };
        let secret = match state(day, now) {
            "final" => Some(canonical::hex(&app.calendar.secret(day)?.0)),
            _ => None,
        };
        Ok(Self {
            day: day.day.to_string(),
            state: state(day, now),
            opens: minute(day.opens_at),
            closes: minute(day.closes_at),
            closes_machine: machine(day.closes_at),
            opens_machine: machine(day.opens_at),
            left: span(until.since(now)),
            commitment: canonical::hex(&day.commitment),
            secret,
            seed: day.policy.seed.as_str(),
            ranked: day.policy.ranked_attempts,
            practice: day.policy.practice_attempts,
            attempt_minutes: day.policy.attempt_minutes,
            grace_minutes: day.policy.grace_minutes,
            engine: day.engine.clone(),
        })
    }
}

fn standard(app: &App, doctrine: &Doctrine) -> Vec<StandardShip> {
    let catalogue = app.bay.catalogue();
    let ships = app.fleets.engine().standard_issue(doctrine);
    let shown = ships.iter().map(|ship| {
        let hull = catalogue.hull(ship.hull);
        let fit = ship.fit.iter().map(|group| {
            let name = catalogue.module(group.module).map_or(group.module, |module| module.name);
            format!("{} × {name}", group.count)
        });
        StandardShip {
            hull: hull.map_or(ship.hull, |hull| hull.name),
            role: class_id(ship.role),
            outline: outline(&hull.map(|hull| class_id(hull.class)).unwrap_or_default()),
            fit: fit.collect::<Vec<_>>().join(", "),
        }
    });
    shown.collect()
}
