//! What the service tells of itself. Spans and events of `tracing` are the one source: the log, the metrics
//! (`meters`) and the OpenTelemetry export (`otlp`) are layers over them.
//!
//! Two spans carry everything: `request` ([`trace_request`]) and `verification` ([`Trail`]). Neither holds a header, a
//! query, a body, a token or a secret.

mod meters;
#[cfg(feature = "otlp")]
mod otlp;
mod trail;

use std::io::IsTerminal;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use metrics_exporter_prometheus::PrometheusHandle;
use tracing::{Instrument, Metadata, field, info, info_span, warn};
use tracing_subscriber::filter::{FilterExt, LevelFilter, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use crate::config::{Config, Log, LogFormat};
use crate::problem::ProblemCode;

pub use meters::{GAUGES, Meters};
pub use trail::{Trail, micros};

/// What telemetry leaves to be served and to be ended.
#[derive(Debug)]
pub struct Telemetry {
    /// The metrics as text, where they are switched on.
    pub prometheus: Option<PrometheusHandle>,
    /// Whether anybody takes the metrics.
    pub measures: bool,
    #[cfg(feature = "otlp")]
    export: Option<otlp::Export>,
}

/// Starts log, metrics and export, for the whole process.
///
/// # Errors
/// Where the log's filter is not one, or the variables of OpenTelemetry are not understood.
pub fn start(config: &Config) -> anyhow::Result<Telemetry> {
    let mut meters = Meters::default();
    let prometheus = config.metrics.listen.0.map(|_| meters.with_prometheus());
    #[cfg(feature = "otlp")]
    let export = otlp::Export::from_environment()?;
    #[cfg(feature = "otlp")]
    if let Some(export) = &export {
        meters.with(export.recorder());
    }
    let layer = meters.layer();
    let measures = layer.is_some();
    let registry = tracing_subscriber::registry().with(log(&config.log)?).with(layer);
    #[cfg(feature = "otlp")]
    registry.with(export.as_ref().map(otlp::Export::layer)).init();
    #[cfg(not(feature = "otlp"))]
    registry.init();
    Ok(Telemetry {
        prometheus,
        measures,
        #[cfg(feature = "otlp")]
        export,
    })
}

impl Telemetry {
    /// Sends what is left; waits for the collector a few seconds at most.
    pub fn end(self) {
        #[cfg(feature = "otlp")]
        if let Some(export) = self.export {
            export.end();
        }
    }
}

/// The filter of the settings.
///
/// # Errors
/// Where it is none.
pub fn filter(log: &Log) -> anyhow::Result<EnvFilter> {
    EnvFilter::try_new(&log.filter).map_err(|error| anyhow::anyhow!("log.filter: {error}"))
}

fn log<S>(log: &Log) -> anyhow::Result<impl Layer<S>>
where
    S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>,
{
    let filter = filter(log)?;
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let lines = match log.format {
        LogFormat::Json => lines.json().boxed(),
        LogFormat::Pretty => lines.compact().with_ansi(std::io::stderr().is_terminal()).boxed(),
    };
    Ok(lines.with_filter(filter.and(filter_fn(may_be_told))))
}

/// What no filter lets into log or export: the libraries under us that show headers, and so tokens, in their debugging,
/// and the gauges, which are for the metrics.
fn may_be_told(metadata: &Metadata<'_>) -> bool {
    const SHOW_HEADERS: [&str; 4] = ["h2", "hyper", "hyper_util", "tower_http"];
    let from = metadata.target().split("::").next().unwrap_or_default();
    metadata.target() != GAUGES && (*metadata.level() <= LevelFilter::INFO || !SHOW_HEADERS.contains(&from))
}

/// One span and one line a request: method, route, status, code, time. Never a header, a query or a body.
pub async fn trace_request(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str);
    let id = request.headers().get("x-request-id").and_then(|id| id.to_str().ok()).unwrap_or_default();
    let span = info_span!(
        "request",
        method = request.method().as_str(),
        route,
        id,
        pilot = field::Empty,
        status = field::Empty,
        code = field::Empty
    );
    let begun = std::time::Instant::now();
    async move {
        let response = next.run(request).await;
        let status = response.status().as_u16();
        let code = response
            .extensions()
            .get::<ProblemCode>()
            .and_then(|code| code.0.to_str().ok())
            .unwrap_or_default();
        tracing::Span::current().record("status", status).record("code", code);
        let elapsed_us = micros(begun.elapsed());
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
