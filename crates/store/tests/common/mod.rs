//! A store on each database, and fights to put into it.

#![allow(dead_code, missing_docs)]

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use ongrid_engine::{Digest, Seed, Standing, Verdict};
use ongrid_store::{
    Attempt, Day, DayRecord, Micros, NewAttempt, Options, Order, PilotName, Play, Policy, Recorded,
    SeedPolicy, Store, Submission,
};
use uuid::Uuid;

/// A store of its own for a test, on one of the databases.
pub struct Fresh {
    pub store: Store,
    pub url: String,
    postgres: Option<ongrid_testkit::Database>,
    directory: Option<std::path::PathBuf>,
}

impl Fresh {
    pub async fn postgres() -> Self {
        let database = ongrid_testkit::Postgres::database();
        Self::open(database.url(), Some(database), None).await
    }

    /// A file, since several connections to it are part of what is tested.
    pub async fn sqlite() -> Self {
        let directory = std::env::temp_dir().join(format!("ongrid-store-{}", Uuid::now_v7()));
        std::fs::create_dir(&directory).unwrap();
        let url = format!("sqlite://{}", directory.join("ongrid.db").display());
        Self::open(url, None, Some(directory)).await
    }

    async fn open(
        url: String,
        postgres: Option<ongrid_testkit::Database>,
        directory: Option<std::path::PathBuf>,
    ) -> Self {
        let store = Store::open(&url, &options()).await.unwrap();
        store.migrate().await.unwrap();
        Self { store, url, postgres, directory }
    }

    /// A second instance on the same database, as another replica has it.
    pub async fn replica(&self) -> Store {
        Store::open(&self.url, &options()).await.unwrap()
    }

    pub async fn close(self) {
        self.store.close().await;
        if let Some(directory) = self.directory {
            std::fs::remove_dir_all(directory).unwrap();
        }
    }
}

/// Ranks of small boards too are read by sums in memory.
fn options() -> Options {
    Options { sums_from: 1, ..Options::default() }
}

pub fn name(text: &str) -> PilotName {
    PilotName { shown: text.into(), key: text.to_lowercase() }
}

pub async fn pilot(store: &Store, text: &str) -> Uuid {
    store.add_pilot(&name(text), None, Micros(0)).await.unwrap()
}

/// A fight as an engine would have judged it; `play` is what makes it this fight and no other.
pub fn verdict(play: &str, score: i64, rounds: u32) -> Verdict {
    let seed = Seed::parse("7").unwrap();
    let replay = format!("{{\"calls\":[{play:?}],\"engine\":\"ongrid-8\",\"seed\":\"…\",\"setup\":{{}}}}")
        .into_bytes();
    let outcome = format!("{{\"rounds\":{rounds},\"score\":{score}}}").into_bytes();
    let snapshot = format!("{{\"pilot\":[{play:?}]}}").into_bytes();
    Verdict {
        engine: "ongrid-8",
        ruleset: Digest::of(b"the ruleset"),
        seed,
        replay_digest: Digest::of(&replay),
        replay,
        setup_digest: Digest::of(b"the setup"),
        play_digest: Digest::of(play.as_bytes()),
        outcome_digest: Digest::of(&outcome),
        outcome,
        snapshot_digest: Some(Digest::of(&snapshot)),
        snapshot: Some(snapshot),
        standing: Standing { score, rounds, finished: true },
        calls: 1,
        checkpoint: u64::MAX - 1,
        trail: Vec::new(),
        rng_words: 12,
        desync: None,
    }
}

/// A free fight of today that stands on no board.
pub fn free() -> Play {
    Play::Free { day: today(), scenario: false }
}

/// An instant of a day, each later than the one before.
pub fn instant(day: Day) -> Micros {
    static TICKS: AtomicI64 = AtomicI64::new(0);
    let noon = (i64::from(day.0) * 24 + 12) * 3_600_000_000;
    Micros(noon + TICKS.fetch_add(1, Ordering::Relaxed))
}

/// A day that is fought three times.
pub fn day_record(day: Day, doctrine: &str) -> DayRecord {
    let midnight = Micros(i64::from(day.0) * 24 * 3_600_000_000);
    let hour = Duration::from_secs(3600);
    DayRecord {
        day,
        engine: "ongrid-8".into(),
        doctrine: doctrine.into(),
        doctrine_set: false,
        secret: vec![7; 32],
        commitment: Digest::of(&[7; 32]).0.to_vec(),
        policy: Policy {
            seed: SeedPolicy::Pilot,
            ranked_attempts: 1,
            practice_attempts: 2,
            attempt_minutes: 120,
            grace_minutes: 10,
        },
        opens_at: midnight,
        closes_at: midnight.plus(hour * 24),
        final_at: midnight.plus(hour * 24 + Duration::from_secs(600)),
        archived_at: None,
    }
}

pub fn order(reason: &str) -> Order {
    Order { actor: None, reason: reason.into(), at: Micros::now() }
}

/// The seed that [`new_attempt`] gives the attempt of this number.
pub fn seed(number: u32) -> [u8; 32] {
    [u8::try_from(number).unwrap(); 32]
}

pub fn new_attempt(pilot: Uuid, day: Day, setup: &str) -> NewAttempt {
    NewAttempt {
        pilot,
        day,
        now: instant(day),
        ruleset: Digest::of(b"the ruleset"),
        setup: setup.as_bytes().to_vec(),
        setup_digest: Digest::of(setup.as_bytes()),
        seed: Arc::new(seed),
    }
}

/// The fight of an attempt: with its seed and its setup.
pub fn attempted(attempt: &Attempt, play: &str, score: i64, rounds: u32) -> Submission {
    let mut verdict = verdict(play, score, rounds);
    verdict.seed = Seed::from_bytes(attempt.seed.clone().try_into().unwrap());
    verdict.setup_digest = attempt.setup_digest;
    let now = instant(attempt.day);
    let sent = submission(attempt.pilot, Play::Attempt(attempt.id), verdict);
    Submission { submitted_at: now, verified_at: now, ..sent }
}

/// Issues an attempt and submits its replay.
pub async fn fly(store: &Store, pilot: Uuid, day: Day, score: i64, rounds: u32) -> Recorded {
    let issued = store.issue_attempt(new_attempt(pilot, day, "fleet")).await.unwrap();
    let play = format!("{} {score} {rounds}", issued.attempt.id);
    store.submit(attempted(&issued.attempt, &play, score, rounds)).await.unwrap()
}

pub fn submission(pilot: Uuid, play: Play, verdict: Verdict) -> Submission {
    let received = [b" ", &verdict.replay[..], b"\n"].concat();
    let now = match play {
        Play::Free { day, .. } => instant(day),
        Play::Attempt(_) => instant(today()),
    };
    Submission {
        pilot,
        play,
        doctrine: Some("rookies".into()),
        verdict,
        received,
        build: "test".into(),
        submitted_at: now,
        verified_at: now,
        verify_time: Duration::from_micros(35),
    }
}

/// Runs so many futures at once and gives what each gave.
pub async fn at_once<T, F>(count: usize, make: impl Fn(usize) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let tasks: Vec<_> = (0..count).map(|index| tokio::spawn(make(index))).collect();
    let mut all = Vec::new();
    for task in tasks {
        all.push(task.await.unwrap());
    }
    all
}

/// Tells each story to each database.
#[macro_export]
macro_rules! on_both {
    ($($story:ident),* $(,)?) => {
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $story() {
                let fresh = super::common::Fresh::postgres().await;
                super::$story(&fresh).await;
                fresh.close().await;
            })*
        }
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $story() {
                let fresh = super::common::Fresh::sqlite().await;
                super::$story(&fresh).await;
                fresh.close().await;
            })*
        }
    };
}

pub fn conflict<T: std::fmt::Debug>(result: Result<T, ongrid_store::Error>) -> ongrid_store::Conflict {
    match result {
        Err(ongrid_store::Error::Conflict(conflict)) => conflict,
        other => panic!("{other:?} is no conflict"),
    }
}

pub fn today() -> Day {
    Day::of(Micros::now())
}
