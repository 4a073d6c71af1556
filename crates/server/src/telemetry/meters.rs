//! Metrics, made from the spans and events that the log is made from. Nothing else counts anything.
//!
//! Names, types and labels are in docs/operations.md. Labels come from closed sets: routes, statuses, codes, tags.

use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use metrics::{Key, KeyName, Label, Level, Metadata, Recorder, SharedString, Unit};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// Target of events whose numbers are gauges: a field `pool_idle` is the gauge `ongrid_pool_idle`.
pub const GAUGES: &str = "ongrid::gauges";

const METADATA: Metadata<'_> = Metadata::new("ongrid", Level::INFO, None);

/// Bounds of all histograms, seconds: a replay takes some tens of microseconds, a commit some milliseconds.
pub(super) const BUCKETS: &[f64] = &[
    0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
    0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
];

const HISTOGRAMS: &[(&str, &str)] = &[
    ("ongrid_request_seconds", "From a request's head to its answer"),
    ("ongrid_verify_queue_seconds", "Time of a replay in the queue before the engines"),
    ("ongrid_verify_seconds", "Time of a replay in its engine"),
    ("ongrid_store_seconds", "From a verdict to its commit, the writer's queue included"),
];

const COUNTERS: &[(&str, &str)] = &[
    ("ongrid_requests_total", "Requests answered"),
    ("ongrid_verifications_total", "Replays judged, by result and code"),
    ("ongrid_fights_total", "Fights that the store answered, new or known"),
];

const GAUGE_NAMES: &[(&str, &str)] = &[
    ("ongrid_requests_in_flight", "Requests under way"),
    ("ongrid_build_info", "Always 1; the label is the build"),
    ("ongrid_pool_connections", "Database connections open"),
    ("ongrid_pool_idle", "Database connections open and unused"),
    ("ongrid_verify_waiting", "Replays in the queue before the engines"),
    ("ongrid_store_waiting", "Submissions in the queue before the writer"),
    ("ongrid_board_entries", "Pilots on the board of the day"),
    ("ongrid_ready", "1 where the service may get traffic"),
];

/// Makes metrics of spans and events, and hands them to recorders.
#[derive(Default)]
pub struct Meters {
    recorders: Vec<Box<dyn Recorder + Send + Sync>>,
    in_flight: AtomicI64,
}

impl fmt::Debug for Meters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meters").field("recorders", &self.recorders.len()).finish_non_exhaustive()
    }
}

impl Meters {
    /// Hands everything to this recorder too.
    pub fn with(&mut self, recorder: impl Recorder + Send + Sync + 'static) {
        for (name, text) in HISTOGRAMS {
            recorder.describe_histogram(KeyName::from_const_str(name), Some(Unit::Seconds), (*text).into());
        }
        for (name, text) in COUNTERS {
            recorder.describe_counter(KeyName::from_const_str(name), None, (*text).into());
        }
        for (name, text) in GAUGE_NAMES {
            recorder.describe_gauge(KeyName::from_const_str(name), None, (*text).into());
        }
        let build =
            Key::from_parts("ongrid_build_info", vec![Label::new("version", env!("CARGO_PKG_VERSION"))]);
        recorder.register_gauge(&build, &METADATA).set(1.0);
        self.recorders.push(Box::new(recorder));
    }

    /// Hands everything to a page for Prometheus.
    pub fn with_prometheus(&mut self) -> PrometheusHandle {
        let all = Matcher::Suffix("_seconds".to_owned());
        // It fails only where there are no buckets.
        let builder = PrometheusBuilder::new().set_buckets_for_metric(all, BUCKETS).unwrap_or_default();
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        self.with(recorder);
        handle
    }

    /// As a layer that sees the two spans and the gauges and nothing else; none where nobody wants metrics.
    pub fn layer<S>(self) -> Option<impl Layer<S>>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let wanted = filter_fn(|metadata| {
            let span = metadata.is_span() && matches!(metadata.name(), "request" | "verification");
            span && metadata.target().starts_with("ongrid::telemetry") || metadata.target() == GAUGES
        });
        (!self.recorders.is_empty()).then(|| self.with_filter(wanted))
    }

    fn count(&self, name: &'static str, labels: &[(&'static str, &SharedString)]) {
        let key = key(name, labels);
        self.recorders.iter().for_each(|it| it.register_counter(&key, &METADATA).increment(1));
    }

    fn time(&self, name: &'static str, labels: &[(&'static str, &SharedString)], seconds: f64) {
        let key = key(name, labels);
        self.recorders.iter().for_each(|it| it.register_histogram(&key, &METADATA).record(seconds));
    }

    fn gauge(&self, key: &Key, value: f64) {
        self.recorders.iter().for_each(|it| it.register_gauge(key, &METADATA).set(value));
    }

    fn fly(&self, change: i64) {
        let now = self.in_flight.fetch_add(change, Ordering::Relaxed) + change;
        self.gauge(&Key::from_static_name("ongrid_requests_in_flight"), now as f64);
    }

    fn request_ended(&self, it: &Noted) {
        let route = [("route", &it.route), ("method", &it.method), ("status", &it.status)];
        self.time("ongrid_request_seconds", &route, it.begun.elapsed().as_secs_f64());
        let [route, method, status] = route;
        self.count("ongrid_requests_total", &[route, method, status, ("code", &it.code)]);
    }

    fn verification_ended(&self, it: &Noted) {
        let engine = ("engine", &it.engine);
        if let Some(time) = it.queue {
            self.time("ongrid_verify_queue_seconds", &[], time);
        }
        if let Some(time) = it.verify {
            self.time("ongrid_verify_seconds", &[engine], time);
        }
        if let Some(time) = it.store {
            self.time("ongrid_store_seconds", &[], time);
        }
        self.count("ongrid_verifications_total", &[engine, ("result", &it.result), ("code", &it.code)]);
        if !it.kind.is_empty() {
            self.count("ongrid_fights_total", &[engine, ("kind", &it.kind), ("new", &it.new)]);
        }
    }
}

fn key(name: &'static str, labels: &[(&'static str, &SharedString)]) -> Key {
    let labels: Vec<Label> = labels.iter().map(|(name, value)| Label::new(*name, (*value).clone())).collect();
    Key::from_parts(name, labels)
}

/// What of a span's fields metrics are made from. Of a request whose client hung up there is no status.
struct Noted {
    begun: Instant,
    method: SharedString,
    route: SharedString,
    status: SharedString,
    code: SharedString,
    engine: SharedString,
    result: SharedString,
    kind: SharedString,
    new: SharedString,
    queue: Option<f64>,
    verify: Option<f64>,
    store: Option<f64>,
}

impl Noted {
    fn new() -> Self {
        let none = SharedString::const_str;
        Self {
            begun: Instant::now(),
            method: none(""),
            route: none("none"),
            status: none("hung_up"),
            code: none(""),
            engine: none("unknown"),
            result: none("hung_up"),
            kind: none(""),
            new: none(""),
            queue: None,
            verify: None,
            store: None,
        }
    }
}

impl Visit for Noted {
    fn record_u64(&mut self, field: &Field, value: u64) {
        let seconds = Some(value as f64 / 1e6);
        match field.name() {
            "status" => self.status = value.to_string().into(),
            "queue_us" => self.queue = seconds,
            "verify_us" => self.verify = seconds,
            "store_us" => self.store = seconds,
            _ => {}
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            // Anybody may invent a method.
            "method" if !matches!(value, "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "OPTIONS") => {
                self.method = SharedString::const_str("other");
            }
            "method" => self.method = value.to_owned().into(),
            "route" => self.route = value.to_owned().into(),
            "code" => self.code = value.to_owned().into(),
            "engine" => self.engine = value.to_owned().into(),
            "result" => self.result = value.to_owned().into(),
            "kind" => self.kind = value.to_owned().into(),
            _ => {}
        }
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        if field.name() == "new" {
            self.new = SharedString::const_str(if value { "true" } else { "false" });
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}

/// Sets a gauge for each number of an event.
struct Gauges<'a>(&'a Meters);

impl Visit for Gauges<'_> {
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.gauge(&Key::from_name(format!("ongrid_{}", field.name())), value as f64);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.gauge(&Key::from_name(format!("ongrid_{}", field.name())), value as f64);
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}

impl<S> Layer<S> for Meters
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut noted = Noted::new();
        attributes.record(&mut noted);
        span.extensions_mut().insert(noted);
        if span.name() == "request" {
            self.fly(1);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(noted) = span.extensions_mut().get_mut::<Noted>() {
            values.record(noted);
        }
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        event.record(&mut Gauges(self));
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        let Some(noted) = span.extensions_mut().remove::<Noted>() else { return };
        if span.name() == "request" {
            self.fly(-1);
            self.request_ended(&noted);
        } else {
            self.verification_ended(&noted);
        }
    }
}

#[cfg(test)]
mod tests {
    use tracing::{Span, field, info, info_span};
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    /// The page after some spans.
    fn page(tell: impl FnOnce()) -> String {
        let mut meters = Meters::default();
        let handle = meters.with_prometheus();
        let subscriber = tracing_subscriber::registry().with(meters.layer());
        tracing::subscriber::with_default(subscriber, tell);
        handle.render()
    }

    fn request(method: &str) -> Span {
        let (status, code) = (field::Empty, field::Empty);
        info_span!(target: "ongrid::telemetry", "request", method, route = "/v1/verify", id = "secret", status, code)
    }

    #[test]
    fn spans_become_counters_and_histograms() {
        let page = page(|| {
            request("POST").record("status", 422_u16).record("code", "wrong_ship");
            let trail = super::super::Trail::begin(None);
            trail.took(std::time::Duration::from_micros(30), std::time::Duration::from_micros(60));
            trail.refused(Some("ongrid-8"), &crate::problem::Problem::forbidden("wrong_ship", ""));
        });
        for line in [
            r#"ongrid_requests_total{route="/v1/verify",method="POST",status="422",code="wrong_ship"} 1"#,
            r#"ongrid_verifications_total{engine="ongrid-8",result="rejected",code="wrong_ship"} 1"#,
            r#"ongrid_verify_queue_seconds_bucket{le="0.00005"} 1"#,
            r#"ongrid_verify_seconds_bucket{engine="ongrid-8",le="0.00005"} 0"#,
            r#"ongrid_verify_seconds_bucket{engine="ongrid-8",le="0.0001"} 1"#,
            "ongrid_requests_in_flight 0",
            r#"ongrid_build_info{version="0.1.0"} 1"#,
        ] {
            assert!(page.contains(line), "{line} is not in\n{page}");
        }
        assert!(!page.contains("secret") && !page.contains("ongrid_store_seconds_bucket"), "{page}");
    }

    #[test]
    fn who_hangs_up_and_who_invents_methods_is_counted_too() {
        let page = page(|| drop(request("BREW")));
        let line = r#"ongrid_requests_total{route="/v1/verify",method="other",status="hung_up",code=""} 1"#;
        assert!(page.contains(line), "{page}");
    }

    #[test]
    fn numbers_of_gauge_events_are_gauges_and_other_events_are_not() {
        let page = page(|| {
            info!(target: GAUGES, pool_idle = 3_u64, board_entries = 12_i64);
            info!(pool_connections = 9_u64, "not for the metrics");
        });
        assert!(page.contains("ongrid_pool_idle 3") && page.contains("ongrid_board_entries 12"), "{page}");
        assert!(!page.contains("ongrid_pool_connections 9"), "{page}");
    }
}
