//! Attempts: a setup is frozen, then the dice are shown; one replay becomes the verdict.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::{StatusCode, header};
use axum::response::Response;
use ongrid_engine::json::{Reader, once, unknown};
use ongrid_engine::{Digest, Verdict, canonical};
use ongrid_store::{Attempt, AttemptState, Conflict, Error, Issued, NewAttempt, Play, Recorded, Submission};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::{App, Shared};
use crate::auth::Pilot;
use crate::body::JsonBytes;
use crate::limits;
use crate::path::Id;
use crate::problem::{Problem, ProblemBody};
use crate::routes::days::seed_policy;
use crate::routes::verify::{RankBody, VerdictBody, json, raw};
use crate::telemetry::Trail;
use crate::verifier::Verified;

/// An attempt.
#[derive(Debug, Serialize, ToSchema)]
pub struct AttemptBody<'a> {
    /// Its id.
    pub attempt: Uuid,
    /// The day that it counts for.
    pub day: String,
    /// From 1, over all of the pilot's attempts of that day.
    pub number: u32,
    /// `ranked` or `practice`.
    pub kind: &'static str,
    /// `open`, `spent` or `expired`.
    pub state: &'static str,
    /// Engine tag that the replay must have.
    pub engine: &'a str,
    /// Digest of the engine's ruleset data.
    pub ruleset: String,
    /// The seed that the replay must have.
    pub seed: String,
    /// The setup that the replay must have.
    #[schema(value_type = Object)]
    pub setup: &'a RawValue,
    /// SHA-256 of the canonical setup.
    pub setup_digest: String,
    /// When the seed was shown.
    pub issued_at: String,
    /// From when on it takes no replay.
    pub expires_at: String,
    /// How many different replays may yet be refused.
    pub rejected_left: u32,
    /// The fight that is its verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fight: Option<Uuid>,
}

/// What of a fleet a pilot brings; what is left out is filled in.
#[derive(Debug, ToSchema)]
#[schema(as = AttemptRequest)]
#[allow(dead_code)]
pub struct AttemptRequest {
    /// Must be the day's, where it is named.
    #[schema(value_type = String, required = false)]
    pub doctrine: Option<String>,
    /// Levels of the six skills, at most the registered ones; without them the registered ones.
    #[schema(value_type = Object, required = false)]
    pub skills: Option<()>,
    /// The ships; without them the standard issue, the doctrine's own t1 hulls.
    #[schema(value_type = Vec<Object>, required = false)]
    pub fleet: Option<()>,
}

/// Freezes a setup and shows the seed. The open attempt is answered again where the setup is the same.
#[utoipa::path(post, path = "/v1/attempts", tag = "attempts", security(("token" = [])),
    request_body(content = AttemptRequest, description = "The setup, or `{\"setup\": …}`"), responses(
    (status = 200, description = "The open attempt, again", body = AttemptBody),
    (status = 201, description = "A new attempt", body = AttemptBody, headers(("Location" = String, description = "The attempt"))),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`, `banned`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`attempt_open`, `no_attempt_left`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 410, description = "`day_closed`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "`too_large`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "`media_type`, `content_encoding`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`wrong_doctrine`, `skills_not_registered`, or why the fleet is not legal", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`busy`, `unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn issue(
    State(app): State<Shared>,
    pilot: Result<Pilot, Problem>,
    sent: Result<JsonBytes, Problem>,
) -> Result<Response, Problem> {
    let (pilot, JsonBytes(bytes)) = (pilot?, sent?);
    let now = app.clock.now();
    let day = app.today(now).await?;
    let registered = match &pilot.skills {
        Some(text) => app.fleets.read_registered(text)?,
        None => Vec::new(),
    };
    let (doctrine, fleets) = (day.doctrine.clone(), app.fleets.clone());
    let checked = app
        .verifier
        .run(move |_| {
            let (text, under) = setup_of(&bytes)?;
            let checked = fleets.complete(text, &doctrine, &registered);
            checked.map_err(|no| if under { no.under("setup") } else { no })
        })
        .await?;
    let secret = app.calendar.secret(&day)?;
    let (policy, tag, number_day, id) =
        (seed_policy(day.policy.seed), day.engine.clone(), day.day, pilot.id.to_string());
    let issued = app
        .store
        .issue_attempt(NewAttempt {
            pilot: pilot.id,
            day: day.day,
            now,
            ruleset: app.fleets.ruleset(),
            setup: checked.setup,
            setup_digest: checked.digest,
            seed: Arc::new(move |number| *secret.seed(policy, &tag, number_day, &id, number).bytes()),
        })
        .await;
    let Issued { attempt, new } = issued.map_err(|error| match error {
        Error::Conflict(Conflict::AttemptOpen) => Problem::new(
            StatusCode::CONFLICT,
            "attempt_open",
            "an attempt with another setup is open: submit its replay, or let it expire",
        ),
        error => error.into(),
    })?;
    let mut response = body(&attempt, &app)?;
    if new {
        *response.status_mut() = StatusCode::CREATED;
        let location = format!("/v1/attempts/{}", attempt.id);
        response.headers_mut().insert(header::LOCATION, location.parse().map_err(|_| Problem::internal())?);
    }
    Ok(response)
}

/// The setup in a body: the body itself, or its member `setup`.
fn setup_of(bytes: &Bytes) -> ongrid_engine::Result<(&str, bool)> {
    let mut json = Reader::from_bytes(bytes)?;
    json.skip()?;
    json.end()?;
    let mut member = None;
    let wrapped = Reader::new(json.text()).object(|json, key| match key {
        "setup" => once(&mut member, json.skip()?),
        _ => Err(unknown()),
    });
    match (wrapped, member) {
        (Ok(()), Some(setup)) => Ok((setup, true)),
        _ => Ok((json.text(), false)),
    }
}

/// An attempt of the pilot's own.
#[utoipa::path(get, path = "/v1/attempts/{id}", tag = "attempts", security(("token" = [])),
    params(("id" = Uuid, Path, description = "The attempt")), responses(
    (status = 200, description = "The attempt", body = AttemptBody),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`, `banned`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn attempt(State(app): State<Shared>, pilot: Pilot, Id(id): Id) -> Result<Response, Problem> {
    body(&own(&app, &pilot, id).await?, &app)
}

/// Takes the replay of an attempt. The same canonical replay again gets the same verdict.
#[utoipa::path(post, path = "/v1/attempts/{id}/replay", operation_id = "submit_replay", tag = "attempts", security(("token" = [])),
    params(("id" = Uuid, Path, description = "The attempt")), request_body(content = Object, description = "A replay"), responses(
    (status = 200, description = "This replay is stored already: as the verdict, which is answered again, or as a free fight, which is the verdict from now on", body = VerdictBody),
    (status = 201, description = "The verdict, stored", body = VerdictBody, headers(("Location" = String, description = "The fight"))),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 401, description = "`unauthorized`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, description = "`forbidden`, `banned`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`engine`, `ruleset`, `setup_differs`, `attempt_spent`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 410, description = "`attempt_expired`, `day_closed`", body = ProblemBody, content_type = "application/problem+json"),
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
    id: Result<Id, Problem>,
    sent: Result<JsonBytes, Problem>,
) -> Result<Response, Problem> {
    let (pilot, Id(id), JsonBytes(bytes)) = (pilot?, id?, sent?);
    let submitted_at = app.clock.now();
    let _under_way = app.limits.begin(caller)?;
    let trail = Trail::begin(Some(pilot.id));
    app.admit(&trail)?;
    let Verified { verdict, took, placed } = match app.verifier.verify(bytes.clone(), &trail).await {
        Ok(verified) => verified,
        // What passes by itself is no refusal of this replay.
        Err(problem) if problem.is_server_error() => return Err(problem),
        Err(problem) => return Err(refuse(&app, own(&app, &pilot, id).await?, &bytes, problem).await?),
    };
    let mut body = VerdictBody::of(&verdict, placed, app.build)?;
    // The attempt is not read: the transaction takes it only for its own pilot, seed, engine and setup, and in time.
    let submission = Submission {
        pilot: pilot.id,
        play: Play::Attempt(id),
        doctrine: None,
        verdict: verdict.clone(),
        received: bytes.to_vec(),
        build: app.build.to_owned(),
        submitted_at,
        verified_at: app.clock.now(),
        verify_time: took,
    };
    let recorded = match app.submit(submission, &trail).await {
        Err(problem) if problem.code() == "setup_differs" => {
            let attempt = own(&app, &pilot, id).await?;
            let no = difference(&attempt, &verdict).unwrap_or(problem);
            return Err(refuse(&app, attempt, &bytes, no).await?);
        }
        recorded => recorded?,
    };
    body.receipt = Some(app.receipt(pilot.id, &recorded, &verdict)?);
    answer(&mut body, &recorded)
}

/// The verdict of a stored fight.
fn answer(body: &mut VerdictBody<'_>, recorded: &Recorded) -> Result<Response, Problem> {
    body.fight = Some(recorded.fight);
    body.kind = Some(recorded.kind.as_str());
    body.attempt = recorded.attempt;
    body.rank = recorded.rank.as_ref().map(RankBody::from);
    let mut response = json(body)?;
    if recorded.new {
        *response.status_mut() = StatusCode::CREATED;
    }
    let location = format!("/v1/fights/{}", recorded.fight);
    response.headers_mut().insert(header::LOCATION, location.parse().map_err(|_| Problem::internal())?);
    Ok(response)
}

/// In what a replay is not its attempt's: engine, seed or canonical setup.
fn difference(attempt: &Attempt, verdict: &Verdict) -> Option<Problem> {
    let differs = |path: &str, detail: &str| {
        Some(Problem::new(StatusCode::CONFLICT, "setup_differs", detail).at_path(path))
    };
    if verdict.engine != attempt.engine {
        let detail = format!("the attempt is of engine {}, the replay of {}", attempt.engine, verdict.engine);
        return Some(Problem::new(StatusCode::CONFLICT, "engine", detail).at_path("/engine"));
    }
    if verdict.seed.bytes()[..] != attempt.seed {
        return differs("/seed", "the replay has another seed than the attempt");
    }
    if verdict.setup_digest != attempt.setup_digest {
        return differs("/setup", "the replay has another setup than the one that the attempt froze");
    }
    None
}

/// Counts a refused replay; an attempt that takes none any more says so instead.
async fn refuse(
    app: &App,
    mut attempt: Attempt,
    bytes: &Bytes,
    problem: Problem,
) -> Result<Problem, Problem> {
    let (digest, code) = (Digest::of(bytes), problem.code().to_owned());
    let now = app.clock.now();
    if attempt.state_at(now) == AttemptState::Open {
        let rejected = app.store.reject(attempt.id, attempt.pilot, digest, &code).await?;
        if rejected.counted {
            return Ok(problem);
        }
        // Others spent it since it was read.
        attempt = rejected.attempt;
    }
    Ok(match attempt.state {
        AttemptState::Spent => Conflict::AttemptSpent.into(),
        _ if attempt.final_at <= now => Conflict::DayClosed.into(),
        _ => Conflict::AttemptExpired.into(),
    })
}

/// The pilot's own attempt; anybody else's is not there.
async fn own(app: &App, pilot: &Pilot, id: Uuid) -> Result<Attempt, Problem> {
    let attempt = app.store.attempt(id).await?;
    attempt.filter(|attempt| attempt.pilot == pilot.id).ok_or_else(|| Conflict::UnknownAttempt.into())
}

fn body(attempt: &Attempt, app: &App) -> Result<Response, Problem> {
    json(&AttemptBody {
        attempt: attempt.id,
        day: attempt.day.to_string(),
        number: attempt.number,
        kind: attempt.kind.as_str(),
        state: match attempt.state_at(app.clock.now()) {
            AttemptState::Open => "open",
            AttemptState::Spent => "spent",
            AttemptState::Expired => "expired",
        },
        engine: &attempt.engine,
        ruleset: attempt.ruleset.hex(),
        seed: canonical::hex(&attempt.seed),
        setup: raw(&attempt.setup)?,
        setup_digest: attempt.setup_digest.hex(),
        issued_at: attempt.issued_at.to_string(),
        expires_at: attempt.expires_at.to_string(),
        rejected_left: attempt.rejected_left(),
        fight: attempt.fight,
    })
}
