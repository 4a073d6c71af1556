//! The chain of checkpoints (ongrid-8 §14): it diagnoses, it never authenticates.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::canonical::read_hex;

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
    #[inline]
    pub fn parse(text: &str) -> Option<u64> {
        let (high, low) = text.as_bytes().split_first_chunk::<8>()?;
        let low: &[u8; 8] = low.try_into().ok()?;
        Some(u64::from(read_hex(*high)?) << 32 | u64::from(read_hex(*low)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_come_back() {
        for value in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210] {
            assert_eq!(Chain::parse(&Chain::hex(value)), Some(value));
        }
    }

    #[test]
    fn what_is_no_link() {
        let sound = "0123456789abcdef";
        for text in ["", "0", "0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF", "+123456789abcdef"]
        {
            assert_eq!(Chain::parse(text), None, "{text}");
        }
        for at in 0..16 {
            for byte in (0..128).filter(|byte| !b"0123456789abcdef".contains(byte)) {
                let mut bytes = sound.as_bytes().to_vec();
                bytes[at] = byte;
                assert_eq!(Chain::parse(std::str::from_utf8(&bytes).unwrap()), None);
            }
        }
    }
}
