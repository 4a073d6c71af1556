//! Verification from the received text to the verdict: the sample, and the heaviest legal replays within the limits.

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ongrid_engine::{MAX_REPLAY_BYTES, Referee};
use ongrid_engine_empire::Empire;

const SAMPLE: &str = include_str!("../tests/cases/empire-damage-sample.json");

/// A list of 64 objects whose ids are `prefix` and a number.
fn list(prefix: &str, rest: impl Fn(usize) -> String) -> String {
    let items: Vec<String> = (0..64).map(|n| format!(r#"{{"id":"{prefix}{n}",{}}}"#, rest(n))).collect();
    format!("[{}]", items.join(","))
}

fn replay(rounds: u32, lists: &str, calls: &[String]) -> String {
    let ranges: String = ["fort", "ship", "land", "torpedo", "depth", "plane"]
        .iter()
        .map(|key| format!(r#","{key}":100"#))
        .collect();
    let mut text = format!(
        r#"{{"engine":"empire-damage-1","seed":"1","setup":{{"player":"a","sides":["a","b"],"rounds":{rounds},"ranges":{{{}}},{lists}}},"calls":["#,
        &ranges[1..]
    );
    for (count, call) in calls.iter().take(5000).enumerate() {
        if text.len() + call.len() + 3 > MAX_REPLAY_BYTES {
            break;
        }
        let comma = if count == 0 { "" } else { "," };
        write!(text, "{comma}{call}").unwrap();
    }
    text + "]}"
}

/// Every round 191 attackers look through 64 targets that nothing can hurt, 1,000 rounds long.
fn answers() -> String {
    let sectors = list("s", |n| {
        let sea = if n == 0 { "sea" } else { "fort" };
        format!(
            r#""owner":"b","x":{},"y":{},"kind":"{sea}","sectdef":9,"eff":100,"guns":1,"shells":1000"#,
            n % 8 * 2,
            n / 8 * 2
        )
    });
    let ships = list("w", |n| {
        let owner = if n % 2 == 0 { "b" } else { "a" };
        format!(r#""owner":"{owner}","at":"s0","def":1000,"eff":100,"guns":1,"shells":1000"#)
    });
    // Ever weaker, so that each target seen is better than the last.
    let lands = list("l", |n| {
        let owner = if n % 2 == 0 { "b" } else { "a" };
        format!(r#""owner":"{owner}","at":"s{n}","vul":0,"eff":{},"guns":1,"shells":1000"#, 99 - n)
    });
    let planes = list("p", |_| r#""owner":"a","at":"s1","eff":100,"acc":0"#.to_owned());
    let lists = format!(r#""sectors":{sectors},"ships":{ships},"lands":{lands},"planes":{planes}"#);
    replay(1000, &lists, &vec![r#"{"op":"next_round"}"#.to_owned(); 1000])
}

/// As many runs of 1,000 bombs as the text has room for, against a target that nothing can hurt.
fn bombs() -> String {
    let planes =
        list("p", |_| r#""owner":"a","at":"s","eff":1,"load":1000,"sorties":1000,"acc":0"#.to_owned());
    let lists = format!(
        r#""sectors":[{{"id":"s","owner":"b","x":0,"y":0,"kind":"land","sectdef":1,"eff":1}}],"lands":[{{"id":"l","owner":"b","at":"s","vul":0,"eff":100}}],"planes":{planes}"#
    );
    let round = (0..64).map(|n| format!(r#"{{"op":"bomb","from":"p{n}","at":"l","mode":"pin"}}"#));
    let round: Vec<String> = round.chain([r#"{"op":"next_round"}"#.to_owned()]).collect();
    replay(1000, &lists, &round.iter().cycle().take(5000).cloned().collect::<Vec<_>>())
}

/// 5,000 moves on a full board with every item everywhere: the largest state after every call.
fn moves() -> String {
    let items: Vec<String> = [
        "civ", "mil", "uw", "bar", "food", "shell", "gun", "petrol", "iron", "dust", "oil", "lcm", "hcm",
        "rad",
    ]
    .iter()
    .map(|item| format!(r#""{item}":9"#))
    .collect();
    let items = items.join(",");
    let sectors = list("s", |n| {
        format!(
            r#""owner":"b","x":{},"y":0,"kind":"land","sectdef":9,"eff":100,"items":{{{items}}}"#,
            n as i64 * 2
        )
    });
    let lands = list("l", |_| r#""owner":"a","at":"s0","vul":0,"eff":100"#.to_owned());
    let planes = list("p", |_| r#""owner":"a","at":"s0","eff":100,"acc":0"#.to_owned());
    let convoys = list("c", |_| format!(r#""owner":"a","at":"s0","items":{{{items}}}"#));
    let lists = format!(r#""sectors":{sectors},"lands":{lands},"planes":{planes},"convoys":{convoys}"#);
    let round = |to: &'static str| {
        let moves = (0..64).map(move |n| format!(r#"{{"op":"enter","unit":"l{n}","to":"{to}"}}"#));
        moves.chain([r#"{"op":"next_round"}"#.to_owned()])
    };
    let calls: Vec<String> = (0..39).flat_map(|_| round("s1").chain(round("s0"))).take(5000).collect();
    replay(1000, &lists, &calls)
}

fn verify(criterion: &mut Criterion) {
    let engine = Empire::new().unwrap();
    for (name, text) in
        [("sample", SAMPLE.to_owned()), ("answers", answers()), ("bombs", bombs()), ("moves", moves())]
    {
        let verdict = engine.verify(text.as_bytes()).unwrap_or_else(|no| panic!("{name}: {no}"));
        assert!(verdict.calls > 0);
        println!("{name}: {} bytes, {} calls, {} words", text.len(), verdict.calls, verdict.rng_words);
        criterion.bench_function(name, |bencher| {
            bencher.iter(|| engine.verify(black_box(text.as_bytes())).map(|verdict| verdict.checkpoint));
        });
    }
}

criterion_group!(benches, verify);
criterion_main!(benches);
