//! Path parameters that are problems, not plain text, where they are not what they should be.

use std::str::FromStr;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use serde::Deserialize;
use uuid::Uuid;

use crate::app::Shared;
use crate::problem::Problem;

/// `{id}` of a path: an id. What is none names nothing that is here.
#[derive(Clone, Copy, Debug)]
pub struct Id(pub Uuid);

/// Reads the id alone, whatever other parameters the path has.
#[derive(Deserialize)]
struct Named {
    id: String,
}

impl FromRequestParts<Shared> for Id {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        let Path(Named { id }) = Path::<Named>::from_request_parts(parts, app)
            .await
            .map_err(|_| Problem::not_found("such thing"))?;
        // Only the hyphenated lowercase form is an id on the wire.
        let read = Uuid::from_str(&id).ok().filter(|uuid| uuid.to_string() == id);
        read.map(Self).ok_or_else(|| Problem::not_found("such thing"))
    }
}
