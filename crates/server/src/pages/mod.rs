//! Pages for people: made of records, served without anything from elsewhere, whole without scripts.
//!
//! A page is a handler that gathers, a view that says what is shown, and a template that is checked when it is compiled.

pub mod assets;
mod boards;
mod fitting;
mod format;
mod home;
mod ops;
mod pilots;
mod play;
mod preview;
mod report;
mod rules;
mod stroke;
mod visitor;

use askama::Template;
use axum::Router;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use serde::de::DeserializeOwned;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::app::Shared;
use crate::path::Id;
use crate::problem::Problem;

/// Nothing from elsewhere, nothing inline, nobody's frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The pages' routes.
pub fn router() -> Router<Shared> {
    let fixed = |name: &'static str, value: &'static str| {
        let (name, value) = (HeaderName::from_static(name), HeaderValue::from_static(value));
        SetResponseHeaderLayer::if_not_present(name, value)
    };
    Router::new()
        .route("/", get(home::today))
        .route("/days/{day}", get(home::day))
        .route("/boards", get(boards::index))
        .route("/boards/days/{day}", get(boards::of_day))
        .route("/boards/seasons/{month}", get(boards::of_season))
        .route("/boards/doctrines/{id}", get(boards::of_doctrine))
        .route("/pilots/{id}", get(pilots::page))
        .route("/login", get(ops::login_page).post(ops::log_in))
        .route("/logout", post(ops::log_out))
        .route("/ops", get(ops::page))
        .route("/ops/events", get(ops::events))
        .route("/fights/{id}/void", post(ops::void))
        .route("/fights/{id}/restore", post(ops::restore))
        .route("/fights/{id}", get(report::page))
        .route("/fights/{id}/rounds/{round}", get(report::round))
        .route("/fights/{id}/preview.png", get(report::preview))
        .route("/fitting", get(fitting::open).post(fitting::fill))
        .route("/play", get(play::page))
        .route("/play/{version}/{*name}", get(play::file))
        .route("/rules", get(rules::index))
        .route("/rules/{tag}", get(rules::engine))
        .route("/rules/{tag}/{list}", get(rules::list))
        .route("/assets/{name}", get(assets::asset))
        .layer(fixed("content-security-policy", POLICY))
        .layer(fixed("cross-origin-opener-policy", "same-origin"))
        .layer(fixed("cache-control", "no-cache"))
}

/// What every page says of itself.
#[derive(Debug)]
pub struct Page {
    /// Its title, without the name of the site.
    pub title: String,
    /// What it is, in a sentence.
    pub description: String,
    /// The part of the site it belongs to, as the navigation names it.
    pub section: &'static str,
    /// For pages that are shared: its own address and that of its preview image.
    pub shared: Option<(String, String)>,
}

impl Page {
    /// A page of a part of the site.
    pub fn new(section: &'static str, title: impl Into<String>, description: impl Into<String>) -> Self {
        Self { title: title.into(), description: description.into(), section, shared: None }
    }

    /// Parts of the site: name, address.
    pub fn sections(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("Today", "/"),
            ("Play", "/play"),
            ("Boards", "/boards"),
            ("Fitting", "/fitting"),
            ("Rules", "/rules"),
        ]
    }
}

/// A problem, as a page.
#[derive(Debug)]
pub struct PageProblem(Problem);

impl<T: Into<Problem>> From<T> for PageProblem {
    fn from(problem: T) -> Self {
        Self(problem.into())
    }
}

/// `{id}` of a page's path.
#[derive(Clone, Copy, Debug)]
pub struct PageId(pub uuid::Uuid);

impl FromRequestParts<Shared> for PageId {
    type Rejection = PageProblem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, PageProblem> {
        let Id(id) = Id::from_request_parts(parts, app).await?;
        Ok(Self(id))
    }
}

/// The query of a page.
#[derive(Debug)]
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<Shared> for Asked<T> {
    type Rejection = PageProblem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, PageProblem> {
        match Query::<T>::from_request_parts(parts, app).await {
            Ok(Query(asked)) => Ok(Self(asked)),
            Err(error) => Err(Problem::new(StatusCode::BAD_REQUEST, "format", error.body_text()).into()),
        }
    }
}

/// What a handler of a page answers.
pub type PageResult = Result<Response, PageProblem>;

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    page: Page,
    status: u16,
    code: &'a str,
    detail: &'a str,
}

impl IntoResponse for PageProblem {
    fn into_response(self) -> Response {
        let Self(problem) = self;
        let page = ProblemPage {
            page: Page::new("", problem.title(), problem.detail()),
            status: problem.status().as_u16(),
            code: problem.code(),
            detail: problem.detail(),
        };
        let text = page.render();
        // The problem's own answer has the status and what goes with it.
        let mut response = problem.into_response();
        if let Ok(text) = text {
            *response.body_mut() = text.into();
            let html = HeaderValue::from_static("text/html; charset=utf-8");
            response.headers_mut().insert(header::CONTENT_TYPE, html);
            response.headers_mut().remove(header::CONTENT_LENGTH);
        }
        response
    }
}

/// A rendered page.
pub fn html(template: &impl Template) -> PageResult {
    match template.render() {
        Ok(text) => Ok(Html(text).into_response()),
        Err(error) => {
            tracing::error!(%error, "a page does not render");
            Err(Problem::internal().into())
        }
    }
}

/// The answer to a path that is none: a page for browsers, a problem for the others.
pub async fn no_route(uri: Uri, headers: HeaderMap) -> Response {
    let accepts = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    if !accepts.contains("text/html") || uri.path().starts_with("/v1/") {
        return Problem::not_found("such route").into_response();
    }
    let mut response = PageProblem::from(Problem::not_found("such page")).into_response();
    let policy = HeaderValue::from_static(POLICY);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    debug_assert_eq!(response.status(), StatusCode::NOT_FOUND);
    response
}

/// Where the service is, as the caller calls it: for links that leave the site.
pub fn origin(headers: &HeaderMap) -> String {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let plain = |host: &&str| {
        !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".:-[]".contains(&byte))
    };
    let host = text("host").filter(plain).unwrap_or("localhost");
    let scheme = if text("x-forwarded-proto") == Some("https") { "https" } else { "http" };
    format!("{scheme}://{host}")
}

/// A heading drawn with strokes, for templates.
pub fn stroke_svg(text: impl AsRef<str>) -> String {
    stroke::svg(text.as_ref())
}

/// Points with their thousands parted, for templates.
pub fn score_text(score: impl std::borrow::Borrow<i64>) -> String {
    format::whole(*score.borrow() as f64)
}
