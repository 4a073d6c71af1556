//! Pilots: what a name may be, and how one is added with a token.

use anyhow::{Context, Result};
use ongrid_store::{Micros, NewToken, PilotName, Role, Store};
use unicode_normalization::UnicodeNormalization;
use uuid::Uuid;

use crate::auth::Token;

/// Checks a name: NFC, 1 to 32 visible characters, no control or bidi characters; compared with letters folded.
///
/// # Errors
/// What is wrong with it, in a sentence.
pub fn name(text: &str) -> Result<PilotName, &'static str> {
    let shown: String = text.trim().nfc().collect();
    if !(1..=32).contains(&shown.chars().count()) {
        return Err("a name has 1 to 32 characters");
    }
    if let Some(_hidden) = shown.chars().find(|character| is_hidden(*character)) {
        return Err("a name has no control, formatting or bidirectional characters");
    }
    if shown.contains("  ") {
        return Err("a name has no double blanks");
    }
    // Compatibility forms and case fold together: who looks alike has the same key.
    let key: String = shown.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    Ok(PilotName { shown, key })
}

/// Characters that nobody sees, or that change how others are read.
fn is_hidden(character: char) -> bool {
    let code = u32::from(character);
    character.is_control()
        || (character.is_whitespace() && character != ' ')
        || matches!(code, 0xAD | 0x34F | 0x61C | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F | 0x3164 | 0xFFA0)
        || matches!(code, 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0xFE00..=0xFE0F | 0xFEFF | 0xFFF0..=0xFFFB)
        || matches!(code, 0xE000..=0xF8FF | 0xE0000..=0xE0FFF | 0xF0000..=0x10FFFF)
}

/// Adds a pilot with a token.
///
/// # Errors
/// Where the name will not do or is taken.
pub async fn add(store: &Store, text: &str, label: &str, now: Micros) -> Result<(Uuid, Token)> {
    let name = name(text).map_err(anyhow::Error::msg)?;
    let token = Token::random().context("randomness")?;
    let pilot = store.add_pilot(&name, None, now).await?;
    let hash = token.hash();
    store.issue_token(&NewToken { role: Role::Pilot, pilot: Some(pilot), label, secret_hash: &hash }).await?;
    Ok((pilot, token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(name(" Zoë ").unwrap().shown, "Zoë");
        assert_eq!(name("ＡＢＣ").unwrap().key, name("abc").unwrap().key);
        assert_eq!(name("Zoe\u{308}").unwrap(), name("Zoë").unwrap());
        for text in [
            "",
            "   ",
            "a\u{202e}b",
            "a\nb",
            "a\u{200b}b",
            "a\u{2066}b",
            "\u{feff}a",
            "a  b",
            &"x".repeat(33),
        ] {
            assert!(name(text).is_err(), "{text:?}");
        }
        assert!(name(&"ß".repeat(32)).is_ok());
    }
}
