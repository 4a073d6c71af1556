//! Setups described as tables and checked in the order of conventions, "Setups of empire-damage-1, mind-combat-1,
//! mecha-battle-1".
//!
//! A [`Table`] is written down as the spec shows it: keys in order, each with a [`Rule`]. [`check`] goes over the
//! setup three times, `format`, `limit`, `bad_setup`; the cross rules, the fourth pass, are each engine's own. What
//! has passed is taken over with [`Node`], whose getters need no error: a value that is not there reads as the zero
//! of its type, or as the default that the getter is given.
//!
//! ```
//! use ongrid_engine::json::Reader;
//! use ongrid_engine::schema::{Node, Rule, TEXT, Table, check, int, int_up_to, list, optional, required};
//! static SHIP: Table = Table(&[
//!     required("id", TEXT),
//!     optional("guns", int_up_to(0, 1000)),
//!     optional("acc", int(0, 100)).or_null(),
//! ]);
//! static SETUP: Table = Table(&[required("ships", list(&Rule::Object(&SHIP), 1, 64))]);
//!
//! let value = Reader::new(r#"{"ships": [{"id": "bb", "guns": 1001}]}"#).value()?;
//! let no = check(&SETUP, &value).unwrap_err();
//! assert_eq!((no.code(), no.path()), ("limit", Some("/ships/0/guns")));
//!
//! let value = Reader::new(r#"{"ships": [{"id": "bb", "acc": null}]}"#).value()?;
//! check(&SETUP, &value)?;
//! let ship = Node::of(&value).items("ships").next().unwrap();
//! assert_eq!((ship.text("id"), ship.int_or("guns", 4), ship.maybe_int::<u8>("acc")), ("bb", 4, None));
//! # Ok::<(), ongrid_engine::Rejection>(())
//! ```

use std::borrow::Cow;

use crate::json::{self, Value, missing, unknown};
use crate::{Rejection, Result};

/// Longest text, in characters; one more is `limit`, none at all `bad_setup`.
pub const MAX_TEXT: usize = 64;

/// The keys of an object, in the order in which they are checked.
#[derive(Debug)]
pub struct Table(pub &'static [Field]);

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    key: &'static str,
    rule: Rule,
    required: bool,
    nullable: bool,
}

/// What a value must be. Bounds are inclusive; `limit` says whether the upper one is marked `†` in the spec.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// `true` or `false`.
    Flag,
    /// A JSON integer within i64: `3.0`, `1e0` and `true` are none.
    Int {
        /// Least value.
        min: i64,
        /// Greatest value.
        max: i64,
        /// Whether a value above `max` is `limit`.
        limit: bool,
    },
    /// Any JSON number that a double can hold.
    Num {
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
        /// Whether 0 is good although it lies outside.
        or_zero: bool,
    },
    /// Text of 1 to [`MAX_TEXT`] characters.
    Text,
    /// One of some names.
    Name(&'static [&'static str]),
    /// One of some names, or what else the rule says.
    NameOr(&'static [&'static str], &'static Rule),
    /// An array.
    List {
        /// Rule of every item.
        of: &'static Rule,
        /// Least length.
        min: usize,
        /// Greatest length.
        max: usize,
        /// Whether a greater length is `limit`.
        limit: bool,
    },
    /// An object whose keys are the setup's own; at most `max` of them, more is `limit`.
    Map {
        /// Rule of every key: [`Rule::Text`] or [`Rule::Name`].
        key: &'static Rule,
        /// Rule of every value.
        of: &'static Rule,
        /// Greatest number of keys.
        max: usize,
    },
    /// An object with the keys of a table.
    Object(&'static Table),
    /// An object whose keys depend on the name under `tag`. Every table is complete, `tag` included; before it they
    /// have the same keys. Of an object with an unknown name only that is reported, as `bad_setup`.
    Tagged {
        /// The key that tells the tables apart.
        tag: &'static str,
        /// Names and their tables.
        tables: &'static [(&'static str, &'static Table)],
    },
}

/// Text of 1 to [`MAX_TEXT`] characters.
pub const TEXT: Rule = Rule::Text;
/// `true` or `false`.
pub const FLAG: Rule = Rule::Flag;

/// An integer `min..max`.
pub const fn int(min: i64, max: i64) -> Rule {
    Rule::Int { min, max, limit: false }
}

/// An integer `min..max†`.
pub const fn int_up_to(min: i64, max: i64) -> Rule {
    Rule::Int { min, max, limit: true }
}

/// A number `min..max`.
pub const fn num(min: f64, max: f64) -> Rule {
    Rule::Num { min, max, or_zero: false }
}

/// A list of `min..max†` items.
pub const fn list(of: &'static Rule, min: usize, max: usize) -> Rule {
    Rule::List { of, min, max, limit: true }
}

/// A list of `min..max` items; with `min == max` a tuple.
pub const fn list_of(of: &'static Rule, min: usize, max: usize) -> Rule {
    Rule::List { of, min, max, limit: false }
}

/// A key that must be there.
pub const fn required(key: &'static str, rule: Rule) -> Field {
    Field { key, rule, required: true, nullable: false }
}

/// A key that may be left out.
pub const fn optional(key: &'static str, rule: Rule) -> Field {
    Field { key, rule, required: false, nullable: false }
}

impl Field {
    /// The same key, where `null` is good too.
    pub const fn or_null(self) -> Self {
        Self { nullable: true, ..self }
    }
}

/// Checks a setup in three passes: `format`, `limit`, `bad_setup`. Within a pass: table order, depth first; unknown
/// keys of an object first, by ascending bytes; lists by index; maps by ascending key bytes.
///
/// # Errors
/// The first fault of the first pass that finds one; its path starts at the setup's own root.
pub fn check(table: &Table, setup: &Value<'_>) -> Result<()> {
    // Most setups are good, which one walk finds out; the passes are told apart only where one is not.
    if check_object(Pass::Every, table, setup).is_ok() {
        return Ok(());
    }
    for pass in [Pass::Format, Pass::Limit, Pass::Range] {
        check_object(pass, table, setup)?;
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Every,
    Format,
    Limit,
    Range,
}

impl Pass {
    /// A fault of this pass at the value being judged; the message is made only where it is one.
    fn fault_if(self, wrong: bool, message: impl FnOnce() -> String) -> Result<()> {
        if !wrong {
            return Ok(());
        }
        let code = match self {
            Pass::Every | Pass::Format => "format",
            Pass::Limit => "limit",
            Pass::Range => "bad_setup",
        };
        Err(Rejection::new(code, message()).with_path(""))
    }

    fn is(self, pass: Self) -> bool {
        self == pass || self == Pass::Every
    }

    /// Whether this pass judges an upper bound.
    fn judges(self, limit: bool) -> bool {
        self.is(if limit { Pass::Limit } else { Pass::Range })
    }
}

fn check_value(pass: Pass, rule: &Rule, value: &Value<'_>) -> Result<()> {
    match (rule, value) {
        (Rule::Flag, Value::Bool(_)) => Ok(()),
        (Rule::Int { min, max, limit }, Value::Number(text)) => match json::integer(text) {
            Some(number) => {
                pass.fault_if(pass.judges(*limit) && number > *max, || {
                    format!("{number} is above {max}, the most there may be")
                })?;
                pass.fault_if(pass.is(Pass::Range) && number < *min, || {
                    format!("{number} is below {min}, the least there may be")
                })
            }
            None => wrong_kind(pass, rule, value),
        },
        (Rule::Num { min, max, or_zero }, Value::Number(text)) => match json::number(text) {
            Some(number) => {
                let good = (*min..=*max).contains(&number) || (*or_zero && number == 0.0);
                pass.fault_if(pass.is(Pass::Range) && !good, || format!("{number} is not in {min}..{max}"))
            }
            None => wrong_kind(pass, rule, value),
        },
        (Rule::Text, Value::Text(text)) => check_text(pass, text),
        (Rule::Name(names) | Rule::NameOr(names, _), Value::Text(text)) => check_name(pass, names, text),
        (Rule::NameOr(_, other), _) => check_value(pass, other, value),
        (Rule::List { of, min, max, limit }, Value::Array(items)) => {
            let length = items.len();
            let wrong = (pass.judges(*limit) && length > *max) || (pass.is(Pass::Range) && length < *min);
            pass.fault_if(wrong, || format!("the list has {length} items, it may have {min} to {max}"))?;
            for (index, item) in items.iter().enumerate() {
                check_value(pass, of, item).map_err(|fault| fault.under(index))?;
            }
            Ok(())
        }
        (Rule::Map { key, of, max }, Value::Object(members)) => {
            let length = members.len();
            pass.fault_if(pass.is(Pass::Limit) && length > *max, || {
                format!("the map has {length} keys, it may have {max}")
            })?;
            for (name, value) in ascending(members) {
                check_value(pass, key, &Value::Text(Cow::Borrowed(name)))
                    .and_then(|()| check_value(pass, of, value))
                    .map_err(|fault| fault.under(name))?;
            }
            Ok(())
        }
        (Rule::Object(table), _) => check_object(pass, table, value),
        (Rule::Tagged { tag, tables }, Value::Object(members)) => check_tagged(pass, tag, tables, members),
        _ => wrong_kind(pass, rule, value),
    }
}

/// The fault of a value of another JSON type; the first pass finds them all.
fn wrong_kind(pass: Pass, rule: &Rule, value: &Value<'_>) -> Result<()> {
    let expected = match rule {
        Rule::Flag => "true or false",
        Rule::Int { .. } => "a plain integer",
        Rule::Num { .. } => "a number",
        Rule::Text | Rule::Name(_) => "text",
        Rule::NameOr(..) => "a name or a number",
        Rule::List { .. } => "an array",
        Rule::Map { .. } | Rule::Object(_) | Rule::Tagged { .. } => "an object",
    };
    pass.fault_if(pass.is(Pass::Format), || match value {
        Value::Number(text) => format!("{text} stands where {expected} is expected"),
        _ => format!("{} stands where {expected} is expected", value.kind()),
    })
}

fn check_text(pass: Pass, text: &str) -> Result<()> {
    let long = || text.len() > MAX_TEXT && text.chars().count() > MAX_TEXT;
    pass.fault_if(pass.is(Pass::Limit) && long(), || {
        format!("the text is longer than {MAX_TEXT} characters")
    })?;
    pass.fault_if(pass.is(Pass::Range) && text.is_empty(), || "the text is empty".to_owned())
}

fn check_name(pass: Pass, names: &[&str], text: &str) -> Result<()> {
    pass.fault_if(pass.is(Pass::Range) && !names.contains(&text), || {
        format!("{text:?} is none of {}", names.join(", "))
    })
}

/// A member of an object.
type Member<'a> = (Cow<'a, str>, Value<'a>);

fn check_object(pass: Pass, table: &Table, value: &Value<'_>) -> Result<()> {
    let Value::Object(members) = value else {
        return wrong_kind(pass, &Rule::Object(&Table(&[])), value);
    };
    check_members(pass, table, members)
}

fn check_tagged(
    pass: Pass,
    tag: &str,
    tables: &[(&str, &'static Table)],
    members: &[Member<'_>],
) -> Result<()> {
    let table = match find(members, tag) {
        Some(Value::Text(name)) => tables.iter().find(|(known, _)| known == name).map(|(_, table)| *table),
        // Without the tag it is not known which keys belong here: those before it are judged, then it is missed.
        _ => {
            check_keys(pass, members, |key| tables.iter().any(|(_, table)| table.knows(key)))?;
            let fields = tables.first().map_or(&[][..], |(_, table)| table.0);
            let known = fields.iter().position(|field| field.key == tag).map_or(fields, |at| &fields[..=at]);
            return check_fields(pass, known, members).map(drop);
        }
    };
    match table {
        Some(table) => check_members(pass, table, members),
        None => pass
            .fault_if(pass.is(Pass::Range), || format!("there is no such {tag}"))
            .map_err(|fault| fault.under(tag)),
    }
}

/// Finds an unknown key; of several the least one, so that the order of the document does not matter.
fn check_keys(pass: Pass, members: &[Member<'_>], knows: impl Fn(&str) -> bool) -> Result<()> {
    if !pass.is(Pass::Format) {
        return Ok(());
    }
    match members.iter().map(|(key, _)| &**key).filter(|key| !knows(key)).min() {
        Some(key) => Err(unknown().under(key)),
        None => Ok(()),
    }
}

fn check_members(pass: Pass, table: &Table, members: &[Member<'_>]) -> Result<()> {
    if pass == Pass::Every {
        // No key stands twice: all are known where as many are found as there are.
        let found = check_fields(pass, table.0, members)?;
        return pass.fault_if(found < members.len(), || "a key is unknown".to_owned());
    }
    check_keys(pass, members, |key| table.knows(key))?;
    check_fields(pass, table.0, members).map(drop)
}

/// Checks what stands under the keys of some fields; gives how many of them are there.
fn check_fields(pass: Pass, fields: &[Field], members: &[Member<'_>]) -> Result<usize> {
    let (mut found, mut next) = (0, 0);
    for field in fields {
        let value = find_next(members, &mut next, field.key);
        found += usize::from(value.is_some());
        match value {
            None if field.required && pass.is(Pass::Format) => return Err(missing(field.key)),
            None => {}
            Some(Value::Null) if field.nullable => {}
            Some(value) => check_value(pass, &field.rule, value).map_err(|fault| fault.under(field.key))?,
        }
    }
    Ok(found)
}

fn find<'v, 'a>(members: &'v [Member<'a>], key: &str) -> Option<&'v Value<'a>> {
    members.iter().find(|(known, _)| known.len() == key.len() && known == key).map(|(_, value)| value)
}

/// [`find`] for keys one after the other: most documents keep to the order of the table, so that what stands behind the
/// last one found is looked at first.
fn find_next<'v, 'a>(members: &'v [Member<'a>], next: &mut usize, key: &str) -> Option<&'v Value<'a>> {
    let is_it = |(known, _): &Member<'_>| known.len() == key.len() && known == key;
    let at = match members.get(*next) {
        Some(member) if is_it(member) => *next,
        _ => members.iter().position(is_it)?,
    };
    *next = at + 1;
    Some(&members[at].1)
}

fn ascending<'v, 'a>(members: &'v [Member<'a>]) -> Vec<(&'v str, &'v Value<'a>)> {
    let mut members: Vec<_> = members.iter().map(|(key, value)| (&**key, value)).collect();
    members.sort_unstable_by_key(|(key, _)| *key);
    members
}

impl Table {
    fn knows(&self, key: &str) -> bool {
        self.0.iter().any(|field| field.key == key)
    }
}

/// A place in a setup that [`check`] found good; a place that is not there, or `null`, is empty.
#[derive(Clone, Copy, Debug)]
pub struct Node<'v, 'a>(Option<&'v Value<'a>>);

impl<'v, 'a> Node<'v, 'a> {
    /// The root of a checked setup.
    pub fn of(value: &'v Value<'a>) -> Self {
        Self(Some(value).filter(|value| !matches!(value, Value::Null)))
    }

    /// What stands under a key.
    pub fn get(self, key: &str) -> Self {
        match self.0 {
            Some(Value::Object(members)) => find(members, key).map_or(Node(None), Node::of),
            _ => Node(None),
        }
    }

    /// What stands under some keys.
    pub fn each(self, keys: &[&str]) -> impl Iterator<Item = Self> {
        let members = match self.0 {
            Some(Value::Object(members)) => &members[..],
            _ => &[],
        };
        let mut next = 0;
        keys.iter().map(move |key| find_next(members, &mut next, key).map_or(Node(None), Node::of))
    }

    /// Whether nothing, or `null`, stands here.
    pub fn is_empty(self) -> bool {
        self.0.is_none()
    }

    /// This place, where something stands here.
    pub fn some(self) -> Option<Self> {
        self.0.map(|_| self)
    }

    /// The integer that stands here, where one does and `T` can hold it.
    pub fn as_int<T: TryFrom<i64>>(self) -> Option<T> {
        match self.0 {
            Some(Value::Number(text)) => json::integer(text).and_then(|number| T::try_from(number).ok()),
            _ => None,
        }
    }

    /// The number that stands here.
    pub fn as_num(self) -> Option<f64> {
        match self.0 {
            Some(Value::Number(text)) => json::number(text),
            _ => None,
        }
    }

    /// The text that stands here.
    pub fn as_text(self) -> Option<&'v str> {
        match self.0 {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The integer under a key, if any.
    pub fn maybe_int<T: TryFrom<i64>>(self, key: &str) -> Option<T> {
        self.get(key).as_int()
    }

    /// The integer under a key, else a default.
    pub fn int_or<T: TryFrom<i64>>(self, key: &str, default: T) -> T {
        self.maybe_int(key).unwrap_or(default)
    }

    /// The integer under a key, else 0.
    pub fn int<T: TryFrom<i64> + Default>(self, key: &str) -> T {
        self.maybe_int(key).unwrap_or_default()
    }

    /// The number under a key, if any.
    pub fn maybe_num(self, key: &str) -> Option<f64> {
        self.get(key).as_num()
    }

    /// The number under a key, else a default.
    pub fn num_or(self, key: &str, default: f64) -> f64 {
        self.maybe_num(key).unwrap_or(default)
    }

    /// The number under a key, else 0.
    pub fn num(self, key: &str) -> f64 {
        self.num_or(key, 0.0)
    }

    /// The flag under a key, else `false`.
    pub fn flag(self, key: &str) -> bool {
        matches!(self.get(key).0, Some(Value::Bool(true)))
    }

    /// The text under a key, if any.
    pub fn maybe_text(self, key: &str) -> Option<&'v str> {
        self.get(key).as_text()
    }

    /// The text under a key, else none.
    pub fn text(self, key: &str) -> &'v str {
        self.maybe_text(key).unwrap_or_default()
    }

    /// What the name under a key stands for, if there is one: `choices[i]` is meant by `names[i]`.
    pub fn maybe_name<T: Copy>(self, key: &str, names: &[&str], choices: &[T]) -> Option<T> {
        let name = self.maybe_text(key)?;
        names.iter().position(|known| *known == name).and_then(|at| choices.get(at)).copied()
    }

    /// The items of the list under a key.
    pub fn items(self, key: &str) -> impl Iterator<Item = Node<'v, 'a>> {
        self.get(key).list()
    }

    /// The items of the list that stands here.
    pub fn list(self) -> impl Iterator<Item = Node<'v, 'a>> {
        let items = match self.0 {
            Some(Value::Array(items)) => &items[..],
            _ => &[],
        };
        items.iter().map(Node::of)
    }

    /// The members of the map under a key, by ascending key bytes.
    pub fn entries(self, key: &str) -> impl Iterator<Item = (&'v str, Node<'v, 'a>)> {
        let entries = match self.get(key).0 {
            Some(Value::Object(members)) => ascending(members),
            _ => Vec::new(),
        };
        entries.into_iter().map(|(key, value)| (key, Node::of(value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    const ITEMS: [&str; 2] = ["food", "iron"];
    const SKILLS: [&str; 2] = ["green", "elite"];
    const COORDINATE: Rule = int(-10, 10);
    const SHARE: Rule = num(0.0, 1.0);
    const STOCK: Rule = int_up_to(0, 1000);
    const GOODS: Rule = Rule::Map { key: &Rule::Name(&ITEMS), of: &STOCK, max: 64 };
    const FACTOR: Rule = Rule::Num { min: 0.001, max: 10.0, or_zero: true };
    const SHIP_OR_TANK: Rule = Rule::Tagged { tag: "type", tables: &[("ship", &SHIP), ("tank", &TANK)] };

    const ID: Field = required("id", TEXT);
    const TYPE: Field = required("type", Rule::Name(&["ship", "tank"]));

    static SHIP: Table = Table(&[
        ID,
        TYPE,
        required("pos", list_of(&COORDINATE, 2, 2)),
        optional("guns", STOCK),
        optional("sub", FLAG),
    ]);
    static TANK: Table =
        Table(&[ID, TYPE, required("armor", int(0, 9)), optional("crew", Rule::NameOr(&SKILLS, &SHARE))]);
    static SETUP: Table = Table(&[
        required("player", TEXT),
        optional("owner", TEXT).or_null(),
        optional("factor", FACTOR),
        optional("items", GOODS),
        optional("loads", Rule::Map { key: &TEXT, of: &STOCK, max: 2 }),
        optional("units", list(&SHIP_OR_TANK, 1, 3)),
    ]);

    /// `code path` of the fault, or `good`.
    fn judge(text: &str) -> String {
        let mut json = Reader::new(text);
        let value = json.value().and_then(|value| json.end().map(|()| value)).expect(text);
        match check(&SETUP, &value) {
            Ok(()) => "good".to_owned(),
            Err(no) => format!("{} {}", no.code(), no.path().unwrap_or("none")),
        }
    }

    #[test]
    fn each_fault_alone() {
        let long = "ü".repeat(65);
        let just = "ü".repeat(64);
        for (members, answer) in [
            ("", "good"),
            (r#""owner": null"#, "good"),
            (r#""owner": 1"#, "format /owner"),
            (r#""moon": 1, "away": 1"#, "format /away"),
            (&format!(r#""owner": "{just}""#), "good"),
            (&format!(r#""owner": "{long}""#), "limit /owner"),
            (r#""owner": """#, "bad_setup /owner"),
            (r#""factor": 0"#, "good"),
            (r#""factor": 0.0001"#, "bad_setup /factor"),
            (r#""factor": 1e1"#, "good"),
            (r#""factor": 1e400"#, "format /factor"),
            (r#""factor": "1""#, "format /factor"),
            (r#""items": []"#, "format /items"),
            (r#""items": {"iron": 1000, "food": 0}"#, "good"),
            (r#""items": {"iron": 1001, "food": 1001}"#, "limit /items/food"),
            (r#""items": {"iron": -1, "gold": 1}"#, "bad_setup /items/gold"),
            (r#""items": {"iron": 3.0}"#, "format /items/iron"),
            (r#""items": {"iron": 1e0}"#, "format /items/iron"),
            (r#""items": {"iron": true}"#, "format /items/iron"),
            (r#""items": {"iron": 9223372036854775808}"#, "format /items/iron"),
            (r#""items": {"iron": 9223372036854775807}"#, "limit /items/iron"),
            (r#""loads": {"": 1}"#, "bad_setup /loads/"),
            (r#""loads": {"a/b~": -1}"#, "bad_setup /loads/a~1b~0"),
            (r#""loads": {"a": 1, "b": 1, "c": 1}"#, "limit /loads"),
            (&format!(r#""loads": {{"{long}": 1}}"#), &format!("limit /loads/{long}")),
            (r#""units": []"#, "bad_setup /units"),
            (r#""units": [{}, {}, {}, {}]"#, "format /units/0/id"),
            (r#""units": null"#, "format /units"),
        ] {
            let comma = if members.is_empty() { "" } else { ", " };
            assert_eq!(judge(&format!(r#"{{"player": "a"{comma}{members}}}"#)), answer, "{members}");
        }
        assert_eq!(judge("[]"), "format ");
        assert_eq!(judge("{}"), "format /player");
        assert_eq!(judge(r#"{"moon": 1, "owner": 1}"#), "format /moon");
    }

    #[test]
    fn tagged_objects() {
        for (unit, answer) in [
            (r#"{"id": "a", "type": "ship", "pos": [0, 1]}"#, "good"),
            (r#"{"id": "a", "type": "ship", "pos": [0, 0.5]}"#, "format /units/0/pos/1"),
            (r#"{"id": "a", "type": "ship", "pos": [0]}"#, "bad_setup /units/0/pos"),
            (r#"{"id": "a", "type": "ship", "pos": [0, 11]}"#, "bad_setup /units/0/pos/1"),
            (r#"{"id": "a", "type": "ship", "armor": 1}"#, "format /units/0/armor"),
            (r#"{"id": "a", "type": "tank", "armor": 1, "crew": "elite"}"#, "good"),
            (r#"{"id": "a", "type": "tank", "armor": 1, "crew": 0.5}"#, "good"),
            (r#"{"id": "a", "type": "tank", "armor": 1, "crew": 1.5}"#, "bad_setup /units/0/crew"),
            (r#"{"id": "a", "type": "tank", "armor": 1, "crew": "old"}"#, "bad_setup /units/0/crew"),
            (r#"{"id": "a", "type": "tank", "armor": 1, "crew": true}"#, "format /units/0/crew"),
            // An unknown name hides every other fault of its object, a missing one those that come after it.
            (r#"{"id": 1, "type": "plane", "wings": 2}"#, "bad_setup /units/0/type"),
            (r#"{"id": 1, "armor": 1, "wings": 2}"#, "format /units/0/wings"),
            (r#"{"id": 1, "armor": 1}"#, "format /units/0/id"),
            (r#"{"id": "a", "armor": "x"}"#, "format /units/0/type"),
            (r#"{"id": "a", "type": 5, "armor": "x"}"#, "format /units/0/type"),
            ("7", "format /units/0"),
        ] {
            assert_eq!(judge(&format!(r#"{{"player": "a", "units": [{unit}]}}"#)), answer, "{unit}");
        }
    }

    #[test]
    fn passes_come_before_places() {
        assert_eq!(judge(r#"{"player": "", "items": {"food": 1001}, "units": 1}"#), "format /units");
        assert_eq!(judge(r#"{"player": "", "items": {"food": 1001}}"#), "limit /items/food");
        assert_eq!(judge(r#"{"items": {"food": -1}, "player": ""}"#), "bad_setup /player");
        let many = [r#"{"id": "a", "type": "ship", "pos": [0, 1], "guns": 1001}"#; 4].join(",");
        assert_eq!(judge(&format!(r#"{{"player": "a", "units": [{many}]}}"#)), "limit /units");
    }

    #[test]
    fn getters() {
        let text =
            r#"{"player": "a", "owner": null, "items": {"iron": 3, "food": 2}, "big": 300, "list": [1, 2]}"#;
        let value = Reader::new(text).value().unwrap();
        let node = Node::of(&value);
        assert_eq!((node.text("player"), node.maybe_text("owner"), node.text("none")), ("a", None, ""));
        assert!(node.get("owner").is_empty() && node.get("none").some().is_none());
        assert_eq!((node.int::<u8>("big"), node.int::<u16>("big"), node.num("big")), (0, 300, 300.0));
        let items: Vec<(&str, i64)> =
            node.entries("items").map(|(key, node)| (key, node.as_int().unwrap())).collect();
        assert_eq!(items, [("food", 2), ("iron", 3)]);
        assert_eq!(node.items("list").filter_map(Node::as_num).sum::<f64>(), 3.0);
        assert_eq!(node.maybe_name("player", &["b", "a"], &[1, 2]), Some(2));
        let each: Vec<&str> = node
            .each(&["big", "player", "none", "items"])
            .map(|node| node.as_text().unwrap_or("-"))
            .collect();
        assert_eq!(each, ["-", "a", "-", "-"]);
        assert!(!node.flag("player") && node.items("none").next().is_none());
    }
}
