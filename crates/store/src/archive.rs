//! How the documents of a fight are packed.
//!
//! A fight is four texts of the same words, 13 KB in the mean. Packed here they take 3.5 KB on either database and
//! cost 25 µs; left to Postgres they took longer and were packed one by one. A packed block is its length unpacked
//! (four bytes, little-endian) and an LZ4 block; the received text is packed with the canonical replay as its dictionary,
//! which it nearly repeats. What stands behind the snapshot in the archive is the trail; records of before have none.

use bytes::{Buf, Bytes};
use lz4_flex::block;

use crate::{Error, Result};

/// Longest document that is unpacked, in bytes: nothing that the service takes or makes comes near.
const LONGEST: usize = 16 * 1024 * 1024;

/// The documents of a fight, as canonical JSON: parts of what was unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Documents {
    /// The canonical replay.
    pub replay: Bytes,
    /// The outcome.
    pub outcome: Bytes,
    /// The audit of the fits, where the engine has one.
    pub snapshot: Option<Bytes>,
    /// The low 16 bits of every checkpoint, little-endian; empty in records of before it was kept.
    pub trail: Bytes,
}

/// The two columns of a fight's documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    pub(crate) archive: Vec<u8>,
    pub(crate) received: Vec<u8>,
}

impl Packed {
    pub(crate) fn new(
        replay: &[u8],
        outcome: &[u8],
        snapshot: Option<&[u8]>,
        trail: &[u8],
        received: &[u8],
    ) -> Self {
        let snapshot_length = snapshot.map_or(u32::MAX, length);
        let mut joined = Vec::with_capacity(
            12 + replay.len() + outcome.len() + snapshot.map_or(0, <[u8]>::len) + trail.len(),
        );
        joined.extend_from_slice(&length(replay).to_le_bytes());
        joined.extend_from_slice(&length(outcome).to_le_bytes());
        joined.extend_from_slice(&snapshot_length.to_le_bytes());
        joined.extend_from_slice(replay);
        joined.extend_from_slice(outcome);
        joined.extend_from_slice(snapshot.unwrap_or_default());
        joined.extend_from_slice(trail);
        Self {
            archive: block::compress_prepend_size(&joined),
            received: block::compress_prepend_size_with_dict(received, replay),
        }
    }
}

/// Documents are far shorter than 4 GiB ([`LONGEST`]).
fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX)
}

/// Unpacks the canonical documents.
pub(crate) fn documents(archive: &[u8]) -> Result<Documents> {
    let mut rest = Bytes::from(unpack(archive, &[])?);
    let mut lengths = split(&mut rest, 12)?;
    let mut part = || match lengths.get_u32_le() {
        u32::MAX => Ok(None),
        length => split(&mut rest, length as usize).map(Some),
    };
    let (replay, outcome) = (part()?.ok_or_else(damaged)?, part()?.ok_or_else(damaged)?);
    let snapshot = part()?;
    Ok(Documents { replay, outcome, snapshot, trail: rest })
}

/// Takes so many bytes off the front.
fn split(rest: &mut Bytes, length: usize) -> Result<Bytes> {
    if length > rest.len() {
        return Err(damaged());
    }
    Ok(rest.split_to(length))
}

/// Packs a text by itself.
pub(crate) fn pack(text: &[u8]) -> Vec<u8> {
    block::compress_prepend_size(text)
}

/// Unpacks what [`pack`] packed.
pub(crate) fn unpacked(packed: &[u8]) -> Result<Vec<u8>> {
    unpack(packed, &[])
}

/// Unpacks the text as it was received.
pub(crate) fn received(packed: &[u8], replay: &[u8]) -> Result<Vec<u8>> {
    unpack(packed, replay)
}

fn unpack(packed: &[u8], dictionary: &[u8]) -> Result<Vec<u8>> {
    let (size, _) = block::uncompressed_size(packed).map_err(|_| damaged())?;
    if size > LONGEST {
        return Err(damaged());
    }
    let unpacked = if dictionary.is_empty() {
        block::decompress_size_prepended(packed)
    } else {
        block::decompress_size_prepended_with_dict(packed, dictionary)
    };
    unpacked.ok().filter(|unpacked| unpacked.len() == size).ok_or_else(damaged)
}

fn damaged() -> Error {
    Error::Corrupt("a packed document does not unpack".into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_packed_unpacks(
            replay in proptest::collection::vec(any::<u8>(), 0..300),
            outcome in proptest::collection::vec(any::<u8>(), 0..300),
            snapshot in proptest::option::of(proptest::collection::vec(any::<u8>(), 0..300)),
            trail in proptest::collection::vec(any::<u8>(), 0..50),
            tail in proptest::collection::vec(any::<u8>(), 0..50),
        ) {
            let text = [&replay[..], &tail[..]].concat();
            let packed = Packed::new(&replay, &outcome, snapshot.as_deref(), &trail, &text);
            prop_assert_eq!(unpacked(&pack(&text)).unwrap(), text.clone());
            prop_assert_eq!(received(&packed.received, &replay).unwrap(), text);
            prop_assert_eq!(documents(&packed.archive).unwrap(), Documents {
                replay: replay.into(),
                outcome: outcome.into(),
                snapshot: snapshot.map(Bytes::from),
                trail: trail.into(),
            });
        }

        #[test]
        fn damage_is_an_error_and_never_a_panic(mut bytes in proptest::collection::vec(any::<u8>(), 0..200), huge: bool) {
            if huge && bytes.len() > 4 {
                bytes[..4].copy_from_slice(&u32::MAX.to_le_bytes());
            }
            let _ = documents(&bytes);
            let _ = received(&bytes, b"dictionary");
        }
    }

    #[test]
    fn a_cut_archive_is_found() {
        let packed = Packed::new(b"{\"calls\":[]}", b"{}", None, b"", b"");
        assert!(documents(&packed.archive[..packed.archive.len() - 1]).is_err());
        assert!(documents(&block::compress_prepend_size(&[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])).is_err());
    }
}
