//! OpenTelemetry export, traces and metrics, as OTLP over HTTP with protobuf bodies.
//!
//! Switched on by the standard variables: `OTEL_EXPORTER_OTLP_ENDPOINT`, or the one of traces or metrics alone;
//! `OTEL_SDK_DISABLED=true` switches it off. Headers, timeout, sampler, resource, intervals are read from their own
//! standard variables by the libraries.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use anyhow::Context;
use metrics::{Counter, CounterFn, Gauge, GaugeFn, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder};
use metrics::{SharedString, Unit};
use opentelemetry::KeyValue;
use opentelemetry::metrics::{Meter, MeterProvider};
use opentelemetry::trace::TracerProvider;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{MetricExporter, SpanExporter, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::{Metadata as SpanMetadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, filter_fn};
use tracing_subscriber::registry::LookupSpan;

/// How long the collector is waited for at the end.
const PATIENCE: Duration = Duration::from_secs(2);

/// The export under way.
#[derive(Debug)]
pub(super) struct Export {
    traces: SdkTracerProvider,
    metrics: SdkMeterProvider,
}

impl Export {
    /// The export that the environment asks for.
    pub(super) fn from_environment() -> anyhow::Result<Option<Self>> {
        let set = |name: &str| std::env::var(name).is_ok_and(|value| !value.is_empty());
        let named = ["", "_TRACES", "_METRICS"].map(|part| format!("OTEL_EXPORTER_OTLP{part}_ENDPOINT"));
        let off = std::env::var("OTEL_SDK_DISABLED").is_ok_and(|value| value.eq_ignore_ascii_case("true"));
        if off || !named.iter().any(|name| set(name)) {
            return Ok(None);
        }
        let mut resource = Resource::builder();
        if !set("OTEL_SERVICE_NAME") {
            resource = resource.with_service_name("ongrid");
        }
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let resource = resource.with_attribute(version).build();
        let traces = SpanExporter::builder().with_http().with_http_client(Client::new()).build();
        let metrics = MetricExporter::builder().with_http().with_http_client(Client::new()).build();
        Ok(Some(Self {
            traces: SdkTracerProvider::builder()
                .with_resource(resource.clone())
                .with_batch_exporter(traces.context("OTEL_EXPORTER_OTLP_* (traces)")?)
                .build(),
            metrics: SdkMeterProvider::builder()
                .with_resource(resource)
                .with_periodic_exporter(metrics.context("OTEL_EXPORTER_OTLP_* (metrics)")?)
                .build(),
        }))
    }

    /// Takes the spans of the service.
    pub(super) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let ours = |metadata: &SpanMetadata<'_>| {
            metadata.target().starts_with("ongrid")
                && *metadata.level() <= LevelFilter::INFO
                && super::may_be_told(metadata)
        };
        let tracer = self.traces.tracer("ongrid");
        tracing_opentelemetry::layer().with_tracer(tracer).with_threads(false).with_filter(filter_fn(ours))
    }

    /// Takes the metrics.
    pub(super) fn recorder(&self) -> Instruments {
        Instruments(self.metrics.meter("ongrid"))
    }

    /// Sends what is left.
    pub(super) fn end(self) {
        for ended in
            [self.traces.shutdown_with_timeout(PATIENCE), self.metrics.shutdown_with_timeout(PATIENCE)]
        {
            if let Err(error) = ended {
                tracing::warn!(%error, "the last telemetry could not be exported");
            }
        }
    }
}

/// Sends from the exporter's own threads, with the client that the service has anyway.
struct Client(ureq::Agent);

impl Client {
    fn new() -> Self {
        // The limit of a request is the exporter's (OTEL_EXPORTER_OTLP_TIMEOUT); this one is for a dead collector.
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        Self(config.timeout_global(Some(Duration::from_secs(10))).build().into())
    }

    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, body) = request.into_parts();
        let answer = self.0.run(Request::from_parts(parts, &body[..]))?;
        let (parts, mut body) = answer.into_parts();
        Ok(Response::from_parts(parts, body.read_to_vec()?.into()))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Client")
    }
}

impl HttpClient for Client {
    fn send_bytes<'this, 'future>(
        &'this self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'future>>
    where
        'this: 'future,
        Self: 'future,
    {
        Box::pin(async move { self.send(request) })
    }
}

/// The metrics' way into OpenTelemetry.
pub(super) struct Instruments(Meter);

struct Labelled<I> {
    instrument: I,
    labels: Vec<KeyValue>,
}

fn labelled<I>(instrument: I, key: &Key) -> std::sync::Arc<Labelled<I>> {
    let labels = key.labels().map(|it| KeyValue::new(it.key().to_owned(), it.value().to_owned())).collect();
    std::sync::Arc::new(Labelled { instrument, labels })
}

impl Recorder for Instruments {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(labelled(self.0.u64_counter(key.name().to_owned()).build(), key))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(labelled(self.0.f64_gauge(key.name().to_owned()).build(), key))
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        let builder = self.0.f64_histogram(key.name().to_owned()).with_unit("s");
        Histogram::from_arc(labelled(builder.with_boundaries(super::meters::BUCKETS.to_vec()).build(), key))
    }
}

impl CounterFn for Labelled<opentelemetry::metrics::Counter<u64>> {
    fn increment(&self, value: u64) {
        self.instrument.add(value, &self.labels);
    }

    /// Never used: the service only counts up.
    fn absolute(&self, _: u64) {}
}

impl GaugeFn for Labelled<opentelemetry::metrics::Gauge<f64>> {
    /// Never used, as the next: gauges are set.
    fn increment(&self, _: f64) {}
    fn decrement(&self, _: f64) {}

    fn set(&self, value: f64) {
        self.instrument.record(value, &self.labels);
    }
}

impl HistogramFn for Labelled<opentelemetry::metrics::Histogram<f64>> {
    fn record(&self, value: f64) {
        self.instrument.record(value, &self.labels);
    }
}
