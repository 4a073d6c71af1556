//! The OpenAPI 3.1 document, made from the code.

use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::{Modify, OpenApi};

/// What stands around the routes.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "OnGrid",
        description = "The referee of a daily fleet fight: it replays recorded calls through its own engine, decides \
                       the outcome itself and stores it. Errors are problem+json with a stable `code`.",
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

/// The document as text, the same bytes each time.
pub fn document() -> String {
    let (_, document) = crate::router::api().split_for_parts();
    document.to_pretty_json().unwrap_or_default() + "\n"
}
