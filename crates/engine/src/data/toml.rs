//! The part of TOML that data files are written in: tables, arrays of tables, bare keys, plain strings, numbers,
//! booleans, arrays and inline tables. What is beyond it is a fault, never a guess.
//!
//! Numbers keep their text: they are written as JSON writes them, and read by whoever knows what they are.

use std::borrow::Cow;

use super::DataError;
use crate::json::Value;

type Table<'a> = Vec<(Cow<'a, str>, Value<'a>)>;

/// Reads a TOML text into a value.
///
/// # Errors
/// What is wrong and in which line.
pub fn read(text: &str) -> Result<Value<'_>, DataError> {
    let mut root = Table::new();
    // Where keys go: the path of the last `[table]`.
    let mut path: Vec<&str> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut line = Line { text: line.trim() };
        let read = match line.header() {
            None => Ok(()),
            Some((header, repeated)) => header.and_then(|keys| {
                path = keys;
                open(&mut root, &path, repeated)
            }),
        };
        let read = read.and_then(|()| match line.is_over() {
            true => Ok(()),
            false => line.pair().and_then(|(key, value)| insert(table(&mut root, &path)?, key, value)),
        });
        read.and_then(|()| if line.is_over() { Ok(()) } else { Err("something follows the value") })
            .map_err(|fault| DataError(format!("line {}: {fault}", number + 1)))?;
    }
    Ok(Value::Object(root))
}

type Read<T> = Result<T, &'static str>;

fn insert<'a>(table: &mut Table<'a>, key: &'a str, value: Value<'a>) -> Read<()> {
    if table.iter().any(|(known, _)| known == key) {
        return Err("the key stands twice");
    }
    table.push((Cow::Borrowed(key), value));
    Ok(())
}

/// The table of a path; of an array of tables it is the last.
fn table<'t, 'a>(root: &'t mut Table<'a>, path: &[&'a str]) -> Read<&'t mut Table<'a>> {
    let mut at = root;
    for key in path {
        let index = match at.iter().position(|(known, _)| known == key) {
            Some(index) => index,
            None => {
                at.push((Cow::Borrowed(*key), Value::Object(Table::new())));
                at.len() - 1
            }
        };
        at = match &mut at[index].1 {
            Value::Object(table) => table,
            Value::Array(items) => match items.last_mut() {
                Some(Value::Object(table)) => table,
                _ => return Err("the key is no table"),
            },
            _ => return Err("the key is no table"),
        };
    }
    Ok(at)
}

/// Opens `[path]`, or one more `[[path]]`.
fn open<'a>(root: &mut Table<'a>, path: &[&'a str], repeated: bool) -> Read<()> {
    let Some((last, before)) = path.split_last() else { return Err("a table has a name") };
    let parent = table(root, before)?;
    let known = parent.iter_mut().find(|(known, _)| known == last).map(|(_, value)| value);
    let empty = Value::Object(Table::new());
    match (known, repeated) {
        (None, false) => parent.push((Cow::Borrowed(*last), empty)),
        (None, true) => parent.push((Cow::Borrowed(*last), Value::Array(vec![empty]))),
        (Some(Value::Array(items)), true) => items.push(empty),
        (Some(_), _) => return Err("the table stands twice"),
    }
    Ok(())
}

/// What is left of a line.
struct Line<'a> {
    text: &'a str,
}

impl<'a> Line<'a> {
    fn is_over(&self) -> bool {
        self.text.is_empty() || self.text.starts_with('#')
    }

    /// Passes over a token and the space after it.
    fn take(&mut self, token: &str) -> bool {
        let rest = self.text.strip_prefix(token);
        self.text = rest.map_or(self.text, str::trim_start);
        rest.is_some()
    }

    /// `[a.b]` or `[[a.b]]`, where the line is one.
    fn header(&mut self) -> Option<(Read<Vec<&'a str>>, bool)> {
        let repeated = self.take("[[");
        if !repeated && !self.take("[") {
            return None;
        }
        let mut keys = Vec::new();
        loop {
            match self.key() {
                Ok(key) => keys.push(key),
                Err(fault) => return Some((Err(fault), repeated)),
            }
            if !self.take(".") {
                break;
            }
        }
        let closed = self.take(if repeated { "]]" } else { "]" });
        Some((if closed { Ok(keys) } else { Err("the name of a table is not closed") }, repeated))
    }

    fn key(&mut self) -> Read<&'a str> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let end = self.text.find(|c| !plain(c)).unwrap_or(self.text.len());
        let (key, rest) = self.text.split_at(end);
        self.text = rest.trim_start();
        if key.is_empty() { Err("a bare key is expected") } else { Ok(key) }
    }

    fn pair(&mut self) -> Read<(&'a str, Value<'a>)> {
        let key = self.key()?;
        if !self.take("=") {
            return Err("an equals sign is expected");
        }
        Ok((key, self.value()?))
    }

    fn value(&mut self) -> Read<Value<'a>> {
        if self.take("[") {
            let mut items = Vec::new();
            while !self.take("]") {
                items.push(self.value()?);
                if !self.take(",") && !self.text.starts_with(']') {
                    return Err("the array is not closed in its line");
                }
            }
            return Ok(Value::Array(items));
        }
        if self.take("{") {
            let mut members = Table::new();
            while !self.take("}") {
                let (key, value) = self.pair()?;
                insert(&mut members, key, value)?;
                if !self.take(",") && !self.text.starts_with('}') {
                    return Err("the inline table is not closed in its line");
                }
            }
            return Ok(Value::Object(members));
        }
        if let Some(rest) = self.text.strip_prefix('"') {
            let end = rest.find(['"', '\\']).filter(|end| rest[*end..].starts_with('"'));
            let end = end.ok_or("a string is closed in its line and has no escapes")?;
            self.text = rest[end + 1..].trim_start();
            return Ok(Value::Text(Cow::Borrowed(&rest[..end])));
        }
        let end = self.text.find([',', ']', '}', '#', ' ', '\t']).unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest.trim_start();
        match word {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ if word.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => Ok(Value::Number(word)),
            _ => Err("a value is expected"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    #[test]
    fn the_part_of_toml_that_data_files_are_written_in() {
        let text = r#"
            # a comment
            engine = "ongrid-8"      # with a # after it
            rounds = 30
            [stance.standard]
            [stance.aggressive]
            max_velocity = 0.75
            [calibration]
            weight = { t1 = 0, meta = -1.5e-3 }
            racks = ["ONE # two", "TWO",]
            flags = [true, false]
            none = []
            [[skill]]
            id = "gunnery"
            effects = [{ attr = "damage", levels = [1.0, 1.03] }, { attr = "rate" }]
            [[skill]]
            id = "tank"
            [[skill.part]]
            x = 1
            [[skill.part]]
            x = 2
        "#;
        let json = r#"{"engine": "ongrid-8", "rounds": 30,
            "stance": {"standard": {}, "aggressive": {"max_velocity": 0.75}},
            "calibration": {"weight": {"t1": 0, "meta": -1.5e-3}, "racks": ["ONE # two", "TWO"],
                "flags": [true, false], "none": []},
            "skill": [{"id": "gunnery", "effects": [{"attr": "damage", "levels": [1.0, 1.03]}, {"attr": "rate"}]},
                {"id": "tank", "part": [{"x": 1}, {"x": 2}]}]}"#;
        assert_eq!(read(text).unwrap(), Reader::new(json).value().unwrap());
    }

    #[test]
    fn what_is_beyond_it_is_a_fault_of_its_line() {
        for text in [
            "a",
            "a = ",
            "a = 1 2",
            "a = 'x'",
            "a = \"\\n\"",
            "a = \"x",
            "a = [1",
            "a = [1 2]",
            "a = {x = 1",
            "a = {x 1}",
            "a = {x = 1, x = 2}",
            "a.b = 1",
            "\"a\" = 1",
            "a = 1\na = 2",
            "a = nan",
            "[a",
            "[]",
            "[[a]",
            "[a]\n[a]",
            "[a]\n[[a]]",
            "a = 1\n[a.b]",
            "a = [1]\n[a.b]",
            "a = 2026-12-01\nb = x",
        ] {
            let fault = read(text).unwrap_err().to_string();
            assert!(fault.starts_with(&format!("line {}:", text.lines().count())), "{text}: {fault}");
        }
    }
}
