//! `ongrid diff A B`: two replays, or a replay and a client's dump of a state, field by field.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use serde_json::Value;

use crate::diff::{Difference, differences};
use crate::engines;

/// Fields shown at most.
const MOST: usize = 200;

/// Compares them. Exit code 0: the same, 2: different.
pub fn run(a: &str, b: &str) -> Result<ExitCode> {
    let read = |path: &str| std::fs::read(path).with_context(|| format!("cannot read {path}"));
    let lines = compare(&read(a)?, &read(b)?)?;
    let mut out = std::io::stdout().lock();
    for line in &lines {
        writeln!(out, "{line}")?;
    }
    Ok(if lines.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// The differences, a line each. A dump is `{"call": k, "state": …}`: the state after call `k`, from 0; the state before
/// the first call has `"call": -1`.
///
/// # Errors
/// Where one of them cannot be read.
pub fn compare(a: &[u8], b: &[u8]) -> Result<Vec<String>> {
    let json = |name: &str, bytes: &[u8]| {
        serde_json::from_slice::<Value>(bytes).with_context(|| format!("{name} is no JSON"))
    };
    let (left, right) = (json("A", a)?, json("B", b)?);
    let registry = engines::registry()?;
    let trace = |bytes: &[u8], after: &[usize]| {
        let traced = registry.referee_of(bytes).and_then(|referee| referee.trace(bytes, after));
        traced.map_err(|no| anyhow!("{no}"))
    };
    if let Some(state) = right.get("state").filter(|_| right.get("engine").is_none()) {
        let call = right.get("call").and_then(Value::as_i64).context("the dump names no call")?;
        let after = usize::try_from(call + 1).context("the dump names no call")?;
        let ours = trace(a, &[after])?;
        let ours = ours.state(after).with_context(|| format!("the replay has no call {call}"))?;
        return Ok(lines(&format!("state after call {call}"), &differences(ours, state, MOST)));
    }
    let mut found = lines("replay", &differences(&left, &right, MOST));
    let (ours, theirs) = (trace(a, &[])?, trace(b, &[])?);
    let shorter = ours.links.len().min(theirs.links.len());
    let parted = (0..shorter).find(|call| ours.links[*call] != theirs.links[*call]);
    let Some(call) = parted.or((ours.links.len() != theirs.links.len()).then_some(shorter)) else {
        return Ok(found);
    };
    found.push(format!("the states part at call {call}"));
    let (ours, theirs) = (trace(a, &[call + 1])?, trace(b, &[call + 1])?);
    if let (Some(ours), Some(theirs)) = (ours.state(call + 1), theirs.state(call + 1)) {
        found.extend(lines(&format!("state after call {call}"), &differences(ours, theirs, MOST)));
    }
    for (name, trace) in [("A", &ours), ("B", &theirs)] {
        found.extend(trace.refused.as_ref().map(|no| format!("{name} is refused: {no}")));
    }
    Ok(found)
}

fn lines(what: &str, found: &[Difference]) -> Vec<String> {
    let show = |value: &Option<Value>| value.as_ref().map_or("nothing".to_owned(), Value::to_string);
    let line = |it: &Difference| format!("{what} {}: {} / {}", it.path, show(&it.a), show(&it.b));
    let more = (found.len() >= MOST).then(|| format!("{what}: these are the first {MOST} fields"));
    found.iter().map(line).chain(more).collect()
}
