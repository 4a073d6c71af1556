//! Any calls on a legal fleet are a verdict or a rejection, and its trace says the same.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ongrid_engine::Referee;
use ongrid_engine_ongrid::OnGrid;

static ENGINE: LazyLock<OnGrid> = LazyLock::new(|| OnGrid::new().expect("the data are the tag's"));
const GOLDEN: &str = include_str!("../../crates/engine-ongrid/tests/cases/replays.jsonl");
static SETUP: LazyLock<String> = LazyLock::new(|| {
    let line = GOLDEN.lines().next().unwrap_or_default();
    let from = line.find("\"setup\":").expect("a case has a setup");
    let text = &line[from + 8..];
    let mut depth = 0;
    let end = text.bytes().position(|byte| {
        depth += i32::from(byte == b'{') - i32::from(byte == b'}');
        depth == 0
    });
    text[..=end.expect("it ends")].to_owned()
});

fuzz_target!(|calls: &[u8]| {
    let head = format!("{{\"engine\":\"ongrid-8\",\"seed\":\"7\",\"setup\":{},\"calls\":", *SETUP);
    let replay = [head.as_bytes(), calls, b"}"].concat();
    let (verdict, trace) = (ENGINE.verify(&replay), ENGINE.trace(&replay, &[0]));
    if let Ok(verdict) = verdict {
        assert_eq!(trace.expect("it was verified").links.last().copied(), Some(verdict.checkpoint));
    }
});
