//! The chain of checkpoints (ongrid-8 §14): it diagnoses, it never authenticates.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// `c₀ = xxh3_64(canonical setup, seed 0)`, `cₖ = xxh3_64(state, seed = cₖ₋₁)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain(u64);

impl Chain {
    /// `c₀`, over the canonical setup.
    pub fn start(canonical_setup: &[u8]) -> Self {
        Self(xxh3_64_with_seed(canonical_setup, 0))
    }

    /// The next link, over the state after a call.
    #[inline]
    pub fn step(&mut self, state: &[u8]) {
        self.0 = xxh3_64_with_seed(state, self.0);
    }

    /// The link reached.
    pub fn value(&self) -> u64 {
        self.0
    }

    /// A link as it is on the wire: 16 lowercase hex digits.
    pub fn hex(value: u64) -> String {
        format!("{value:016x}")
    }

    /// Reads a link; `None` where it is not 16 lowercase hex digits.
    pub fn parse(text: &str) -> Option<u64> {
        let plain = text.len() == 16 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        plain.then(|| u64::from_str_radix(text, 16).ok()).flatten()
    }
}
