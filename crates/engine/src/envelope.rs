//! The replay envelope: the members of the document as pieces of its text (conventions, "Replay").

use std::borrow::Cow;

use crate::json::{Reader, missing, once, unknown};
use crate::{Digest, MAX_REPLAY_BYTES, Rejection, Result};

/// A document that is sound JSON without duplicate keys, its top-level members not yet judged.
#[derive(Debug)]
pub struct Envelope<'a> {
    text: &'a str,
    members: Vec<(Cow<'a, str>, &'a str)>,
}

/// The keys of a replay.
const KEYS: [&str; 6] = ["engine", "ruleset", "seed", "setup", "calls", "checkpoints"];

impl<'a> Envelope<'a> {
    /// Checks the whole text as JSON: syntax, depth, duplicate keys at any depth.
    ///
    /// # Errors
    /// `too_large` above [`MAX_REPLAY_BYTES`], before anything is read; else `format` with the place.
    pub fn scan(bytes: &'a [u8]) -> Result<Self> {
        check_size(bytes)?;
        let mut json = Reader::from_bytes(bytes)?;
        let mut members: Vec<(Cow<'a, str>, &'a str)> = Vec::with_capacity(KEYS.len());
        json.members(|json, key| {
            let text = json.skip()?;
            if members.iter().any(|(known, _)| known == key) {
                return Err(crate::json::duplicate());
            }
            members.push((key.clone(), text));
            Ok(())
        })?;
        json.end()?;
        Ok(Self { text: json.text(), members })
    }

    /// The engine's tag.
    ///
    /// # Errors
    /// `format` where it is missing or no text.
    pub fn tag(&self) -> Result<Cow<'a, str>> {
        self.read("engine", |json| json.string())
    }

    /// Checks `ruleset` where the replay names one.
    ///
    /// # Errors
    /// `format` where it is no text, `ruleset` where it is not `digest`.
    pub fn check_ruleset(&self, digest: Digest) -> Result<()> {
        if self.member("ruleset").is_none() {
            return Ok(());
        }
        let sent = self.read("ruleset", |json| json.string())?;
        same_ruleset(&sent, digest)
    }

    /// Checks that no member is unknown.
    ///
    /// # Errors
    /// `format`, with the key.
    pub fn check_keys(&self) -> Result<()> {
        match self.members.iter().find(|(key, _)| !KEYS.contains(&&**key)) {
            Some((key, _)) => Err(unknown().under(key)),
            None => Ok(()),
        }
    }

    /// The text of a member.
    pub fn member(&self, key: &str) -> Option<&'a str> {
        self.members.iter().find(|(known, _)| known == key).map(|(_, text)| *text)
    }

    /// Reads a required member; faults get its key on their path.
    ///
    /// # Errors
    /// `format` where it is missing, else as `read` says.
    pub fn read<T>(&self, key: &str, read: impl FnOnce(&mut Reader<'a>) -> Result<T>) -> Result<T> {
        let text = self.member(key).ok_or_else(|| missing(key))?;
        read(&mut Reader::new(text))
            .map_err(|fault| if fault.path().is_some() { fault.under(key) } else { fault })
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }
}

/// Refuses a text that is too long, before anything is read.
pub(crate) fn check_size(bytes: &[u8]) -> Result<()> {
    if bytes.len() > MAX_REPLAY_BYTES {
        let length = bytes.len();
        return Err(Rejection::new(
            "too_large",
            format!("the replay has {length} bytes, {MAX_REPLAY_BYTES} are allowed"),
        ));
    }
    Ok(())
}

/// The tag, where the document begins with it as clients write it; nothing is judged here.
pub(crate) fn leading_tag(bytes: &[u8]) -> Option<&str> {
    let mut json = Reader::from_bytes(bytes).ok()?;
    let mut tag = None;
    // The first member ends the look: the error stops the reader.
    let _ = json.object(|json, key| {
        if key == "engine"
            && let Cow::Borrowed(text) = json.string()?
        {
            once(&mut tag, text)?;
        }
        Err(unknown())
    });
    tag
}

pub(crate) fn same_ruleset(sent: &str, digest: Digest) -> Result<()> {
    if sent == digest.hex() {
        return Ok(());
    }
    let message = format!("the replay was made with ruleset data {sent:?}, this engine has {digest}");
    Err(Rejection::new("ruleset", message).with_path("/ruleset").with_known(vec![digest.hex()]))
}
