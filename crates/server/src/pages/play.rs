//! The play page: the reference client, fought in the browser with the engine as WebAssembly.
//!
//! Its files are those of `assets/play` and of the client package, embedded. All of them stand under one directory named
//! after the digest of the whole, so that a page never mixes two versions and browsers keep them for ever.

use std::sync::LazyLock;

use askama::Template;
use axum::extract::Path;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use ongrid_engine::Digest;

use super::{Page, PageResult, html};
use crate::problem::Problem;

/// As for the other pages, and the engine may be compiled.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Name, type and bytes of each file.
static FILES: [(&str, &str, &[u8]); 14] = [
    ("main.js", SCRIPT, include_bytes!("../../assets/play/main.js")),
    ("battle.js", SCRIPT, include_bytes!("../../assets/play/battle.js")),
    ("craft.js", SCRIPT, include_bytes!("../../assets/play/craft.js")),
    ("dom.js", SCRIPT, include_bytes!("../../assets/play/dom.js")),
    ("guide.js", SCRIPT, include_bytes!("../../assets/play/guide.js")),
    ("narrate.js", SCRIPT, include_bytes!("../../assets/play/narrate.js")),
    ("setup.js", SCRIPT, include_bytes!("../../assets/play/setup.js")),
    ("verdict.js", SCRIPT, include_bytes!("../../assets/play/verdict.js")),
    ("play.css", "text/css; charset=utf-8", include_bytes!("../../assets/play/play.css")),
    ("ongrid/client.js", SCRIPT, include_bytes!("../../../../clients/ongrid-js/src/client.js")),
    ("ongrid/engine.js", SCRIPT, include_bytes!("../../../../clients/ongrid-js/src/engine.js")),
    ("ongrid/journal.js", SCRIPT, include_bytes!("../../../../clients/ongrid-js/src/journal.js")),
    ("ongrid/modules.js", SCRIPT, include_bytes!("../../../../clients/ongrid-js/src/modules.js")),
    ("ongrid/routes.js", SCRIPT, include_bytes!("../../../../clients/ongrid-js/src/routes.js")),
];

/// The engine, ongrid-8 alone.
static MODULE: (&str, &str, &[u8]) =
    ("ongrid.wasm", "application/wasm", include_bytes!("../../../../clients/ongrid-js/ongrid.wasm"));

/// The engine as it goes to browsers that take Brotli, which they say over TLS and to localhost: a fifth smaller than
/// gzip makes it on the way. Made with the module; a test of the client package holds the two equal.
static PACKED: &[u8] = include_bytes!("../../../../clients/ongrid-js/ongrid.wasm.br");

/// The directory of the files.
static BASE: LazyLock<String> = LazyLock::new(|| {
    let mut all = Vec::new();
    for (name, _, bytes) in files() {
        all.extend_from_slice(name.as_bytes());
        all.extend_from_slice(&Digest::of(bytes).0);
    }
    format!("/play/{}", &Digest::of(&all).hex()[..12])
});

fn files() -> impl Iterator<Item = &'static (&'static str, &'static str, &'static [u8])> {
    FILES.iter().chain([&MODULE])
}

#[derive(Template)]
#[template(path = "play.html")]
struct PlayPage {
    page: Page,
    base: &'static str,
}

/// The page.
pub async fn page() -> PageResult {
    let about = "Your fleet against a doctrine's, turn by turn, in the browser; the referee replays it.";
    let mut response = html(&PlayPage { page: Page::new("Play", "Play", about), base: &BASE })?;
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, header::HeaderValue::from_static(POLICY));
    Ok(response)
}

/// A file of this version of the page.
pub async fn file(
    Path((version, name)): Path<(String, String)>,
    asked: HeaderMap,
) -> Result<Response, Problem> {
    let wanted = format!("/play/{version}");
    let found = files().find(|(known, ..)| wanted == *BASE && *known == name);
    let (_, kind, bytes) = found.ok_or_else(|| Problem::not_found("such file"))?;
    let headers =
        [(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    if name == MODULE.0 && takes_brotli(&asked) {
        let packed = [(header::CONTENT_ENCODING, "br"), (header::VARY, "accept-encoding")];
        return Ok((headers, packed, PACKED).into_response());
    }
    Ok((headers, *bytes).into_response())
}

/// Whether the caller takes Brotli; with a weight of its own, which browsers never give it, it is not sent.
fn takes_brotli(asked: &HeaderMap) -> bool {
    let accepted = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|coding| coding.trim().eq_ignore_ascii_case("br"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a script.
    fn script(name: &str) -> &'static str {
        let found = files().find(|(known, ..)| *known == name).unwrap();
        std::str::from_utf8(found.2).unwrap()
    }

    #[test]
    fn what_scripts_import_is_served() {
        for (name, kind, _) in files().filter(|(_, kind, _)| *kind == SCRIPT) {
            for line in script(name).lines().filter(|line| line.starts_with("import ")) {
                let from = line.split('"').nth(1).unwrap();
                let directory = name.rsplit_once('/').map_or("", |(directory, _)| directory);
                let path = match from.strip_prefix("./") {
                    Some(path) if directory.is_empty() => path.to_owned(),
                    Some(path) => format!("{directory}/{path}"),
                    None => panic!("{name} imports {from}"),
                };
                assert!(files().any(|(known, ..)| *known == path), "{name} imports {path} ({kind})");
            }
        }
    }

    #[test]
    fn the_page_names_the_module_that_is_served() {
        let digest = Digest::of(MODULE.2).hex();
        assert!(script("ongrid/modules.js").contains(&digest), "modules.js is not of this module");
    }

    #[test]
    fn brotli_is_sent_to_who_asks_for_it() {
        for (value, takes) in [
            ("gzip, deflate, br, zstd", true),
            ("BR", true),
            ("gzip", false),
            ("gzip, br;q=0", false),
            ("brotli", false),
            ("", false),
        ] {
            let asked = HeaderMap::from_iter([(header::ACCEPT_ENCODING, value.parse().unwrap())]);
            assert_eq!(takes_brotli(&asked), takes, "{value}");
        }
        assert!(!takes_brotli(&HeaderMap::new()));
    }

    #[test]
    fn all_of_it_is_small() {
        // Text packs at least twofold; the browser's own count is in tests/browser.
        let text: usize = FILES.iter().map(|(.., bytes)| bytes.len() / 2).sum();
        assert!(PACKED.len() + text < 250_000, "{} and {text} bytes, packed", PACKED.len());
    }
}
