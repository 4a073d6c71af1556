//! The player's calls (section 4): `move`, `attack`, `end_round`.
//!
//! A call of a known `op` must have exactly its fields, each of its JSON type; anything else is `format`, with the
//! call and the path. An unknown `op` is read whatever its fields, since it is refused only in its turn. Names and
//! figures that no unit, part or pace has are refused in their turn too, with codes of their own.

use std::borrow::Cow;

use ongrid_engine::json::{Reader, Value, integer, missing, unknown};
use ongrid_engine::{Rejection, Result};
use serde::{Serialize, Serializer};

use crate::object::Object;
use crate::words::{Mode, Pace, Part, Word};

/// A call as read.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// A unit moves, turns, takes a stance.
    Move(Move),
    /// A unit attacks.
    Attack(Attack),
    /// The others act and the round ends.
    EndRound,
    /// Something that is no call; refused in its turn.
    Unknown(String),
}

/// A move.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// The unit that moves.
    pub unit: String,
    /// Where it goes, in metres.
    pub to: [i64; 3],
    /// Where it looks then.
    pub facing: [i64; 2],
    /// How it moves.
    pub pace: Named<Pace>,
    /// Whether it dodges until the next round.
    pub dodge: bool,
    /// Whether it holds the parry stance until the next round.
    pub parry: bool,
}

/// An attack.
#[derive(Clone, Debug, PartialEq)]
pub struct Attack {
    /// The unit that attacks.
    pub unit: String,
    /// Index of its weapon.
    pub weapon: i64,
    /// The unit attacked.
    pub target: String,
    /// Shots or strikes.
    pub shots: i64,
    /// The mode of fire.
    pub mode: Named<Mode>,
    /// The part aimed at.
    pub part: Option<Named<Part>>,
    /// A feint (R17).
    pub feint: bool,
    /// A fast drawn weapon (R14).
    pub fast_draw: bool,
    /// The weak hand (R14).
    pub weak_hand: bool,
}

/// A name that may or may not be known.
#[derive(Clone, Debug, PartialEq)]
pub enum Named<T> {
    /// It is.
    Known(T),
    /// It is not.
    Unknown(String),
}

impl<T: Word> Named<T> {
    /// What is meant, if anything.
    pub fn known(&self) -> Option<T> {
        match self {
            Named::Known(word) => Some(*word),
            Named::Unknown(_) => None,
        }
    }

    /// The name as sent.
    pub fn name(&self) -> &str {
        match self {
            Named::Known(word) => word.name(),
            Named::Unknown(name) => name,
        }
    }
}

impl<T: Word> From<&str> for Named<T> {
    fn from(name: &str) -> Self {
        T::named(name).map_or_else(|| Named::Unknown(name.to_owned()), Named::Known)
    }
}

impl<T: Word> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Call {
    /// Reads a call.
    ///
    /// # Errors
    /// `format`, with the path from the call's own root.
    pub fn read(json: &mut Reader<'_>) -> Result<Self> {
        let Value::Object(members) = json.value()? else {
            return Err(Rejection::format("a call is an object"));
        };
        let fields = Fields(&members);
        match fields.text("op")? {
            "move" => fields.only(MOVE_KEYS).and_then(|()| read_move(&fields)).map(Call::Move),
            "attack" => fields.only(ATTACK_KEYS).and_then(|()| read_attack(&fields)).map(Call::Attack),
            "end_round" => fields.only(&["op"]).map(|()| Call::EndRound),
            other => Ok(Call::Unknown(other.to_owned())),
        }
    }
}

const MOVE_KEYS: &[&str] = &["op", "unit", "to", "facing", "pace", "dodge", "parry"];
const ATTACK_KEYS: &[&str] =
    &["op", "unit", "weapon", "target", "shots", "mode", "part", "feint", "fast_draw", "weak_hand"];

fn read_move(fields: &Fields<'_, '_>) -> Result<Move> {
    Ok(Move {
        unit: fields.text("unit")?.to_owned(),
        to: fields.integers("to")?,
        facing: fields.integers("facing")?,
        pace: fields.text("pace")?.into(),
        dodge: fields.flag("dodge")?,
        parry: fields.flag("parry")?,
    })
}

fn read_attack(fields: &Fields<'_, '_>) -> Result<Attack> {
    Ok(Attack {
        unit: fields.text("unit")?.to_owned(),
        weapon: fields.integer("weapon")?,
        target: fields.text("target")?.to_owned(),
        shots: if fields.has("shots") { fields.integer("shots")? } else { 1 },
        mode: if fields.has("mode") { fields.text("mode")?.into() } else { Named::Known(Mode::Normal) },
        part: if fields.has("part") { Some(fields.text("part")?.into()) } else { None },
        feint: fields.flag("feint")?,
        fast_draw: fields.flag("fast_draw")?,
        weak_hand: fields.flag("weak_hand")?,
    })
}

/// The fields of a call, each read as its JSON type.
struct Fields<'v, 'a>(&'v [(Cow<'a, str>, Value<'a>)]);

impl<'v, 'a> Fields<'v, 'a> {
    /// Finds an unknown key; of several the least one.
    fn only(&self, keys: &[&str]) -> Result<()> {
        match self.0.iter().map(|(key, _)| &**key).filter(|key| !keys.contains(key)).min() {
            Some(key) => Err(unknown().under(key)),
            None => Ok(()),
        }
    }

    fn find(&self, key: &str) -> Option<&'v Value<'a>> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    fn has(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    fn get(&self, key: &str) -> Result<&'v Value<'a>> {
        self.find(key).ok_or_else(|| missing(key))
    }

    fn text(&self, key: &str) -> Result<&'v str> {
        match self.get(key)? {
            Value::Text(text) => Ok(text),
            other => Err(expected("text", other).under(key)),
        }
    }

    fn flag(&self, key: &str) -> Result<bool> {
        match self.find(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(expected("true or false", other).under(key)),
        }
    }

    fn integer(&self, key: &str) -> Result<i64> {
        plain_integer(self.get(key)?).map_err(|no| no.under(key))
    }

    fn integers<const N: usize>(&self, key: &str) -> Result<[i64; N]> {
        let items = match self.get(key)? {
            Value::Array(items) if items.len() == N => items,
            Value::Array(items) => {
                return Err(
                    Rejection::format(format!("{} integers are expected, not {}", N, items.len())).under(key)
                );
            }
            other => return Err(expected("an array", other).under(key)),
        };
        let mut integers = [0; N];
        for (index, item) in items.iter().enumerate() {
            integers[index] = plain_integer(item).map_err(|no| no.under(index).under(key))?;
        }
        Ok(integers)
    }
}

fn plain_integer(value: &Value<'_>) -> Result<i64> {
    match value {
        Value::Number(text) => integer(text)
            .ok_or_else(|| Rejection::format(format!("{text} stands where a plain integer is expected"))),
        other => Err(expected("a plain integer", other)),
    }
}

fn expected(what: &str, found: &Value<'_>) -> Rejection {
    Rejection::format(format!("{} stands where {what} is expected", found.kind()))
}

impl Serialize for Call {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::begin(serializer)?;
        match self {
            Call::Move(call) => {
                object.put_unless("dodge", &call.dodge, false)?;
                object.put("facing", &call.facing)?;
                object.put("op", "move")?;
                object.put("pace", &call.pace)?;
                object.put_unless("parry", &call.parry, false)?;
                object.put("to", &call.to)?;
                object.put("unit", &call.unit)?;
            }
            Call::Attack(call) => {
                object.put_unless("fast_draw", &call.fast_draw, false)?;
                object.put_unless("feint", &call.feint, false)?;
                object.put_unless("mode", &call.mode, Named::Known(Mode::Normal))?;
                object.put("op", "attack")?;
                object.put_unless("part", &call.part, None)?;
                object.put_unless("shots", &call.shots, 1)?;
                object.put("target", &call.target)?;
                object.put("unit", &call.unit)?;
                object.put_unless("weak_hand", &call.weak_hand, false)?;
                object.put("weapon", &call.weapon)?;
            }
            Call::EndRound => object.put("op", "end_round")?,
            Call::Unknown(op) => object.put("op", op)?,
        }
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ongrid_engine::canonical::{is_canonical, to_vec};

    fn read(text: &str) -> Result<Call> {
        Call::read(&mut Reader::new(text))
    }

    #[test]
    fn canonical_without_defaults() {
        for (text, canonical) in [
            (
                r#"{"op":"move","unit":"a","to":[1,2,3],"facing":[0,1],"pace":"jog","dodge":false,"parry":true}"#,
                r#"{"facing":[0,1],"op":"move","pace":"jog","parry":true,"to":[1,2,3],"unit":"a"}"#,
            ),
            (
                r#"{"op":"attack","unit":"a","weapon":0,"target":"b","shots":1,"mode":"normal","feint":false}"#,
                r#"{"op":"attack","target":"b","unit":"a","weapon":0}"#,
            ),
            (
                r#"{"weak_hand":true,"fast_draw":true,"feint":true,"part":"tail","mode":"spray","shots":-2,
                   "target":"b","weapon":9,"unit":"a","op":"attack"}"#,
                r#"{"fast_draw":true,"feint":true,"mode":"spray","op":"attack","part":"tail","shots":-2,"target":"b","unit":"a","weak_hand":true,"weapon":9}"#,
            ),
            (r#"{"op":"end_round"}"#, r#"{"op":"end_round"}"#),
            (r#"{"to":5,"op":"repair"}"#, r#"{"op":"repair"}"#),
        ] {
            let bytes = to_vec(&read(text).unwrap());
            assert_eq!(String::from_utf8_lossy(&bytes), canonical);
            assert!(is_canonical(&bytes));
        }
    }

    #[test]
    fn malformed_calls_name_their_place() {
        for (text, path) in [
            ("[]", ""),
            ("{}", "/op"),
            (r#"{"op":null}"#, "/op"),
            (r#"{"op":"end_round","unit":"a"}"#, "/unit"),
            (r#"{"op":"move","unit":"a"}"#, "/to"),
            (r#"{"op":"move","unit":"a","to":[0,0],"facing":[1,0],"pace":"jog"}"#, "/to"),
            (r#"{"op":"move","unit":"a","to":[0,0,0.0],"facing":[1,0],"pace":"jog"}"#, "/to/2"),
            (r#"{"op":"move","unit":"a","to":[0,0,0],"facing":[1,true],"pace":"jog"}"#, "/facing/1"),
            (r#"{"op":"move","unit":"a","to":[0,0,0],"facing":[1,0],"pace":7}"#, "/pace"),
            (r#"{"op":"move","unit":"a","to":[0,0,0],"facing":[1,0],"pace":"jog","dodge":null}"#, "/dodge"),
            (r#"{"op":"attack","unit":"a","weapon":"0","target":"b"}"#, "/weapon"),
            (r#"{"op":"attack","unit":"a","weapon":0,"target":"b","part":null}"#, "/part"),
            (r#"{"op":"attack","unit":"a","weapon":0,"target":"b","shots":1e2}"#, "/shots"),
            (r#"{"op":"attack","unit":"a","weapon":0,"target":"b","z":0,"dodge":true}"#, "/dodge"),
            (r#"{"op":"attack","unit":"a","weapon":0,"target":"b","shots":9223372036854775808}"#, "/shots"),
        ] {
            let no = read(text).unwrap_err();
            assert_eq!((no.code(), no.path()), ("format", Some(path)), "{text}");
        }
    }
}
