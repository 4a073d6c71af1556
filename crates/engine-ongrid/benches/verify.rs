//! How long a verification takes, typed: text in, outcome out, no JSON made of it.
//!
//! `long` are the replays of 40 calls and more. Fleets are those of players who fly them again, known to the engine, but
//! where it is said.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use ongrid_engine::{Chain, Engine, MAX_REPLAY_BYTES, Replay, Silent, decode, replay};
use ongrid_engine_ongrid::{Event, OnGrid, What};
use set::{REPLAYS, replay_of, set};

mod set;

fn copy(engine: &OnGrid, text: &[u8]) -> Replay<OnGrid> {
    decode(engine, text).expect("a golden replay")
}

/// How many turns of ships a replay has, of both sides.
fn turns(engine: &OnGrid, text: &[u8]) -> u64 {
    let mut events: Vec<Event> = Vec::new();
    replay(engine, copy(engine, text), &mut events).expect("a golden replay");
    events.iter().filter(|event| matches!(event.what, What::Turn { .. })).count() as u64
}

fn verify(criterion: &mut Criterion) {
    let engine = OnGrid::new().expect("the embedded data");
    let set = set();
    let mut group = criterion.benchmark_group("set");
    group.throughput(Throughput::Elements(set.len() as u64));
    group.bench_function("whole", |bencher| {
        bencher.iter(|| {
            for text in &set {
                black_box(replay(&engine, copy(&engine, text), &mut Silent).expect("legal"));
            }
        });
    });
    group.bench_function("whole, no fleet known", |bencher| {
        bencher.iter_batched_ref(
            || engine.afresh(),
            |engine| {
                for text in &set {
                    black_box(replay(engine, copy(engine, text), &mut Silent).expect("legal"));
                }
            },
            BatchSize::SmallInput,
        );
    });
    // What others are held against: reading the text without knowing what it says.
    group.bench_function("serde_json to values", |bencher| {
        bencher.iter(|| {
            for text in &set {
                black_box(serde_json::from_slice::<serde_json::Value>(text).expect("JSON"));
            }
        });
    });
    group.bench_function("decode", |bencher| {
        bencher.iter(|| {
            for text in &set {
                black_box(copy(&engine, text));
            }
        });
    });
    group.bench_function("without decode", |bencher| {
        bencher.iter_batched(
            || set.iter().map(|text| copy(&engine, text)).collect::<Vec<_>>(),
            |set| {
                for decoded in set {
                    black_box(replay(&engine, decoded, &mut Silent).expect("legal"));
                }
            },
            BatchSize::SmallInput,
        );
    });
    group.bench_function("legality and calibration", |bencher| {
        bencher.iter_batched(
            || (engine.afresh(), set.iter().map(|text| copy(&engine, text).setup).collect::<Vec<_>>()),
            |(engine, setups)| {
                for setup in setups {
                    black_box(engine.check(setup).expect("legal"));
                }
            },
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

/// The fight alone, checkpoints included, for each turn of a ship.
fn fight(criterion: &mut Criterion) {
    let engine = OnGrid::new().expect("the embedded data");
    let long: Vec<Vec<u8>> = set().into_iter().filter(|text| copy(&engine, text).calls.len() >= 40).collect();
    let fights: Vec<_> = long
        .iter()
        .map(|text| {
            let Replay { seed, setup, calls, .. } = copy(&engine, text);
            (engine.check(setup).expect("legal"), seed, calls)
        })
        .collect();
    let mut group = criterion.benchmark_group("long");
    group.throughput(Throughput::Elements(long.iter().map(|text| turns(&engine, text)).sum()));
    group.bench_function("fight", |bencher| {
        let mut state = Vec::with_capacity(4096);
        bencher.iter(|| {
            for (legal, seed, calls) in &fights {
                let mut chain = Chain::start(b"");
                let mut fight = engine.start(legal, seed, &mut Silent);
                for call in calls {
                    engine.apply(&mut fight, call, &mut Silent).expect("legal");
                    chain.step(engine.state(&fight, &mut state));
                }
                black_box((fight, chain));
            }
        });
    });
    group.finish();
}

/// The longest golden fight, 102 calls: decoding it, and verifying it blown up with white space to the longest text
/// that is read.
fn worst(criterion: &mut Criterion) {
    let engine = OnGrid::new().expect("the embedded data");
    let longest = REPLAYS.lines().map(replay_of).max_by_key(|text| copy(&engine, text).calls.len());
    let longest = longest.expect("a longest replay");
    let mut blown = longest.clone();
    blown.resize(MAX_REPLAY_BYTES, b' ');
    let mut group = criterion.benchmark_group("worst");
    group.bench_function("decode of 102 calls", |bencher| {
        bencher.iter(|| black_box(copy(&engine, &longest)));
    });
    group.bench_function("legal input", |bencher| {
        bencher.iter(|| black_box(replay(&engine, copy(&engine, &blown), &mut Silent).expect("legal")));
    });
    group.finish();
}

criterion_group!(benches, verify, fight, worst);
criterion_main!(benches);
