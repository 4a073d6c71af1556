//! Stored fights: submitted by pilots, read by anyone.

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use ongrid_store::{Fight, Kind, Play, Submission};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::{App, Shared};
use crate::auth::Pilot;
use crate::body::JsonBytes;
use crate::day::day_of;
use crate::problem::{Problem, ProblemBody};
use crate::routes::verify::{StandingBody, VerdictBody, json, raw};
use crate::verifier::Verified;

/// A stored fight in brief.
#[derive(Debug, Serialize, ToSchema)]
pub struct FightBody<'a> {
    /// Its id.
    pub fight: Uuid,
    /// `free`, `practice` or `ranked`.
    pub kind: &'static str,
    /// `sealed`, `public` or `void`.
    pub state: &'static str,
    /// The day it counts for.
    pub day: String,
    /// Who fought.
    pub pilot: PilotName,
    /// Engine tag.
    pub engine: &'a str,
    /// Digest of the engine's ruleset data.
    pub ruleset: String,
    /// The build that decided.
    pub build: &'a str,
    /// SHA-256 of the canonical replay.
    pub replay_digest: String,
    /// SHA-256 of the canonical outcome.
    pub outcome_digest: String,
    /// What boards rank by.
    pub standing: StandingBody,
    /// When it was verified.
    pub verified_at: String,
    /// Where its parts are.
    pub links: Links,
}

/// Where the parts of a fight are.
#[derive(Debug, Serialize, ToSchema)]
pub struct Links {
    /// The replay as received.
    pub replay: String,
    /// The kill report.
    pub report: String,
    /// Every event.
    pub timeline: String,
}

/// Who fought.
#[derive(Debug, Serialize, ToSchema)]
pub struct PilotName {
    /// The pilot's id.
    pub id: Uuid,
    /// The pilot's name.
    pub name: String,
}

/// The kill report.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportBody<'a> {
    /// The fight's id.
    pub fight: Uuid,
    /// `free`, `practice` or `ranked`.
    pub kind: &'static str,
    /// `sealed`, `public` or `void`.
    pub state: &'static str,
    /// Engine tag.
    pub engine: &'a str,
    /// Who fought.
    pub pilot: PilotName,
    /// What boards rank by.
    pub standing: StandingBody,
    /// The outcome, in the engine's own terms.
    #[schema(value_type = Object)]
    pub outcome: &'a RawValue,
    /// The audit of the fits, where the engine has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub snapshot: Option<&'a RawValue>,
    /// Where every event is.
    pub timeline_url: String,
    /// When the seed was given out; for free fights when it was submitted.
    pub issued_at: String,
    /// When the replay came in.
    pub submitted_at: String,
}

/// Every event of a fight.
#[derive(Debug, Serialize, ToSchema)]
pub struct TimelineBody<'a> {
    /// The fight's id.
    pub fight: Uuid,
    /// Engine tag.
    pub engine: &'a str,
    /// The events in order, in the engine's own terms.
    #[schema(value_type = Vec<Object>)]
    pub items: &'a RawValue,
}

/// Verifies a replay and stores it for the pilot, never ranked. The same replay again gives the same record.
#[utoipa::path(post, path = "/v1/fights", tag = "fights", security(("token" = [])),
    request_body(content = Object, description = "A replay"), responses(
    (status = 200, description = "This replay was stored before; the same record", body = VerdictBody),
    (status = 201, description = "Stored", body = VerdictBody, headers(("Location" = String, description = "The fight"))),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`engine`, `ruleset`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "`too_large`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "`media_type`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "Any other rejection of a replay", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`busy`, `unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn submit(
    State(app): State<Shared>,
    pilot: Pilot,
    JsonBytes(bytes): JsonBytes,
) -> Result<Response, Problem> {
    let submitted_at = app.clock.now();
    let Verified { verdict, took, .. } = app.verifier.verify(bytes.clone()).await?;
    let mut body = VerdictBody::of(&verdict, app.build)?;
    let recorded = app
        .store
        .submit(Submission {
            pilot: pilot.id,
            play: Play::Free(day_of(submitted_at, app.config.day.reset)),
            doctrine: None,
            verdict: verdict.clone(),
            received: bytes.to_vec(),
            build: app.build.to_owned(),
            submitted_at,
            verified_at: app.clock.now(),
            verify_time: took,
        })
        .await?;
    body.fight = Some(recorded.fight);
    body.kind = Some(Kind::Free.as_str());
    let mut response = json(&body)?;
    if recorded.new {
        *response.status_mut() = StatusCode::CREATED;
    }
    let location = format!("/v1/fights/{}", recorded.fight);
    response.headers_mut().insert(header::LOCATION, location.parse().map_err(|_| Problem::internal())?);
    Ok(response)
}

/// A fight in brief.
#[utoipa::path(get, path = "/v1/fights/{id}", tag = "fights", params(("id" = Uuid, Path, description = "The fight")), responses(
    (status = 200, description = "The fight", body = FightBody),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn fight(State(app): State<Shared>, Path(id): Path<Uuid>) -> Result<Response, Problem> {
    let fight = find(&app, id).await?;
    let part = |name: &str| format!("/v1/fights/{id}/{name}");
    json(&FightBody {
        fight: fight.id,
        kind: fight.kind.as_str(),
        state: state(&fight),
        day: fight.day.to_string(),
        pilot: PilotName { id: fight.pilot, name: fight.pilot_name.clone().unwrap_or_default() },
        engine: &fight.engine,
        ruleset: fight.ruleset.hex(),
        build: &fight.build,
        replay_digest: fight.replay_digest.hex(),
        outcome_digest: fight.outcome_digest.hex(),
        standing: fight.standing.into(),
        verified_at: fight.verified_at.to_string(),
        links: Links { replay: part("replay"), report: part("report"), timeline: part("timeline") },
    })
}

/// The replay, byte for byte as it was received.
#[utoipa::path(get, path = "/v1/fights/{id}/replay", tag = "fights", params(("id" = Uuid, Path, description = "The fight")), responses(
    (status = 200, description = "The replay as received", body = Object),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn replay(State(app): State<Shared>, Path(id): Path<Uuid>) -> Result<Response, Problem> {
    let received = app.store.received(id).await?.ok_or_else(|| Problem::not_found("such fight"))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], received).into_response())
}

/// The kill report: outcome and the audit of the fits, as they were stored.
#[utoipa::path(get, path = "/v1/fights/{id}/report", tag = "fights", params(("id" = Uuid, Path, description = "The fight")), responses(
    (status = 200, description = "The report", body = ReportBody),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn report(State(app): State<Shared>, Path(id): Path<Uuid>) -> Result<Response, Problem> {
    let fight = find(&app, id).await?;
    let stored = app.store.documents(id).await?.ok_or_else(|| Problem::not_found("such fight"))?;
    json(&ReportBody {
        fight: fight.id,
        kind: fight.kind.as_str(),
        state: state(&fight),
        engine: &fight.engine,
        pilot: PilotName { id: fight.pilot, name: fight.pilot_name.clone().unwrap_or_default() },
        standing: fight.standing.into(),
        outcome: raw(&stored.outcome)?,
        snapshot: stored.snapshot.as_deref().map(raw).transpose()?,
        timeline_url: format!("/v1/fights/{id}/timeline"),
        issued_at: fight.issued_at.unwrap_or(fight.submitted_at).to_string(),
        submitted_at: fight.submitted_at.to_string(),
    })
}

/// Every event of the fight, made by running the stored replay again.
#[utoipa::path(get, path = "/v1/fights/{id}/timeline", tag = "fights", params(("id" = Uuid, Path, description = "The fight")), responses(
    (status = 200, description = "The events", body = TimelineBody),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 410, description = "`engine_retired`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`busy`, `unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn timeline(State(app): State<Shared>, Path(id): Path<Uuid>) -> Result<Response, Problem> {
    let fight = find(&app, id).await?;
    if app.verifier.registry().get(&fight.engine).is_none() {
        let detail =
            format!("this build has no engine {} any more; what it decided is in the report", fight.engine);
        return Err(Problem::new(StatusCode::GONE, "engine_retired", detail));
    }
    let received = app.store.received(id).await?.ok_or_else(|| Problem::not_found("such fight"))?;
    let events = app.verifier.run(move |registry| registry.timeline(&received)).await?;
    json(&TimelineBody { fight: id, engine: &fight.engine, items: raw(&events)? })
}

async fn find(app: &App, id: Uuid) -> Result<Fight, Problem> {
    app.store.fight(id).await?.ok_or_else(|| Problem::not_found("such fight"))
}

fn state(fight: &Fight) -> &'static str {
    if fight.void.is_some() { "void" } else { "public" }
}
