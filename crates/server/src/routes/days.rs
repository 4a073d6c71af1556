//! Days: what is fought, until when, under which commitment.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use ongrid_engine::canonical;
use ongrid_store::{Conflict, Day, DayRecord, Micros, Order, SeedPolicy};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::app::{App, Shared};
use crate::auth::Operator;
use crate::body::JsonBody;
use crate::config;
use crate::day::MINUTE;
use crate::problem::{Problem, ProblemBody};
use crate::routes::verify::{json, raw};

/// A day.
#[derive(Debug, Serialize, ToSchema)]
pub struct DayBody<'a> {
    /// `YYYY-MM-DD`
    pub day: String,
    /// Its first instant.
    pub opens_at: String,
    /// The first instant after it.
    pub closes_at: String,
    /// When secret and fights become public and the board final.
    pub final_at: String,
    /// Now.
    pub now: String,
    /// Engine tag.
    pub engine: &'a str,
    /// Digest of the engine's ruleset data.
    pub ruleset: String,
    /// What is fought.
    pub doctrine: DoctrineBody<'a>,
    /// How it is fought.
    pub policy: PolicyBody,
    /// SHA-256 of the day's secret.
    pub commitment: String,
    /// The secret, once the day is final.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// A doctrine.
#[derive(Debug, Serialize, ToSchema)]
pub struct DoctrineBody<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Most points of a pilot's fleet.
    pub points: u32,
    /// Most ships of a pilot's fleet.
    pub max_ships: usize,
    /// The hostile fleet at level 0, in the shape of the snapshot's `hostile`.
    #[schema(value_type = Vec<Object>)]
    pub standard: &'a RawValue,
}

/// How a day is fought.
#[derive(Debug, Serialize, ToSchema)]
pub struct PolicyBody {
    /// `pilot`: every pilot has own dice; `day`: the same dice for all.
    pub seed: &'static str,
    /// Attempts that count for the board.
    pub ranked_attempts: u32,
    /// Attempts after those.
    pub practice_attempts: u32,
    /// Minutes until an attempt expires.
    pub attempt_minutes: u32,
    /// Minutes after the close in which attempts issued before may be submitted.
    pub grace_minutes: u32,
}

/// What an operator sets of a day ahead.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DayRequest {
    /// Id of a doctrine.
    pub doctrine: Option<String>,
    /// `pilot` or `day`.
    pub seed: Option<SeedPolicyName>,
    /// Attempts that count for the board.
    #[schema(maximum = 100)]
    pub ranked_attempts: Option<u32>,
    /// Attempts after those.
    #[schema(maximum = 1000)]
    pub practice_attempts: Option<u32>,
    /// Minutes until an attempt expires.
    #[schema(minimum = 1, maximum = 1440)]
    pub attempt_minutes: Option<u32>,
    /// Minutes of grace after the close.
    #[schema(maximum = 1440)]
    pub grace_minutes: Option<u32>,
    /// Why; 1 to 500 characters.
    #[schema(min_length = 1, max_length = 500)]
    pub reason: String,
}

/// Whose dice.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SeedPolicyName {
    /// Every pilot has own dice.
    Pilot,
    /// The same dice for all.
    Day,
}

/// The settings' name of a stored policy.
pub fn seed_policy(policy: SeedPolicy) -> config::SeedPolicy {
    match policy {
        SeedPolicy::Pilot => config::SeedPolicy::Pilot,
        SeedPolicy::Day => config::SeedPolicy::Day,
    }
}

/// Today.
#[utoipa::path(get, path = "/v1/days/current", tag = "days", responses(
    (status = 200, description = "The day that is open", body = DayBody),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn current(State(app): State<Shared>) -> Result<Response, Problem> {
    let now = app.clock.now();
    let day = app.today(now).await?;
    body(&app, &day, now)
}

/// A day: past ones with their secret, future ones as far as they are drawn.
#[utoipa::path(get, path = "/v1/days/{day}", tag = "days", params(("day" = String, Path, description = "YYYY-MM-DD")), responses(
    (status = 200, description = "The day", body = DayBody),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn day(State(app): State<Shared>, Path(day): Path<String>) -> Result<Response, Problem> {
    let now = app.clock.now();
    let day = app.day(parse(&day)?, now).await?.ok_or_else(|| Problem::not_found("such day"))?;
    body(&app, &day, now)
}

/// Sets a day ahead, before it opens. What is left out stays as it is.
#[utoipa::path(put, path = "/v1/days/{day}", tag = "operators", security(("token" = [])),
    params(("day" = String, Path, description = "YYYY-MM-DD")), request_body = DayRequest, responses(
    (status = 200, description = "The day as set", body = DayBody),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`day_begun`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "`too_large`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "`media_type`, `content_encoding`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`unknown_doctrine`, `reason`, `policy`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn set(
    State(app): State<Shared>,
    operator: Result<Operator, Problem>,
    day: Result<Path<String>, PathRejection>,
    sent: Result<JsonBody<DayRequest>, Problem>,
) -> Result<Response, Problem> {
    let (Operator(operator), JsonBody(request)) = (operator?, sent?);
    let Path(day) = day.map_err(|_| Problem::not_found("such day"))?;
    let reason = reason(&request.reason)?;
    let now = app.clock.now();
    let known = app.day(parse(&day)?, now).await?.ok_or_else(|| Problem::not_found("such day"))?;
    let mut record = (*known).clone();
    if let Some(doctrine) = &request.doctrine {
        if app.fleets.doctrine(doctrine).is_none() {
            let detail = format!("there is no doctrine {doctrine:?}");
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "unknown_doctrine", detail)
                .at_path("/doctrine"));
        }
        record.doctrine = doctrine.clone();
        record.doctrine_set = true;
    }
    set_policy(&mut record, &request)?;
    app.store.set_day(record, Order { actor: Some(operator.token), reason, at: now }).await?;
    let record = app.store.day(known.day).await?.ok_or(Conflict::UnknownDay)?;
    body(&app, &record, now)
}

fn set_policy(record: &mut DayRecord, request: &DayRequest) -> Result<(), Problem> {
    let policy = &mut record.policy;
    if let Some(seed) = request.seed {
        policy.seed = match seed {
            SeedPolicyName::Pilot => SeedPolicy::Pilot,
            SeedPolicyName::Day => SeedPolicy::Day,
        };
    }
    for (key, sent, least, most, figure) in [
        ("ranked_attempts", request.ranked_attempts, 0, 100, &mut policy.ranked_attempts),
        ("practice_attempts", request.practice_attempts, 0, 1000, &mut policy.practice_attempts),
        ("attempt_minutes", request.attempt_minutes, 1, 1440, &mut policy.attempt_minutes),
        ("grace_minutes", request.grace_minutes, 0, 1440, &mut policy.grace_minutes),
    ] {
        let Some(value) = sent else { continue };
        if !(least..=most).contains(&value) {
            let detail = format!("{key} must be from {least} to {most}");
            return Err(
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "policy", detail).at_path(format!("/{key}"))
            );
        }
        *figure = value;
    }
    record.final_at = Micros(record.closes_at.0 + i64::from(policy.grace_minutes) * MINUTE);
    Ok(())
}

/// Checks the reason of an operator's act.
pub fn reason(text: &str) -> Result<String, Problem> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > 500 || text.contains('\0') {
        let detail = "an act needs a reason of 1 to 500 characters";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "reason", detail).at_path("/reason"));
    }
    Ok(text.to_owned())
}

/// Reads a day of a path; what is none names nothing that is here.
pub fn parse(text: &str) -> Result<Day, Problem> {
    text.parse().map_err(|_| Problem::not_found("such day"))
}

fn body(app: &App, day: &DayRecord, now: Micros) -> Result<Response, Problem> {
    let doctrine = app.fleets.doctrine(&day.doctrine).ok_or_else(Problem::internal)?;
    let standard = app.fleets.standard_issue(doctrine);
    let secret = match day.final_at <= now {
        true => Some(canonical::hex(&app.calendar.secret(day)?.0)),
        false => None,
    };
    json(&DayBody {
        day: day.day.to_string(),
        opens_at: day.opens_at.to_string(),
        closes_at: day.closes_at.to_string(),
        final_at: day.final_at.to_string(),
        now: now.to_string(),
        engine: &day.engine,
        ruleset: app.fleets.ruleset().hex(),
        doctrine: DoctrineBody {
            id: doctrine.id,
            name: doctrine.name,
            points: doctrine.points,
            max_ships: doctrine.max_ships,
            standard: raw(&standard)?,
        },
        policy: PolicyBody {
            seed: day.policy.seed.as_str(),
            ranked_attempts: day.policy.ranked_attempts,
            practice_attempts: day.policy.practice_attempts,
            attempt_minutes: day.policy.attempt_minutes,
            grace_minutes: day.policy.grace_minutes,
        },
        commitment: canonical::hex(&day.commitment),
        secret,
    })
}
