//! Is the service alive, may it get traffic.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::Shared;
use crate::problem::{Problem, ProblemBody};

/// How the service is.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`
    pub status: &'static str,
    /// The build that answers.
    pub build: &'static str,
}

/// Alive: the process answers.
#[utoipa::path(get, path = "/healthz", tag = "service", responses((status = 200, description = "Alive", body = Health)))]
pub async fn healthz(State(app): State<Shared>) -> Json<Health> {
    Json(Health { status: "ok", build: app.build })
}

/// Ready: the database answers and the service is not stopping.
#[utoipa::path(get, path = "/readyz", tag = "service", responses(
    (status = 200, description = "Ready for traffic", body = Health),
    (status = 503, description = "`not_ready`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn readyz(State(app): State<Shared>) -> Result<Json<Health>, Problem> {
    if app.stop.is_cancelled() {
        return Err(Problem::busy("not_ready", "the service is stopping"));
    }
    if let Err(error) = app.store.check().await {
        tracing::warn!(%error, "the database does not answer");
        return Err(Problem::busy("not_ready", "the database does not answer"));
    }
    Ok(Json(Health { status: "ok", build: app.build }))
}
