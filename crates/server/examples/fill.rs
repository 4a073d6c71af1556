//! Fills a SQLite file with fights, for measuring `ongrid reverify`: the golden replays of ongrid-8, each by as many
//! pilots as it takes.
//!
//! `cargo run -p ongrid --example fill -- sqlite://fights.db 50000`, then
//! `ongrid reverify --database-url sqlite://fights.db`.

use std::time::Duration;

use ongrid::{app::BUILD, engines};
use ongrid_engine::Verdict;
use ongrid_store::{Day, Micros, PilotName, Play, Store, Submission};

const GOLDEN: &str = include_str!("../../engine-ongrid/tests/cases/replays.jsonl");

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().unwrap_or_else(|| "sqlite://fights.db".into());
    let fights: usize = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(50_000);
    let store = Store::open(&url, &Default::default()).await?;
    store.migrate().await?;
    let registry = engines::registry()?;
    let mut verdicts = Vec::new();
    for line in GOLDEN.lines() {
        let case: serde_json::Value = serde_json::from_str(line)?;
        let received = case["replay"].to_string().into_bytes();
        let verdict = registry.verify(&received).map_err(|no| anyhow::anyhow!("{no}"))?;
        verdicts.push((verdict, received));
    }
    let now = Micros::now();
    let day = Day::of(now);
    // Pilots fight side by side, so that they share commits.
    let mut pilots = tokio::task::JoinSet::new();
    for number in 0..fights.div_ceil(verdicts.len()) {
        let verdicts = verdicts[..verdicts.len().min(fights - number * verdicts.len())].to_vec();
        pilots.spawn(fight(store.clone(), number, day, verdicts));
    }
    while let Some(done) = pilots.join_next().await {
        done??;
    }
    store.close().await;
    println!("{fights} fights in {url}");
    Ok(())
}

async fn fight(
    store: Store,
    number: usize,
    day: Day,
    verdicts: Vec<(Verdict, Vec<u8>)>,
) -> anyhow::Result<()> {
    let now = Micros::now();
    let name = format!("Pilot {number} {now}");
    let pilot = store.add_pilot(&PilotName { shown: name.clone(), key: name }, None, now).await?;
    for (verdict, received) in verdicts {
        let submission = Submission {
            pilot,
            play: Play::Free { day, scenario: false },
            doctrine: None,
            verdict,
            received,
            build: BUILD.into(),
            submitted_at: Micros::now(),
            verified_at: Micros::now(),
            verify_time: Duration::ZERO,
        };
        store.submit(submission).await?;
    }
    Ok(())
}
