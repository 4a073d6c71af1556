//! Two JSON values, field by field.

use serde::Serialize;
use serde_json::Value;

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// JSON pointer.
    pub path: String,
    /// What the one has there; none where it has nothing.
    pub a: Option<Value>,
    /// What the other has.
    pub b: Option<Value>,
}

/// The fields that differ, in document order, `most` of them.
pub fn differences(a: &Value, b: &Value, most: usize) -> Vec<Difference> {
    let mut found = Vec::new();
    walk(Some(a), Some(b), String::new(), most, &mut found);
    found
}

/// The first field of two documents that differs, as a JSON pointer; empty where they are no JSON.
pub fn first(a: &[u8], b: &[u8]) -> String {
    let read = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap_or_default();
    differences(&read(a), &read(b), 1).pop().map(|it| it.path).unwrap_or_default()
}

fn walk(a: Option<&Value>, b: Option<&Value>, path: String, most: usize, found: &mut Vec<Difference>) {
    if a == b || found.len() >= most {
        return;
    }
    match (a, b) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let only_b = b.keys().filter(|key| !a.contains_key(*key));
            for key in a.keys().chain(only_b) {
                let step = key.replace('~', "~0").replace('/', "~1");
                walk(a.get(key), b.get(key), format!("{path}/{step}"), most, found);
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            for index in 0..a.len().max(b.len()) {
                walk(a.get(index), b.get(index), format!("{path}/{index}"), most, found);
            }
        }
        // Doubles that are whole are written as integers.
        (Some(Value::Number(a)), Some(Value::Number(b))) if a.as_f64() == b.as_f64() => {}
        _ => found.push(Difference { path, a: a.cloned(), b: b.cloned() }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_kind_of_difference() {
        let a = json!({"a": 1, "b": [1, {"c": 2}], "d/e": null, "f": 1.0});
        let b = json!({"a": 2, "b": [1, {"c": 3}, 4], "g": true, "f": 1});
        let paths: Vec<_> = differences(&a, &b, 9).into_iter().map(|it| it.path).collect();
        assert_eq!(paths, ["/a", "/b/1/c", "/b/2", "/d~1e", "/g"]);
        assert!(differences(&a, &a, 9).is_empty());
        assert_eq!(differences(&a, &b, 2).len(), 2);
    }
}
