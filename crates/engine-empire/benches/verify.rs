//! One verification, from the bytes of a replay to its verdict: the sample, and the most that a legal replay can ask.
#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ongrid_engine::Referee;
use ongrid_engine_empire::Empire;

#[path = "../tests/worst/mod.rs"]
mod worst;

const SAMPLE: &str = include_str!("../tests/cases/empire-damage-sample.json");

fn verify(bench: &mut Criterion) {
    let engine = Empire::new().expect("the embedded data are sound");
    bench.bench_function("sample", |it| {
        it.iter(|| engine.verify(black_box(SAMPLE.as_bytes())).expect("legal"))
    });
    let mut group = bench.benchmark_group("worst");
    group.sample_size(10);
    for (name, replay) in [
        ("answers", worst::answers()),
        ("bombs", worst::bombs(1000)),
        ("moves", worst::moves()),
        ("barrage", worst::barrage(226)),
    ] {
        group.bench_function(name, |it| {
            it.iter(|| engine.verify(black_box(replay.as_bytes())).expect("legal"))
        });
    }
}

criterion_group!(benches, verify);
criterion_main!(benches);
