//! The body of a request as bytes: bounded, of a JSON type, with problems instead of plain text where it is not.
//!
//! A route that asks who calls takes its body as a `Result` and looks at it after the caller: whoever may not send it
//! hears that, and not what is wrong with it. It is read before all the same, so that a client that is still sending
//! hears the answer.

use std::io::Read;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use flate2::bufread::GzDecoder;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use ongrid_engine::Rejection;
use ongrid_engine::json::Reader;
use serde::de::DeserializeOwned;
use serde_path_to_error::Segment;

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
        let limit = app.config.http.body_limit;
        let (head, mut body) = request.into_parts();
        if let Some(kind) = head.headers.get(header::CONTENT_TYPE) {
            let essence = kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
            if !essence.eq_ignore_ascii_case("application/json") {
                discard(body, limit).await;
                let detail = format!("the body must be application/json, not {essence:?}");
                return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media_type", detail));
            }
        }
        let gzip = match coding(&head.headers) {
            Some(gzip) => gzip,
            None => {
                discard(body, limit).await;
                let detail = "a body may be compressed with gzip, once";
                return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "content_encoding", detail));
            }
        };
        // Compressed or not: members that hold nothing would else be read for as long as somebody sends them.
        let sent = match Limited::new(&mut body, limit).collect().await {
            Ok(collected) => collected.to_bytes(),
            Err(error) if error.is::<LengthLimitError>() => {
                discard(body, limit.saturating_mul(16)).await;
                return Err(too_large(limit));
            }
            Err(_) => return Err(damaged()),
        };
        if !gzip {
            return Ok(Self(sent));
        }
        // Many small members take long for their size: they wait their turn with the replays.
        let content = app.verifier.run(move |_| Ok(gunzip(&sent, limit))).await?.map_err(|_| damaged())?;
        content.map(|content| Self(content.into())).ok_or_else(|| too_large(limit))
    }
}

/// Whether a body is compressed with gzip; `None` where it is with anything else, or twice.
fn coding(headers: &HeaderMap) -> Option<bool> {
    let mut codings = headers.get_all(header::CONTENT_ENCODING).iter();
    match (codings.next().map(HeaderValue::as_bytes), codings.next()) {
        (None, _) => Some(false),
        (Some(coding), None) if coding.eq_ignore_ascii_case(b"identity") => Some(false),
        // The other name is an old one (RFC 9110, 8.4.1.3).
        (Some(coding), None) => {
            [&b"gzip"[..], b"x-gzip"].iter().any(|name| coding.eq_ignore_ascii_case(name)).then_some(true)
        }
        _ => None,
    }
}

fn too_large(limit: usize) -> Problem {
    let detail = format!("the body is longer than {limit} bytes, as it was sent or after decompression");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", detail)
}

fn damaged() -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "format", "the body ended early or is not what its headers say")
}

/// Most members of a gzip body: whoever writes one in pieces has few, and an empty one takes 20 bytes and some 3 µs.
const MEMBERS: usize = 64;

/// The content of gzip: of all its members, one after the other (RFC 1952, 2.2), and nothing may follow them. `None`
/// where it is longer than `limit`; no more than that is unpacked.
fn gunzip(mut sent: &[u8], limit: usize) -> std::io::Result<Option<Vec<u8>>> {
    let mut content = Vec::new();
    for _ in 0..MEMBERS {
        let most = u64::try_from(limit - content.len()).unwrap_or(u64::MAX).saturating_add(1);
        GzDecoder::new(&mut sent).take(most).read_to_end(&mut content)?;
        if content.len() > limit {
            return Ok(None);
        }
        if sent.is_empty() {
            return Ok(Some(content));
        }
    }
    Err(std::io::ErrorKind::InvalidData.into())
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
        Ok(Self(read(&bytes)?))
    }
}

/// Reads a body; what is wrong with it is named with its place, as the faults of a replay are.
fn read<T: DeserializeOwned>(bytes: &[u8]) -> ongrid_engine::Result<T> {
    // Strictness first: serde_json would keep the last of two equal keys, and take a list for an object.
    let mut json = Reader::from_bytes(bytes)?;
    let text = json.skip()?;
    json.end()?;
    if !text.starts_with('{') {
        return Err(Rejection::format("the body must be an object"));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let why = error.inner().to_string();
        // Of a field that is not there serde names the object; only its sentence says which one.
        let field = why.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
        let no = field.map_or_else(
            || Rejection::format(format!("the body is not what it should be: {why}")),
            ongrid_engine::json::missing,
        );
        error.path().iter().rev().fold(no, |no, step| match step {
            Segment::Map { key } => no.under(key),
            Segment::Seq { index } => no.under(index),
            Segment::Enum { .. } | Segment::Unknown => no,
        })
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Order {
        #[serde(rename = "a/b")]
        _reason: String,
        #[serde(default)]
        _ships: Vec<Ship>,
        #[serde(default)]
        _skills: Option<Box<serde_json::value::RawValue>>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Ship {
        #[serde(rename = "hull")]
        _hull: u8,
    }

    #[test]
    fn faults_are_named_with_their_place() {
        for (text, path) in [
            ("7", ""),
            (r#"["x"]"#, ""),
            ("{}", "/a~1b"),
            (r#"{"a/b": 1}"#, "/a~1b"),
            (r#"{"a/b": null}"#, "/a~1b"),
            (r#"{"a/b": "x", "c": 1}"#, "/c"),
            (r#"{"a/b": "x", "a/b": "y"}"#, "/a~1b"),
            (r#"{"a/b": "x", "_ships": [{"hull": 1}, {"hull": 256}]}"#, "/_ships/1/hull"),
            (r#"{"a/b": "x", "_ships": [{"hull": 1}, {}]}"#, "/_ships/1/hull"),
            (r#"{"a/b": "x", "_ships": [{"hull": 1, "fit": 0}]}"#, "/_ships/0/fit"),
        ] {
            let no = read::<Order>(text.as_bytes()).unwrap_err();
            assert_eq!((no.code(), no.path()), ("format", Some(path)), "{text}: {no}");
        }
        assert!(read::<Order>(br#" {"a/b": "x", "_ships": [], "_skills": {"any": [1]}} "#).is_ok());
    }
}
