//! The data of a ruleset and the digest that is part of its identity (ongrid-8 §15).

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::Digest;

/// One file of ruleset data, embedded in the binary.
#[derive(Clone, Copy, Debug)]
pub struct DataFile {
    /// Its name, as served under `/v1/rulesets/{tag}/data/`.
    pub name: &'static str,
    /// Its bytes.
    pub bytes: &'static [u8],
}

/// The data files of one engine, in the order in which they are hashed.
#[derive(Clone, Debug)]
pub struct Ruleset {
    files: &'static [DataFile],
    digest: Digest,
}

/// The embedded data are not those that the tag stands for.
#[derive(Debug)]
pub struct RulesetError {
    /// The engine's tag.
    pub tag: &'static str,
    /// Digest that the tag stands for, or what is wrong with the data.
    pub expected: String,
    /// Digest of the embedded data.
    pub found: Digest,
}

impl fmt::Display for RulesetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the ruleset data of {} have the digest {}, the tag stands for {}: a changed figure needs a new tag",
            self.tag, self.found, self.expected
        )
    }
}

impl std::error::Error for RulesetError {}

impl Ruleset {
    /// The data of `tag`, held against the digest written down for it.
    ///
    /// # Errors
    /// Where a byte of the data was changed under the same tag.
    pub fn new(tag: &'static str, files: &'static [DataFile], expected: &str) -> Result<Self, RulesetError> {
        let mut hash = Sha256::new();
        for file in files {
            hash.update(file.bytes);
        }
        let digest = Digest(hash.finalize().into());
        if digest.hex() != expected {
            return Err(RulesetError { tag, expected: expected.to_owned(), found: digest });
        }
        Ok(Self { files, digest })
    }

    /// The files, in the order in which they are hashed.
    pub fn files(&self) -> &'static [DataFile] {
        self.files
    }

    /// SHA-256 over the bytes of the files in order.
    pub fn digest(&self) -> Digest {
        self.digest
    }
}
