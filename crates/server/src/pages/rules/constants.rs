//! Every figure of a ruleset's data files, with the file's own comment where it has one.

use serde_json::Value;

/// A figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Where it stands in its file: `turret.min_hit`.
    pub key: String,
    /// As the file writes it.
    pub value: String,
    /// What the file says of it.
    pub comment: String,
}

/// The figures of a TOML file of tables and values, line by line: what the digest covers is what is shown.
pub fn of_toml(text: &str) -> Vec<Constant> {
    let mut constants = Vec::new();
    let mut table = String::new();
    let mut rows = 0;
    for line in text.lines() {
        let (code, comment) = split_comment(line);
        if let Some(name) = code.strip_prefix("[[").and_then(|code| code.strip_suffix("]]")) {
            rows += 1;
            table = format!("{name}[{rows}]");
        } else if let Some(name) = code.strip_prefix('[').and_then(|code| code.strip_suffix(']')) {
            table = name.to_owned();
        } else if let Some((key, value)) = code.split_once(" = ") {
            let key = if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") };
            let value = value.to_owned();
            constants.push(Constant { key: key.trim().to_owned(), value, comment: comment.to_owned() });
        }
    }
    constants
}

/// A line without its comment, and the comment. No string of these files has a `#`.
fn split_comment(line: &str) -> (&str, &str) {
    match line.split_once('#') {
        Some((code, comment)) => (code.trim(), comment.trim()),
        None => (line.trim(), ""),
    }
}

/// The figures of a JSON document: a row for each leaf, for lists of plain values a row for the list.
pub fn of_json(value: &Value) -> Vec<Constant> {
    let mut constants = Vec::new();
    walk(value, String::new(), &mut constants);
    constants
}

fn walk(value: &Value, key: String, out: &mut Vec<Constant>) {
    let below = |step: &str| if key.is_empty() { step.to_owned() } else { format!("{key}.{step}") };
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| walk(value, below(name), out)),
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            items.iter().enumerate().for_each(|(index, value)| walk(value, below(&index.to_string()), out));
        }
        leaf => out.push(Constant { value: leaf_text(leaf), key, comment: String::new() }),
    }
}

fn leaf_text(leaf: &Value) -> String {
    match leaf {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(leaf_text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = include_str!("../../../../engine-ongrid/ruleset/rules.toml");

    /// Every leaf of the file as a real reader sees it, with lists and inline tables whole.
    fn leaves(table: &toml::Table, under: &str, rows: &mut usize, out: &mut Vec<String>) {
        let join = |key: &str| if under.is_empty() { key.to_owned() } else { format!("{under}.{key}") };
        for (key, value) in table {
            match value {
                toml::Value::Table(inner) if key != "tier_weight" && key != "hull_floor" => {
                    leaves(inner, &join(key), rows, out);
                }
                toml::Value::Array(items) if items.iter().all(toml::Value::is_table) && key == "skill" => {
                    for item in items {
                        *rows += 1;
                        leaves(item.as_table().unwrap(), &format!("{key}[{rows}]"), rows, out);
                    }
                }
                _ => out.push(join(key)),
            }
        }
    }

    #[test]
    fn no_figure_of_the_rules_is_left_out() {
        let shown = of_toml(RULES);
        let mut keys = Vec::new();
        leaves(&toml::from_str(RULES).unwrap(), "", &mut 0, &mut keys);
        assert!(keys.len() > 60);
        for key in &keys {
            assert_eq!(shown.iter().filter(|constant| constant.key == *key).count(), 1, "{key}");
        }
        assert_eq!(shown.len(), keys.len());
        let wrecking = shown.iter().find(|constant| constant.key == "turret.wrecking").unwrap();
        assert_eq!((&*wrecking.value, &*wrecking.comment), ("3.0", "[P]"));
    }

    #[test]
    fn json_is_flattened() {
        let value = serde_json::json!({"a": {"b": 1.5, "c": [1, 2]}, "d": [{"e": "x"}]});
        let keys: Vec<_> =
            of_json(&value).into_iter().map(|constant| (constant.key, constant.value)).collect();
        let expected = [("a.b", "1.5"), ("a.c", "1, 2"), ("d.0.e", "x")];
        assert_eq!(keys, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
    }
}
