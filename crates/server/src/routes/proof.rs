//! What proves that a verdict was given and that no record was changed since: keys, proofs, checkpoints.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use ongrid_engine::canonical::hex;
use ongrid_store::{Checkpoint, Day};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::{App, Shared};
use crate::merkle::{self, Hash, Steps};
use crate::path::Id;
use crate::problem::{Problem, ProblemBody};
use crate::receipts::{KeyRing, PublishedKey, Receipt, unhex};
use crate::routes::boards::query;
use crate::routes::verify::json;
use crate::translog;

/// What proves that a receipt is in the log.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ProofBody {
    /// The leaf's place in the log, from 0.
    pub index: u64,
    /// How many leaves the checkpoint covers.
    pub size: u64,
    /// The path to the root, hex digits (RFC 6962, 2.1.1).
    pub hashes: Vec<String>,
    /// The signed note (C2SP tlog-checkpoint).
    pub checkpoint: String,
    /// The receipt; absent where its day is archived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
}

impl ProofBody {
    /// Whether this proves that a receipt is in the log, by these keys alone.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence.
    pub fn check(&self, keys: &KeyRing, receipt: &Receipt) -> anyhow::Result<()> {
        keys.check(receipt)?;
        let (size, root) = keys.check_note(&self.checkpoint)?;
        if size != self.size {
            anyhow::bail!("the proof is for {} leaves, its checkpoint signed {size}", self.size);
        }
        let hashes: Option<Vec<Hash>> = self.hashes.iter().map(|hash| unhex(hash)).collect();
        let hashes = hashes.ok_or_else(|| anyhow::anyhow!("a hash of the proof is not 64 hex digits"))?;
        if !merkle::proves_inclusion(self.index, size, receipt.body.leaf(), &hashes, &root) {
            anyhow::bail!(
                "the proof does not lead from this receipt to the signed root: it is of another, cut or changed"
            );
        }
        Ok(())
    }
}

/// What proves that one state of the log is the beginning of another.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ConsistencyBody {
    /// The earlier checkpoint, a signed note.
    pub from: String,
    /// The later one.
    pub to: String,
    /// The proof, hex digits (RFC 6962, 2.1.2); empty where they are the same.
    pub hashes: Vec<String>,
}

/// Leaves of the log.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeavesBody {
    /// Place of the first one.
    pub from: u64,
    /// The hashes, hex digits.
    pub items: Vec<String>,
}

/// Which checkpoint.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct OfDay {
    /// A day; the last checkpoint until its end. The latest where it is left out.
    day: Option<String>,
}

/// Between which days.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct Between {
    /// The earlier day.
    from: String,
    /// The later day; the latest checkpoint where it is left out.
    to: Option<String>,
}

/// Which leaves.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct LeavesPart {
    /// Place of the first one.
    #[serde(default)]
    from: u64,
}

/// The public keys of receipts and checkpoints; retired ones stay.
#[utoipa::path(get, path = "/.well-known/ongrid-keys.json", tag = "log", responses(
    (status = 200, description = "The keys", body = Vec<PublishedKey>),
))]
pub async fn keys(State(app): State<Shared>) -> Result<Response, Problem> {
    json(&app.receipts.list())
}

/// Proof that the receipt of a fight is in the log. Archived fights keep theirs.
#[utoipa::path(get, path = "/v1/fights/{id}/proof", tag = "log", params(("id" = Uuid, Path, description = "The fight")), responses(
    (status = 200, description = "The proof", body = ProofBody),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`not_logged`: within 60 seconds it will be; `unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn proof(State(app): State<Shared>, Id(id): Id) -> Result<Response, Problem> {
    let fight = app.store.fight(id).await?;
    let leaf = app.store.leaf_of(id).await?;
    let receipt = fight.map(|fight| app.receipts.sign(&(&fight).into())).transpose().map_err(failed)?;
    let Some(leaf) = leaf else {
        return Err(match receipt {
            None => Problem::not_found("such fight"),
            Some(_) => not_logged(),
        });
    };
    // A receipt that became another one a moment ago is not in the log yet.
    if receipt.as_ref().is_some_and(|receipt| receipt.body.leaf() != leaf.hash.0) {
        return Err(not_logged());
    }
    let last = latest(&app).await?;
    let steps = merkle::inclusion(leaf.position, last.size).ok_or_else(not_logged)?;
    json(&ProofBody {
        index: leaf.position,
        size: last.size,
        hashes: hashes(&app, &steps).await?,
        checkpoint: last.note,
        receipt,
    })
}

/// The checkpoint of a day, a signed note.
#[utoipa::path(get, path = "/v1/log/checkpoint", tag = "log", params(OfDay), responses(
    (status = 200, description = "The note", body = String, content_type = "text/plain"),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn checkpoint(
    State(app): State<Shared>,
    part: Result<Query<OfDay>, QueryRejection>,
) -> Result<Response, Problem> {
    let OfDay { day } = query(part)?;
    let note = of_day(&app, day.as_deref()).await?.note;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], note).into_response())
}

/// Proof that the log of a later day continues that of an earlier one.
#[utoipa::path(get, path = "/v1/log/consistency", tag = "log", params(Between), responses(
    (status = 200, description = "Both checkpoints and the proof", body = ConsistencyBody),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn consistency(
    State(app): State<Shared>,
    part: Result<Query<Between>, QueryRejection>,
) -> Result<Response, Problem> {
    let Between { from, to } = query(part)?;
    let (from, to) = (of_day(&app, Some(&from)).await?, of_day(&app, to.as_deref()).await?);
    let steps = merkle::consistency(from.size, to.size)
        .ok_or_else(|| Problem::new(StatusCode::BAD_REQUEST, "format", "`from` is after `to`"))?;
    json(&ConsistencyBody { from: from.note, to: to.note, hashes: hashes(&app, &steps).await? })
}

/// Leaves of the log in order, 1,000 at most: with them anybody can build the tree.
#[utoipa::path(get, path = "/v1/log/leaves", tag = "log", params(LeavesPart), responses(
    (status = 200, description = "The leaves", body = LeavesBody),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn leaves(
    State(app): State<Shared>,
    part: Result<Query<LeavesPart>, QueryRejection>,
) -> Result<Response, Problem> {
    let LeavesPart { from } = query(part)?;
    if i64::try_from(from).is_err() {
        let detail = format!("from is {from}, more leaves than a log can have");
        return Err(Problem::new(StatusCode::BAD_REQUEST, "format", detail));
    }
    let leaves = app.store.leaves(from, 1_000).await?;
    json(&LeavesBody { from, items: leaves.into_iter().map(|leaf| leaf.hash.hex()).collect() })
}

async fn hashes(app: &App, steps: &Steps) -> Result<Vec<String>, Problem> {
    let hashes: Vec<Hash> = translog::prove(&app.store, steps).await.map_err(failed)?;
    Ok(hashes.iter().map(|hash| hex(hash)).collect())
}

async fn latest(app: &App) -> Result<Checkpoint, Problem> {
    of_day(app, None).await
}

async fn of_day(app: &App, day: Option<&str>) -> Result<Checkpoint, Problem> {
    let day = match day {
        Some(text) => text
            .parse()
            .map_err(|_| Problem::new(StatusCode::BAD_REQUEST, "format", format!("{text:?} is no day")))?,
        None => Day(i32::MAX),
    };
    app.store.checkpoint(day).await?.ok_or_else(|| Problem::not_found("checkpoint"))
}

fn not_logged() -> Problem {
    Problem::busy("not_logged", "the receipt is not in the log yet; within 60 seconds it will be")
        .retry_after(10)
}

fn failed(error: anyhow::Error) -> Problem {
    tracing::error!(error = format!("{error:#}"), "the log cannot be proved");
    Problem::internal()
}
