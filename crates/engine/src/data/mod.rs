//! Reading the embedded data of a ruleset into its types.
//!
//! The types derive serde's `Deserialize`; this is the one reader they are read with, over the values of
//! [`crate::json`]. It is strict where serde's usual readers are not (an array is no struct, a number with a fraction
//! no integer) and small: no second parser of numbers, and little code for each type, which is what the module for
//! browsers consists of.

mod toml;

use std::borrow::Cow;
use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use crate::json::{Reader, Value, integer, number};

/// What is wrong with a data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError(String);

impl DataError {
    /// Puts one step in front of the place, as the reading unwinds.
    #[cold]
    fn within(self, step: impl fmt::Display) -> Self {
        Self(format!("{step}: {}", self.0))
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DataError {}

impl Error for DataError {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Reads a JSON text into a type.
///
/// # Errors
/// What is wrong: not JSON, a key twice, or not of the type's shape.
pub fn from_json<T: DeserializeOwned>(text: &[u8]) -> Result<T, DataError> {
    let read = Reader::from_bytes(text).and_then(|mut json| {
        let value = json.value()?;
        json.end()?;
        Ok(value)
    });
    from_value(&read.map_err(|fault| DataError(fault.to_string()))?)
}

/// Reads a TOML text into a type; only the part of TOML that data files are written in.
///
/// # Errors
/// What is wrong: not of that part, a key twice, or not of the type's shape.
pub fn from_toml<T: DeserializeOwned>(text: &[u8]) -> Result<T, DataError> {
    let text = std::str::from_utf8(text).map_err(|fault| DataError(fault.to_string()))?;
    from_value(&toml::read(text)?)
}

/// Reads a value into a type.
///
/// # Errors
/// Where it is not of the type's shape.
pub fn from_value<T: DeserializeOwned>(value: &Value<'_>) -> Result<T, DataError> {
    T::deserialize(Datum(value))
}

/// A value as serde's derived code asks for it.
#[derive(Clone, Copy)]
struct Datum<'v, 'a>(&'v Value<'a>);

impl<'v> Datum<'v, '_> {
    #[cold]
    fn not(self, what: &str) -> DataError {
        DataError(format!("{} stands where {what} is expected", self.0.kind()))
    }

    #[inline(never)]
    fn bool(self) -> Result<bool, DataError> {
        if let Value::Bool(value) = self.0 { Ok(*value) } else { Err(self.not("true or false")) }
    }

    #[inline(never)]
    fn integer(self) -> Result<i64, DataError> {
        let value = if let Value::Number(text) = self.0 { integer(text) } else { None };
        value.ok_or_else(|| self.not("an integer"))
    }

    #[inline(never)]
    fn number(self) -> Result<f64, DataError> {
        let value = if let Value::Number(text) = self.0 { number(text) } else { None };
        value.ok_or_else(|| self.not("a number"))
    }

    #[inline(never)]
    fn text(self) -> Result<&'v str, DataError> {
        if let Value::Text(text) = self.0 { Ok(text) } else { Err(self.not("text")) }
    }
}

/// Hands each kind of scalar over as the method that reads it gives it.
macro_rules! scalars {
    ($($read:ident $visit:ident: $($name:ident)*;)*) => {
        $($(fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
            visitor.$visit(self.$read()?)
        })*)*
    };
}

impl<'de> Deserializer<'de> for Datum<'_, '_> {
    type Error = DataError;

    scalars! {
        bool visit_bool: deserialize_bool;
        integer visit_i64: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64;
        number visit_f64: deserialize_f32 deserialize_f64;
        text visit_str: deserialize_char deserialize_str deserialize_string deserialize_identifier;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, DataError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        let Value::Array(items) = self.0 else { return Err(self.not("an array")) };
        let mut rest = Items { length: items.len(), rest: items };
        let value = visitor.visit_seq(&mut rest)?;
        if rest.rest.is_empty() { Ok(value) } else { Err(DataError("an array is too long".to_owned())) }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, DataError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        let Value::Object(members) = self.0 else { return Err(self.not("an object")) };
        visitor.visit_map(Members { rest: members, value: None })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DataError> {
        self.deserialize_map(visitor)
    }

    /// Variants without members only, by their names.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DataError> {
        visitor.visit_enum(self.text()?.into_deserializer())
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, DataError> {
        Err(DataError("a data file is read into types that know what they hold".to_owned()))
    }

    forward_to_deserialize_any! { bytes byte_buf unit unit_struct tuple_struct ignored_any }
}

/// What is left of an array.
struct Items<'v, 'a> {
    length: usize,
    rest: &'v [Value<'a>],
}

impl<'de> SeqAccess<'de> for &mut Items<'_, '_> {
    type Error = DataError;

    #[inline(never)]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, DataError> {
        let Some((item, rest)) = self.rest.split_first() else { return Ok(None) };
        let index = self.length - self.rest.len();
        self.rest = rest;
        seed.deserialize(Datum(item)).map(Some).map_err(|fault| fault.within(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// What is left of an object, and the member whose key was read.
struct Members<'v, 'a> {
    rest: &'v [(Cow<'a, str>, Value<'a>)],
    value: Option<(&'v str, &'v Value<'a>)>,
}

impl<'de> MapAccess<'de> for Members<'_, '_> {
    type Error = DataError;

    #[inline(never)]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DataError> {
        let Some(((key, value), rest)) = self.rest.split_first() else { return Ok(None) };
        self.rest = rest;
        self.value = Some((key, value));
        seed.deserialize(StrDeserializer::new(key)).map(Some)
    }

    #[inline(never)]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DataError> {
        let Some((key, value)) = self.value.take() else { return Err(DataError("no key".to_owned())) };
        seed.deserialize(Datum(value)).map_err(|fault| fault.within(key))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Gun {
        name: String,
        tier: Tier,
        damage: f64,
        #[serde(default)]
        count: u8,
        reach: Option<[f64; 2]>,
        #[serde(rename = "for", default)]
        classes: Vec<Tier>,
        by_tier: BTreeMap<Tier, i32>,
    }

    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Tier {
        Low,
        VeryHigh,
    }

    fn read(text: &str) -> Result<Gun, String> {
        from_json(text.as_bytes()).map_err(|fault| fault.to_string())
    }

    #[test]
    fn a_type_is_read() {
        let text = r#"{"name": "a\u00e9", "tier": "very_high", "damage": 3, "reach": [0.1, 2e3], "for": ["low"],
            "by_tier": {"very_high": -1, "low": 2}}"#;
        let gun = Gun {
            name: "aé".to_owned(),
            tier: Tier::VeryHigh,
            damage: 3.0,
            count: 0,
            reach: Some([0.1, 2000.0]),
            classes: vec![Tier::Low],
            by_tier: BTreeMap::from([(Tier::Low, 2), (Tier::VeryHigh, -1)]),
        };
        assert_eq!(read(text), Ok(gun));
    }

    #[test]
    fn faults_name_their_place() {
        let good = r#"{"name":"a","tier":"low","damage":1.5,"count":2,"reach":[1,2],"for":[],"by_tier":{}}"#;
        assert!(read(good).is_ok());
        for (from, to, fault) in [
            (r#""count":2"#, r#""count":2.0"#, "count: a number stands where an integer is expected"),
            (r#""count":2"#, r#""count":256"#, "count: invalid value: integer `256`, expected u8"),
            (r#""count":2"#, r#""count":-1"#, "count: invalid value: integer `-1`, expected u8"),
            (r#""count":2"#, r#""count":null"#, "count: null stands where an integer is expected"),
            ("1.5", r#""1.5""#, "damage: text stands where a number is expected"),
            ("1.5", "1e999", "damage: a number stands where a number is expected"),
            (r#""low""#, r#""lower""#, "tier: unknown variant `lower`, expected `low` or `very_high`"),
            (r#""low""#, r#"{"low":1}"#, "tier: an object stands where text is expected"),
            ("[1,2]", "[1]", "reach: invalid length 1, expected an array of length 2"),
            ("[1,2]", "[1,2,3]", "reach: an array is too long"),
            ("[1,2]", "[1,true]", "reach: 1: a boolean stands where a number is expected"),
            (r#""for":[]"#, r#""for":{}"#, "for: an object stands where an array is expected"),
            (r#""for":[]"#, r#""to":[]"#, "unknown field `to`"),
            (r#""name":"a","#, "", "missing field `name`"),
            (r#""name":"a""#, r#""name":"a","name":"a""#, "format, at /name: the key stands twice"),
            ("}}", "}", "format"),
        ] {
            let found = read(&good.replace(from, to)).unwrap_err();
            assert!(found.starts_with(fault), "{to}: {found}");
        }
        assert_eq!(read("[]").unwrap_err(), "an array stands where an object is expected");
        assert!(from_json::<Gun>(b"\xff").is_err());
    }
}
