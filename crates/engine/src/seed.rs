//! Seeds: 32 key bytes, written as 64 lowercase hex digits or as a decimal u64 (conventions, "Replay").

use std::fmt;

use crate::canonical::read_hex;
use crate::{Rejection, Result};

/// The key of a replay's generator: 32 bytes, byte 0 first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// A seed from its key bytes.
    pub fn from_bytes(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// Expands a u64 by the steps of conventions, "Stream and draws". Written out here, since a crate's own
    /// expansion may change with its next minor version.
    pub fn from_u64(number: u64) -> Self {
        let mut state = number;
        let mut key = [0; 32];
        for word in key.chunks_exact_mut(4) {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0xA176_54E4_6FBE_17F3);
            let mixed = (((state >> 18) ^ state) >> 27) as u32;
            word.copy_from_slice(&mixed.rotate_right((state >> 59) as u32).to_le_bytes());
        }
        Self(key)
    }

    /// Reads a seed as it is on the wire. Anything but 64 lowercase hex digits or a plain decimal u64 is a
    /// `format` fault, never a default.
    pub fn parse(text: &str) -> Result<Self> {
        let bytes = text.as_bytes();
        if bytes.len() == 64 {
            let mut key = [0; 32];
            for (four, digits) in key.as_chunks_mut().0.iter_mut().zip(bytes.as_chunks().0) {
                let read = read_hex(*digits).ok_or_else(|| {
                    Rejection::format("a seed of 64 characters is written in lowercase hex digits")
                })?;
                *four = read.to_be_bytes();
            }
            return Ok(Self(key));
        }
        let plain = (1..=20).contains(&bytes.len())
            && bytes.iter().all(u8::is_ascii_digit)
            && (bytes.len() == 1 || bytes[0] != b'0');
        match text.parse::<u64>() {
            Ok(number) if plain => Ok(Self::from_u64(number)),
            _ => Err(Rejection::format(
                "the seed is neither 64 lowercase hex digits nor a decimal number below 2^64",
            )),
        }
    }

    /// The 32 key bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The canonical form: 64 lowercase hex digits, byte 0 first.
    pub fn hex(&self) -> String {
        crate::canonical::hex(&self.0)
    }

    /// Appends the canonical form.
    pub fn write_hex(&self, out: &mut Vec<u8>) {
        crate::canonical::write_hex(&self.0, out);
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seed({})", self.hex())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_0_is_the_published_key() {
        assert_eq!(
            Seed::parse("0").unwrap().hex(),
            "ecf273f981b5cd4587f0467306ad6cadd0d0a3e33317e767f29bea72d78a7dfe"
        );
    }

    #[test]
    fn what_is_not_a_seed() {
        for text in [
            "",
            "abc",
            "-1",
            "+1",
            "007",
            "00",
            "1e3",
            "0x10",
            " 1",
            "1 ",
            "18446744073709551616",
            "99999999999999999999",
            "ECF273F981B5CD4587F0467306AD6CADD0D0A3E33317E767F29BEA72D78A7DFE",
            "1.0",
            "١",
        ] {
            assert_eq!(Seed::parse(text).unwrap_err().code(), "format", "{text:?}");
        }
        assert!(Seed::parse(&"g".repeat(64)).is_err());
        assert!(Seed::parse("18446744073709551615").is_ok());
        assert_ne!(Seed::parse("9007199254740993").unwrap(), Seed::parse("9007199254740992").unwrap());
    }
}
