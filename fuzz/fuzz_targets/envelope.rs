//! A document of any bytes is a verdict or a rejection, whichever engine it names; a verdict's canonical replay has the
//! same verdict.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ongrid_engine::Registry;

#[path = "../../crates/server/src/engines.rs"]
mod engines;

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| engines::registry().expect("the data are the tags'"));

fuzz_target!(|bytes: &[u8]| {
    if let Ok(verdict) = REGISTRY.verify(bytes) {
        let again = REGISTRY.verify(&verdict.replay).expect("a canonical replay verifies");
        assert_eq!(again.replay, verdict.replay);
        assert_eq!(again.outcome, verdict.outcome);
    }
});
