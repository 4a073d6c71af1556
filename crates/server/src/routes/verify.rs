//! Verify any replay of any engine; nothing is stored.

use axum::extract::{Extension, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use ongrid_engine::{Standing, Verdict};
use ongrid_store::Rank;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::Shared;
use crate::body::JsonBytes;
use crate::limits;
use crate::problem::{Problem, ProblemBody};
use crate::receipts::Receipt;
use crate::telemetry::Trail;
use crate::verifier::Placed;

/// What the referee says of a replay.
#[derive(Debug, Serialize, ToSchema)]
pub struct VerdictBody<'a> {
    /// The stored fight; absent where nothing is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fight: Option<Uuid>,
    /// The attempt that the fight was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<Uuid>,
    /// `free`, `practice` or `ranked`; absent where nothing is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// `verified`
    pub status: &'static str,
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
    /// The outcome, in the engine's own terms.
    #[schema(value_type = Object)]
    pub outcome: &'a RawValue,
    /// The audit of the fits, where the engine has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub snapshot: Option<&'a RawValue>,
    /// What boards rank by.
    pub standing: StandingBody,
    /// Rank on the day's board, for ranked fights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<RankBody>,
    /// Where the client's checkpoints part from the referee's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desync: Option<Placed>,
    /// What the referee signs of a stored verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
}

/// What boards rank by.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct StandingBody {
    /// Whether the fight came to its end; unfinished ones never rank.
    pub finished: bool,
    /// Rounds it took.
    pub rounds: u32,
    /// Points.
    pub score: i64,
}

impl From<Standing> for StandingBody {
    fn from(standing: Standing) -> Self {
        Self { finished: standing.finished, rounds: standing.rounds, score: standing.score }
    }
}

/// A place on a board.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct RankBody {
    /// From 1.
    pub rank: i64,
    /// How many are on the board.
    pub of: i64,
    /// 100 × (of − rank + 1) ÷ of, one decimal.
    pub percentile: f64,
}

impl From<&Rank> for RankBody {
    fn from(rank: &Rank) -> Self {
        Self { rank: rank.rank, of: rank.of, percentile: rank.percentile() }
    }
}

impl<'a> VerdictBody<'a> {
    /// The body of a verdict that is not stored, with the place of a desync where there is one.
    ///
    /// # Errors
    /// Never for an engine's own bytes.
    pub fn of(verdict: &'a Verdict, placed: Option<Placed>, build: &'a str) -> Result<Self, Problem> {
        Ok(Self {
            fight: None,
            attempt: None,
            kind: None,
            status: "verified",
            engine: verdict.engine,
            ruleset: verdict.ruleset.hex(),
            build,
            replay_digest: verdict.replay_digest.hex(),
            outcome_digest: verdict.outcome_digest.hex(),
            outcome: raw(&verdict.outcome)?,
            snapshot: verdict.snapshot.as_deref().map(raw).transpose()?,
            standing: verdict.standing.into(),
            rank: None,
            desync: placed,
            receipt: None,
        })
    }
}

/// Stored or computed canonical bytes as a piece of an answer.
///
/// # Errors
/// 500 where they are no JSON: the record is damaged.
pub fn raw(bytes: &[u8]) -> Result<&RawValue, Problem> {
    serde_json::from_slice(bytes).map_err(|error| {
        tracing::error!(%error, "canonical bytes are no JSON");
        Problem::internal()
    })
}

/// A JSON answer whose pieces are made already.
pub fn json(body: &impl Serialize) -> Result<Response, Problem> {
    let bytes = serde_json::to_vec(body).map_err(|error| {
        tracing::error!(%error, "an answer does not serialise");
        Problem::internal()
    })?;
    Ok(([(header::CONTENT_TYPE, "application/json")], bytes).into_response())
}

/// Verifies a replay of any engine and stores nothing.
#[utoipa::path(post, path = "/v1/verify", tag = "fights", request_body(content = Object, description = "A replay"), responses(
    (status = 200, description = "The verdict", body = VerdictBody),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`engine`, `ruleset`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "`too_large`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "`media_type`, `content_encoding`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`too_many_calls`, `unfinished`, `trailing_calls`, `wrong_ship`, `fleet_size`, `fleet_points`, `limit`, `bad_setup`, and every other code by which an engine refuses a setup or a call", body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, description = "`rate_limited`, `too_many_at_once`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`busy`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn verify(
    State(app): State<Shared>,
    Extension(caller): Extension<limits::Caller>,
    JsonBytes(bytes): JsonBytes,
) -> Result<Response, Problem> {
    let _under_way = app.limits.begin(caller)?;
    let verified = app.verifier.verify(bytes, &Trail::begin(None)).await?;
    json(&VerdictBody::of(&verified.verdict, verified.placed, app.build)?)
}
