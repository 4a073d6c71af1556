//! The description of the interface, for machines and for people.

use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse};

use crate::app::Shared;

/// The page has its style in it, and nothing else beside its text.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The OpenAPI 3.1 document.
#[utoipa::path(get, path = "/openapi.json", tag = "service", responses((status = 200, description = "This document", content_type = "application/json")))]
pub async fn openapi(State(app): State<Shared>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], app.openapi.clone())
}

/// The interface as a page.
#[utoipa::path(get, path = "/docs", tag = "service", responses((status = 200, description = "A page", content_type = "text/html")))]
pub async fn docs(State(app): State<Shared>) -> impl IntoResponse {
    ([(header::CONTENT_SECURITY_POLICY, POLICY)], Html(app.docs.clone()))
}
