//! A strict JSON reader that is pulled by the code that knows the shape.
//!
//! serde's derived readers buffer internally tagged enums, accept arrays for structs, lose the place of a fault
//! and keep the last of two equal keys. Here the reader hands every member to a closure, so that a type is read
//! straight from the text; a fault collects its JSON pointer on the way out and costs nothing where there is none.
//!
//! ```
//! use ongrid_engine::json::{Reader, once, required, unknown};
//! let mut json = Reader::new(r#"{"ship": 3, "target": 5}"#);
//! let (mut ship, mut target) = (None, None);
//! json.object(|json, key| match key {
//!     "ship" => once(&mut ship, json.u32()?),
//!     "target" => once(&mut target, json.u32()?),
//!     _ => Err(unknown()),
//! })?;
//! json.end()?;
//! assert_eq!((required(ship, "ship")?, target), (3, Some(5)));
//! # Ok::<(), ongrid_engine::Rejection>(())
//! ```

use std::borrow::Cow;

use crate::{Rejection, Result};

/// How deep arrays and objects may nest; no replay of any engine needs more than eight levels.
pub const MAX_DEPTH: usize = 32;

/// A cursor over one JSON text.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

/// A value whose shape is judged after it is read; numbers keep their text.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as written; see [`integer`] and [`number`].
    Number(&'a str),
    /// A string, unescaped.
    Text(Cow<'a, str>),
    /// An array.
    Array(Vec<Value<'a>>),
    /// An object, in the order of the document, without duplicates.
    Object(Vec<(Cow<'a, str>, Value<'a>)>),
}

impl Value<'_> {
    /// What the value is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::Text(_) => "text",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}

/// A string of at most eight bytes as an integer, the first byte lowest. Keys and names of enumerations are told apart
/// by one comparison instead of one for each byte; see [`word`], [`Reader::word`] and [`Reader::fields`].
pub type Word = u64;

/// What a longer string reads as; equal to the word of no text, since UTF-8 has no byte 0xFF.
pub const NO_WORD: Word = Word::MAX;

/// The word of a text; [`NO_WORD`] where it is longer than eight bytes or holds a NUL.
pub const fn word(text: &str) -> Word {
    let bytes = text.as_bytes();
    if bytes.len() > 8 {
        return NO_WORD;
    }
    let (mut word, mut at) = (0, 0);
    while at < bytes.len() {
        if bytes[at] == 0 {
            return NO_WORD;
        }
        word |= (bytes[at] as Word) << (8 * at);
        at += 1;
    }
    word
}

/// Stores a member that may stand only once.
#[inline]
pub fn once<T>(slot: &mut Option<T>, value: T) -> Result<()> {
    if slot.is_some() {
        return Err(duplicate());
    }
    *slot = Some(value);
    Ok(())
}

/// A member that must be there; otherwise a fault whose path names it.
#[inline]
pub fn required<T>(slot: Option<T>, key: &str) -> Result<T> {
    slot.ok_or_else(|| missing(key))
}

/// The fault of a key that nobody knows; the path is added by [`Reader::object`].
#[cold]
pub fn unknown() -> Rejection {
    Rejection::format("there is no such field here")
}

/// The fault of a key that stands twice; the path is added by [`Reader::object`].
#[cold]
pub fn duplicate() -> Rejection {
    Rejection::format("the key stands twice in its object")
}

/// The fault of a required key that is not there.
#[cold]
pub fn missing(key: &str) -> Rejection {
    Rejection::format("the field is missing").under(key)
}

/// Reads the text of a JSON number as an integer: no fraction, no exponent, within i64.
#[inline]
pub fn integer(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// Reads the text of a JSON number as a finite double; −0 becomes 0, as canonical JSON writes it.
pub fn number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|value| value.is_finite()).map(|value| value + 0.0)
}

impl<'a> Reader<'a> {
    /// A reader at the start of a text.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    /// A reader over bytes.
    ///
    /// # Errors
    /// `format`, with the offset of the first byte that is not UTF-8.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self::new(text)),
            Err(fault) => Err(Rejection::format(format!("byte {} is not UTF-8", fault.valid_up_to()))),
        }
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Where the reader stands, in bytes.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Whether the next value is an object, an array, …: its first byte after white space.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            if byte > b' ' {
                return Some(byte);
            }
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
        None
    }

    #[cold]
    fn expected(&mut self, what: &str) -> Rejection {
        let rest = self.peek().map(|_| &self.text[self.at..]);
        let found = match rest.and_then(|rest| rest.chars().next()) {
            None => "the text ends".to_owned(),
            Some('"') => "a string stands".to_owned(),
            Some('0'..='9' | '-') => "a number stands".to_owned(),
            Some('{') => "an object stands".to_owned(),
            Some('[') => "an array stands".to_owned(),
            Some('t' | 'f') => "a boolean or a word stands".to_owned(),
            Some('n') => "null or a word stands".to_owned(),
            Some(other) => format!("{other:?} stands"),
        };
        Rejection::format(format!("{found} where {what} is expected (byte {})", self.at))
    }

    #[inline]
    fn take(&mut self, byte: u8, what: &str) -> Result<()> {
        if self.peek() == Some(byte) {
            self.at += 1;
            return Ok(());
        }
        Err(self.expected(what))
    }

    #[inline]
    fn descend(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Rejection::format(format!(
                "nested deeper than {MAX_DEPTH} levels (byte {})",
                self.at
            )));
        }
        Ok(())
    }

    /// Reads an object; `member` gets each key and must read its value. Faults inside get the key on their path.
    #[inline]
    pub fn object(&mut self, mut member: impl FnMut(&mut Self, &str) -> Result<()>) -> Result<()> {
        self.members(|json, key| member(json, key))
    }

    /// Reads an array; `item` gets each index and must read its value. Faults inside get the index on their path.
    #[inline]
    pub fn array(&mut self, mut item: impl FnMut(&mut Self, usize) -> Result<()>) -> Result<()> {
        self.take(b'[', "an array")?;
        self.descend()?;
        if self.peek() == Some(b']') {
            self.at += 1;
            self.depth -= 1;
            return Ok(());
        }
        for index in 0.. {
            item(self, index).map_err(|fault| fault.under(index))?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.expected("a comma or the end of the array")),
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(())
    }

    /// Reads a string; borrowed unless it has escapes.
    #[inline]
    pub fn string(&mut self) -> Result<Cow<'a, str>> {
        self.take(b'"', "text")?;
        self.rest_of_string()
    }

    #[inline]
    fn rest_of_string(&mut self) -> Result<Cow<'a, str>> {
        let start = self.at;
        let end = plain_end(self.text.as_bytes(), start);
        if self.text.as_bytes().get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Cow::Borrowed(&self.text[start..end]));
        }
        self.string_with_escapes(start, end)
    }

    /// [`Reader::object`] with its keys as words.
    #[inline]
    pub fn fields(&mut self, mut field: impl FnMut(&mut Self, Word) -> Result<()>) -> Result<()> {
        self.take(b'{', "an object")?;
        self.descend()?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            self.depth -= 1;
            return Ok(());
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.expected("a key"));
            }
            let start = self.at;
            let key = self.word()?;
            self.take(b':', "a colon")?;
            if let Err(fault) = field(self, key) {
                return Err(self.under_key(start, fault));
            }
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.expected("a comma or the end of the object")),
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(())
    }

    /// Puts the key that stands at `start` on the path of a fault.
    #[cold]
    fn under_key(&self, start: usize, fault: Rejection) -> Rejection {
        match (Self { at: start, ..*self }).string() {
            Ok(key) => fault.under(key),
            Err(_) => fault,
        }
    }

    /// Reads a string as a word.
    #[inline]
    pub fn word(&mut self) -> Result<Word> {
        if let Some([b'"', eight @ .., _]) = self.text.as_bytes().get(self.at..self.at + 10) {
            let mut word = [0; 8];
            word.copy_from_slice(eight);
            let word = u64::from_le_bytes(word);
            let stop = stops(word);
            // All bits below the byte that stops the string; all there are where none does.
            let before = ((stop & stop.wrapping_neg()) >> 7).wrapping_sub(1);
            let end = self.at + 1 + (stop.trailing_zeros() / 8) as usize;
            if self.text.as_bytes().get(end) == Some(&b'"') {
                self.at = end + 1;
                return Ok(word & before);
            }
        }
        self.long_word()
    }

    fn long_word(&mut self) -> Result<Word> {
        self.string().map(|text| word(&text))
    }

    #[cold]
    fn string_with_escapes(&mut self, start: usize, mut end: usize) -> Result<Cow<'a, str>> {
        let bytes = self.text.as_bytes();
        let mut text = self.text[start..end].to_owned();
        loop {
            match bytes.get(end) {
                None => return Err(Rejection::format("the text ends inside a string")),
                Some(b'"') => {
                    self.at = end + 1;
                    return Ok(Cow::Owned(text));
                }
                Some(b'\\') => {
                    let escaped = match bytes.get(end + 1) {
                        Some(b'"') => '"',
                        Some(b'\\') => '\\',
                        Some(b'/') => '/',
                        Some(b'b') => '\u{8}',
                        Some(b'f') => '\u{c}',
                        Some(b'n') => '\n',
                        Some(b'r') => '\r',
                        Some(b't') => '\t',
                        Some(b'u') => {
                            let (character, length) = self.unicode_escape(end)?;
                            end += length - 2;
                            character
                        }
                        _ => {
                            return Err(Rejection::format(format!(
                                "an escape that JSON does not know (byte {end})"
                            )));
                        }
                    };
                    text.push(escaped);
                    end += 2;
                }
                Some(_) => {
                    return Err(Rejection::format(format!(
                        "a control character stands bare in a string (byte {end})"
                    )));
                }
            }
            let next = plain_end(bytes, end);
            text.push_str(&self.text[end..next]);
            end = next;
        }
    }

    /// Reads `\uXXXX` or a surrogate pair of them at `at`; gives the character and the bytes it took.
    fn unicode_escape(&self, at: usize) -> Result<(char, usize)> {
        let unit = |at: usize| -> Option<u32> {
            let digits = self.text.as_bytes().get(at..at + 6)?;
            let hex = digits.strip_prefix(b"\\u")?;
            hex.iter().try_fold(0, |unit, digit| Some(unit << 4 | (*digit as char).to_digit(16)?))
        };
        let fault = || Rejection::format(format!("a \\u escape that is no character (byte {at})"));
        let first = unit(at).ok_or_else(fault)?;
        if !(0xD800..0xE000).contains(&first) {
            return Ok((char::from_u32(first).ok_or_else(fault)?, 6));
        }
        let second = unit(at + 6).filter(|second| first < 0xDC00 && (0xDC00..0xE000).contains(second));
        let code = 0x10000 + ((first - 0xD800) << 10) + (second.ok_or_else(fault)? - 0xDC00);
        Ok((char::from_u32(code).ok_or_else(fault)?, 12))
    }

    /// Reads an integer from 0 to 4294967295, written plainly (no sign, fraction, exponent or leading zero).
    #[inline]
    pub fn u32(&mut self) -> Result<u32> {
        let first = self.peek();
        let bytes = self.text.as_bytes();
        let start = self.at;
        // Most are one digit.
        if let (Some(digit @ b'0'..=b'9'), Some(b',' | b'}' | b']')) = (first, bytes.get(start + 1)) {
            self.at += 1;
            return Ok(u32::from(digit - b'0'));
        }
        self.long_u32(first)
    }

    fn long_u32(&mut self, first: Option<u8>) -> Result<u32> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut end = start;
        let mut value = 0_u64;
        while let Some(digit) = bytes.get(end).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10)
        {
            value = (value * 10 + u64::from(digit)).min(1 << 40);
            end += 1;
        }
        let follows = bytes.get(end).is_some_and(|byte| matches!(byte, b'.' | b'e' | b'E'));
        let padded = first == Some(b'0') && end > start + 1;
        match u32::try_from(value) {
            Ok(value) if end > start && !follows && !padded => {
                self.at = end;
                Ok(value)
            }
            _ => Err(self.expected("an integer from 0 to 4294967295, written plainly,")),
        }
    }

    /// Reads an integer within i64: no fraction, no exponent.
    pub fn i64(&mut self) -> Result<i64> {
        let text = self.number_text()?;
        integer(text)
            .ok_or_else(|| Rejection::format(format!("{text} stands where a plain integer is expected")))
    }

    /// Reads `true` or `false`.
    #[inline]
    pub fn bool(&mut self) -> Result<bool> {
        self.peek();
        let rest = &self.text.as_bytes()[self.at..];
        if rest.starts_with(b"true") {
            self.at += 4;
            Ok(true)
        } else if rest.starts_with(b"false") {
            self.at += 5;
            Ok(false)
        } else {
            Err(self.expected("true or false"))
        }
    }

    /// Reads a number and keeps its text.
    fn number_text(&mut self) -> Result<&'a str> {
        self.peek();
        let bytes = self.text.as_bytes();
        let start = self.at;
        let digits = |mut at: usize| {
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        };
        let whole = start + usize::from(bytes.get(start) == Some(&b'-'));
        let mut end = digits(whole);
        let mut sound = end > whole && (bytes[whole] != b'0' || end == whole + 1);
        if bytes.get(end) == Some(&b'.') {
            let fraction = end + 1;
            end = digits(fraction);
            sound &= end > fraction;
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let exponent = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            end = digits(exponent);
            sound &= end > exponent;
        }
        if !sound {
            return Err(self.expected("a value"));
        }
        self.at = end;
        Ok(&self.text[start..end])
    }

    /// Reads any value and checks it strictly: syntax, depth, duplicate keys.
    pub fn value(&mut self) -> Result<Value<'a>> {
        match self.peek() {
            Some(b'{') => {
                let mut members: Vec<(Cow<'a, str>, Value<'a>)> = Vec::new();
                self.each_member(|json, key| {
                    let value = json.value()?;
                    if members.is_empty() {
                        // Few objects have fewer, and none without any pays for room.
                        members.reserve(8);
                    }
                    members.push((key, value));
                    Ok(())
                })?;
                no_duplicates_of(members.len(), |at| &members[at].0)?;
                Ok(Value::Object(members))
            }
            Some(b'[') => {
                let mut items = Vec::new();
                self.array(|json, _| {
                    items.push(json.value()?);
                    Ok(())
                })?;
                Ok(Value::Array(items))
            }
            Some(b'"') => Ok(Value::Text(self.string()?)),
            Some(b't' | b'f') => Ok(Value::Bool(self.bool()?)),
            Some(b'n') => {
                self.null()?;
                Ok(Value::Null)
            }
            _ => Ok(Value::Number(self.number_text()?)),
        }
    }

    /// Passes over any value, checking it as strictly as [`Reader::value`]; gives its text.
    pub fn skip(&mut self) -> Result<&'a str> {
        self.peek();
        let start = self.at;
        match self.peek() {
            Some(b'{') => {
                let mut keys: Vec<Cow<'a, str>> = Vec::new();
                self.members(|json, key| {
                    json.skip()?;
                    keys.push(key.clone());
                    Ok(())
                })?;
                no_duplicates(keys.iter().map(|key| &**key))?;
            }
            Some(b'[') => self.array(|json, _| json.skip().map(drop))?,
            _ => drop(self.value()?),
        }
        Ok(&self.text[start..self.at])
    }

    /// [`Reader::object`] for closures that keep the keys.
    #[inline]
    pub fn members(&mut self, mut member: impl FnMut(&mut Self, &Cow<'a, str>) -> Result<()>) -> Result<()> {
        self.each_member(|json, key| member(json, &key))
    }

    #[inline]
    fn each_member(&mut self, mut member: impl FnMut(&mut Self, Cow<'a, str>) -> Result<()>) -> Result<()> {
        self.take(b'{', "an object")?;
        self.descend()?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            self.depth -= 1;
            return Ok(());
        }
        loop {
            self.take(b'"', "a key")?;
            let start = self.at - 1;
            let key = self.rest_of_string()?;
            self.take(b':', "a colon")?;
            if let Err(fault) = member(self, key) {
                return Err(self.under_key(start, fault));
            }
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.expected("a comma or the end of the object")),
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(())
    }

    /// Reads `null`.
    pub fn null(&mut self) -> Result<()> {
        self.peek();
        if !self.text.as_bytes()[self.at..].starts_with(b"null") {
            return Err(self.expected("null"));
        }
        self.at += 4;
        Ok(())
    }

    /// Checks that nothing but white space follows.
    pub fn end(&mut self) -> Result<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => {
                Err(Rejection::format(format!("text follows the end of the document (byte {})", self.at)))
            }
        }
    }
}

/// The first byte from `at` on that ends a plain stretch of a string: a quote, a backslash or a control character.
#[inline]
fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(eight) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let stop = stops(u64::from_le_bytes(*eight));
        if stop != 0 {
            return at + (stop.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20)) {
        at += 1;
    }
    at
}

/// Looks at eight bytes at a time. The lowest bit set is the high bit of the first byte that is a quote, a backslash or
/// below 0x20; 0 where none is.
#[inline]
fn stops(word: u64) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
    let quote = word ^ (ONES * b'"' as u64);
    let slash = word ^ (ONES * b'\\' as u64);
    let found = (quote.wrapping_sub(ONES) & !quote)
        | (slash.wrapping_sub(ONES) & !slash)
        | (word.wrapping_sub(ONES * 0x20) & !word);
    found & HIGHS
}

/// Checks keys that were collected: none may stand twice. Objects of the handed shapes have a dozen keys; a hostile
/// one with thousands is sorted, so the cost stays bounded.
pub fn no_duplicates<'k>(keys: impl Iterator<Item = &'k str>) -> Result<()> {
    let keys: Vec<&str> = keys.collect();
    no_duplicates_of(keys.len(), |at| keys[at])
}

/// [`no_duplicates`] of keys that stand where they are.
fn no_duplicates_of<'k>(count: usize, key: impl Fn(usize) -> &'k str) -> Result<()> {
    if count <= 16 {
        for index in 0..count {
            if (0..index).any(|before| key(before) == key(index)) {
                return Err(duplicate().under(key(index)));
            }
        }
        return Ok(());
    }
    let mut keys: Vec<&str> = (0..count).map(key).collect();
    keys.sort_unstable();
    match keys.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(duplicate().under(pair[0])),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fault(text: &str) -> (String, String) {
        let mut json = Reader::new(text);
        let no = json.skip().and_then(|_| json.end()).unwrap_err();
        assert_eq!(no.code(), "format");
        (no.path().unwrap_or_default().to_owned(), no.message().to_owned())
    }

    #[test]
    fn faults_name_their_place() {
        assert_eq!(fault(r#"{"a": [1, {"b": 1, "b": 2}]}"#).0, "/a/1/b");
        assert_eq!(fault(r#"{"a": [1, {"b": nul}]}"#).0, "/a/1/b");
        assert_eq!(fault(r#"{"a": [1, 2"#).0, "/a");
        assert_eq!(fault("{} x").1, "text follows the end of the document (byte 3)");
        assert_eq!(fault(&"[".repeat(200_000)).1, format!("nested deeper than {MAX_DEPTH} levels (byte 33)"));
        for text in [
            "",
            "01",
            "-",
            "1.",
            "1e",
            ".5",
            "+1",
            "NaN",
            "Infinity",
            "\u{feff}{}",
            "'a'",
            "\"\n\"",
            "{\"a\":1,}",
            "[1,]",
            "tru",
            "\"\\x\"",
            "\"\\ud800\"",
            "{1:2}",
        ] {
            fault(text);
        }
    }

    #[test]
    fn escapes() {
        let mut json = Reader::new(r#""a\u0041\ud83d\ude80\n\"z""#);
        assert_eq!(json.string().unwrap(), "aA🚀\n\"z");
        assert!(json.end().is_ok());
    }

    #[test]
    fn no_other_text_reads_as_a_word() {
        const SHIP: Word = word("ship");
        assert_eq!(Reader::new(r#""ship""#).word().unwrap(), SHIP);
        assert_eq!(Reader::new(r#""\u0073hip"     "#).word().unwrap(), SHIP);
        for text in [r#""ship\u0000""#, r#""shi""#, r#""ships""#, r#""Ship""#, r#""""#, r#""ship and crew""#]
        {
            assert_ne!(Reader::new(text).word().unwrap(), SHIP, "{text}");
        }
        assert!(Reader::new("\"ship\0\"          ").word().is_err());
        assert!(Reader::new("ship").word().is_err());
    }

    #[test]
    fn integers_are_plain() {
        assert_eq!(Reader::new("4294967295").u32().unwrap(), u32::MAX);
        for text in [
            "4294967296",
            "99999999999999999999999",
            "-1",
            "-0",
            "3.0",
            "1e0",
            "01",
            "true",
            "null",
            "\"1\"",
            "",
        ] {
            assert!(Reader::new(text).u32().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn strict_texts_are_the_ones_serde_json_takes(text in r#"[\[\]{}:,"a\\u0-9 .eE+tfn-]{0,24}"#) {
            let mut json = Reader::new(&text);
            let ours = json.skip().and_then(|_| json.end()).is_ok();
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            // serde_json keeps the last of two equal keys and refuses numbers beyond f64; we judge those when they are used.
            if ours {
                if let Err(no) = &theirs { prop_assert!(no.to_string().contains("out of range"), "{no}"); }
            } else if let Ok(value) = theirs {
                let mut json = Reader::new(&text);
                let no = json.skip().unwrap_err();
                prop_assert!(no.message().contains("twice"), "{value} {no}");
            }
        }

        #[test]
        fn words_are_strings(text in r#"[a-f"\\\\ü]{0,20}"#, rest in "[a-c\" ]{0,20}") {
            let written = format!("{}{rest}", serde_json::to_string(&text).unwrap());
            let (mut as_word, mut as_string) = (Reader::new(&written), Reader::new(&written));
            prop_assert_eq!(as_word.word().unwrap(), word(&as_string.string().unwrap()));
            prop_assert_eq!(as_word.offset(), as_string.offset());
        }

        #[test]
        fn fields_are_members(text in r#"\{("[ab]{1,12}":[0-9]{1,2}[, ]?){0,4}\}?"#) {
            let (mut fields, mut members) = (Vec::new(), Vec::new());
            let mut json = Reader::new(&text);
            let by_word = json.fields(|json, key| {
                let value = json.u32()?;
                fields.push((key, value));
                if value == 7 { Err(unknown()) } else { Ok(()) }
            });
            let mut json = Reader::new(&text);
            let by_text = json.object(|json, key| {
                let value = json.u32()?;
                members.push((word(key), value));
                if value == 7 { Err(unknown()) } else { Ok(()) }
            });
            prop_assert_eq!(by_word, by_text);
            prop_assert_eq!(fields, members);
        }

        #[test]
        fn strings_come_back(text in any::<String>()) {
            let written = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(Reader::new(&written).string().unwrap(), text);
        }
    }
}
