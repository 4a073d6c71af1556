//! What the log says, and how.

use std::io::IsTerminal;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use tracing::{Instrument, field, info, info_span, warn};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::{Log, LogFormat};
use crate::problem::ProblemCode;

/// Starts the log.
///
/// # Errors
/// Where the filter is not one.
pub fn start(log: &Log) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&log.filter).map_err(|error| anyhow::anyhow!("log.filter: {error}"))?;
    let registry = tracing_subscriber::registry().with(filter);
    match log.format {
        LogFormat::Json => {
            registry.with(tracing_subscriber::fmt::layer().json().with_writer(std::io::stderr)).init()
        }
        LogFormat::Pretty => registry
            .with(
                tracing_subscriber::fmt::layer()
                    .compact()
                    .with_ansi(std::io::stderr().is_terminal())
                    .with_writer(std::io::stderr),
            )
            .init(),
    }
    Ok(())
}

/// One span and one line a request: method, route, status, code, time. Never a header, a query or a body.
pub async fn trace_request(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str);
    let id = request.headers().get("x-request-id").and_then(|id| id.to_str().ok()).unwrap_or_default();
    let span = info_span!("request", method = %request.method(), route, id, pilot = field::Empty, fight = field::Empty);
    let begun = Instant::now();
    async move {
        let response = next.run(request).await;
        let status = response.status().as_u16();
        let code = response
            .extensions()
            .get::<ProblemCode>()
            .and_then(|code| code.0.to_str().ok())
            .unwrap_or_default();
        let elapsed_us = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        if response.status().is_server_error() {
            warn!(status, code, elapsed_us, "answered");
        } else {
            info!(status, code, elapsed_us, "answered");
        }
        response
    }
    .instrument(span)
    .await
}
