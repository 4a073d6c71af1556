//! Every "no" of the HTTP interface: problem+json with a stable code (http-api, "Statuses").

use axum::Json;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use ongrid_engine::Rejection;
use ongrid_store::{Conflict, Error as StoreError};
use serde::Serialize;
use utoipa::ToSchema;

/// The media type of a problem.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// The body of an error.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProblemBody {
    /// Where the code is explained.
    #[serde(rename = "type")]
    pub kind: String,
    /// The status in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// Stable code, snake_case.
    pub code: String,
    /// One sentence for a person.
    pub detail: String,
    /// JSON pointer to the fault in the document that was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Index of the call at fault, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
    /// Round, ship and group at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Place>,
    /// The engine tags or ruleset digests known here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Vec<String>>,
}

/// Where in a fight a call was refused.
#[derive(Debug, Serialize, ToSchema)]
pub struct Place {
    /// Round in progress, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// Ship id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ship: Option<u32>,
    /// Index of the group in the ship's fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
}

/// A refusal: status, stable code, and a sentence that may be shown; what must not be shown goes to the log.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    body: Box<ProblemBody>,
    retry_after: Option<u64>,
}

impl Problem {
    /// A problem with a status, a code and a sentence.
    pub fn new(status: StatusCode, code: impl Into<String>, detail: impl Into<String>) -> Self {
        let code = code.into();
        Self {
            status,
            body: Box::new(ProblemBody {
                kind: format!("/docs#{code}"),
                title: status.canonical_reason().unwrap_or("Error").to_owned(),
                status: status.as_u16(),
                code,
                detail: detail.into(),
                path: None,
                call: None,
                at: None,
                known: None,
            }),
            retry_after: None,
        }
    }

    /// 404 of a thing that is not here.
    pub fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", format!("there is no {what} here"))
    }

    /// 401 for want of a valid token.
    pub fn unauthorized(detail: &str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", detail)
    }

    /// 403.
    pub fn forbidden(code: &str, detail: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, detail)
    }

    /// 503 that passes by itself.
    pub fn busy(code: &str, detail: &str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, detail).retry_after(1)
    }

    /// 500; the reason is in the log, not in the answer.
    pub fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "something went wrong here; nothing was stored",
        )
    }

    /// Names the place in the document that was sent.
    pub fn at_path(mut self, path: impl Into<String>) -> Self {
        self.body.path = Some(path.into());
        self
    }

    /// Says when to come again, in seconds.
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// Whether it passes by itself, or is ours to mend.
    pub fn is_server_error(&self) -> bool {
        self.status.is_server_error()
    }

    /// The stable code.
    pub fn code(&self) -> &str {
        &self.body.code
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The status in words.
    pub fn title(&self) -> &str {
        &self.body.title
    }

    /// The sentence for a person.
    pub fn detail(&self) -> &str {
        &self.body.detail
    }
}

/// The status of a rejection (http-api, "Statuses").
fn status_of(code: &str) -> StatusCode {
    match code {
        "format" => StatusCode::BAD_REQUEST,
        "engine" | "ruleset" => StatusCode::CONFLICT,
        "too_large" => StatusCode::PAYLOAD_TOO_LARGE,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

impl From<Rejection> for Problem {
    fn from(no: Rejection) -> Self {
        let mut problem = Self::new(status_of(no.code()), no.code(), no.message());
        let at = no.at();
        problem.body.path = no.path().map(str::to_owned);
        problem.body.call = no.call();
        if at.round.is_some() || at.ship.is_some() || at.group.is_some() {
            problem.body.at = Some(Place { round: at.round, ship: at.ship, group: at.group });
        }
        if !at.known.is_empty() {
            problem.body.known = Some(at.known.clone());
        }
        problem
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy => {
                Self::busy("busy", "too many submissions are waiting to be stored; try again in a moment")
            }
            StoreError::Unavailable(reason) => {
                tracing::warn!(%reason, "the database cannot do it now");
                Self::busy(
                    "unavailable",
                    "the database cannot do it now; nothing was stored, try again in a moment",
                )
            }
            StoreError::Conflict(conflict) => conflict.into(),
            other => {
                tracing::error!(error = %other, "the store failed");
                Self::internal()
            }
        }
    }
}

impl From<Conflict> for Problem {
    fn from(conflict: Conflict) -> Self {
        let (status, code) = match conflict {
            Conflict::UnknownPilot | Conflict::UnknownToken | Conflict::UnknownFight => {
                (StatusCode::NOT_FOUND, "not_found")
            }
            Conflict::UnknownAttempt | Conflict::UnknownDay => (StatusCode::NOT_FOUND, "not_found"),
            Conflict::NameTaken => (StatusCode::CONFLICT, "name_taken"),
            Conflict::TokenTaken => (StatusCode::CONFLICT, "token_taken"),
            Conflict::DayBegun => (StatusCode::CONFLICT, "day_begun"),
            Conflict::AttemptOpen => (StatusCode::CONFLICT, "attempt_open"),
            Conflict::NoAttemptLeft => (StatusCode::CONFLICT, "no_attempt_left"),
            Conflict::AttemptSpent => (StatusCode::CONFLICT, "attempt_spent"),
            Conflict::AttemptDiffers => (StatusCode::CONFLICT, "setup_differs"),
            Conflict::NotArchivable => (StatusCode::CONFLICT, "not_archivable"),
            Conflict::NotLeading => (StatusCode::CONFLICT, "not_leading"),
            Conflict::SameState => (StatusCode::CONFLICT, "same_state"),
            Conflict::AttemptExpired => (StatusCode::GONE, "attempt_expired"),
            Conflict::DayClosed => (StatusCode::GONE, "day_closed"),
        };
        Self::new(status, code, conflict.to_string())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let code = HeaderValue::from_str(&self.body.code).ok();
        let mut response = (self.status, Json(&*self.body)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if self.body.code == "content_encoding" {
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"ongrid\""));
        }
        if let Some(code) = code {
            response.extensions_mut().insert(ProblemCode(code));
        }
        response
    }
}

/// The code of an answer that is a problem, for the log and the counters.
#[derive(Clone, Debug)]
pub struct ProblemCode(pub HeaderValue);

/// The answer to a path that is none.
pub async fn no_route() -> Problem {
    Problem::not_found("such route")
}

/// The answer to a method that a route does not have.
pub async fn no_method() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "this route has no such method")
}

/// Makes a problem of every refusal that is none yet: those of the layers, whose bodies are empty or plain text.
pub async fn dress(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let status = response.status();
    // A page that says no says it to people.
    let dressed = |kind: &HeaderValue| kind == PROBLEM_JSON || kind.as_bytes().starts_with(b"text/html");
    let is_problem = response.headers().get(header::CONTENT_TYPE).is_some_and(dressed);
    if is_problem || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (code, detail) = match status {
        StatusCode::REQUEST_TIMEOUT => ("timeout", "the request took too long; a body must come in time"),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ("media_type", "the body is of no type that is read here"),
        StatusCode::PAYLOAD_TOO_LARGE => ("too_large", "the body is too long"),
        StatusCode::NOT_FOUND => ("not_found", "there is no such thing here"),
        status if status.is_server_error() => ("internal", "something went wrong here; nothing was stored"),
        _ => ("format", "the request is not what it should be"),
    };
    let mut problem = Problem::new(status, code, detail).into_response();
    for (name, value) in response.headers() {
        if ![header::CONTENT_TYPE, header::CONTENT_LENGTH].contains(name) {
            problem.headers_mut().insert(name, value.clone());
        }
    }
    problem
}

/// A panic in a handler: the reason is logged, the client gets a 500.
pub fn from_panic(panic: Box<dyn std::any::Any + Send>) -> Response {
    let reason = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let reason = reason.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    tracing::error!(reason, "a handler panicked");
    Problem::internal().into_response()
}
