//! Sound replays with something changed in them: whatever it is, the referee answers, and says where it is wrong. Shared
//! by the tests of every engine.

use std::cell::RefCell;
use std::collections::BTreeSet;

use ongrid_engine::{Referee, Rejection};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

/// One change of a document: at some place, of some kind, with something from somewhere.
type Change = (Index, u8, Index);

/// Changes values of a sound replay and holds the answers to their contract.
pub fn values(engine: &dyn Referee, sample: &str, cases: u32) {
    let sample: Value = serde_json::from_str(sample).expect("a sound replay");
    let codes = RefCell::new(BTreeSet::new());
    let changes = vec((any::<Index>(), 0..10_u8, any::<Index>()), 1..4);
    let run = TestRunner::new(Config::with_cases(cases)).run(&changes, |changes: Vec<Change>| {
        let mut document = sample.clone();
        for change in &changes {
            apply(&mut document, change);
        }
        let text = document.to_string();
        match engine.verify(text.as_bytes()) {
            Err(no) => {
                codes.borrow_mut().insert(no.code());
                names_its_place(&no)?;
                leads_into(&document, &no)?;
                let again = engine.verify(text.as_bytes()).err();
                prop_assert_eq!(Some(no), again);
            }
            Ok(verdict) => {
                let again = engine.verify(&verdict.replay);
                let again = again.map_err(|no| TestCaseError::fail(format!("{no}")))?;
                prop_assert_eq!(again.replay_digest, verdict.replay_digest);
                prop_assert_eq!(again.outcome_digest, verdict.outcome_digest);
                prop_assert_eq!(again.checkpoint, verdict.checkpoint);
            }
        }
        Ok(())
    });
    run.unwrap_or_else(|fault| panic!("{fault}"));
    let codes = codes.into_inner();
    assert!(codes.len() > 5 && codes.contains("format"), "the changes reach too little: {codes:?}");
}

/// Changes bytes of a sound replay; most of what comes out is no JSON any more.
pub fn bytes(engine: &dyn Referee, sample: &str, cases: u32) {
    let edits = vec((any::<Index>(), 0..4_u8, any::<u8>()), 1..4);
    let run = TestRunner::new(Config::with_cases(cases)).run(&edits, |edits: Vec<(Index, u8, u8)>| {
        let mut text = sample.as_bytes().to_vec();
        for (at, kind, byte) in edits {
            let at = at.index(text.len().max(1));
            match kind {
                0 if at < text.len() => drop(text.remove(at)),
                1 if at < text.len() => text[at] = byte,
                2 => text.truncate(at),
                _ => text.insert(at.min(text.len()), byte),
            }
        }
        if let Err(no) = engine.verify(&text) {
            names_its_place(&no)?;
        }
        Ok(())
    });
    run.unwrap_or_else(|fault| panic!("{fault}"));
}

/// A refusal has a stable code, a sentence, and names a place in the document or a call; only the number of calls is a
/// fault of no one place.
fn names_its_place(no: &Rejection) -> Result<(), TestCaseError> {
    let code = no.code();
    prop_assert!(!code.is_empty() && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
    prop_assert!(!no.message().is_empty());
    prop_assert!(no.path().is_some() || no.call().is_some() || code == "too_many_calls", "{}", no);
    if matches!(code, "format" | "bad_setup") {
        prop_assert!(no.path().is_some(), "{}", no);
    }
    Ok(())
}

/// The path leads to a value of the document, or to a member that its object should have.
fn leads_into(document: &Value, no: &Rejection) -> Result<(), TestCaseError> {
    if let Some(path) = no.path() {
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        prop_assert!(document.pointer(parent).is_some(), "{} in {}", no, document);
    }
    Ok(())
}

fn apply(document: &mut Value, (place, kind, other): &Change) {
    let mut places = Vec::new();
    collect(document, String::new(), &mut places);
    let copy = document.pointer(&places[other.index(places.len())]).cloned().unwrap_or_default();
    // Not the root: the tag has its own tests.
    let Some(path) = places.get(1 + place.index(places.len().max(2) - 1)) else { return };
    let (parent, last) = path.rsplit_once('/').expect("a place below the root");
    let key = last.replace("~1", "/").replace("~0", "~");
    let Some(value) = document.pointer_mut(path) else { return };
    match kind {
        0..=1 => *value = strange(other),
        2 => *value = copy,
        3..=4 => nudge(value, other),
        5 => match value {
            Value::Object(members) => drop(members.insert("surplus".to_owned(), strange(other))),
            Value::Array(items) => items.push(copy),
            _ => *value = json!([copy]),
        },
        6 => {
            if let Value::Array(items) = value {
                let twice = items.clone();
                items.extend(twice);
            }
        }
        _ => match document.pointer_mut(parent) {
            Some(Value::Object(members)) => {
                if let Some(moved) = members.remove(&key)
                    && *kind == 7
                {
                    members.insert(key + "s", moved);
                }
            }
            Some(Value::Array(items)) => {
                let index = key.parse().unwrap_or(0);
                if index < items.len() {
                    items.remove(index);
                }
            }
            _ => {}
        },
    }
}

/// JSON pointers to every value, the root first.
fn collect(value: &Value, path: String, into: &mut Vec<String>) {
    into.push(path.clone());
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, format!("{path}/{index}"), into);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                collect(member, format!("{path}/{}", key.replace('~', "~0").replace('/', "~1")), into);
            }
        }
        _ => {}
    }
}

fn strange(which: &Index) -> Value {
    let strange = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1),
        json!(3.0),
        json!(0.5),
        json!(1000),
        json!(1001),
        json!(1_000_000_001),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e308),
        json!(-1e-308),
        json!(""),
        json!("x"),
        json!("é".repeat(64)),
        json!("é".repeat(65)),
        json!([]),
        json!([[]]),
        json!({}),
        json!({ "op": "end" }),
        json!({ "a/b~c": [1] }),
    ];
    strange[which.index(strange.len())].clone()
}

/// A number a little or a lot off, a text with something behind it, a flag turned.
fn nudge(value: &mut Value, how: &Index) {
    *value = match &*value {
        Value::Number(number) => match number.as_i64() {
            Some(whole) => json!(
                [
                    whole.saturating_add(1),
                    whole.saturating_sub(1),
                    whole.saturating_mul(1000),
                    whole.wrapping_neg()
                ][how.index(4)]
            ),
            None => json!(number.as_f64().unwrap_or_default() * [-1.0, 0.5, 1000.0, 1e-9][how.index(4)]),
        },
        Value::String(text) => json!(format!("{text}{}", ["s", " ", "\u{200b}", "\u{0}"][how.index(4)])),
        Value::Bool(flag) => json!(!flag),
        other => other.clone(),
    };
}
