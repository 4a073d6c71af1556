//! Style sheet, script and icon, embedded; their names change with their content, so that they are kept for ever.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use ongrid_engine::Digest;

use crate::problem::Problem;

struct Asset {
    path: String,
    kind: &'static str,
    bytes: &'static [u8],
}

impl Asset {
    fn new(stem: &str, extension: &str, kind: &'static str, bytes: &'static [u8]) -> Self {
        let digest = Digest::of(bytes).hex();
        Self { path: format!("/assets/{stem}-{}.{extension}", &digest[..12]), kind, bytes }
    }
}

static ASSETS: LazyLock<[Asset; 3]> = LazyLock::new(|| {
    [
        Asset::new("ongrid", "css", "text/css; charset=utf-8", include_bytes!("../../assets/ongrid.css")),
        Asset::new(
            "ongrid",
            "js",
            "text/javascript; charset=utf-8",
            include_bytes!("../../assets/ongrid.js"),
        ),
        Asset::new("icon", "svg", "image/svg+xml", include_bytes!("../../assets/icon.svg")),
    ]
});

/// Path of the style sheet.
pub fn style() -> &'static str {
    &ASSETS[0].path
}

/// Path of the script.
pub fn script() -> &'static str {
    &ASSETS[1].path
}

/// Path of the icon.
pub fn icon() -> &'static str {
    &ASSETS[2].path
}

/// The site's name, drawn.
pub fn wordmark() -> &'static str {
    static MARK: LazyLock<String> = LazyLock::new(|| super::stroke::svg("OnGrid"));
    &MARK
}

/// An embedded file.
pub async fn asset(Path(name): Path<String>) -> Result<Response, Problem> {
    let named = |asset: &&Asset| asset.path.strip_prefix("/assets/") == Some(&*name);
    let asset = ASSETS.iter().find(named).ok_or_else(|| Problem::not_found("such file"))?;
    let headers =
        [(header::CONTENT_TYPE, asset.kind), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Ok((headers, asset.bytes).into_response())
}
