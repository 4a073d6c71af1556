//! One verification, from the bytes of a replay to its verdict: the sample, and the most that a legal replay can ask.
#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ongrid_engine::Referee;
use ongrid_engine_mecha::MechaBattle;

#[path = "../tests/worst/mod.rs"]
mod worst;

const SAMPLE: &[u8] = include_bytes!("../tests/cases/mecha-battle-sample.json");

fn verify(bench: &mut Criterion) {
    let engine = MechaBattle::new().expect("the embedded data are sound");
    bench.bench_function("sample", |it| it.iter(|| engine.verify(black_box(SAMPLE)).expect("legal")));
    let mut group = bench.benchmark_group("worst");
    group.sample_size(10);
    for (name, replay) in
        [("muster", worst::muster()), ("search", worst::search()), ("storm", worst::storm())]
    {
        group.bench_function(name, |it| it.iter(|| engine.verify(black_box(&replay)).expect("legal")));
    }
}

criterion_group!(benches, verify);
criterion_main!(benches);
