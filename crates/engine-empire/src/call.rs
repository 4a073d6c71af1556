//! The calls (spec §4): how they are read and written. Whether one is legal is judged when its turn comes.

use std::borrow::Cow;

use ongrid_engine::json::{Reader, duplicate, missing, unknown};
use ongrid_engine::{Rejection, Result};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// A recorded call. Names are as sent; they may name nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// A fort, ship or land unit fires its guns.
    Fire {
        /// Who fires.
        from: String,
        /// A ship, sector or land unit.
        at: String,
    },
    /// A ship drops a depth charge.
    Depth {
        /// Who drops it.
        from: String,
        /// A submarine.
        at: String,
    },
    /// A ship launches a torpedo.
    Torpedo {
        /// Who launches it.
        from: String,
        /// A ship.
        at: String,
    },
    /// A plane drops its load.
    Bomb {
        /// The plane.
        from: String,
        /// A ship, plane, land unit or sector; a sector where the mode is strategic.
        at: String,
        /// `pin` or `strategic`.
        mode: String,
        /// The item that pinpoint bombing of a sector is aimed at.
        item: Option<String>,
    },
    /// A ship, land unit or convoy enters a sector.
    Enter {
        /// Who moves.
        unit: String,
        /// A neighbouring sector.
        to: String,
    },
    /// A plane's nuclear device goes off.
    Detonate {
        /// The plane.
        from: String,
        /// A sector.
        at: String,
        /// `ground` or `air`.
        burst: String,
    },
    /// The others answer, then the next round begins.
    NextRound,
    /// An op that is none of these; refused when its turn comes.
    Unknown {
        /// The op as sent.
        op: String,
    },
}

/// The fields a call may have; `op` first.
const KEYS: [&str; 8] = ["op", "from", "at", "mode", "item", "unit", "to", "burst"];

/// Reads a call: its op must be known from its text before the other fields can be judged.
///
/// # Errors
/// `format`: `op` missing or no text; for a known op an unknown field, then in the order of spec §4 one that is
/// missing or no text. The path starts at the call's own root.
pub(crate) fn read(json: &mut Reader<'_>) -> Result<Call> {
    let mut fields = Fields::default();
    json.object(|json, key| fields.take(json, key))?;
    fields.sort()?;
    let op = fields.text("op")?;
    fields.allow(match &*op {
        "fire" | "depth" | "torpedo" => &["op", "from", "at"],
        "bomb" => &["op", "from", "at", "mode", "item"],
        "enter" => &["op", "unit", "to"],
        "detonate" => &["op", "from", "at", "burst"],
        "next_round" => &["op"],
        _ => return Ok(Call::Unknown { op }),
    })?;
    Ok(match &*op {
        "fire" => Call::Fire { from: fields.text("from")?, at: fields.text("at")? },
        "depth" => Call::Depth { from: fields.text("from")?, at: fields.text("at")? },
        "torpedo" => Call::Torpedo { from: fields.text("from")?, at: fields.text("at")? },
        "bomb" => Call::Bomb {
            from: fields.text("from")?,
            at: fields.text("at")?,
            mode: fields.text("mode")?,
            item: fields.maybe_text("item")?,
        },
        "enter" => Call::Enter { unit: fields.text("unit")?, to: fields.text("to")? },
        "detonate" => Call::Detonate {
            from: fields.text("from")?,
            at: fields.text("at")?,
            burst: fields.text("burst")?,
        },
        _ => Call::NextRound,
    })
}

/// The fields of a call as found.
#[derive(Default)]
struct Fields<'a> {
    known: [Option<Found<'a>>; KEYS.len()],
    others: Vec<String>,
}

/// A field's text, or that it is something else.
enum Found<'a> {
    Text(Cow<'a, str>),
    Other,
}

impl<'a> Fields<'a> {
    fn take(&mut self, json: &mut Reader<'a>, key: &str) -> Result<()> {
        let found = if json.peek() == Some(b'"') {
            Found::Text(json.string()?)
        } else {
            json.skip()?;
            Found::Other
        };
        match KEYS.iter().position(|known| *known == key) {
            Some(at) if self.known[at].is_none() => self.known[at] = Some(found),
            Some(_) => return Err(duplicate()),
            None => self.others.push(key.to_owned()),
        }
        Ok(())
    }

    /// Sorts the unknown keys, of which a hostile call may have thousands, and refuses one that stands twice.
    fn sort(&mut self) -> Result<()> {
        self.others.sort_unstable();
        match self.others.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(duplicate().under(&pair[0])),
            None => Ok(()),
        }
    }

    /// Refuses every field but these; of several the least one, so that their order does not matter.
    fn allow(&self, keys: &[&str]) -> Result<()> {
        let known = KEYS.iter().zip(&self.known).filter(|(_, found)| found.is_some()).map(|(key, _)| *key);
        let strange = known.filter(|key| !keys.contains(key)).chain(self.others.iter().map(String::as_str));
        match strange.min() {
            Some(key) => Err(unknown().under(key)),
            None => Ok(()),
        }
    }

    fn maybe_text(&mut self, key: &str) -> Result<Option<String>> {
        let at = KEYS.iter().position(|known| *known == key);
        match at.and_then(|at| self.known[at].take()) {
            None => Ok(None),
            Some(Found::Text(text)) => Ok(Some(text.into_owned())),
            Some(Found::Other) => Err(Rejection::format("a value stands where text is expected").under(key)),
        }
    }

    fn text(&mut self, key: &str) -> Result<String> {
        self.maybe_text(key)?.ok_or_else(|| missing(key))
    }
}

/// Canonical: the keys in their order, `item` left out where there is none.
impl Serialize for Call {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut put = |key: &str, value: &str| map.serialize_entry(key, value);
        match self {
            Call::Fire { from, at } => {
                put("at", at)?;
                put("from", from)?;
                put("op", "fire")?;
            }
            Call::Depth { from, at } => {
                put("at", at)?;
                put("from", from)?;
                put("op", "depth")?;
            }
            Call::Torpedo { from, at } => {
                put("at", at)?;
                put("from", from)?;
                put("op", "torpedo")?;
            }
            Call::Bomb { from, at, mode, item } => {
                put("at", at)?;
                put("from", from)?;
                if let Some(item) = item {
                    put("item", item)?;
                }
                put("mode", mode)?;
                put("op", "bomb")?;
            }
            Call::Enter { unit, to } => {
                put("op", "enter")?;
                put("to", to)?;
                put("unit", unit)?;
            }
            Call::Detonate { from, at, burst } => {
                put("at", at)?;
                put("burst", burst)?;
                put("from", from)?;
                put("op", "detonate")?;
            }
            Call::NextRound => put("op", "next_round")?,
            Call::Unknown { op } => put("op", op)?,
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use ongrid_engine::canonical;

    use super::*;

    #[test]
    fn good_calls_come_back_in_canonical_form() {
        for (text, canonical_text) in [
            (r#"{"op": "fire", "from": "a", "at": "b"}"#, r#"{"at":"b","from":"a","op":"fire"}"#),
            (r#"{"at": "b", "op": "depth", "from": "a"}"#, r#"{"at":"b","from":"a","op":"depth"}"#),
            (r#"{"op": "torpedo", "from": "a", "at": "b"}"#, r#"{"at":"b","from":"a","op":"torpedo"}"#),
            (
                r#"{"op": "bomb", "from": "a", "at": "b", "mode": "pin", "item": "food"}"#,
                r#"{"at":"b","from":"a","item":"food","mode":"pin","op":"bomb"}"#,
            ),
            (
                r#"{"op": "bomb", "from": "a", "at": "b", "mode": "x"}"#,
                r#"{"at":"b","from":"a","mode":"x","op":"bomb"}"#,
            ),
            (r#"{"unit": "a", "to": "b", "op": "enter"}"#, r#"{"op":"enter","to":"b","unit":"a"}"#),
            (
                r#"{"op": "detonate", "from": "a", "at": "b", "burst": "air"}"#,
                r#"{"at":"b","burst":"air","from":"a","op":"detonate"}"#,
            ),
            (r#"{"op": "next_round"}"#, r#"{"op":"next_round"}"#),
        ] {
            let call = read(&mut Reader::new(text)).expect(text);
            let bytes = canonical::to_vec(&call);
            assert!(canonical::is_canonical(&bytes));
            assert_eq!(String::from_utf8(bytes).unwrap(), canonical_text);
            assert_eq!(read(&mut Reader::new(canonical_text)).unwrap(), call);
        }
    }

    #[test]
    fn malformed_calls() {
        for (text, path) in [
            ("[]", ""),
            ("7", ""),
            ("{}", "/op"),
            (r#"{"op": 3, "from": 4}"#, "/op"),
            (r#"{"op": null}"#, "/op"),
            (r#"{"op": "fire", "at": "b"}"#, "/from"),
            (r#"{"op": "fire", "from": 1, "at": null}"#, "/from"),
            (r#"{"op": "fire", "from": "a", "at": null}"#, "/at"),
            (r#"{"op": "fire", "from": "a", "at": "b", "mode": "pin", "big": 1}"#, "/big"),
            (r#"{"op": "fire", "mode": "pin"}"#, "/mode"),
            (r#"{"op": "bomb", "from": "a", "at": "b"}"#, "/mode"),
            (r#"{"op": "bomb", "from": "a", "at": "b", "mode": "pin", "item": null}"#, "/item"),
            (r#"{"op": "next_round", "round": 2}"#, "/round"),
            (r#"{"op": "fly", "x": 1, "x": 2}"#, "/x"),
            (r#"{"op": "fly", "at": 1, "at": 2}"#, "/at"),
        ] {
            let no = read(&mut Reader::new(text)).expect_err(text);
            assert_eq!((no.code(), no.path()), ("format", Some(path)), "{text}");
        }
        let call = read(&mut Reader::new(r#"{"op": "fly", "from": [1], "speed": 3}"#)).unwrap();
        assert_eq!(call, Call::Unknown { op: "fly".to_owned() });
    }
}
