//! Canonical JSON (RFC 8785) and the digests over it (http-api, "Digests").
//!
//! Types that are hashed declare their fields in the order of their names and use no unordered map; this module
//! supplies what serde_json does not: numbers as ECMAScript writes them. [`is_canonical`] is for their tests.

use std::fmt;
use std::io;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use crate::Seed;
use crate::json::{self, Reader, Value};

/// A SHA-256 digest; 64 lowercase hex digits on the wire.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest of some bytes, and that of the same bytes with more behind them, which goes on from the first.
    pub(crate) fn of_both(bytes: &[u8], more: &[u8]) -> (Self, Self) {
        let begun = Sha256::new_with_prefix(bytes);
        let whole = begun.clone().chain_update(more);
        (Self(begun.finalize().into()), Self(whole.finalize().into()))
    }

    /// 64 lowercase hex digits.
    pub fn hex(&self) -> String {
        hex(&self.0)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({})", self.hex())
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.hex())
    }
}

/// A document that many records have, and its digest; clones share it.
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    bytes: Arc<[u8]>,
    digest: Digest,
}

impl Document {
    /// The document of some bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { digest: Digest::of(&bytes), bytes: bytes.into() }
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// SHA-256 of them.
    pub fn digest(&self) -> Digest {
        self.digest
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Document({})", self.digest)
    }
}

/// Lowercase hex digits of some bytes.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = Vec::with_capacity(bytes.len() * 2);
    write_hex(bytes, &mut text);
    String::from_utf8(text).expect("digits are ASCII")
}

/// Appends lowercase hex digits of some bytes.
pub fn write_hex(bytes: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.extend(
        bytes.iter().flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]),
    );
}

/// Reads eight lowercase hex digits, all at a time, a byte each.
#[inline]
pub(crate) fn read_hex(digits: [u8; 8]) -> Option<u32> {
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

/// Canonical bytes of a value whose types keep the order of names.
///
/// # Panics
/// If the value holds a NaN, an infinity or a map with keys that are not text: no engine lets one out.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(1024);
    write(&mut bytes, value);
    bytes
}

/// Appends canonical bytes; see [`to_vec`].
pub fn write<T: Serialize + ?Sized>(bytes: &mut Vec<u8>, value: &T) {
    let mut serializer = serde_json::Serializer::with_formatter(bytes, Formatter);
    value.serialize(&mut serializer).expect("engine values serialise");
}

/// Appends `"engine":…,"seed":…,"setup":…}`, with which both the canonical replay and what `c₀` is computed over end.
pub(crate) fn write_tail(tag: &str, seed: &Seed, setup: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(b"\"engine\":");
    write(out, tag);
    out.extend_from_slice(b",\"seed\":\"");
    seed.write_hex(out);
    out.extend_from_slice(b"\",\"setup\":");
    out.extend_from_slice(setup);
    out.push(b'}');
}

/// serde_json's compact form, with numbers as ECMAScript writes them.
struct Formatter;

impl serde_json::ser::Formatter for Formatter {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        assert!(value.is_finite(), "no NaN or infinity leaves an engine");
        writer.write_all(ryu_js::Buffer::new().format_finite(value).as_bytes())
    }
}

/// Whether bytes are canonical JSON: read, sorted and written again they are the same.
pub fn is_canonical(bytes: &[u8]) -> bool {
    let read = Reader::from_bytes(bytes).and_then(|mut json| {
        let value = json.value()?;
        json.end()?;
        Ok(value)
    });
    read.is_ok_and(|value| to_vec(&value) == bytes)
}

/// Canonical form: the members of objects in the order of their names, numbers as what they stand for.
impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(text) => match json::integer(text) {
                Some(value) => serializer.serialize_i64(value),
                None => serializer.serialize_f64(json::number(text).unwrap_or_default()),
            },
            Value::Text(text) => serializer.serialize_str(text),
            Value::Array(items) => serializer.collect_seq(items),
            Value::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                // RFC 8785 sorts by UTF-16 code units.
                members.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
                serializer.collect_map(members.into_iter().map(|(key, value)| (key, value)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_ecmascript_writes_them() {
        for (value, text) in [
            (9000.0, "9000"),
            (0.1, "0.1"),
            (-0.0, "0"),
            (-123456789.0, "-123456789"),
            (9007199254740991.0, "9007199254740991"),
            (9007199254740992.0, "9007199254740992"),
            (-9007199254740993.0, "-9007199254740992"),
            (9223372036854775807.0, "9223372036854776000"),
            (-9223372036854775808.0, "-9223372036854776000"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (1e-6, "0.000001"),
            (1.5e-7, "1.5e-7"),
            (5e-324, "5e-324"),
        ] {
            assert_eq!(String::from_utf8(to_vec(&value)).unwrap(), text);
        }
    }

    #[test]
    fn digests_go_on() {
        assert_eq!(Digest::of_both(b"set", b"up"), (Digest::of(b"set"), Digest::of(b"setup")));
    }

    #[test]
    fn canonical_is_recognised() {
        assert!(is_canonical(br#"{"a":1,"b":[true,null,"x\n"]}"#));
        assert!(!is_canonical(br#"{"b":1,"a":1}"#));
        assert!(!is_canonical(br#"{"a": 1}"#));
        assert!(!is_canonical(br#"{"a":1.0}"#));
    }
}
