//! Time of one verification.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ongrid_engine::Referee;
use ongrid_engine_minds::MindCombat;

const SAMPLE: &str = include_str!("../tests/cases/mind-combat-sample.json");

fn verify(criterion: &mut Criterion) {
    let engine = MindCombat::new().expect("the data belong to the tag");
    criterion.bench_function("sample", |bench| {
        bench.iter(|| engine.verify(black_box(SAMPLE.as_bytes())).expect("the sample is good"));
    });
}

criterion_group!(benches, verify);
criterion_main!(benches);
