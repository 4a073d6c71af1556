//! Boards: one order, exact ranks, pages that skip nobody.

use std::error::Error;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use ongrid_engine::{Digest, Seed, canonical};
use ongrid_store::{AheadBy, Board, BoardPage, BoardRow, Month, Place};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::app::{App, Shared};
use crate::problem::{Problem, ProblemBody};
use crate::routes::days::parse;
use crate::routes::fights::PilotName;
use crate::routes::verify::json;

/// A page of a board.
#[derive(Debug, Serialize, ToSchema)]
pub struct BoardBody {
    /// The rows in order.
    pub items: Vec<RowBody>,
    /// `after` of the next page, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// When it was read.
    pub as_of: String,
    /// How many stand on the board.
    pub total: i64,
}

/// A row of a board.
#[derive(Debug, Serialize, ToSchema)]
pub struct RowBody {
    /// From 1, the best.
    pub rank: i64,
    /// Who.
    pub pilot: PilotName,
    /// The fight; on a season's board the last one that counts.
    pub fight: Uuid,
    /// Points; on a season's board the sum.
    pub score: i64,
    /// Rounds; on a season's board the sum.
    pub rounds: u32,
    /// When it was verified.
    pub verified_at: String,
    /// From the issue of the attempt to the submission, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u64>,
    /// What this row is ahead of the next one by: `score`, `rounds`, `time` or `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ahead_by: Option<&'static str>,
    /// Season: how many days count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days: Option<u32>,
    /// Season: most days in a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_streak: Option<u32>,
}

/// Which part of a board.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Rows of the page, from 1 to 200; 50 where it is left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// `next` of the page before.
    after: Option<String>,
    /// A pilot, whose row comes with as many rows before as after.
    around: Option<Uuid>,
}

/// Which engine's board of a doctrine.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DoctrinePart {
    /// Engine tag; that of ranked days where it is left out.
    engine: Option<String>,
    /// Rows of the page, from 1 to 200; 50 where it is left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// `next` of the page before.
    after: Option<String>,
    /// A pilot, whose row comes with as many rows before as after.
    around: Option<Uuid>,
}

/// The board of a day: each pilot's ranked run.
#[utoipa::path(get, path = "/v1/boards/days/{day}", tag = "boards", params(("day" = String, Path, description = "YYYY-MM-DD"), Part), responses(
    (status = 200, description = "The page", body = BoardBody),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn of_day(
    State(app): State<Shared>,
    Path(day): Path<String>,
    part: Result<Query<Part>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Problem> {
    let day = parse(&day)?;
    if app.day(day, app.clock.now()).await?.is_none() {
        return Err(Problem::not_found("such day"));
    }
    page(&app, &Board::Day(day), query(part)?).await
}

/// The board of a season: the sum of each pilot's days in a month.
#[utoipa::path(get, path = "/v1/boards/seasons/{month}", tag = "boards", params(("month" = String, Path, description = "YYYY-MM"), Part), responses(
    (status = 200, description = "The page", body = BoardBody),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn of_season(
    State(app): State<Shared>,
    Path(month): Path<String>,
    part: Result<Query<Part>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Problem> {
    let month: Month = month.parse().map_err(|_| Problem::not_found("such season"))?;
    page(&app, &Board::Season(month), query(part)?).await
}

/// The board of a doctrine: the best of each pilot's days against it.
#[utoipa::path(get, path = "/v1/boards/doctrines/{id}", tag = "boards", params(("id" = String, Path, description = "Doctrine"), DoctrinePart), responses(
    (status = 200, description = "The page", body = BoardBody),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn of_doctrine(
    State(app): State<Shared>,
    Path(id): Path<String>,
    part: Result<Query<DoctrinePart>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Problem> {
    let part = query(part)?;
    let engine = part.engine.unwrap_or_else(|| app.fleets.tag().to_owned());
    let known = app.fleets.doctrine(&id).is_some() && engine == app.fleets.tag();
    let board = Board::Doctrine { engine, doctrine: id };
    // What was fought under an engine that this build retired stays.
    if !known && app.store.total(&board).await? == 0 {
        return Err(Problem::not_found("such doctrine"));
    }
    let rest = Part { limit: part.limit, after: part.after, around: part.around };
    page(&app, &board, rest).await
}

/// The board of a scenario: the best of each pilot's free fights from one and the same setup.
#[utoipa::path(get, path = "/v1/boards/scenarios/{engine}/{setup}", tag = "boards",
    params(("engine" = String, Path, description = "Engine tag"), ("setup" = String, Path, description = "Digest of the setup, 64 hex digits"), Part), responses(
    (status = 200, description = "The page", body = BoardBody),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn of_scenario(
    State(app): State<Shared>,
    Path((engine, setup)): Path<(String, String)>,
    part: Result<Query<Part>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Problem> {
    // A digest is written as a seed of 64 digits is.
    let digest = Seed::parse(&setup).ok().filter(|_| setup.len() == 64).map(|bytes| Digest(*bytes.bytes()));
    let setup = digest.ok_or_else(|| Problem::not_found("such scenario"))?;
    let known = app.verifier.registry().get(&engine).is_some() && engine != app.fleets.tag();
    let board = Board::Scenario { engine, setup };
    if !known && app.store.total(&board).await? == 0 {
        return Err(Problem::not_found("such scenario"));
    }
    page(&app, &board, query(part)?).await
}

/// A query, or a problem that says what of it will not do.
pub fn query<T>(query: Result<Query<T>, axum::extract::rejection::QueryRejection>) -> Result<T, Problem> {
    query.map(|Query(part)| part).map_err(|error| {
        let why = error.source().map_or_else(|| error.body_text(), ToString::to_string);
        Problem::new(StatusCode::BAD_REQUEST, "format", format!("in the query: {why}"))
    })
}

/// The limit of a page.
pub fn limit(asked: Option<u32>) -> Result<u32, Problem> {
    match asked.unwrap_or(50) {
        limit @ 1..=200 => Ok(limit),
        _ => Err(Problem::new(StatusCode::BAD_REQUEST, "format", "limit must be from 1 to 200")),
    }
}

async fn page(app: &App, board: &Board, part: Part) -> Result<Response, Problem> {
    let limit = limit(part.limit)?;
    let page = match (part.around, part.after) {
        (Some(_), Some(_)) => {
            return Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "format",
                "ask for around or after, not for both",
            ));
        }
        (Some(pilot), None) => app.store.around(board, pilot, limit / 2).await?,
        (None, after) => {
            let after = after.as_deref().map(read_cursor).transpose()?;
            app.store.top(board, limit, after.as_ref()).await?
        }
    };
    json(&body(page, matches!(board, Board::Season(_)), app.clock.now().to_string()))
}

fn body(page: BoardPage, season: bool, as_of: String) -> BoardBody {
    let ahead: Vec<_> =
        page.rows.windows(2).map(|pair| ahead_by(pair[0].place.ahead_by(&pair[1].place))).collect();
    let rows = page.rows.into_iter().enumerate().map(|(index, row)| RowBody {
        ahead_by: ahead.get(index).copied(),
        days: season.then(|| row.days.count_ones()),
        best_streak: season.then(|| row.best_streak()),
        ..RowBody::from(row)
    });
    BoardBody {
        items: rows.collect(),
        next: page.next.map(|place| canonical::hex(&place.key())),
        as_of,
        total: page.total,
    }
}

fn ahead_by(by: AheadBy) -> &'static str {
    match by {
        AheadBy::Score => "score",
        AheadBy::Rounds => "rounds",
        AheadBy::Time => "time",
        AheadBy::Id => "id",
    }
}

impl From<BoardRow> for RowBody {
    fn from(row: BoardRow) -> Self {
        Self {
            rank: row.rank,
            pilot: PilotName { id: row.pilot, name: row.pilot_name.unwrap_or_default() },
            fight: row.place.fight,
            score: row.place.score,
            rounds: row.place.rounds,
            verified_at: row.place.at.to_string(),
            elapsed_ms: row.elapsed.map(|elapsed| u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)),
            ahead_by: None,
            days: None,
            best_streak: None,
        }
    }
}

/// Reads the cursor of a page.
///
/// # Errors
/// 400 `format`.
pub fn read_cursor(text: &str) -> Result<Place, Problem> {
    let digit = |byte: u8| (byte as char).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = text.as_bytes().chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    });
    let bytes: Option<Vec<u8>> = pairs.collect();
    let place = bytes.and_then(|bytes| Place::from_key(&bytes));
    place.ok_or_else(|| Problem::new(StatusCode::BAD_REQUEST, "format", "after must be the next of a page"))
}
