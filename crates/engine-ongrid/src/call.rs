//! Calls: what the pilot decided for one turn of one ship (§6).

use ongrid_engine::json::{Reader, missing, once, required, unknown};
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Do {
    Fire,
    Activate,
    Hold,
    Concede,
}

impl Call {
    /// Reads a call; faults carry the path from the call's root.
    pub(crate) fn read(json: &mut Reader<'_>) -> Result<Self> {
        let (mut what, mut ship, mut stance, mut target, mut group, mut overheat) =
            (None, None, None, None, None, None);
        json.object(|json, key| match key {
            "ship" => once(&mut ship, json.u32()?),
            "stance" => once(&mut stance, read_stance(json)?),
            "do" => once(&mut what, read_do(json)?),
            "target" => once(&mut target, json.u32()?),
            "group" => once(&mut group, json.u32()?),
            "overheat" => once(&mut overheat, json.bool()?),
            _ => Err(unknown()),
        })?;
        let what = required(what, "do")?;
        let out_of_place = [
            ("ship", ship.is_some() && what == Do::Concede),
            ("stance", stance.is_some() && what == Do::Concede),
            ("target", target.is_some() && matches!(what, Do::Hold | Do::Concede)),
            ("group", group.is_some() && what != Do::Activate),
            ("overheat", overheat.is_some() && what != Do::Fire),
        ];
        if let Some((key, _)) = out_of_place.iter().find(|(_, is)| *is) {
            return Err(unknown().under(key));
        }
        let action = match what {
            Do::Concede => return Ok(Self::Concede),
            Do::Hold => Action::Hold,
            Do::Fire => Action::Fire {
                target: target.ok_or_else(|| missing("target"))?,
                overheat: overheat.unwrap_or(false),
            },
            Do::Activate => Action::Activate { group: required(group, "group")?, target },
        };
        Ok(Self::Turn { ship: required(ship, "ship")?, stance, action })
    }
}

fn read_do(json: &mut Reader<'_>) -> Result<Do> {
    match &*json.string()? {
        "fire" => Ok(Do::Fire),
        "activate" => Ok(Do::Activate),
        "hold" => Ok(Do::Hold),
        "concede" => Ok(Do::Concede),
        _ => Err(Rejection::format("what a ship does is fire, activate, hold or concede")),
    }
}

fn read_stance(json: &mut Reader<'_>) -> Result<Stance> {
    Stance::parse(&json.string()?)
        .ok_or_else(|| Rejection::format("a stance is standard, aggressive or evasive"))
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
