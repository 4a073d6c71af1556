//! A store on each database, and fights to put into it.

#![allow(dead_code, missing_docs)]

use std::time::Duration;

use ongrid_engine::{Digest, Seed, Standing, Verdict};
use ongrid_store::{Day, Micros, Options, PilotName, Play, Store, Submission};
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
        let store = Store::open(&url, &Options::default()).await.unwrap();
        store.migrate().await.unwrap();
        Self { store, url, postgres, directory }
    }

    /// A second instance on the same database, as another replica has it.
    pub async fn replica(&self) -> Store {
        Store::open(&self.url, &Options::default()).await.unwrap()
    }

    pub async fn close(self) {
        self.store.close().await;
        if let Some(directory) = self.directory {
            std::fs::remove_dir_all(directory).unwrap();
        }
    }
}

pub fn name(text: &str) -> PilotName {
    PilotName { shown: text.into(), key: text.to_lowercase() }
}

pub async fn pilot(store: &Store, text: &str) -> Uuid {
    store.add_pilot(&name(text), None).await.unwrap()
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
        rng_words: 12,
        desync: None,
    }
}

pub fn submission(pilot: Uuid, play: Play, verdict: Verdict) -> Submission {
    let received = [b" ", &verdict.replay[..], b"\n"].concat();
    let now = Micros::now();
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

pub fn today() -> Day {
    Day::of(Micros::now())
}
