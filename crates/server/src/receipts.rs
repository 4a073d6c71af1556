//! Receipts: what the referee signs of every stored verdict, and the keys that it signs with (http-api, "Shapes").
//!
//! Ed25519 over the canonical JSON of the body. The same body signed with the same key is the same receipt, so that
//! nothing of it is stored. Keys stand in a file; one that is retired keeps its public half there and stays published.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use ongrid_engine::{Digest, canonical};
use ongrid_store::{Micros, Receipted};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::config;
use crate::keyfile;
use crate::merkle::{self, Hash};

/// Name of the file of keys in the data directory.
const FILE: &str = "receipt-keys.json";

/// What a receipt states. Fields stand in canonical order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReceiptBody {
    /// When the engine was done.
    pub at: String,
    /// The build that decided.
    pub build: String,
    /// The day that the fight counts for.
    pub day: String,
    /// Engine tag.
    pub engine: String,
    /// The fight.
    pub fight: Uuid,
    /// `free`, `practice` or `ranked`.
    pub kind: String,
    /// SHA-256 of the canonical outcome.
    pub outcome_digest: String,
    /// Who fought.
    pub pilot: Uuid,
    /// SHA-256 of the canonical replay.
    pub replay_digest: String,
    /// Digest of the engine's ruleset data.
    pub ruleset: String,
    /// 1.
    pub v: u32,
}

impl From<&Receipted> for ReceiptBody {
    fn from(it: &Receipted) -> Self {
        Self {
            at: it.at.to_string(),
            build: it.build.clone(),
            day: it.day.to_string(),
            engine: it.engine.clone(),
            fight: it.fight,
            kind: it.kind.as_str().to_owned(),
            outcome_digest: it.outcome_digest.hex(),
            pilot: it.pilot,
            replay_digest: it.replay_digest.hex(),
            ruleset: it.ruleset.hex(),
            v: 1,
        }
    }
}

impl ReceiptBody {
    /// What is signed.
    pub fn canonical(&self) -> Vec<u8> {
        canonical::to_vec(self)
    }

    /// Its leaf in the log.
    pub fn leaf(&self) -> Hash {
        merkle::leaf(&self.canonical())
    }
}

/// A signed receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// What it states.
    pub body: ReceiptBody,
    /// Id of the key.
    pub key: String,
    /// 128 hex digits: Ed25519 over the canonical JSON of `body`.
    pub signature: String,
}

/// A public key as it is published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishedKey {
    /// The first 16 hex digits of its SHA-256.
    pub id: String,
    /// The key, 64 hex digits.
    pub public: String,
    /// From when on it signed.
    pub from: String,
    /// When it was retired: it signs nothing that happened later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// A key as it stands in the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredKey {
    from: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    public: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

/// A key of a [`KeyRing`].
#[derive(Clone)]
struct Key {
    id: String,
    public: VerifyingKey,
    secret: Option<SigningKey>,
    from: Micros,
    until: Option<Micros>,
}

/// The keys that receipts and checkpoints are signed with and, whoever has only the published ones, checked with.
#[derive(Clone)]
pub struct KeyRing {
    /// In the order of their beginnings; the last one signs.
    keys: Vec<Key>,
    /// First line of checkpoints, and name of their keys.
    origin: String,
}

impl std::fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.keys.iter().map(|key| &key.id)).finish()
    }
}

/// Where the keys are, by the settings.
pub fn path(settings: &config::Receipts, data: &Path) -> PathBuf {
    if settings.keys.is_empty() { data.join(FILE) } else { PathBuf::from(&settings.keys) }
}

impl KeyRing {
    /// The keys of the file; one is made where there is no file. Replicas must have the same.
    ///
    /// # Errors
    /// Where the file cannot be read or made, or has no key that signs.
    pub fn load(settings: &config::Receipts, data: &Path, now: Micros) -> Result<Self> {
        let path = path(settings, data);
        let text = keyfile::load(&path, || {
            Self { keys: vec![Key::random(now)?], origin: settings.origin.clone() }.stored()
        })?;
        let stored: Vec<StoredKey> =
            serde_json::from_slice(&text).with_context(|| format!("{} holds no keys", path.display()))?;
        let keys = stored.into_iter().map(Key::read).collect::<Result<Vec<_>>>();
        let mut ring =
            Self { keys: keys.with_context(|| path.display().to_string())?, origin: settings.origin.clone() };
        ring.keys.sort_by_key(|key| key.from);
        if !ring.keys.last().is_some_and(|key| key.secret.is_some() && key.until.is_none()) {
            bail!("{}: the last key must have its secret and no end", path.display());
        }
        Ok(ring)
    }

    /// The keys as published: they check and do not sign.
    ///
    /// # Errors
    /// Where one is malformed.
    pub fn published(keys: Vec<PublishedKey>) -> Result<Self> {
        let keys = keys.into_iter().map(|key| {
            let PublishedKey { id, public, from, until } = key;
            let key = Key::read(StoredKey { from, until, public, secret: None })?;
            if key.id != id {
                bail!("the key {id} is not the one that its id names");
            }
            Ok(key)
        });
        Ok(Self { keys: keys.collect::<Result<_>>()?, origin: String::new() })
    }

    /// Ends the key in use and begins a new one, in the file. The secret of the old one is forgotten unless `keep`: kept,
    /// it signs the receipts of its time again as they were.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn rotate(&mut self, path: &Path, now: Micros, keep: bool) -> Result<()> {
        if let Some(old) = self.keys.last_mut() {
            old.until = Some(now);
            if !keep {
                old.secret = None;
            }
        }
        self.keys.push(Key::random(now)?);
        keyfile::replace(path, &self.stored()?)
    }

    fn stored(&self) -> Result<Vec<u8>> {
        let keys: Vec<StoredKey> = self.keys.iter().map(Key::stored).collect();
        Ok(serde_json::to_vec_pretty(&keys)?)
    }

    /// The public halves.
    pub fn list(&self) -> Vec<PublishedKey> {
        self.keys
            .iter()
            .map(|key| PublishedKey {
                id: key.id.clone(),
                public: canonical::hex(key.public.as_bytes()),
                from: key.from.to_string(),
                until: key.until.map(|until| until.to_string()),
            })
            .collect()
    }

    /// First line of checkpoints.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Signs a receipt: with the key of its time where that is still at hand, else with the one in use.
    ///
    /// # Errors
    /// Where this ring only checks.
    pub fn sign(&self, it: &Receipted) -> Result<Receipt> {
        let body = ReceiptBody::from(it);
        let was_in_use = |key: &&Key| key.from <= it.at && key.until.is_none_or(|until| it.at < until);
        let of_its_time = self.keys.iter().filter(|key| key.secret.is_some()).find(was_in_use);
        let key = of_its_time.or(self.keys.last());
        let (key, secret) =
            key.and_then(|key| Some((key, key.secret.as_ref()?))).context("there is no key to sign with")?;
        let signature = secret.sign(&body.canonical());
        Ok(Receipt { body, key: key.id.clone(), signature: canonical::hex(&signature.to_bytes()) })
    }

    /// Checks a receipt.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence.
    pub fn check(&self, receipt: &Receipt) -> Result<()> {
        let Some(key) = self.keys.iter().find(|key| key.id == receipt.key) else {
            bail!("the receipt is signed with the key {}, which is not among the keys", receipt.key);
        };
        let signature: [u8; 64] = unhex(&receipt.signature).context("the signature is not 128 hex digits")?;
        let signature = Signature::from_bytes(&signature);
        if key.public.verify_strict(&receipt.body.canonical(), &signature).is_err() {
            bail!("the signature is not over this body: the receipt was changed or forged");
        }
        let at: jiff::Timestamp = receipt.body.at.parse().context("its time is none")?;
        if key.until.is_some_and(|until| until <= Micros::from(at)) {
            bail!("the key {} was retired before {}", key.id, receipt.body.at);
        }
        if receipt.body.v != 1 {
            bail!("the receipt is of version {}", receipt.body.v);
        }
        Ok(())
    }

    /// Signs a checkpoint: a C2SP signed note (tlog-checkpoint).
    ///
    /// # Errors
    /// Where this ring only checks.
    pub fn note(&self, size: u64, root: &Hash) -> Result<String> {
        let key = self.keys.last().context("there is no key")?;
        let secret = key.secret.as_ref().context("there is no key to sign with")?;
        let origin = &self.origin;
        let text = format!("{origin}\n{size}\n{}\n", STANDARD.encode(root));
        let mut signature = key.note_id(origin).to_vec();
        signature.extend_from_slice(&secret.sign(text.as_bytes()).to_bytes());
        Ok(format!("{text}\n\u{2014} {origin} {}\n", STANDARD.encode(signature)))
    }

    /// Checks a signed note; answers size and root.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence.
    pub fn check_note(&self, note: &str) -> Result<(u64, Hash)> {
        let (text, signatures) = note.split_once("\n\n").context("the checkpoint has no signature")?;
        let signed = format!("{text}\n");
        let mut lines = text.lines();
        let (origin, size, root) = (lines.next(), lines.next(), lines.next());
        let origin = origin.filter(|origin| !origin.is_empty()).context("the checkpoint has no origin")?;
        if !self.origin.is_empty() && origin != self.origin {
            bail!("the checkpoint is of the log {origin:?}, not of {:?}", self.origin);
        }
        let size = size.and_then(|size| size.parse().ok()).context("the checkpoint has no size")?;
        let root = root.and_then(|root| STANDARD.decode(root).ok()?.try_into().ok());
        let root: Hash = root.context("the checkpoint has no root")?;
        let good = signatures.lines().any(|line| {
            let signature = line.strip_prefix("\u{2014} ").and_then(|line| line.strip_prefix(origin));
            let bytes = signature.and_then(|text| STANDARD.decode(text.strip_prefix(' ')?).ok());
            let Some(bytes) = bytes else { return false };
            let Some((id, signature)) = bytes.split_first_chunk::<4>() else { return false };
            let Ok(signature) = Signature::from_slice(signature) else { return false };
            let mut known = self.keys.iter().filter(|key| key.note_id(origin) == *id);
            known.any(|key| key.public.verify_strict(signed.as_bytes(), &signature).is_ok())
        });
        if !good {
            bail!("the checkpoint has no signature of a known key: it was changed or forged");
        }
        Ok((size, root))
    }
}

impl Key {
    fn random(from: Micros) -> Result<Self> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self::new(SigningKey::from_bytes(&bytes), from))
    }

    fn new(secret: SigningKey, from: Micros) -> Self {
        let public = secret.verifying_key();
        Self { id: id_of(&public), public, secret: Some(secret), from, until: None }
    }

    fn read(stored: StoredKey) -> Result<Self> {
        let instant = |text: &str| -> Result<Micros> {
            let at: jiff::Timestamp = text.parse().with_context(|| format!("{text:?} is no instant"))?;
            Ok(at.into())
        };
        let public = unhex(&stored.public).context("a public key is 64 hex digits")?;
        let public = VerifyingKey::from_bytes(&public).context("this is no public key")?;
        let secret = match &stored.secret {
            Some(text) => {
                Some(SigningKey::from_bytes(&unhex(text).context("a secret key is 64 hex digits")?))
            }
            None => None,
        };
        if secret.as_ref().is_some_and(|secret| secret.verifying_key() != public) {
            bail!("secret and public key do not belong together");
        }
        let until = stored.until.as_deref().map(instant).transpose()?;
        Ok(Self { id: id_of(&public), public, secret, from: instant(&stored.from)?, until })
    }

    fn stored(&self) -> StoredKey {
        StoredKey {
            from: self.from.to_string(),
            until: self.until.map(|until| until.to_string()),
            public: canonical::hex(self.public.as_bytes()),
            secret: self.secret.as_ref().map(|secret| canonical::hex(&secret.to_bytes())),
        }
    }

    /// Id of the key in signed notes: of its name, its kind (1, Ed25519) and itself.
    fn note_id(&self, name: &str) -> [u8; 4] {
        let digest = Digest::of(&[name.as_bytes(), b"\n\x01", self.public.as_bytes()].concat()).0;
        [digest[0], digest[1], digest[2], digest[3]]
    }
}

fn id_of(public: &VerifyingKey) -> String {
    Digest::of(public.as_bytes()).hex()[..16].to_owned()
}

/// Reads lowercase hex digits of exactly so many bytes.
pub fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N || !digits.iter().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use ongrid_store::{Day, Kind};

    use super::*;

    fn settings() -> config::Receipts {
        config::Receipts { keys: String::new(), origin: "test.example/log".into(), append_every: 5 }
    }

    fn receipted(at: i64) -> Receipted {
        Receipted {
            fight: Uuid::from_u128(7),
            kind: Kind::Ranked,
            engine: "ongrid-8".into(),
            ruleset: Digest::of(b"r"),
            build: "b".into(),
            replay_digest: Digest::of(b"a"),
            outcome_digest: Digest::of(b"o"),
            pilot: Uuid::from_u128(8),
            day: Day(20_000),
            at: Micros(at),
        }
    }

    #[test]
    fn keys_are_made_once_for_their_owner_alone_and_rotate() {
        let directory = tempfile::tempdir().unwrap();
        let mut ring = KeyRing::load(&settings(), directory.path(), Micros(100)).unwrap();
        let file = path(&settings(), directory.path());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let first = ring.sign(&receipted(150)).unwrap();
        assert_eq!(ring.sign(&receipted(150)).unwrap(), first, "the same again");
        ring.rotate(&file, Micros(200), true).unwrap();
        let mut ring = KeyRing::load(&settings(), directory.path(), Micros(300)).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(ring.sign(&receipted(150)).unwrap(), first, "the same after a rotation");
        let second = ring.sign(&receipted(250)).unwrap();
        assert_ne!(first.key, second.key);
        ring.rotate(&file, Micros(400), false).unwrap();
        let published = KeyRing::published(ring.list()).unwrap();
        for receipt in [&first, &second, &ring.sign(&receipted(250)).unwrap()] {
            published.check(receipt).unwrap();
        }
        assert_eq!(ring.list().iter().filter(|key| key.until.is_none()).count(), 1);
        // A retired key that somebody got hold of signs nothing new.
        let stolen = KeyRing { keys: ring.keys[..1].to_vec(), ..ring.clone() };
        let forged = stolen.sign(&receipted(500)).unwrap();
        assert!(published.check(&forged).unwrap_err().to_string().contains("retired"));
    }

    #[test]
    fn what_was_changed_is_found() {
        let directory = tempfile::tempdir().unwrap();
        let ring = KeyRing::load(&settings(), directory.path(), Micros(0)).unwrap();
        let receipt = ring.sign(&receipted(5)).unwrap();
        ring.check(&receipt).unwrap();
        let change = |change: &dyn Fn(&mut Receipt)| {
            let mut changed = receipt.clone();
            change(&mut changed);
            ring.check(&changed).unwrap_err().to_string()
        };
        assert!(change(&|it| it.body.kind = "free".into()).contains("changed or forged"));
        assert!(change(&|it| it.body.pilot = Uuid::nil()).contains("changed or forged"));
        assert!(change(&|it| it.signature.truncate(127)).contains("128 hex digits"));
        assert!(change(&|it| it.key = "0".repeat(16)).contains("not among the keys"));
        assert!(change(&|it| it.signature = "0".repeat(128)).contains("forged"));
        let other = tempfile::tempdir().unwrap();
        let other = KeyRing::load(&settings(), other.path(), Micros(0)).unwrap();
        assert!(other.check(&receipt).is_err());

        let note = ring.note(7, &[9; 32]).unwrap();
        assert_eq!(KeyRing::published(ring.list()).unwrap().check_note(&note).unwrap(), (7, [9; 32]));
        assert!(other.check_note(&note).is_err());
        for forged in [
            note.replacen("\n7\n", "\n8\n", 1),
            note.replace("test.example", "evil.example"),
            "x".into(),
            String::new(),
        ] {
            assert!(ring.check_note(&forged).is_err(), "{forged}");
        }
        for end in 0..note.len() - 1 {
            if let Some(cut) = note.get(..end) {
                assert!(ring.check_note(cut).is_err(), "{cut:?}");
            }
        }
    }
}
