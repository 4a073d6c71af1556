//! The golden set: replays, rejections and digests with right answers, compared bit for bit.

use ongrid_engine::{Chain, Digest, Referee, Rejection, Seed, Stream, canonical};
use ongrid_engine_ongrid::OnGrid;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;

fn engine() -> OnGrid {
    OnGrid::new().unwrap()
}

fn lines(text: &str) -> impl Iterator<Item = (usize, Value)> {
    text.lines().enumerate().map(|(number, line)| (number, serde_json::from_str(line).unwrap()))
}

const REPLAYS: &str = include_str!("cases/replays.jsonl");
const LONG: &str = include_str!("cases/long.jsonl");
const DESYNC_AND_SEEDS: &str = include_str!("cases/desync-and-seeds.jsonl");
const REJECTED: &str = include_str!("cases/rejected.jsonl");
const CHACHA: &str = include_str!("cases/chacha8.jsonl");
const DIGESTS: &str = include_str!("cases/digests.json");

/// The canonical bytes of a value of a case: a map of serde_json is sorted, and doubles that are whole are written
/// as integers.
fn sorted(value: &Value) -> Vec<u8> {
    let bytes = canonical::to_vec(value);
    assert!(canonical::is_canonical(&bytes));
    bytes
}

fn check_replays(name: &str, text: &str) {
    let engine = engine();
    for (line, case) in lines(text) {
        let bytes = serde_json::to_vec(&case["replay"]).unwrap();
        let verdict = engine.verify(&bytes).unwrap_or_else(|no| panic!("{name} {line}: {no}"));
        let show = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        assert_eq!(show(&verdict.outcome), show(&sorted(&case["outcome"])), "{name} {line}: outcome");
        assert!(canonical::is_canonical(&verdict.outcome), "{name} {line}");
        assert_eq!(Some(verdict.rng_words), case["outcome"]["rng_words"].as_u64(), "{name} {line}");
        assert_eq!(Chain::hex(verdict.checkpoint), case["outcome"]["checkpoint"], "{name} {line}");
        assert_eq!(verdict.desync.map(Value::from), case.get("desync").cloned(), "{name} {line}: desync");
        if let Some(snapshot) = case.get("snapshot") {
            let ours = verdict.snapshot.unwrap();
            assert_eq!(show(&ours), show(&sorted(snapshot)), "{name} {line}: snapshot");
            assert!(canonical::is_canonical(&ours), "{name} {line}");
        }
    }
}

#[test]
fn every_replay_comes_out_as_recorded() {
    check_replays("replays", REPLAYS);
}

#[test]
fn every_long_replay_comes_out_as_recorded() {
    check_replays("long", LONG);
}

#[test]
fn false_checkpoints_and_decimal_seeds() {
    check_replays("desync-and-seeds", DESYNC_AND_SEEDS);
}

#[test]
fn every_rejected_replay_gives_its_error() {
    let engine = engine();
    for (line, case) in lines(REJECTED) {
        let bytes = match case.get("text") {
            Some(text) => text.as_str().unwrap().as_bytes().to_vec(),
            None => serde_json::to_vec(&case["replay"]).unwrap(),
        };
        let place = format!("rejected {line}, {}", case["why"]);
        let no = engine.verify(&bytes).expect_err(&place);
        assert_eq!(place_of(&no), case["error"], "{place}: {no}");
    }
}

/// Code and place of a rejection, in the shape of the cases.
fn place_of(no: &Rejection) -> Value {
    let mut place = serde_json::Map::new();
    place.insert("code".into(), no.code().into());
    let at = no.at();
    for (name, value) in [("call", no.call()), ("round", at.round), ("ship", at.ship), ("group", at.group)] {
        if let Some(value) = value {
            place.insert(name.into(), value.into());
        }
    }
    place.into()
}

#[test]
fn digests_are_the_published_ones() {
    let engine = engine();
    let digests: Value = serde_json::from_str(DIGESTS).unwrap();
    let replays: Vec<&str> = REPLAYS.lines().collect();
    for digest in digests["replays"].as_array().unwrap() {
        let case: Value = serde_json::from_str(replays[digest["line"].as_u64().unwrap() as usize]).unwrap();
        let verdict = engine.verify(&serde_json::to_vec(&case["replay"]).unwrap()).unwrap();
        assert_eq!(verdict.replay_digest.hex(), digest["replay_digest"]);
        assert_eq!(verdict.setup_digest.hex(), digest["setup_digest"]);
        assert_eq!(verdict.outcome_digest.hex(), digest["outcome_digest"]);
        assert_eq!(verdict.snapshot_digest.unwrap().hex(), digest["snapshot_digest"]);
        assert!(canonical::is_canonical(&verdict.replay));
    }
}

/// The fixtures as they were handed over, and what the engine said of every replay and rejection: frozen with the
/// tag. A change of either is a change of the rules.
#[test]
fn the_golden_set_is_frozen() {
    for (name, text, digest) in [
        ("replays", REPLAYS, "e54e75a08a2ff7d583be374cede5668ec3bec7ee482df317c510bfd3e85aa898"),
        ("long", LONG, "b6d67834e71040a409a0a96eef65a2ee2d35f223fd5f691dff2fc0533f57b994"),
        (
            "desync-and-seeds",
            DESYNC_AND_SEEDS,
            "a2a7dae7e20aeb611e8e03e5c6e5b91db8daccc70e8daa4ed4a5a889df68fb2f",
        ),
        ("rejected", REJECTED, "52e3c5b227f4e24c3eac654e378a45a69dbb662272cfd24f15cd6ba1a19fb0d4"),
        ("chacha8", CHACHA, "29430ceb62c9e7201c7db49251f8ddd2a2e05a7e4f8c2a1cca244e97ba8ed062"),
        ("digests", DIGESTS, "c8c46be38366656d24125c24af7e0b4337e78210c35d8b19a032e59955842428"),
        (
            "vectors",
            include_str!("cases/vectors.jsonl"),
            "2700e507e6623e81b19ff6f8c09682c93168b2b51d7382c5d77e34e3849630e4",
        ),
    ] {
        assert_eq!(Digest::of(text.as_bytes()).hex(), digest, "{name}");
    }
    let engine = engine();
    let mut said = Vec::new();
    for (_, case) in [REPLAYS, LONG, DESYNC_AND_SEEDS, REJECTED].into_iter().flat_map(lines) {
        let bytes = match case.get("text") {
            Some(text) => text.as_str().unwrap().as_bytes().to_vec(),
            None => serde_json::to_vec(&case["replay"]).unwrap(),
        };
        match engine.verify(&bytes) {
            Ok(verdict) => {
                let digests =
                    [verdict.replay_digest, verdict.outcome_digest, verdict.snapshot_digest.unwrap()];
                said.extend(digests.iter().flat_map(|digest| digest.0));
                said.extend(verdict.desync.map_or([255; 4], u32::to_le_bytes));
            }
            Err(no) => canonical::write(&mut said, &place_of(&no)),
        }
    }
    assert_eq!(Digest::of(&said).hex(), "374c67879a7461d66c1db19882c2825dd5069f1b7f1e5f013446a6e37030c1cb");
}

#[test]
fn the_generator_is_the_published_one() {
    let mut checked = 0;
    for (line, case) in lines(CHACHA) {
        let (seed, mut rng) = match case.get("seed_from_u64") {
            Some(number) => {
                let seed = Seed::parse(number.as_str().unwrap()).unwrap();
                if let Some(hex) = case.get("seed") {
                    assert_eq!(seed.hex(), *hex);
                }
                (seed, ChaCha8Rng::from_seed(*seed.bytes()))
            }
            None => {
                let seed = Seed::parse(case["from_seed"].as_str().unwrap()).unwrap();
                (seed, ChaCha8Rng::from_seed(*seed.bytes()))
            }
        };
        let mut stream = Stream::new(&seed);
        let list = |name: &str| case.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
        let word = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok()).unwrap();
        // Another stream or position is the generator's own affair; a replay's is 0 from word 0.
        if let Some(position) = case.get("stream").and(case.get("word_pos")) {
            rng.set_stream(word(&case["stream"]));
            rng.set_word_pos(u128::from(word(position)));
            for value in list("next_u32") {
                assert_eq!(u64::from(rng.next_u32()), word(&value), "{line}");
                checked += 1;
            }
            continue;
        }
        for value in list("next_u32") {
            assert_eq!(u64::from(stream.next_u32()), word(&value), "{line}");
            checked += 1;
        }
        for value in list("next_u64") {
            assert_eq!(stream.next_u64(), word(&value), "{line}");
            checked += 1;
        }
        for (index, value) in list("u32_then_u64").iter().enumerate() {
            let drawn = if index == 0 { stream.next_u32().into() } else { stream.next_u64() };
            assert_eq!(drawn, word(value), "{line}");
            checked += 1;
        }
        for (name, sides) in [("die6", 6), ("die100", 100)] {
            for value in list(name) {
                assert_eq!(stream.die(sides), word(&value), "{line}");
                checked += 1;
            }
        }
        for value in list("below_3000000000") {
            assert_eq!(stream.below(3_000_000_000), word(&value), "{line}");
            checked += 1;
        }
        for value in list("unit") {
            assert_eq!(stream.unit().to_bits(), value.as_f64().unwrap().to_bits(), "{line}");
            checked += 1;
        }
        if let Some(position) = case.get("word_pos") {
            assert_eq!(stream.words(), word(position), "{line}");
        }
    }
    assert_eq!(checked, 289);
}
