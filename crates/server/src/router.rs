//! Every route on one screen.

use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::Shared;
use crate::openapi::ApiDoc;
use crate::routes::{
    attempts, boards, days, docs, fights, fits, health, moderation, pilots, proof, rulesets, verify,
};
use crate::{limits, pages, problem, pulse, telemetry};

/// The routes and their description.
pub fn api() -> OpenApiRouter<Shared> {
    OpenApiRouter::with_openapi(ApiDoc::openapi())
        .routes(routes!(verify::verify))
        .routes(routes!(fights::submit))
        .routes(routes!(fights::fight))
        .routes(routes!(fights::replay))
        .routes(routes!(fights::report))
        .routes(routes!(fights::timeline))
        .routes(routes!(proof::proof))
        .routes(routes!(proof::keys))
        .routes(routes!(proof::checkpoint))
        .routes(routes!(proof::consistency))
        .routes(routes!(proof::leaves))
        .routes(routes!(moderation::void))
        .routes(routes!(moderation::restore))
        .routes(routes!(days::current))
        .routes(routes!(days::day, days::set))
        .routes(routes!(attempts::issue))
        .routes(routes!(attempts::attempt))
        .routes(routes!(attempts::submit))
        .routes(routes!(boards::of_day))
        .routes(routes!(boards::of_season))
        .routes(routes!(boards::of_doctrine))
        .routes(routes!(boards::of_scenario))
        .routes(routes!(pilots::pilot, pilots::put, pilots::erase))
        .routes(routes!(pilots::history))
        .routes(routes!(pilots::issue_token))
        .routes(routes!(pilots::revoke_token))
        .routes(routes!(moderation::ban))
        .routes(routes!(moderation::unban))
        .routes(routes!(moderation::audit))
        .routes(routes!(moderation::copies))
        .routes(routes!(fits::check))
        .routes(routes!(rulesets::list))
        .routes(routes!(rulesets::ruleset))
        .routes(routes!(rulesets::data))
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(docs::openapi))
        .routes(routes!(docs::docs))
}

/// The service: routes and what every request goes through.
pub fn router(app: Shared) -> Router {
    let http = &app.config.http;
    let (router, _) = api().split_for_parts();
    let layers = ServiceBuilder::new()
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .layer(axum::middleware::from_fn(telemetry::trace_request))
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(axum::middleware::from_fn_with_state(app.clone(), pulse::watch))
        .layer(SetResponseHeaderLayer::if_not_present(
            HeaderName::from_static("x-content-type-options"),
            HeaderValue::from_static("nosniff"),
        ))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::REFERRER_POLICY,
            HeaderValue::from_static("same-origin"),
        ))
        .layer(cors(&http.cors_origins))
        .layer(CatchPanicLayer::custom(problem::from_panic))
        .layer(axum::middleware::from_fn_with_state(app.clone(), limits::limit))
        .layer(CompressionLayer::new())
        .layer(axum::middleware::from_fn(problem::dress))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::REQUEST_TIMEOUT,
            Duration::from_secs(http.request_timeout),
        ));
    router
        .merge(pages::router())
        .fallback(pages::no_route)
        .method_not_allowed_fallback(problem::no_method)
        .layer(layers)
        .layer(DefaultBodyLimit::max(http.body_limit))
        .with_state(app)
}

fn cors(origins: &[String]) -> CorsLayer {
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
        .expose_headers(
            [header::LOCATION, header::RETRY_AFTER, header::ETAG]
                .into_iter()
                .chain(limits::HEADERS)
                .collect::<Vec<_>>(),
        );
    if origins.iter().any(|origin| origin == "*") {
        return layer.allow_origin(AllowOrigin::any());
    }
    layer.allow_origin(AllowOrigin::list(
        origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok()),
    ))
}
