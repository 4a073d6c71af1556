//! Any setup of any engine is legal or refused. The first byte picks the engine.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ongrid_engine::Registry;

#[path = "../../crates/server/src/engines.rs"]
mod engines;

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| engines::registry().expect("the data are the tags'"));

fuzz_target!(|bytes: &[u8]| {
    let Some((pick, setup)) = bytes.split_first() else { return };
    let tags = REGISTRY.tags();
    let tag = tags[usize::from(*pick) % tags.len()];
    let head = format!("{{\"engine\":\"{tag}\",\"seed\":\"7\",\"calls\":[],\"setup\":");
    let _ = REGISTRY.verify(&[head.as_bytes(), setup, b"}"].concat());
});
