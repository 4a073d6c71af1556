//! The frozen set of replays that is measured: every fourteenth golden replay (`tests/cases/benchmark.txt`), 31 fights of
//! 0 to 85 calls, 20.6 on the average, as many as the golden replays have.

const SET: &str = include_str!("../../tests/cases/benchmark.txt");
pub const REPLAYS: &str = include_str!("../../tests/cases/replays.jsonl");
const LONG: &str = include_str!("../../tests/cases/long.jsonl");

/// The replays of the set as text.
pub fn set() -> Vec<Vec<u8>> {
    let lines = |file| if file == "long" { LONG } else { REPLAYS };
    SET.lines()
        .map(|entry| {
            let (file, line) = entry.split_once(' ').expect("a file and a line");
            let line: usize = line.parse().expect("a number");
            replay_of(lines(file).lines().nth(line).expect("the line"))
        })
        .collect()
}

/// The replay of a case.
pub fn replay_of(case: &str) -> Vec<u8> {
    let case: serde_json::Value = serde_json::from_str(case).expect("a case");
    serde_json::to_vec(&case["replay"]).expect("a replay")
}
