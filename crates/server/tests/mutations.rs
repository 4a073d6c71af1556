//! One bit flipped in a call, in a word of the generator or in a figure of the rules: each is located to its call, or shown
//! to have no effect. `MUTATIONS=10000` is the long run.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ongrid::diff;
use ongrid_engine::{Referee, Trace, Verdict, faults};
use ongrid_engine_ongrid::OnGrid;
use serde_json::Value;

const GOLDEN: &str = include_str!("../../engine-ongrid/tests/cases/replays.jsonl");
const RULES: &str = include_str!("../../engine-ongrid/ruleset/rules.toml");

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0xA176_54E4_6FBE_17F3);
        ((self.0 >> 33) as usize) % n
    }
}

struct Honest {
    replay: Vec<u8>,
    verdict: Verdict,
    trace: Trace,
}

fn mutations() -> usize {
    std::env::var("MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

/// A golden fight that has calls: in one that is over before the first turn there is nothing to place.
fn honest(engine: &OnGrid, dice: &mut Dice) -> Honest {
    let lines: Vec<&str> = GOLDEN.lines().collect();
    let verdict = loop {
        let case: Value = serde_json::from_str(lines[dice.below(lines.len())]).unwrap();
        let verdict = engine.verify(case["replay"].to_string().as_bytes()).unwrap();
        if verdict.calls > 0 {
            break verdict;
        }
    };
    let replay = verdict.replay.clone();
    let all: Vec<usize> = (0..=verdict.calls as usize).collect();
    let trace = engine.trace(&replay, &all).unwrap();
    Honest { replay, verdict, trace }
}

/// The first call after which the states differ; a call that only one of them has counts.
fn parted(a: &Trace, b: &Trace) -> Option<usize> {
    let shorter = a.links.len().min(b.links.len());
    let differs = (0..shorter).find(|call| a.links[*call] != b.links[*call]);
    differs.or((a.links.len() != b.links.len()).then_some(shorter))
}

/// Where the bytes of a call are in a canonical replay, which begins with its calls.
fn place_of_call(replay: &[u8], wanted: usize) -> std::ops::Range<usize> {
    let (mut depth, mut call, mut start) = (0, 0, 0);
    for (at, byte) in replay.iter().enumerate().skip(br#"{"calls":["#.len()) {
        match byte {
            b'{' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    if call == wanted {
                        return start..at + 1;
                    }
                    call += 1;
                }
            }
            _ => {}
        }
    }
    panic!("there is no call {wanted}");
}

#[test]
fn a_bit_of_a_call() {
    let (engine, mut dice) = (OnGrid::new().unwrap(), Dice(1));
    let (mut refused, mut located, mut without) = (0, 0, 0);
    for number in 0..mutations() / 3 {
        let honest = honest(&engine, &mut dice);
        let call = dice.below(honest.verdict.calls as usize);
        let place = place_of_call(&honest.replay, call);
        // Anywhere in the text of the call or, every other time, in a figure, which may stay one.
        let digits: Vec<usize> = place.clone().filter(|at| honest.replay[*at].is_ascii_digit()).collect();
        let (at, bit) = match digits.len() {
            figures if number % 2 == 0 && figures > 0 => (digits[dice.below(figures)], dice.below(4)),
            _ => (place.start + dice.below(place.len()), dice.below(7)),
        };
        let mut replay = honest.replay.clone();
        replay[at] ^= 1 << bit;
        let shown = || format!("{number}: {}", String::from_utf8_lossy(&replay[place.clone()]));
        match engine.verify(&replay) {
            // A text that is no JSON any more is refused where its reading stops; everything else at the call.
            Err(no) if no.code() == "format" => {
                let path = no.path().unwrap_or_default();
                let sound = serde_json::from_slice::<Value>(&replay).is_ok();
                assert!(!sound || path.starts_with(&format!("/calls/{call}")), "{}: {no} at {path}", shown());
                refused += 1;
            }
            Err(no) => {
                // Illegal at once, or it left a state in which a later call is.
                let trace = engine.trace(&replay, &[]).unwrap();
                let first = parted(&honest.trace, &trace);
                assert_eq!(first, Some(call), "{}: {no}", shown());
                refused += 1;
            }
            Ok(verdict) => {
                let trace = engine.trace(&replay, &[]).unwrap();
                match parted(&honest.trace, &trace) {
                    Some(first) => {
                        assert_eq!(first, call, "{}", shown());
                        located += 1;
                    }
                    None => {
                        // What the state does not show, the digests do.
                        let same = verdict.outcome == honest.verdict.outcome;
                        assert!(same || !diff::first(&honest.verdict.outcome, &verdict.outcome).is_empty());
                        assert_eq!(verdict.rng_words, honest.verdict.rng_words, "{}", shown());
                        without += 1;
                    }
                }
            }
        }
    }
    println!("calls: {refused} refused, {located} located, {without} without effect on a state");
    assert!(refused > 0 && located > 0);
}

#[test]
fn a_bit_of_a_word() {
    let (engine, mut dice) = (OnGrid::new().unwrap(), Dice(2));
    let (mut located, mut without) = (0, 0);
    for number in 0..mutations() / 3 {
        let honest = honest(&engine, &mut dice);
        if honest.verdict.rng_words == 0 {
            continue;
        }
        let word = dice.below(honest.verdict.rng_words as usize) as u64;
        let bit = dice.below(32) as u32;
        faults::flip(Some((word, bit)));
        let (trace, judged) = (engine.trace(&honest.replay, &[]), engine.rejudge(&honest.replay));
        faults::flip(None);
        let trace = trace.unwrap();
        // The call in which the word is drawn.
        let drawn = |calls: usize| honest.trace.state(calls).unwrap()["rng_words"].as_u64().unwrap();
        let call = (0..honest.trace.links.len()).find(|call| drawn(call + 1) > word).unwrap();
        match parted(&honest.trace, &trace) {
            Some(first) => {
                assert_eq!(first, call, "{number}: word {word} bit {bit}");
                located += 1;
            }
            None => {
                // A figure of the outcome that is no part of the state is named by its field.
                let now = judged.unwrap().outcome;
                let named = diff::first(&honest.verdict.outcome, &now);
                assert!(
                    now == honest.verdict.outcome || !named.is_empty(),
                    "{number}: word {word} bit {bit}"
                );
                without += 1;
            }
        }
    }
    println!("words: {located} located, {without} without effect");
    assert!(located > 0 && without > 0);
}

/// The figures of the rules that act in a fight: where each stands in the text.
fn figures() -> Vec<std::ops::Range<usize>> {
    let (mut figures, mut section, mut offset) = (Vec::new(), "", 0);
    for line in RULES.split_inclusive('\n') {
        if let Some(name) = line.strip_prefix('[') {
            section = name.split(']').next().unwrap_or_default();
        } else if ["clock", "turret", "missile", "ewar", "heat", "hostile", "score"].contains(&section)
            && let Some((key, rest)) = line.split_once(" = ")
        {
            let length = rest.find(|it: char| !(it.is_ascii_digit() || it == '.')).unwrap_or(rest.len());
            if length > 0 && rest[..length].parse::<f64>().is_ok() {
                let start = offset + key.len() + 3;
                figures.push(start..start + length);
            }
        }
        offset += line.len();
    }
    assert!(figures.len() > 20, "{}", figures.len());
    figures
}

/// A figure with a bit flipped; `None` where that is no figure of its kind any more.
fn flipped(figure: &str, dice: &mut Dice) -> Option<String> {
    if figure.contains('.') {
        let value = f64::from_bits(figure.parse::<f64>().ok()?.to_bits() ^ 1 << dice.below(63));
        return (value.is_finite() && value < 1e9).then(|| format!("{value:?}"));
    }
    Some((figure.parse::<u64>().ok()? ^ 1 << dice.below(8)).to_string())
}

#[test]
fn a_bit_of_a_figure() {
    let (engine, mut dice) = (OnGrid::new().unwrap(), Dice(3));
    let figures = figures();
    let (mut refused, mut located, mut at_the_end, mut without) = (0, 0, 0, 0);
    for _ in 0..mutations() / 30 {
        let place = figures[dice.below(figures.len())].clone();
        let Some(figure) = flipped(&RULES[place.clone()], &mut dice) else { continue };
        let rules = [&RULES[..place.start], &figure, &RULES[place.end..]].concat();
        let Ok(altered) = OnGrid::altered(rules.leak()) else {
            refused += 10;
            continue;
        };
        for _ in 0..10 {
            let honest = honest(&engine, &mut dice);
            // Figures without sense may end in what no engine lets out, which stops it: that is found as well.
            let run = catch_unwind(AssertUnwindSafe(|| {
                (altered.trace(&honest.replay, &[]), altered.rejudge(&honest.replay))
            }));
            let Ok((Ok(trace), judged)) = run else {
                refused += 1;
                continue;
            };
            match (parted(&honest.trace, &trace), judged) {
                (Some(_), _) => located += 1,
                (None, Err(_)) => refused += 1,
                (None, Ok(judged)) if judged.outcome != honest.verdict.outcome => {
                    assert!(diff::first(&honest.verdict.outcome, &judged.outcome).starts_with('/'));
                    at_the_end += 1;
                }
                (None, Ok(judged)) => {
                    assert_eq!(judged.trail, honest.verdict.trail);
                    without += 1;
                }
            }
        }
    }
    println!(
        "figures: {refused} refused, {located} located, {at_the_end} at the end, {without} without effect"
    );
    assert!(located > 0);
}
