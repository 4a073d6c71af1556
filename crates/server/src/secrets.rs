//! The secrets of days at rest: sealed with a key that is not in the database.

use std::path::Path;

use anyhow::{Context, Result, bail};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{ChaCha20Poly1305, Key, Nonce};
use ongrid_engine::canonical;
use ongrid_store::Day;

use crate::day::Secret;
use crate::keyfile;

/// Name of the key's file in the data directory.
const FILE: &str = "day-secrets.key";
const NONCE: usize = 12;

/// Seals and opens the secrets of days.
#[derive(Clone)]
pub struct Sealer(ChaCha20Poly1305);

impl std::fmt::Debug for Sealer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sealer(…)")
    }
}

impl Sealer {
    /// With the key of the settings, or the one in the data directory, which is made where there is none. Replicas
    /// must have the same.
    ///
    /// # Errors
    /// Where the key is not 64 hex digits, or the file cannot be read or made.
    pub fn load(setting: &str, data: &Path) -> Result<Self> {
        if !setting.is_empty() {
            return Self::from_hex(setting).context("day.secret_key");
        }
        let path = data.join(FILE);
        let text = keyfile::load(&path, || {
            let mut key = [0; 32];
            getrandom::fill(&mut key)?;
            Ok(format!("{}\n", canonical::hex(&key)).into_bytes())
        })?;
        Self::from_hex(String::from_utf8_lossy(&text).trim()).with_context(|| path.display().to_string())
    }

    /// With this key.
    ///
    /// # Errors
    /// Where it is not 64 lowercase hex digits.
    pub fn from_hex(text: &str) -> Result<Self> {
        let seed = ongrid_engine::Seed::parse(text).ok().filter(|_| text.len() == 64);
        match seed {
            Some(key) => Ok(Self(ChaCha20Poly1305::new(&Key::from(*key.bytes())))),
            None => bail!("a key is 64 lowercase hex digits"),
        }
    }

    /// Seals a day's secret; it opens for that day only.
    ///
    /// # Errors
    /// Where the system gives no randomness.
    pub fn seal(&self, day: Day, secret: &Secret) -> Result<Vec<u8>> {
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce)?;
        let day = day.to_string();
        let payload = Payload { msg: &secret.0, aad: day.as_bytes() };
        let sealed =
            self.0.encrypt(&Nonce::from(nonce), payload).map_err(|_| anyhow::anyhow!("cannot seal"))?;
        Ok([&nonce[..], &sealed].concat())
    }

    /// Opens what [`Sealer::seal`] sealed.
    ///
    /// # Errors
    /// Where it was sealed with another key, for another day, or was changed.
    pub fn open(&self, day: Day, sealed: &[u8]) -> Result<Secret> {
        let wrong = || {
            anyhow::anyhow!(
                "the secret of {day} was sealed with another key (day.secret_key), or was changed"
            )
        };
        let (nonce, rest) = sealed.split_first_chunk::<NONCE>().ok_or_else(wrong)?;
        let text = day.to_string();
        let opened = self.0.decrypt(&Nonce::from(*nonce), Payload { msg: rest, aad: text.as_bytes() });
        let bytes: [u8; 32] = opened.map_err(|_| wrong())?.try_into().map_err(|_| wrong())?;
        Ok(Secret(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_opens_for_its_day_and_key_only() {
        let directory = tempfile::tempdir().unwrap();
        let sealer = Sealer::load("", directory.path()).unwrap();
        let secret = Secret([7; 32]);
        let sealed = sealer.seal(Day(1), &secret).unwrap();
        assert_eq!(Sealer::load("", directory.path()).unwrap().open(Day(1), &sealed).unwrap(), secret);
        assert!(sealer.open(Day(2), &sealed).is_err());
        let mut changed = sealed.clone();
        changed[20] ^= 1;
        assert!(sealer.open(Day(1), &changed).is_err());
        assert!(Sealer::load(&"ab".repeat(32), directory.path()).unwrap().open(Day(1), &sealed).is_err());
        assert!(Sealer::load("abc", directory.path()).is_err());
        assert!(!sealed.windows(4).any(|bytes| bytes == [7; 4]));
    }
}
