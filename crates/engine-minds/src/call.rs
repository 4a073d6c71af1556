//! The calls (mind-combat §4), all the player's, and their canonical form.

use std::borrow::Cow;

use ongrid_engine::Result;
use ongrid_engine::json::{self, Reader, Value, once, required, unknown};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// A recorded call. What it names is judged when it is applied, so that the codes come in their order.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// `attack`
    Attack(Attack),
    /// `set_countermeasure`
    SetCountermeasure(SetCountermeasure),
    /// `end`
    End,
    /// Any other op, with whatever else it has; never applied.
    Unknown(String),
}

/// Sends the player's whole forces against a mind.
#[derive(Clone, Debug, PartialEq)]
pub struct Attack {
    /// What it is after.
    pub mode: Mode,
    /// The program that runs along, one of the player's own.
    pub program: Option<String>,
    /// Minute since the start.
    pub t: i64,
    /// Id of the mind attacked.
    pub target: String,
}

/// Changes what the player runs when it is attacked.
#[derive(Clone, Debug, PartialEq)]
pub struct SetCountermeasure {
    /// It fires where the attacker's attack is above this many times the own defense, 0 to 2.
    pub above: f64,
    /// The program, one of the player's own; `None` is no countermeasure.
    pub program: Option<String>,
    /// Minute since the start.
    pub t: i64,
}

/// What an attack is after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Territory, and cores where it is lopsided (R13–R16).
    Conquest,
    /// Capital, users, and buildings wrecked (R17–R19).
    Raid,
    /// No mode of the rules; never applied.
    Other(String),
}

impl Mode {
    /// The name on the wire.
    pub fn name(&self) -> &str {
        match self {
            Mode::Conquest => "conquest",
            Mode::Raid => "raid",
            Mode::Other(name) => name,
        }
    }

    fn named(name: &str) -> Self {
        match name {
            "conquest" => Mode::Conquest,
            "raid" => Mode::Raid,
            _ => Mode::Other(name.to_owned()),
        }
    }
}

impl Call {
    /// Reads a call. Its op decides which fields it may have; an unknown op may have any.
    ///
    /// # Errors
    /// `format` with a path from the call's own root: a field that is missing, unknown or of another type.
    pub fn read(json: &mut Reader<'_>) -> Result<Self> {
        match &*op_of(&mut json.clone())? {
            "attack" => Attack::read(json).map(Call::Attack),
            "set_countermeasure" => SetCountermeasure::read(json).map(Call::SetCountermeasure),
            "end" => read_end(json),
            other => {
                json.skip()?;
                Ok(Call::Unknown(other.to_owned()))
            }
        }
    }
}

/// The op of the call that stands here, wherever in its object it stands.
fn op_of<'a>(json: &mut Reader<'a>) -> Result<Cow<'a, str>> {
    let mut op = None;
    json.object(|json, key| match key {
        "op" => once(&mut op, json.string()?),
        _ => json.skip().map(drop),
    })?;
    required(op, "op")
}

fn read_end(json: &mut Reader<'_>) -> Result<Call> {
    json.object(|json, key| match key {
        "op" => json.string().map(drop),
        _ => Err(unknown()),
    })?;
    Ok(Call::End)
}

impl Attack {
    fn read(json: &mut Reader<'_>) -> Result<Self> {
        let (mut mode, mut program, mut t, mut target) = (None, None, None, None);
        json.object(|json, key| match key {
            "op" => json.string().map(drop),
            "t" => once(&mut t, read_minute(json)?),
            "target" => once(&mut target, json.string()?.into_owned()),
            "mode" => once(&mut mode, Mode::named(&json.string()?)),
            "program" => once(&mut program, read_program(json)?),
            _ => Err(unknown()),
        })?;
        Ok(Self {
            t: required(t, "t")?,
            target: required(target, "target")?,
            mode: required(mode, "mode")?,
            program: program.flatten(),
        })
    }
}

impl SetCountermeasure {
    fn read(json: &mut Reader<'_>) -> Result<Self> {
        let (mut above, mut program, mut t) = (None, None, None);
        json.object(|json, key| match key {
            "op" => json.string().map(drop),
            "t" => once(&mut t, read_minute(json)?),
            "program" => once(&mut program, read_program(json)?),
            "above" => once(&mut above, read_number(json)?),
            _ => Err(unknown()),
        })?;
        Ok(Self {
            t: required(t, "t")?,
            program: required(program, "program")?,
            above: above.unwrap_or_default(),
        })
    }
}

/// A program's name, or null.
fn read_program(json: &mut Reader<'_>) -> Result<Option<String>> {
    if json.peek() == Some(b'n') {
        return json.null().map(|()| None);
    }
    Ok(Some(json.string()?.into_owned()))
}

/// An integer within i64; which minutes are good is judged by the war.
fn read_minute(json: &mut Reader<'_>) -> Result<i64> {
    let value = json.value()?;
    let minute = if let Value::Number(text) = value { json::integer(text) } else { None };
    minute.ok_or_else(|| fault("a whole minute", &value))
}

fn read_number(json: &mut Reader<'_>) -> Result<f64> {
    let value = json.value()?;
    let number = if let Value::Number(text) = value { json::number(text) } else { None };
    number.ok_or_else(|| fault("a number", &value))
}

#[cold]
fn fault(expected: &str, found: &Value<'_>) -> ongrid_engine::Rejection {
    let found = if let Value::Number(text) = found { text } else { found.kind() };
    ongrid_engine::Rejection::format(format!("{found} stands where {expected} is expected"))
}

/// Canonical: fields in the order of their names, `above` 0 and an attack's `program` null left out.
impl Serialize for Call {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Call::Attack(attack) => {
                map.serialize_entry("mode", attack.mode.name())?;
                map.serialize_entry("op", "attack")?;
                if let Some(program) = &attack.program {
                    map.serialize_entry("program", program)?;
                }
                map.serialize_entry("t", &attack.t)?;
                map.serialize_entry("target", &attack.target)?;
            }
            Call::SetCountermeasure(set) => {
                if set.above != 0.0 {
                    map.serialize_entry("above", &set.above)?;
                }
                map.serialize_entry("op", "set_countermeasure")?;
                map.serialize_entry("program", &set.program)?;
                map.serialize_entry("t", &set.t)?;
            }
            Call::End => map.serialize_entry("op", "end")?,
            Call::Unknown(op) => map.serialize_entry("op", op)?,
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Call> {
        let mut json = Reader::new(text);
        let call = Call::read(&mut json)?;
        json.end()?;
        Ok(call)
    }

    #[test]
    fn faults_name_their_field() {
        for (text, path) in [
            ("[]", ""),
            ("{}", "/op"),
            (r#"{"op":null}"#, "/op"),
            (r#"{"op":7}"#, "/op"),
            (r#"{"op":"end","t":1}"#, "/t"),
            (r#"{"op":"end","op":"end"}"#, "/op"),
            (r#"{"op":"attack"}"#, "/t"),
            (r#"{"op":"attack","t":1.0,"target":"B","mode":"raid"}"#, "/t"),
            (r#"{"op":"attack","t":"1","target":"B","mode":"raid"}"#, "/t"),
            (r#"{"op":"attack","t":9223372036854775808,"target":"B","mode":"raid"}"#, "/t"),
            (r#"{"op":"attack","t":1,"target":null,"mode":"raid"}"#, "/target"),
            (r#"{"op":"attack","t":1,"mode":"raid"}"#, "/target"),
            (r#"{"op":"attack","t":1,"target":"B"}"#, "/mode"),
            (r#"{"op":"attack","t":1,"target":"B","mode":true}"#, "/mode"),
            (r#"{"op":"attack","t":1,"target":"B","mode":"raid","program":3}"#, "/program"),
            (r#"{"op":"attack","t":1,"target":"B","mode":"raid","above":0}"#, "/above"),
            (r#"{"op":"attack","t":1,"target":"B","mode":"raid","t":1}"#, "/t"),
            (r#"{"op":"set_countermeasure","t":1}"#, "/program"),
            (r#"{"op":"set_countermeasure","program":null}"#, "/t"),
            (r#"{"op":"set_countermeasure","t":1,"program":null,"above":null}"#, "/above"),
            (r#"{"op":"set_countermeasure","t":1,"program":null,"above":1e400}"#, "/above"),
            (r#"{"op":"set_countermeasure","t":1,"program":[],"above":1}"#, "/program"),
            (r#"{"op":"set_countermeasure","t":1,"program":null,"mode":"raid"}"#, "/mode"),
            (r#"{"op":"expand","a":1,"a":2}"#, "/a"),
        ] {
            let no = read(text).unwrap_err();
            assert_eq!((no.code(), no.path()), ("format", Some(path)), "{text}: {no}");
        }
    }

    #[test]
    fn canonical_form_leaves_defaults_out_and_reads_back() {
        for (text, canonical) in [
            (r#"{"op":"end"}"#, r#"{"op":"end"}"#),
            (
                r#"{"t":5,"program":null,"target":"B","mode":"raid","op":"attack"}"#,
                r#"{"mode":"raid","op":"attack","t":5,"target":"B"}"#,
            ),
            (
                r#"{"op":"set_countermeasure","t":-3,"program":"p","above":0.50}"#,
                r#"{"above":0.5,"op":"set_countermeasure","program":"p","t":-3}"#,
            ),
            (
                r#"{"op":"set_countermeasure","t":0,"program":null,"above":-0.0}"#,
                r#"{"op":"set_countermeasure","program":null,"t":0}"#,
            ),
        ] {
            let call = read(text).unwrap();
            let bytes = ongrid_engine::canonical::to_vec(&call);
            assert_eq!(String::from_utf8_lossy(&bytes), canonical);
            assert!(ongrid_engine::canonical::is_canonical(&bytes));
            assert_eq!(read(canonical).unwrap(), call);
        }
    }

    #[test]
    fn an_unknown_op_may_have_any_fields() {
        let call = read(r#"{"target":{"deep":[1,null]},"op":"expand","t":"soon"}"#).unwrap();
        assert_eq!(call, Call::Unknown("expand".to_owned()));
    }
}
