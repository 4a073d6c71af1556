//! The OpenAPI 3.1 document, made from the code.

use utoipa::openapi::header::Header;
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Content, Ref, RefOr};
use utoipa::{Modify, OpenApi};

use crate::problem::PROBLEM_JSON;

/// What stands around the routes.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "OnGrid",
        description = "The referee of a daily fleet fight: it replays recorded calls through its own engine, decides \
                       the outcome itself and stores it. Errors are problem+json with a stable `code`. Who asks says so \
                       by a token, `Authorization: Bearer …`. A route that looks at who asks answers 401 for a header \
                       that holds no valid token, unknown and revoked ones among them, also where it would answer without \
                       one; a route that does not look ignores the header.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    modifiers(&Token),
)]
pub struct ApiDoc;

/// The one way to say who asks.
struct Token;

impl Modify for Token {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_with(Default::default);
        components.add_security_scheme("token", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    }
}

/// What any route may answer besides what it says of itself: status, codes, and the header that goes with it.
const COMMON: [(&str, &str, Option<&str>); 4] = [
    ("408", "`timeout`: the request did not come in time", None),
    ("429", "`rate_limited`", Some("Retry-After")),
    ("500", "`internal`", None),
    ("503", "`busy`, `unavailable`", Some("Retry-After")),
];

/// Adds to every operation what the layers around it answer. Health checks are never counted or refused.
fn add_common(document: &mut utoipa::openapi::OpenApi) {
    for (path, item) in &mut document.paths.paths {
        let health = matches!(path.as_str(), "/healthz" | "/readyz");
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete];
        for operation in operations.into_iter().filter_map(Option::as_mut) {
            let responses = &mut operation.responses.responses;
            for (status, codes, header) in COMMON {
                if !health || header.is_none() {
                    responses.entry(status.to_owned()).or_insert_with(|| problem(codes).into());
                }
                if let (Some(RefOr::T(response)), Some(name)) = (responses.get_mut(status), header) {
                    response.headers.entry(name.to_owned()).or_insert_with(|| Header::default().into());
                }
            }
        }
    }
}

fn problem(codes: &str) -> Response {
    let body = Content::new(Some(Ref::from_schema_name("ProblemBody")));
    ResponseBuilder::new().description(codes).content(PROBLEM_JSON, body).build()
}

/// The document as text, the same bytes each time.
pub fn document() -> String {
    let (_, mut document) = crate::router::api().split_for_parts();
    add_common(&mut document);
    document.to_pretty_json().unwrap_or_default() + "\n"
}
