//! The player's calls (section 4): `move`, `attack`, `end_round`.
//!
//! A call of a known `op` must have exactly its fields, each of its JSON type; anything else is `format`, with the
//! call and the path. An unknown `op` is read whatever its fields, since it is refused only in its turn. Names and
//! figures that no unit, part or pace has are refused in their turn too, with codes of their own.

use std::borrow::Cow;

use ongrid_engine::json::{Reader, Value, integer, missing, once, unknown};
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
        let mut again = json.clone();
        // Most calls are good and read straight from the text; why one is not is found out by judging it as a value.
        if let Ok(members) = Members::read(json)
            && let Some(call) = members.call()
        {
            return Ok(call);
        }
        let call = Self::judge(&mut again);
        *json = again;
        call
    }

    fn judge(json: &mut Reader<'_>) -> Result<Self> {
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

/// The members of a call of any kind, each of its JSON type.
#[derive(Default)]
struct Members<'a> {
    count: usize,
    op: Option<Cow<'a, str>>,
    unit: Option<Cow<'a, str>>,
    to: Option<[i64; 3]>,
    facing: Option<[i64; 2]>,
    pace: Option<Cow<'a, str>>,
    dodge: Option<bool>,
    parry: Option<bool>,
    weapon: Option<i64>,
    target: Option<Cow<'a, str>>,
    shots: Option<i64>,
    mode: Option<Cow<'a, str>>,
    part: Option<Cow<'a, str>>,
    feint: Option<bool>,
    fast_draw: Option<bool>,
    weak_hand: Option<bool>,
}

impl<'a> Members<'a> {
    fn read(json: &mut Reader<'a>) -> Result<Self> {
        let mut it = Self::default();
        json.object(|json, key| {
            it.count += 1;
            match key {
                "op" => once(&mut it.op, json.string()?),
                "unit" => once(&mut it.unit, json.string()?),
                "to" => once(&mut it.to, read_integers(json)?),
                "facing" => once(&mut it.facing, read_integers(json)?),
                "pace" => once(&mut it.pace, json.string()?),
                "dodge" => once(&mut it.dodge, json.bool()?),
                "parry" => once(&mut it.parry, json.bool()?),
                "weapon" => once(&mut it.weapon, json.i64()?),
                "target" => once(&mut it.target, json.string()?),
                "shots" => once(&mut it.shots, json.i64()?),
                "mode" => once(&mut it.mode, json.string()?),
                "part" => once(&mut it.part, json.string()?),
                "feint" => once(&mut it.feint, json.bool()?),
                "fast_draw" => once(&mut it.fast_draw, json.bool()?),
                "weak_hand" => once(&mut it.weak_hand, json.bool()?),
                _ => Err(unknown()),
            }
        })?;
        Ok(it)
    }

    /// The call, where all of its members are here and none of another kind's.
    fn call(self) -> Option<Call> {
        let given = |optional: &[bool]| optional.iter().filter(|given| **given).count();
        let (call, count) = match &*self.op? {
            "move" => {
                let count = 5 + given(&[self.dodge.is_some(), self.parry.is_some()]);
                let call = Move {
                    unit: self.unit?.into_owned(),
                    to: self.to?,
                    facing: self.facing?,
                    pace: (&*self.pace?).into(),
                    dodge: self.dodge.unwrap_or(false),
                    parry: self.parry.unwrap_or(false),
                };
                (Call::Move(call), count)
            }
            "attack" => {
                let modes = [self.shots.is_some(), self.mode.is_some(), self.part.is_some()];
                let flags = [self.feint.is_some(), self.fast_draw.is_some(), self.weak_hand.is_some()];
                let call = Attack {
                    unit: self.unit?.into_owned(),
                    weapon: self.weapon?,
                    target: self.target?.into_owned(),
                    shots: self.shots.unwrap_or(1),
                    mode: self.mode.map_or(Named::Known(Mode::Normal), |mode| (&*mode).into()),
                    part: self.part.map(|part| (&*part).into()),
                    feint: self.feint.unwrap_or(false),
                    fast_draw: self.fast_draw.unwrap_or(false),
                    weak_hand: self.weak_hand.unwrap_or(false),
                };
                (Call::Attack(call), 4 + given(&modes) + given(&flags))
            }
            "end_round" => (Call::EndRound, 1),
            _ => return None,
        };
        (self.count == count).then_some(call)
    }
}

fn read_integers<const N: usize>(json: &mut Reader<'_>) -> Result<[i64; N]> {
    let (mut integers, mut count) = ([0; N], 0);
    json.array(|json, index| {
        *integers.get_mut(index).ok_or_else(unknown)? = json.i64()?;
        count += 1;
        Ok(())
    })?;
    if count == N { Ok(integers) } else { Err(unknown()) }
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

    /// Reads a call, and holds the straight way against the judge.
    fn read(text: &str) -> Result<Call> {
        let (mut json, mut judged) = (Reader::new(text), Reader::new(text));
        let call = Call::read(&mut json);
        assert_eq!(call, Call::judge(&mut judged), "{text}");
        assert_eq!(json.offset(), judged.offset(), "{text}");
        call
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
            (r#"{"op":"end_round","op":"end_round"}"#, "/op"),
            (r#"{"op":"move","unit":"a"}"#, "/to"),
            (r#"{"op":"move","unit":"a","to":[0,0,0],"facing":[1,0],"pace":"jog","shots":1}"#, "/shots"),
            (r#"{"op":"move","unit":"a","to":[0,0,0],"facing":[1,0,0],"pace":"jog"}"#, "/facing"),
            (r#"{"op":"attack","unit":"a","weapon":0,"target":"b","parry":false}"#, "/parry"),
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
