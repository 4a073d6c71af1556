//! The body of a request as bytes: bounded, of a JSON type, with problems instead of plain text where it is not.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

use crate::app::Shared;
use crate::problem::Problem;

/// The bytes of a JSON document, not read yet.
#[derive(Debug)]
pub struct JsonBytes(pub Bytes);

/// A JSON document of a known shape, for the small bodies beside replays.
#[derive(Debug)]
pub struct JsonBody<T>(pub T);

impl FromRequest<Shared> for JsonBytes {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Shared) -> Result<Self, Problem> {
        if let Some(kind) = request.headers().get(header::CONTENT_TYPE) {
            let essence = kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
            if !essence.eq_ignore_ascii_case("application/json") {
                let detail = format!("the body must be application/json, not {essence:?}");
                return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media_type", detail));
            }
        }
        let limit = app.config.http.body_limit;
        let mut body = request.into_body();
        match Limited::new(&mut body, limit).collect().await {
            Ok(collected) => Ok(Self(collected.to_bytes())),
            Err(error) if error.is::<LengthLimitError>() => {
                discard(body, limit.saturating_mul(16)).await;
                let detail = format!("the body is longer than {limit} bytes after decompression");
                Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", detail))
            }
            Err(_) => Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "format",
                "the body ended early or is not what its headers say",
            )),
        }
    }
}

/// Reads on what a client is still sending, up to `most` bytes and for a second at most, so that it hears the refusal:
/// a connection that is closed with bytes unread is reset, and the answer lost with it.
pub async fn discard(mut body: Body, most: usize) {
    let reading = async {
        let mut read = 0;
        while let Some(Ok(frame)) = body.frame().await {
            read += frame.data_ref().map_or(0, Bytes::len);
            if read > most {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(Duration::from_secs(1), reading).await;
}

impl<T: DeserializeOwned> FromRequest<Shared> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Shared) -> Result<Self, Problem> {
        let JsonBytes(bytes) = JsonBytes::from_request(request, app).await?;
        // Strictness first: serde_json would keep the last of two equal keys.
        let mut json = ongrid_engine::json::Reader::from_bytes(&bytes)?;
        json.skip()?;
        json.end()?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| {
            Problem::new(
                StatusCode::BAD_REQUEST,
                "format",
                format!("the body is not what it should be: {error}"),
            )
        })
    }
}
