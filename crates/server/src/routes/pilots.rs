//! Pilots: looked up by anyone, kept by the game's backend.

use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use ongrid_store::{Board, Conflict, Day, NewToken, Order, Role};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::app::Shared;
use crate::auth::{Backend, Operator, Token};
use crate::body::JsonBody;
use crate::fleets::levels_json;
use crate::path::Id;
use crate::pilots;
use crate::problem::{Problem, ProblemBody};
use crate::routes::boards::{limit, query};
use crate::routes::days::reason;
use crate::routes::fights::{FightBody, body};
use crate::routes::verify::{RankBody, json};

/// A pilot.
#[derive(Debug, Serialize, ToSchema)]
pub struct PilotBody {
    /// The pilot's id.
    pub id: Uuid,
    /// The pilot's name; empty where it was erased.
    pub name: String,
    /// `active`, `banned` or `erased`.
    pub state: &'static str,
    /// When it was registered.
    pub created_at: String,
    /// Ranked days that count.
    pub days: u32,
    /// Sum of their scores.
    pub score: i64,
    /// Days in a row up to today, or to yesterday while today has none yet.
    pub streak: u32,
    /// Most days in a row.
    pub best_streak: u32,
    /// Where the pilot stands.
    pub ranks: Ranks,
    /// The seasons, first to last.
    pub seasons: Vec<SeasonBody>,
}

/// Where a pilot stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ranks {
    /// Today's board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<RankBody>,
    /// This season's board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season: Option<RankBody>,
}

/// A pilot's season.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeasonBody {
    /// `YYYY-MM`
    pub season: String,
    /// Sum of the days' scores.
    pub score: i64,
    /// Days that count.
    pub days: u32,
}

/// A pilot's fights, latest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryBody<'a> {
    /// The fights.
    pub items: Vec<FightBody<'a>>,
    /// `after` of the next page, where there may be one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// What a backend registers.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PilotRequest {
    /// 1 to 32 visible characters, unique with letters folded.
    pub name: String,
    /// Levels of skills, 0 to 5, in place of those registered before; a skill that is left out is at the baseline.
    #[schema(value_type = Option<Object>)]
    pub skills: Option<Box<RawValue>>,
}

/// A token to be issued.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TokenRequest {
    /// What it is for, at most 64 characters.
    #[schema(max_length = 64)]
    pub label: String,
}

/// A token that was issued; its text is shown only now.
#[derive(Debug, Serialize, ToSchema)]
pub struct TokenBody {
    /// Its id, by which it is revoked.
    pub id: Uuid,
    /// Its text.
    pub token: String,
}

/// An operator's reason.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReasonRequest {
    /// 1 to 500 characters.
    #[schema(min_length = 1, max_length = 500)]
    pub reason: String,
}

/// Which part of a history.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct HistoryPart {
    /// Fights of the page, from 1 to 200; 50 where it is left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// `next` of the page before.
    after: Option<String>,
}

/// A pilot: name, totals, streak, ranks.
#[utoipa::path(get, path = "/v1/pilots/{id}", tag = "pilots", params(("id" = Uuid, Path, description = "The pilot")), responses(
    (status = 200, description = "The pilot", body = PilotBody),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn pilot(State(app): State<Shared>, Id(id): Id) -> Result<Response, Problem> {
    let pilot = app.store.pilot(id).await?.ok_or_else(|| Problem::not_found("such pilot"))?;
    let today = app.calendar.day_of(app.clock.now());
    let totals = app.store.totals(id, today).await?;
    let day = app.store.rank(&Board::Day(today), id).await?;
    let season = app.store.rank(&Board::Season(today.month()), id).await?;
    let seasons = totals.seasons.iter().map(|(month, score, days)| SeasonBody {
        season: month.to_string(),
        score: *score,
        days: days.count_ones(),
    });
    json(&PilotBody {
        id,
        name: pilot.name.unwrap_or_default(),
        state: match (pilot.erased_at, pilot.banned_at) {
            (Some(_), _) => "erased",
            (None, Some(_)) => "banned",
            (None, None) => "active",
        },
        created_at: pilot.created_at.to_string(),
        days: totals.days,
        score: totals.score,
        streak: totals.streak,
        best_streak: totals.best_streak,
        ranks: Ranks { day: day.as_ref().map(RankBody::from), season: season.as_ref().map(RankBody::from) },
        seasons: seasons.collect(),
    })
}

/// A pilot's fights, latest first.
#[utoipa::path(get, path = "/v1/pilots/{id}/fights", tag = "pilots", params(("id" = Uuid, Path, description = "The pilot"), HistoryPart), responses(
    (status = 200, description = "The page", body = HistoryBody),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn history(
    State(app): State<Shared>,
    Id(id): Id,
    part: Result<Query<HistoryPart>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Problem> {
    let part = query(part)?;
    if app.store.pilot(id).await?.is_none() {
        return Err(Problem::not_found("such pilot"));
    }
    let after = part.after.as_deref().map(read_cursor).transpose()?;
    let today = app.calendar.day_of(app.clock.now());
    let page = app.store.fights_of(id, today, limit(part.limit)?, after).await?;
    let mut items = Vec::with_capacity(page.fights.len());
    for fight in &page.fights {
        let sealed = app.sealed_until(fight).await?.is_some();
        items.push(body(fight, sealed));
    }
    json(&HistoryBody { items, next: page.next.map(|(day, fight)| format!("{day}_{fight}")) })
}

/// Reads the cursor of a page.
///
/// # Errors
/// 400 `format`.
pub fn read_cursor(text: &str) -> Result<(Day, Uuid), Problem> {
    let parts = text.split_once('_').and_then(|(day, fight)| Some((day.parse().ok()?, fight.parse().ok()?)));
    parts.ok_or_else(|| Problem::new(StatusCode::BAD_REQUEST, "format", "after must be the next of a page"))
}

/// Registers a pilot under an id that the backend chose, or gives it another name and other skills.
///
/// The id is a UUID of any version, in lower case with hyphens; the nil and the max UUID are nobody's.
#[utoipa::path(put, path = "/v1/pilots/{id}", tag = "backend", security(("token" = [])),
    params(("id" = Uuid, Path, description = "The pilot: any UUID but nil (all zeros) and max (all ones)")), request_body = PilotRequest, responses(
    (status = 204, description = "Changed"),
    (status = 201, description = "Registered"),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`: no such id, or the pilot was erased", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`name_taken`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "`too_large`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "`media_type`, `content_encoding`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`pilot_id`: the nil or the max UUID; `name`, `unknown_skill`, `skill_level`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn put(
    State(app): State<Shared>,
    backend: Result<Backend, Problem>,
    id: Result<Id, Problem>,
    sent: Result<JsonBody<PilotRequest>, Problem>,
) -> Result<Response, Problem> {
    let (_, Id(id), JsonBody(request)) = (backend?, id?, sent?);
    // What a client sends that has no id, and what pages of pilots begin after.
    if id.is_nil() || id.is_max() {
        let detail = format!("{id} is nobody's: give the pilot an id of its own");
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "pilot_id", detail));
    }
    let wrong = |why| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "name", why).at_path("/name");
    let name = pilots::name(&request.name).map_err(wrong)?;
    let skills = match &request.skills {
        None => None,
        Some(text) => {
            let levels = app.fleets.read_registered(text.get()).map_err(|no| no.under("skills"))?;
            Some(levels_json(&levels))
        }
    };
    let new = app.store.put_pilot(id, &name, skills.as_deref(), app.clock.now()).await?;
    app.recent_tokens.forget();
    Ok(if new { StatusCode::CREATED } else { StatusCode::NO_CONTENT }.into_response())
}

/// Issues a token for a pilot; its text is in this answer only.
#[utoipa::path(post, path = "/v1/pilots/{id}/tokens", tag = "backend", security(("token" = [])),
    params(("id" = Uuid, Path, description = "The pilot")), request_body = TokenRequest, responses(
    (status = 201, description = "Issued", body = TokenBody),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "`too_large`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "`media_type`, `content_encoding`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`label`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn issue_token(
    State(app): State<Shared>,
    backend: Result<Backend, Problem>,
    id: Result<Id, Problem>,
    sent: Result<JsonBody<TokenRequest>, Problem>,
) -> Result<Response, Problem> {
    let (_, Id(id), JsonBody(request)) = (backend?, id?, sent?);
    if request.label.chars().count() > 64 || request.label.contains('\0') {
        let detail = "a label has at most 64 characters";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "label", detail).at_path("/label"));
    }
    let token = Token::random().map_err(|error| {
        tracing::error!(%error, "no randomness");
        Problem::internal()
    })?;
    let hash = token.hash();
    let new = NewToken { role: Role::Pilot, pilot: Some(id), label: &request.label, secret_hash: &hash };
    let issued = app.store.issue_token(&new).await?;
    let mut response = json(&TokenBody { id: issued, token: token.reveal().to_owned() })?;
    *response.status_mut() = StatusCode::CREATED;
    response.headers_mut().insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Revokes a token of a pilot.
#[utoipa::path(delete, path = "/v1/pilots/{id}/tokens/{token}", tag = "backend", security(("token" = [])),
    params(("id" = Uuid, Path, description = "The pilot"), ("token" = Uuid, Path, description = "The token's id")), responses(
    (status = 204, description = "Revoked"),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn revoke_token(
    State(app): State<Shared>,
    _backend: Backend,
    Path((id, token)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let ids = id.parse::<Uuid>().ok().zip(token.parse::<Uuid>().ok());
    let (id, token) = ids.ok_or_else(|| Problem::not_found("such token"))?;
    let known = app.store.token(token).await?.filter(|known| known.pilot == Some(id));
    known.ok_or(Conflict::UnknownToken)?;
    app.store.revoke_token(token).await?;
    app.recent_tokens.forget();
    Ok(StatusCode::NO_CONTENT)
}

/// Erases a pilot: name, skills and tokens go, fights and their digests stay.
#[utoipa::path(delete, path = "/v1/pilots/{id}", tag = "operators", security(("token" = [])),
    params(("id" = Uuid, Path, description = "The pilot")), request_body = ReasonRequest, responses(
    (status = 204, description = "Erased"),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "`too_large`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "`media_type`, `content_encoding`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`reason`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn erase(
    State(app): State<Shared>,
    operator: Result<Operator, Problem>,
    id: Result<Id, Problem>,
    sent: Result<JsonBody<ReasonRequest>, Problem>,
) -> Result<StatusCode, Problem> {
    let (Operator(operator), Id(id), JsonBody(request)) = (operator?, id?, sent?);
    let reason = reason(&request.reason)?;
    app.store.erase_pilot(id, Order { actor: Some(operator.token), reason, at: app.clock.now() }).await?;
    app.recent_tokens.forget();
    Ok(StatusCode::NO_CONTENT)
}
