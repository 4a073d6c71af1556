//! Boards: of a day, a season, a doctrine; pages, and the rows around a pilot.

use askama::Template;
use axum::extract::{Path, State};
use ongrid_engine::canonical;
use ongrid_store::{AheadBy, Board, BoardPage, Month};
use serde::Deserialize;
use uuid::Uuid;

use crate::app::Shared;
use crate::pages::format::{minute, span, whole};
use crate::pages::visitor::Visitor;
use crate::pages::{Asked, Page, PageProblem, PageResult, html};
use crate::pilots;
use crate::problem::Problem;
use crate::routes::boards::read_cursor;
use crate::routes::days::parse;

/// Rows of a page.
const ROWS: u32 = 50;
/// Rows on either side of a pilot.
const BESIDE: u32 = 12;

/// A row as shown.
#[derive(Debug)]
pub struct RowView {
    /// From 1.
    pub rank: i64,
    /// The pilot's id.
    pub pilot: Uuid,
    /// The pilot's name.
    pub name: String,
    /// The fight.
    pub fight: Uuid,
    /// Points.
    pub score: String,
    /// Rounds.
    pub rounds: u32,
    /// When it was verified.
    pub verified: String,
    /// How long it took.
    pub elapsed: String,
    /// What it is ahead of the next row by.
    pub ahead_by: &'static str,
    /// Season: days that count.
    pub days: u32,
    /// Season: most days in a row.
    pub streak: u32,
    /// Whether it is the row that was looked for.
    pub here: bool,
}

/// The rows of a page of a board.
pub fn rows(page: &BoardPage, here: Option<Uuid>) -> Vec<RowView> {
    let next = page.rows.iter().skip(1).map(Some).chain([None]);
    page.rows
        .iter()
        .zip(next)
        .map(|(row, next)| RowView {
            rank: row.rank,
            pilot: row.pilot,
            name: row.pilot_name.clone().unwrap_or_else(|| "an erased pilot".to_owned()),
            fight: row.place.fight,
            score: whole(row.place.score as f64),
            rounds: row.place.rounds,
            verified: minute(row.place.at),
            elapsed: row.elapsed.map(span).unwrap_or_default(),
            ahead_by: next.map_or("", |next| match row.place.ahead_by(&next.place) {
                AheadBy::Score => "score",
                AheadBy::Rounds => "fewer rounds",
                AheadBy::Time => "earlier",
                AheadBy::Id => "id alone",
            }),
            days: row.days.count_ones(),
            streak: row.best_streak(),
            here: here == Some(row.pilot),
        })
        .collect()
}

#[derive(Template)]
#[template(path = "board.html")]
struct BoardView {
    page: Page,
    kind: &'static str,
    name: String,
    path: String,
    rows: Vec<RowView>,
    total: i64,
    next: Option<String>,
    around: Option<Uuid>,
    sought: String,
    missing: String,
    me: Option<Uuid>,
    before: Option<String>,
    after: Option<String>,
}

#[derive(Template)]
#[template(path = "boards.html")]
struct BoardsPage {
    page: Page,
    today: String,
    season: String,
    doctrine: String,
    doctrines: Vec<(&'static str, &'static str)>,
    rows: Vec<RowView>,
    season_rows: Vec<RowView>,
    total: i64,
    season_total: i64,
}

/// Which part of a board.
#[derive(Debug, Default, Deserialize)]
pub struct Part {
    after: Option<String>,
    around: Option<String>,
    pilot: Option<String>,
}

/// All boards in brief.
pub async fn index(State(app): State<Shared>, visitor: Visitor) -> PageResult {
    let now = app.clock.now();
    let record = app.today(now).await?;
    let day = app.store.top(&Board::Day(record.day), 10, None).await?;
    let month = record.day.month();
    let season = app.store.top(&Board::Season(month), 10, None).await?;
    let doctrines = app.fleets.doctrines().iter().map(|doctrine| (doctrine.id, doctrine.name));
    html(&BoardsPage {
        page: Page::new("Boards", "Boards", "Daily, season and doctrine boards of the daily fleet fight"),
        today: record.day.to_string(),
        season: month.to_string(),
        doctrine: app.fleets.doctrine(&record.doctrine).map_or("", |doctrine| doctrine.name).to_owned(),
        doctrines: doctrines.collect(),
        rows: rows(&day, visitor.pilot()),
        season_rows: rows(&season, visitor.pilot()),
        total: day.total,
        season_total: season.total,
    })
}

/// The board of a day.
pub async fn of_day(
    State(app): State<Shared>,
    Path(day): Path<String>,
    Asked(part): Asked<Part>,
    visitor: Visitor,
) -> PageResult {
    let day = parse(&day)?;
    if app.day(day, app.clock.now()).await?.is_none() {
        return Err(Problem::not_found("such day").into());
    }
    let (before, after) = (day.plus(-1), day.plus(1));
    let drawn = app.store.days(before, after).await?;
    let link = |beside| drawn.iter().find(|it| it.day == beside).map(|it| it.day.to_string());
    let links = (link(before), link(after));
    show(&app, Board::Day(day), format!("Day {day}"), links, part, &visitor).await
}

/// The board of a season.
pub async fn of_season(
    State(app): State<Shared>,
    Path(month): Path<String>,
    Asked(part): Asked<Part>,
    visitor: Visitor,
) -> PageResult {
    let month: Month = month.parse().map_err(|_| Problem::not_found("such season"))?;
    let links =
        (Some(month.first().plus(-1).month().to_string()), Some(month.last().plus(1).month().to_string()));
    show(&app, Board::Season(month), format!("Season {month}"), links, part, &visitor).await
}

/// The board of a doctrine.
pub async fn of_doctrine(
    State(app): State<Shared>,
    Path(id): Path<String>,
    Asked(part): Asked<Part>,
    visitor: Visitor,
) -> PageResult {
    let doctrine = app.fleets.doctrine(&id).ok_or_else(|| Problem::not_found("such doctrine"))?;
    let board = Board::Doctrine { engine: app.fleets.tag().to_owned(), doctrine: id };
    show(&app, board, doctrine.name.to_owned(), (None, None), part, &visitor).await
}

async fn show(
    app: &Shared,
    board: Board,
    name: String,
    (before, after): (Option<String>, Option<String>),
    part: Part,
    visitor: &Visitor,
) -> PageResult {
    let sought = part.pilot.unwrap_or_default().trim().to_owned();
    let around = match (&*sought, part.around) {
        ("", None) => None,
        ("", Some(id)) => Some(id.parse().map_err(|_| Problem::not_found("such pilot"))?),
        (name, _) => find(app, name).await?,
    };
    let page = match (around, part.after) {
        (Some(pilot), _) => app.store.around(&board, pilot, BESIDE).await?,
        (None, after) => {
            let after = after.as_deref().map(read_cursor).transpose()?;
            app.store.top(&board, ROWS, after.as_ref()).await?
        }
    };
    let missing = match (around, page.rows.is_empty(), sought.is_empty()) {
        (Some(_), true, _) => "That pilot does not stand on this board.".to_owned(),
        (None, _, false) => format!("No pilot is called {sought}."),
        _ => String::new(),
    };
    let path = match &board {
        Board::Day(day) => format!("/boards/days/{day}"),
        Board::Season(month) => format!("/boards/seasons/{month}"),
        Board::Doctrine { doctrine, .. } => format!("/boards/doctrines/{doctrine}"),
        Board::Scenario { .. } => return Err(PageProblem::from(Problem::not_found("such board"))),
    };
    let about = format!("{} of the daily fleet fight: exact ranks, ties told", board.kind());
    html(&BoardView {
        page: Page::new("Boards", format!("Board: {name}"), about),
        kind: board.kind(),
        rows: rows(&page, around.or_else(|| visitor.pilot())),
        total: page.total,
        next: page.next.filter(|_| around.is_none()).map(|place| canonical::hex(&place.key())),
        me: visitor.pilot(),
        name,
        path,
        around,
        sought,
        missing,
        before,
        after,
    })
}

async fn find(app: &Shared, name: &str) -> Result<Option<Uuid>, Problem> {
    let Ok(name) = pilots::name(name) else { return Ok(None) };
    Ok(app.store.pilot_named(&name.key).await?.map(|pilot| pilot.id))
}
