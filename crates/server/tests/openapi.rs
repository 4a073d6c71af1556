//! The OpenAPI document: committed, served, complete.

mod common;

use common::TestApp;
use serde_json::Value;

const SNAPSHOT: &str = include_str!("../../../docs/openapi.json");

#[test]
fn the_committed_document_is_the_codes() {
    let made = ongrid::openapi::document();
    let first = made.lines().zip(SNAPSHOT.lines()).enumerate().find(|(_, (made, kept))| made != kept);
    assert_eq!(first, None, "docs/openapi.json is out of date: cargo run -- openapi > docs/openapi.json");
    assert_eq!(made.len(), SNAPSHOT.len());
}

#[test]
fn it_is_served_as_it_is() {
    let app = TestApp::sqlite(&[]);
    let answer = app.get("/openapi.json");
    assert_eq!(answer.text, SNAPSHOT);
    assert_eq!(answer.headers["content-type"], "application/json");
    let page = app.get("/docs");
    assert_eq!(page.status, 200);
    for elsewhere in ["src=\"http", "href=\"http", "src=\"//", "@import"] {
        assert!(!page.text.contains(elsewhere), "{elsewhere}");
    }
}

/// Every reference leads somewhere, every operation is named, every refusal is a problem.
#[test]
fn it_is_a_sound_openapi_3_1_document() {
    let document: Value = serde_json::from_str(SNAPSHOT).unwrap();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."));
    for reference in references(&document) {
        let pointer = reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference} is elsewhere"));
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
    let mut names = std::collections::BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let what = format!("{method} {path}");
            let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{what} has no operationId"));
            assert!(names.insert(id.to_owned()), "{id} twice");
            assert!(operation["summary"].is_string() || operation["description"].is_string(), "{what}");
            let responses = operation["responses"].as_object().unwrap();
            assert!(responses.keys().any(|status| status.starts_with('2')), "{what}");
            for (status, response) in responses.iter().filter(|(status, _)| status.as_str() >= "400") {
                let kinds: Vec<_> = response["content"].as_object().unwrap().keys().collect();
                assert_eq!(kinds, ["application/problem+json"], "{what} {status}");
                assert!(
                    response["description"].as_str().unwrap().starts_with('`'),
                    "{what} {status} names no code"
                );
            }
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let named = format!("{{{}}}", parameter["name"].as_str().unwrap());
                assert_eq!(parameter["in"] == "path", path.contains(&named), "{what}: {parameter}");
            }
            for named in path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
                let parameters = operation["parameters"].as_array().unwrap();
                assert!(
                    parameters.iter().any(|it| it["in"] == "path" && it["name"] == named),
                    "{what}: {named}"
                );
            }
        }
    }
}

fn references(value: &Value) -> Vec<&str> {
    match value {
        Value::Object(members) => {
            let own = members.get("$ref").and_then(Value::as_str);
            own.into_iter().chain(members.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}
