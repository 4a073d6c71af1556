//! Calls: what the pilot decided for one turn of one ship (§6).

use ongrid_engine::json::{Reader, Word, duplicate, missing, unknown, word};
use ongrid_engine::{Rejection, Result};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::attribute::Stance;

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// A turn of a ship.
    Turn {
        /// The ship that acts.
        ship: u32,
        /// The stance it switches to first; free.
        stance: Option<Stance>,
        /// What it does.
        action: Action,
    },
    /// The pilot gives up.
    Concede,
}

/// What a ship does with its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// All weapon groups fire at one target (§7).
    Fire {
        /// An enemy's ship id.
        target: u32,
        /// Whether the volley is overheated.
        overheat: bool,
    },
    /// One active group works (§9, §10).
    Activate {
        /// The group's place in the fit.
        group: u32,
        /// Whom it works on, where it works on another.
        target: Option<u32>,
    },
    /// Nothing.
    Hold,
}

impl Call {
    /// Reads a call; faults carry the path from the call's root.
    pub(crate) fn read(json: &mut Reader<'_>) -> Result<Self> {
        let mut read = Read::default();
        json.fields(|json, key| match key {
            SHIP => {
                read.once(Read::SHIP)?;
                read.ship = json.u32()?;
                Ok(())
            }
            STANCE => {
                read.once(Read::STANCE)?;
                read.stance = Some(read_stance(json)?);
                Ok(())
            }
            DO => {
                read.once(Read::DO)?;
                read.what = read_do(json)?;
                Ok(())
            }
            TARGET => {
                read.once(Read::TARGET)?;
                read.target = json.u32()?;
                Ok(())
            }
            GROUP => {
                read.once(Read::GROUP)?;
                read.group = json.u32()?;
                Ok(())
            }
            OVERHEAT => {
                read.once(Read::OVERHEAT)?;
                read.overheat = json.bool()?;
                Ok(())
            }
            _ => Err(unknown()),
        })?;
        let (needed, allowed) = read.what.fields();
        if read.seen & needed != needed || read.seen & !allowed != 0 {
            return Err(read.fault());
        }
        let action = match read.what {
            Do::Concede => return Ok(Self::Concede),
            Do::Hold => Action::Hold,
            Do::Fire => Action::Fire { target: read.target, overheat: read.overheat },
            Do::Activate => {
                let target = (read.seen & Read::TARGET != 0).then_some(read.target);
                Action::Activate { group: read.group, target }
            }
        };
        Ok(Self::Turn { ship: read.ship, stance: read.stance, action })
    }
}

#[derive(Clone, Copy, Default)]
enum Do {
    Fire,
    Activate,
    #[default]
    Hold,
    Concede,
}

impl Do {
    /// The fields that such a call needs, and those it may have.
    fn fields(self) -> (u8, u8) {
        let turn = Read::DO | Read::SHIP;
        match self {
            Self::Fire => (turn | Read::TARGET, turn | Read::TARGET | Read::STANCE | Read::OVERHEAT),
            Self::Activate => (turn | Read::GROUP, turn | Read::GROUP | Read::STANCE | Read::TARGET),
            Self::Hold => (turn, turn | Read::STANCE),
            Self::Concede => (Read::DO, Read::DO),
        }
    }
}

/// The fields of a call as they are read, and a bit for each that was seen.
#[derive(Default)]
struct Read {
    seen: u8,
    what: Do,
    ship: u32,
    stance: Option<Stance>,
    target: u32,
    group: u32,
    overheat: bool,
}

impl Read {
    const DO: u8 = 1;
    const SHIP: u8 = 2;
    const STANCE: u8 = 4;
    const TARGET: u8 = 8;
    const GROUP: u8 = 16;
    const OVERHEAT: u8 = 32;
    const NAMES: [(u8, &str); 6] = [
        (Self::DO, "do"),
        (Self::SHIP, "ship"),
        (Self::STANCE, "stance"),
        (Self::TARGET, "target"),
        (Self::GROUP, "group"),
        (Self::OVERHEAT, "overheat"),
    ];

    #[inline]
    fn once(&mut self, field: u8) -> Result<()> {
        if self.seen & field != 0 {
            return Err(duplicate());
        }
        self.seen |= field;
        Ok(())
    }

    /// The fault of a field that is missing or out of place.
    #[cold]
    fn fault(&self) -> Rejection {
        let is_missing = |fields: u8| Self::NAMES.iter().find(|(field, _)| fields & field & !self.seen != 0);
        if let Some((_, name)) = is_missing(Self::DO) {
            return missing(name);
        }
        let (needed, allowed) = self.what.fields();
        match Self::NAMES.iter().find(|(field, _)| self.seen & !allowed & field != 0) {
            Some((_, name)) => unknown().under(name),
            None => missing(is_missing(needed).map_or("do", |(_, name)| name)),
        }
    }
}

const SHIP: Word = word("ship");
const STANCE: Word = word("stance");
const DO: Word = word("do");
const TARGET: Word = word("target");
const GROUP: Word = word("group");
const OVERHEAT: Word = word("overheat");

const FIRE: Word = word("fire");
const ACTIVATE: Word = word("activate");
const HOLD: Word = word("hold");
const CONCEDE: Word = word("concede");

fn read_do(json: &mut Reader<'_>) -> Result<Do> {
    match json.word()? {
        FIRE => Ok(Do::Fire),
        ACTIVATE => Ok(Do::Activate),
        HOLD => Ok(Do::Hold),
        CONCEDE => Ok(Do::Concede),
        _ => Err(Rejection::format("what a ship does is fire, activate, hold or concede")),
    }
}

fn read_stance(json: &mut Reader<'_>) -> Result<Stance> {
    match &*json.string()? {
        "standard" => Ok(Stance::Standard),
        "aggressive" => Ok(Stance::Aggressive),
        "evasive" => Ok(Stance::Evasive),
        _ => Err(Rejection::format("a stance is standard, aggressive or evasive")),
    }
}

/// Canonical form: members in the order of their names, defaults left out.
impl Serialize for Call {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let Self::Turn { ship, stance, action } = self else {
            map.serialize_entry("do", "concede")?;
            return map.end();
        };
        let (what, group, overheat, target) = match *action {
            Action::Fire { target, overheat } => ("fire", None, overheat, Some(target)),
            Action::Activate { group, target } => ("activate", Some(group), false, target),
            Action::Hold => ("hold", None, false, None),
        };
        map.serialize_entry("do", what)?;
        if let Some(group) = group {
            map.serialize_entry("group", &group)?;
        }
        if overheat {
            map.serialize_entry("overheat", &true)?;
        }
        map.serialize_entry("ship", ship)?;
        if let Some(stance) = stance {
            map.serialize_entry("stance", stance)?;
        }
        if let Some(target) = target {
            map.serialize_entry("target", &target)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ongrid_engine::canonical;

    fn read(text: &str) -> Result<Call> {
        let mut json = Reader::new(text);
        let call = Call::read(&mut json)?;
        json.end()?;
        Ok(call)
    }

    #[test]
    fn calls_come_back_in_canonical_form() {
        for (text, form) in [
            (
                r#"{"ship":0,"do":"fire","target":5,"overheat":true,"stance":"aggressive"}"#,
                r#"{"do":"fire","overheat":true,"ship":0,"stance":"aggressive","target":5}"#,
            ),
            (r#"{"overheat":false,"target":5,"do":"fire","ship":1}"#, r#"{"do":"fire","ship":1,"target":5}"#),
            (
                r#"{"ship":0,"do":"activate","group":3,"target":5}"#,
                r#"{"do":"activate","group":3,"ship":0,"target":5}"#,
            ),
            (r#"{"group":3,"do":"activate","ship":0}"#, r#"{"do":"activate","group":3,"ship":0}"#),
            (r#"{"ship":0,"do":"hold","stance":"evasive"}"#, r#"{"do":"hold","ship":0,"stance":"evasive"}"#),
            (r#"{"do":"concede"}"#, r#"{"do":"concede"}"#),
        ] {
            assert_eq!(String::from_utf8(canonical::to_vec(&read(text).unwrap())).unwrap(), form);
        }
    }

    #[test]
    fn faults_name_their_place() {
        for (text, path) in [
            (r#"{"ship":0,"do":"fire"}"#, "/target"),
            (r#"{"do":"hold"}"#, "/ship"),
            (r#"{"ship":0}"#, "/do"),
            (r#"{"ship":0,"do":"hold","target":1}"#, "/target"),
            (r#"{"ship":0,"do":"hold","overheat":false}"#, "/overheat"),
            (r#"{"ship":0,"do":"activate","group":1,"overheat":false}"#, "/overheat"),
            (r#"{"ship":0,"do":"fire","target":1,"group":1}"#, "/group"),
            (r#"{"ship":0,"do":"activate"}"#, "/group"),
            (r#"{"do":"concede","ship":0}"#, "/ship"),
            (r#"{"do":"concede","stance":"evasive"}"#, "/stance"),
            (r#"{"ship":0,"do":"Hold"}"#, "/do"),
            (r#"{"ship":0,"do":"hold","stance":"Evasive"}"#, "/stance"),
            (r#"{"ship":0,"do":"hold","stance":null}"#, "/stance"),
            (r#"{"ship":0,"do":"hold","ship":0}"#, "/ship"),
            (r#"{"ship":-1,"do":"hold"}"#, "/ship"),
            (r#"{"ship":0,"do":"hold","x":0}"#, "/x"),
            (r#"[0,"hold"]"#, ""),
            (r#""hold""#, ""),
        ] {
            let no = read(text).unwrap_err();
            assert_eq!((no.code(), no.path()), ("format", Some(path)), "{text}");
        }
    }
}
