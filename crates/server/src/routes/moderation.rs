//! What operators do, each act with a reason and an audit row.

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use ongrid_store::{AuditRow, Order};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::app::{App, Shared};
use crate::auth::Operator;
use crate::body::JsonBody;
use crate::path::Id;
use crate::problem::{Problem, ProblemBody};
use crate::routes::boards::{limit, query};
use crate::routes::days::{parse, reason};
use crate::routes::fights::{FightBody, body};
use crate::routes::pilots::ReasonRequest;
use crate::routes::verify::json;

/// Why a fight is voided.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VoidRequest {
    /// 1 to 500 characters.
    #[schema(min_length = 1, max_length = 500)]
    pub reason: String,
    /// Whether the pilot gets the attempt back.
    #[serde(default)]
    pub return_attempt: bool,
}

/// Acts of operators, latest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditBody {
    /// The acts.
    pub items: Vec<ActBody>,
    /// `before` of the next page, where there may be one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Uuid>,
}

/// An act.
#[derive(Debug, Serialize, ToSchema)]
pub struct ActBody {
    /// Its id.
    pub id: Uuid,
    /// When.
    pub at: String,
    /// The token that ordered it; none from the command line.
    pub actor: Option<Uuid>,
    /// `void`, `restore`, `ban`, `unban`, `erase`, `set_day` or `archive_day`.
    pub action: String,
    /// The pilot concerned.
    pub pilot: Option<Uuid>,
    /// The fight concerned.
    pub fight: Option<Uuid>,
    /// The day concerned.
    pub day: Option<String>,
    /// Why.
    pub reason: String,
}

impl From<AuditRow> for ActBody {
    fn from(row: AuditRow) -> Self {
        Self {
            id: row.id,
            at: row.at.to_string(),
            actor: row.actor,
            action: row.action,
            pilot: row.pilot,
            fight: row.fight,
            day: row.day.map(|day| day.to_string()),
            reason: row.reason,
        }
    }
}

/// Fights whose fleet and calls another pilot had played before.
#[derive(Debug, Serialize, ToSchema)]
pub struct CopiesBody<'a> {
    /// The fights; `copied_from` names the first of its kind.
    pub items: Vec<FightBody<'a>>,
}

/// Which part of the audit.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct AuditPart {
    /// Acts of the page, from 1 to 200; 50 where it is left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// `next` of the page before.
    before: Option<Uuid>,
}

/// Which copied fights.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct CopiesPart {
    /// The first day, `YYYY-MM-DD`; today where it is left out.
    from: Option<String>,
    /// The last day; today where it is left out.
    to: Option<String>,
    /// The last fight of the page before.
    after: Option<Uuid>,
    /// Fights of the page, from 1 to 200; 50 where it is left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
}

/// Voids a fight: it leaves the boards at once, its record and audit stay.
#[utoipa::path(post, path = "/v1/fights/{id}/void", tag = "operators", security(("token" = [])),
    params(("id" = Uuid, Path, description = "The fight")), request_body = VoidRequest, responses(
    (status = 204, description = "Done"),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`same_state`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "`too_large`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "`media_type`, `content_encoding`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`reason`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`busy`, `unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn void(
    State(app): State<Shared>,
    operator: Result<Operator, Problem>,
    id: Result<Id, Problem>,
    sent: Result<JsonBody<VoidRequest>, Problem>,
) -> Result<StatusCode, Problem> {
    let (operator, Id(id), JsonBody(request)) = (operator?, id?, sent?);
    let order = order(&app, operator, &request.reason)?;
    app.store.void(id, order, request.return_attempt).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lets a voided fight count again, in the place that it had.
#[utoipa::path(post, path = "/v1/fights/{id}/restore", tag = "operators", security(("token" = [])),
    params(("id" = Uuid, Path, description = "The fight")), request_body = ReasonRequest, responses(
    (status = 204, description = "Done"),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`same_state`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "`too_large`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "`media_type`, `content_encoding`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`reason`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`busy`, `unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn restore(
    State(app): State<Shared>,
    operator: Result<Operator, Problem>,
    id: Result<Id, Problem>,
    sent: Result<JsonBody<ReasonRequest>, Problem>,
) -> Result<StatusCode, Problem> {
    let (operator, Id(id), JsonBody(request)) = (operator?, id?, sent?);
    let order = order(&app, operator, &request.reason)?;
    app.store.restore(id, order).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Bans a pilot: its runs leave all boards.
#[utoipa::path(post, path = "/v1/pilots/{id}/ban", tag = "operators", security(("token" = [])),
    params(("id" = Uuid, Path, description = "The pilot")), request_body = ReasonRequest, responses(
    (status = 204, description = "Done"),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`same_state`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "`too_large`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "`media_type`, `content_encoding`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`reason`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`busy`, `unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn ban(
    State(app): State<Shared>,
    operator: Result<Operator, Problem>,
    id: Result<Id, Problem>,
    sent: Result<JsonBody<ReasonRequest>, Problem>,
) -> Result<StatusCode, Problem> {
    let (operator, Id(id), JsonBody(request)) = (operator?, id?, sent?);
    let order = order(&app, operator, &request.reason)?;
    app.store.ban(id, order).await?;
    app.recent_tokens.forget();
    Ok(StatusCode::NO_CONTENT)
}

/// Ends a ban: the pilot's runs stand in the exact order as before.
#[utoipa::path(post, path = "/v1/pilots/{id}/unban", tag = "operators", security(("token" = [])),
    params(("id" = Uuid, Path, description = "The pilot")), request_body = ReasonRequest, responses(
    (status = 204, description = "Done"),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`same_state`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "`too_large`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "`media_type`, `content_encoding`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`reason`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`busy`, `unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn unban(
    State(app): State<Shared>,
    operator: Result<Operator, Problem>,
    id: Result<Id, Problem>,
    sent: Result<JsonBody<ReasonRequest>, Problem>,
) -> Result<StatusCode, Problem> {
    let (operator, Id(id), JsonBody(request)) = (operator?, id?, sent?);
    let order = order(&app, operator, &request.reason)?;
    app.store.unban(id, order).await?;
    app.recent_tokens.forget();
    Ok(StatusCode::NO_CONTENT)
}

fn order(app: &App, Operator(operator): Operator, text: &str) -> Result<Order, Problem> {
    Ok(Order { actor: Some(operator.token), reason: reason(text)?, at: app.clock.now() })
}

/// What operators did, latest first.
#[utoipa::path(get, path = "/v1/audit", tag = "operators", security(("token" = [])), params(AuditPart), responses(
    (status = 200, description = "The page", body = AuditBody),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn audit(
    State(app): State<Shared>,
    _operator: Operator,
    part: Result<Query<AuditPart>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Problem> {
    let part = query(part)?;
    let limit = limit(part.limit)?;
    let rows = app.store.audit(part.before, limit).await?;
    let next = rows.last().map(|row| row.id).filter(|_| rows.len() == limit as usize);
    json(&AuditBody { items: rows.into_iter().map(ActBody::from).collect(), next })
}

/// Fights whose fleet and calls another pilot had played before, by day.
#[utoipa::path(get, path = "/v1/copies", tag = "operators", security(("token" = [])), params(CopiesPart), responses(
    (status = 200, description = "The fights", body = CopiesBody),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn copies(
    State(app): State<Shared>,
    _operator: Operator,
    part: Result<Query<CopiesPart>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Problem> {
    let part = query(part)?;
    let today = app.calendar.day_of(app.clock.now());
    let day = |text: Option<&str>| text.map_or(Ok(today), parse);
    let (first, last) = (day(part.from.as_deref())?, day(part.to.as_deref())?);
    let fights = app.store.copied_fights(first, last, part.after, limit(part.limit)?).await?;
    json(&CopiesBody { items: fights.iter().map(|fight| body(fight, false)).collect() })
}
