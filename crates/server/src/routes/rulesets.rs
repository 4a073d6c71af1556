//! The engines known here and the data behind their rules.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ongrid_engine::{Digest, Referee};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::Shared;
use crate::problem::{Problem, ProblemBody};

/// The engines known here.
#[derive(Debug, Serialize, ToSchema)]
pub struct Rulesets {
    /// In the order of the registry.
    pub items: Vec<Ruleset>,
}

/// One engine.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ruleset {
    /// The tag that a replay names, matched exactly.
    pub engine: &'static str,
    /// SHA-256 over the ruleset's data files in order.
    pub ruleset: String,
    /// Most calls a replay may have.
    pub max_calls: usize,
    /// The data files.
    pub data: Vec<Data>,
    /// Setups that come with the engine.
    pub scenarios: Vec<ScenarioBody>,
    /// The rules and the shape of calls in the project's own words, Markdown.
    pub rules: &'static str,
}

/// A setup that comes with an engine.
#[derive(Debug, Serialize, ToSchema)]
pub struct ScenarioBody {
    /// Its name.
    pub name: &'static str,
    /// What it is about.
    pub about: &'static str,
}

/// One file of ruleset data.
#[derive(Debug, Serialize, ToSchema)]
pub struct Data {
    /// Its name.
    pub name: &'static str,
    /// Its length in bytes.
    pub bytes: usize,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Where it is served.
    pub url: String,
}

impl Ruleset {
    fn of(referee: &dyn Referee) -> Self {
        let data = referee.ruleset().files().iter().map(|file| Data {
            name: file.name,
            bytes: file.bytes.len(),
            sha256: Digest::of(file.bytes).hex(),
            url: format!("/v1/rulesets/{}/data/{}", referee.tag(), file.name),
        });
        let scenarios = referee.scenarios().iter();
        Self {
            engine: referee.tag(),
            ruleset: referee.ruleset().digest().hex(),
            max_calls: referee.max_calls(),
            data: data.collect(),
            scenarios: scenarios
                .map(|scenario| ScenarioBody { name: scenario.name, about: scenario.about })
                .collect(),
            rules: referee.rules(),
        }
    }
}

/// The engines known here.
#[utoipa::path(get, path = "/v1/rulesets", tag = "rulesets", responses((status = 200, description = "All engines", body = Rulesets)))]
pub async fn list(State(app): State<Shared>) -> Json<Rulesets> {
    Json(Rulesets { items: app.verifier.registry().iter().map(Ruleset::of).collect() })
}

/// One engine.
#[utoipa::path(get, path = "/v1/rulesets/{tag}", tag = "rulesets", params(("tag" = String, Path, description = "Engine tag")), responses(
    (status = 200, description = "The engine", body = Ruleset),
    (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn ruleset(State(app): State<Shared>, Path(tag): Path<String>) -> Result<Json<Ruleset>, Problem> {
    let referee = app.verifier.registry().get(&tag).ok_or_else(|| Problem::not_found("such engine"))?;
    Ok(Json(Ruleset::of(referee)))
}

/// A data file, as it went into the ruleset's digest. It never changes under its tag.
#[utoipa::path(get, path = "/v1/rulesets/{tag}/data/{file}", tag = "rulesets",
    params(("tag" = String, Path, description = "Engine tag"), ("file" = String, Path, description = "File name")),
    responses(
        (status = 200, description = "The file; ETag is the SHA-256 of its bytes", content_type = "text/plain"),
        (status = 304, description = "Not changed since the ETag that was sent"),
        (status = 404, description = "`not_found`", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub async fn data(
    State(app): State<Shared>,
    Path((tag, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let referee = app.verifier.registry().get(&tag).ok_or_else(|| Problem::not_found("such engine"))?;
    let file = referee.ruleset().files().iter().find(|file| file.name == name);
    let file = file.ok_or_else(|| Problem::not_found("such data file"))?;
    let etag = format!("\"{}\"", Digest::of(file.bytes));
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|sent| sent.as_bytes() == etag.as_bytes());
    let kind = if name.ends_with(".json") { "application/json" } else { "text/plain; charset=utf-8" };
    let mut response = match known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => ([(header::CONTENT_TYPE, kind)], file.bytes).into_response(),
    };
    let fixed = HeaderValue::from_static("public, max-age=31536000, immutable");
    response.headers_mut().insert(header::CACHE_CONTROL, fixed);
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    Ok(response)
}
