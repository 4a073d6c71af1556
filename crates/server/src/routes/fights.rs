//! Stored fights: submitted by pilots, read by anyone.

use axum::extract::{Extension, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use ongrid_store::{Board, Fight, Kind, Micros, Play, Rank, Role, Submission};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::{App, Shared};
use crate::auth::{Caller, Pilot};
use crate::body::JsonBytes;
use crate::limits;
use crate::path::Id;
use crate::problem::{Problem, ProblemBody};
use crate::routes::verify::{RankBody, StandingBody, VerdictBody, json, raw};
use crate::telemetry::Trail;
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
    /// From the issue of the attempt to the submission, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u64>,
    /// The first fight of another pilot with the same fleet and calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copied_from: Option<Uuid>,
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
    /// The board of its scenario, where it counts for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
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
    /// Rank on the day's board, where this is the fight that stands there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<RankBody>,
    /// The first fight of another pilot with the same fleet and calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copied_from: Option<Uuid>,
    /// Until when it is sealed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sealed_until: Option<String>,
    /// When and why it was voided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void: Option<VoidBody>,
    /// The outcome, in the engine's own terms; not while it is sealed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub outcome: Option<&'a RawValue>,
    /// The audit of the fits, where the engine has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub snapshot: Option<&'a RawValue>,
    /// What happened, in the engine's own terms; not while it is sealed, nor where this build lacks the engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub summary: Option<&'a RawValue>,
    /// Where every event is.
    pub timeline_url: String,
    /// When the seed was given out; for free fights when it was submitted.
    pub issued_at: String,
    /// When the replay came in.
    pub submitted_at: String,
    /// From the issue of the attempt to the submission, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u64>,
}

/// When and why a fight was voided.
#[derive(Debug, Serialize, ToSchema)]
pub struct VoidBody {
    /// When.
    pub at: String,
    /// Why.
    pub reason: String,
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
#[utoipa::path(post, path = "/v1/fights", operation_id = "submit_fight", tag = "fights", security(("token" = [])),
    request_body(content = Object, description = "A replay"), responses(
    (status = 200, description = "This replay was stored before; the same record", body = VerdictBody),
    (status = 201, description = "Stored", body = VerdictBody, headers(("Location" = String, description = "The fight"))),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`engine`, `ruleset`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "`too_large`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "`media_type`, `content_encoding`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`too_many_calls`, `unfinished`, `trailing_calls`, `wrong_ship`, `fleet_size`, `fleet_points`, `limit`, `bad_setup`, and every other code by which an engine refuses a setup or a call", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`, `too_many_at_once`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`busy`, `unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn submit(
    State(app): State<Shared>,
    Extension(caller): Extension<limits::Caller>,
    pilot: Result<Pilot, Problem>,
    sent: Result<JsonBytes, Problem>,
) -> Result<Response, Problem> {
    let (pilot, JsonBytes(bytes)) = (pilot?, sent?);
    let submitted_at = app.clock.now();
    let _under_way = app.limits.begin(caller)?;
    let trail = Trail::begin(Some(pilot.id));
    app.admit(&trail)?;
    let Verified { verdict, took, placed } = app.verifier.verify(bytes.clone(), &trail).await?;
    let mut body = VerdictBody::of(&verdict, placed, app.build)?;
    let submission = Submission {
        pilot: pilot.id,
        play: Play::Free {
            day: app.calendar.day_of(submitted_at),
            scenario: verdict.engine != app.fleets.tag(),
        },
        doctrine: None,
        verdict: verdict.clone(),
        received: bytes.to_vec(),
        build: app.build.to_owned(),
        submitted_at,
        verified_at: app.clock.now(),
        verify_time: took,
    };
    let recorded = app.submit(submission, &trail).await?;
    body.fight = Some(recorded.fight);
    // A replay that became an attempt's keeps its kind.
    body.kind = Some(recorded.kind.as_str());
    body.receipt = Some(app.receipt(pilot.id, &recorded, &verdict)?);
    let mut response = json(&body)?;
    if recorded.new {
        *response.status_mut() = StatusCode::CREATED;
    }
    let location = format!("/v1/fights/{}", recorded.fight);
    response.headers_mut().insert(header::LOCATION, location.parse().map_err(|_| Problem::internal())?);
    Ok(response)
}

/// A fight in brief.
#[utoipa::path(get, path = "/v1/fights/{id}", tag = "fights", security((), ("token" = [])), params(("id" = Uuid, Path, description = "The fight")), responses(
    (status = 200, description = "The fight", body = FightBody),
    (status = 401, description = "`unauthorized`: a token was sent that is none", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 410, description = "`archived`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn fight(
    State(app): State<Shared>,
    caller: Option<Caller>,
    Id(id): Id,
) -> Result<Response, Problem> {
    let fight = app.fight(id).await?;
    let sealed = sealed_for(&app, &fight, caller.as_ref()).await?;
    json(&body(&fight, sealed.is_some()))
}

/// A fight in brief; a sealed one without what tells how it was fought.
pub fn body(fight: &Fight, sealed: bool) -> FightBody<'_> {
    let part = |name: &str| format!("/v1/fights/{}/{name}", fight.id);
    let counts = fight.kind == Kind::Free && fight.series.is_some();
    let board = || format!("/v1/boards/scenarios/{}/{}", fight.engine, fight.setup_digest.hex());
    FightBody {
        fight: fight.id,
        kind: fight.kind.as_str(),
        state: state(fight, sealed),
        day: fight.day.to_string(),
        pilot: PilotName { id: fight.pilot, name: fight.pilot_name.clone().unwrap_or_default() },
        engine: &fight.engine,
        ruleset: fight.ruleset.hex(),
        build: &fight.build,
        replay_digest: fight.replay_digest.hex(),
        outcome_digest: fight.outcome_digest.hex(),
        standing: fight.standing.into(),
        verified_at: fight.verified_at.to_string(),
        elapsed_ms: fight.elapsed().map(|elapsed| u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)),
        copied_from: fight.copied_from,
        links: Links {
            replay: part("replay"),
            report: part("report"),
            timeline: part("timeline"),
            board: counts.then(board),
        },
    }
}

/// Until when a fight is sealed for this caller; its pilot and operators always see it.
pub async fn sealed_for(
    app: &App,
    fight: &Fight,
    caller: Option<&Caller>,
) -> Result<Option<Micros>, Problem> {
    let may_see = caller.is_some_and(|Caller(principal)| {
        principal.role == Role::Operator || principal.pilot == Some(fight.pilot)
    });
    if may_see { Ok(None) } else { app.sealed_until(fight).await }
}

/// Refuses what is sealed for this caller.
async fn unsealed(app: &App, fight: &Fight, caller: Option<&Caller>) -> Result<(), Problem> {
    match sealed_for(app, fight, caller).await? {
        None => Ok(()),
        Some(until) => Err(Problem::forbidden("sealed", &format!("the fight is sealed until {until}"))),
    }
}

/// The replay, byte for byte as it was received.
#[utoipa::path(get, path = "/v1/fights/{id}/replay", tag = "fights", security((), ("token" = [])), params(("id" = Uuid, Path, description = "The fight")), responses(
    (status = 200, description = "The replay as received", body = Object),
    (status = 401, description = "`unauthorized`: a token was sent that is none", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`sealed`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 410, description = "`archived`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn replay(
    State(app): State<Shared>,
    caller: Option<Caller>,
    Id(id): Id,
) -> Result<Response, Problem> {
    unsealed(&app, &app.fight(id).await?, caller.as_ref()).await?;
    let received = app.store.received(id).await?.ok_or_else(|| Problem::not_found("such fight"))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], received).into_response())
}

/// The kill report: outcome and the audit of the fits, as they were stored.
#[utoipa::path(get, path = "/v1/fights/{id}/report", tag = "fights", security((), ("token" = [])), params(("id" = Uuid, Path, description = "The fight")), responses(
    (status = 200, description = "The report", body = ReportBody),
    (status = 401, description = "`unauthorized`: a token was sent that is none", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 410, description = "`archived`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn report(
    State(app): State<Shared>,
    caller: Option<Caller>,
    Id(id): Id,
) -> Result<Response, Problem> {
    let fight = app.fight(id).await?;
    let sealed_until = sealed_for(&app, &fight, caller.as_ref()).await?;
    let stored = match sealed_until {
        Some(_) => None,
        None => Some(app.store.documents(id).await?.ok_or_else(|| Problem::not_found("such fight"))?),
    };
    let summary = match (&stored, app.verifier.registry().get(&fight.engine)) {
        (Some(stored), Some(_)) => {
            let replay = stored.replay.clone();
            Some(app.verifier.run(move |registry| registry.report(&replay)).await?)
        }
        _ => None,
    };
    let rank = day_rank(&app, &fight).await?;
    json(&ReportBody {
        fight: fight.id,
        rank: rank.as_ref().map(RankBody::from),
        copied_from: fight.copied_from,
        kind: fight.kind.as_str(),
        state: state(&fight, sealed_until.is_some()),
        sealed_until: sealed_until.map(|until| until.to_string()),
        void: fight
            .void
            .as_ref()
            .map(|void| VoidBody { at: void.at.to_string(), reason: void.reason.clone() }),
        engine: &fight.engine,
        pilot: PilotName { id: fight.pilot, name: fight.pilot_name.clone().unwrap_or_default() },
        standing: fight.standing.into(),
        outcome: stored.as_ref().map(|stored| raw(&stored.outcome)).transpose()?,
        snapshot: stored.as_ref().and_then(|stored| stored.snapshot.as_deref()).map(raw).transpose()?,
        summary: summary.as_deref().map(raw).transpose()?,
        timeline_url: format!("/v1/fights/{id}/timeline"),
        issued_at: fight.issued_at.unwrap_or(fight.submitted_at).to_string(),
        submitted_at: fight.submitted_at.to_string(),
        elapsed_ms: fight.elapsed().map(|elapsed| u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)),
    })
}

/// Where the fight stands on its day's board; another run of its pilot may stand there instead.
async fn day_rank(app: &App, fight: &Fight) -> Result<Option<Rank>, Problem> {
    if fight.kind != Kind::Ranked || fight.void.is_some() {
        return Ok(None);
    }
    let standing = app.store.standing(&Board::Day(fight.day), fight.pilot).await?;
    let own = standing.filter(|(row, _)| row.place.fight == fight.id);
    Ok(own.map(|(row, of)| Rank { rank: row.rank, of }))
}

/// Every event of the fight, made by running the stored replay again.
#[utoipa::path(get, path = "/v1/fights/{id}/timeline", tag = "fights", security((), ("token" = [])), params(("id" = Uuid, Path, description = "The fight")), responses(
    (status = 200, description = "The events", body = TimelineBody),
    (status = 401, description = "`unauthorized`: a token was sent that is none", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`sealed`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 410, description = "`engine_retired`, `archived`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`busy`, `unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn timeline(
    State(app): State<Shared>,
    caller: Option<Caller>,
    Id(id): Id,
) -> Result<Response, Problem> {
    let fight = app.fight(id).await?;
    unsealed(&app, &fight, caller.as_ref()).await?;
    if app.verifier.registry().get(&fight.engine).is_none() {
        let detail =
            format!("this build has no engine {} any more; what it decided is in the report", fight.engine);
        return Err(Problem::new(StatusCode::GONE, "engine_retired", detail));
    }
    let received = app.store.received(id).await?.ok_or_else(|| Problem::not_found("such fight"))?;
    let events = app.verifier.run(move |registry| registry.timeline(&received)).await?;
    json(&TimelineBody { fight: id, engine: &fight.engine, items: raw(&events)? })
}

fn state(fight: &Fight, sealed: bool) -> &'static str {
    match (&fight.void, sealed) {
        (Some(_), _) => "void",
        (None, true) => "sealed",
        (None, false) => "public",
    }
}
