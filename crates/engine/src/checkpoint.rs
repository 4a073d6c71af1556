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
    #[inline]
    pub fn parse(text: &str) -> Option<u64> {
        let (high, low) = text.as_bytes().split_first_chunk::<8>()?;
        let low: &[u8; 8] = low.try_into().ok()?;
        Some(u64::from(eight_digits(*high)?) << 32 | u64::from(eight_digits(*low)?))
    }
}

/// Eight lowercase hex digits at a time, a byte each.
#[inline]
fn eight_digits(digits: [u8; 8]) -> Option<u32> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    let written = u64::from_be_bytes(digits);
    // A letter has bit 6; its value is its low half and nine.
    let values = (written & (ONES * 0x0F)) + (written >> 6 & ONES) * 9;
    let letters = (values + ONES * 6) >> 4 & ONES;
    let again = values + ONES * u64::from(b'0') + letters * u64::from(b'a' - b'9' - 1);
    if again != written || values & (ONES * 0xF0) != 0 {
        return None;
    }
    let pairs = (values | values >> 4) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs | pairs >> 8) & 0x0000_FFFF_0000_FFFF;
    Some((fours | fours >> 16) as u32)
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
