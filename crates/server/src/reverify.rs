//! Stored fights judged again by the engines of this build: what an auditor runs, and the gate of a release.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use ongrid_engine::{Digest, Document, Judged, Registry, canonical};
use ongrid_store::{Archived, Documents, Finding, Micros, Part, Store};
use uuid::Uuid;

use crate::diff;

/// Fights read at a time.
const PAGE: u32 = 128;
/// Fights judged before it is looked what was read meanwhile.
const TURN: usize = 16;
/// How often those look who have nothing to do while others are at work.
const LOOK: Duration = Duration::from_millis(250);

/// One of those who judge a run.
pub struct Worker<'a> {
    /// Where the fights are, and who has which of them.
    pub store: &'a Store,
    /// The engines of this build.
    pub registry: &'a Registry,
    /// The run.
    pub run: Uuid,
    /// One fight in so many.
    pub sample: u64,
    /// Whether the texts as they were received are held against the replays, too.
    pub received: bool,
    /// How long a part stays with a worker that is not heard of: longer than a page takes, 128 fights at 15 ms at worst.
    pub lease: Duration,
    /// Set when it is to end early.
    pub stop: &'a AtomicBool,
    /// Hears how many fights were judged, a page at a time.
    pub tick: &'a (dyn Fn(usize) + Sync),
}

impl Worker<'_> {
    /// Takes parts of the run until all are done, by whomever, or `stop` is set.
    ///
    /// # Errors
    /// The database's.
    pub async fn work(&self) -> Result<()> {
        let holder = Uuid::now_v7();
        while !self.stops() {
            let now = Micros::now();
            match self.store.claim_part(self.run, holder, now, now.plus(self.lease)).await? {
                Some(part) => self.judge_part(holder, part).await?,
                None if self.store.reverify_progress(self.run).await?.parts_left == 0 => break,
                // Others have what is left; it comes back from those who die.
                None => tokio::time::sleep(LOOK).await,
            }
        }
        Ok(())
    }

    async fn judge_part(&self, holder: Uuid, part: Part) -> Result<()> {
        let (mut same, mut findings, mut kept) = (0, Vec::new(), Instant::now());
        let mut page = self.store.archived(&part, part.after, PAGE, self.received).await?;
        while let Some(last) = page.last() {
            let sampled: Vec<_> = page.iter().filter(|it| is_sampled(it.id, self.sample)).collect();
            // The next page is read while this one is judged, by the same task: one that only reads would be woken for
            // every row.
            let judging = async {
                for fights in sampled.chunks(TURN) {
                    for fight in fights {
                        match judge(self.registry, fight) {
                            None => same += 1,
                            Some(finding) => findings.push(finding),
                        }
                    }
                    tokio::task::yield_now().await;
                }
            };
            let next = self.store.archived(&part, last.id, PAGE, self.received);
            let (next, ()) = tokio::join!(next, judging);
            (self.tick)(sampled.len());
            if self.stops() {
                self.store.keep_part(self.run, holder, part, Micros(0)).await?;
                return Ok(());
            }
            if kept.elapsed() > self.lease / 4 {
                kept = Instant::now();
                if !self.store.keep_part(self.run, holder, part, Micros::now().plus(self.lease)).await? {
                    return Ok(());
                }
            }
            page = next?;
        }
        self.store.finish_part(self.run, holder, part, same, findings, Micros::now()).await?;
        Ok(())
    }

    fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Whether a fight is in a sample of one in `sample`: by its id, so that every machine picks the same.
fn is_sampled(id: Uuid, sample: u64) -> bool {
    sample <= 1 || (id.as_u128() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 < (1 << 32) / sample
}

/// Judges a fight again and holds its record against that; `None` where everything is as recorded.
pub fn judge(registry: &Registry, it: &Archived) -> Option<Finding> {
    let finding = |verdict: &str, call: Option<u32>, field: &str, detail: String| {
        let (verdict, field) = (verdict.to_owned(), field.to_owned());
        Some(Finding { fight: it.id, verdict, call, field, detail })
    };
    let Some(referee) = registry.get(&it.engine) else {
        return finding("unreadable", None, "/engine", format!("this build has no engine {}", it.engine));
    };
    if !is_digest(&it.ruleset, referee.ruleset().digest()) {
        let (recorded, here) = (canonical::hex(&it.ruleset), referee.ruleset().digest());
        let detail = format!("recorded under {recorded}, this build has {here}");
        return finding("unreadable", None, "/ruleset", detail);
    }
    let documents = match it.documents() {
        Ok(documents) => documents,
        Err(error) => return finding("different", None, "/archive", error.to_string()),
    };
    let edited = |field: &str| {
        let detail = "the document is not the one that its digest was made of: the row was edited".to_owned();
        finding("different", None, field, detail)
    };
    if !is_digest(&it.replay_digest, Digest::of(&documents.replay)) {
        return edited("/replay");
    }
    if !is_digest(&it.outcome_digest, Digest::of(&documents.outcome)) {
        return edited("/outcome");
    }
    let text = match it.received(&documents) {
        Ok(text) => text,
        Err(error) => return finding("different", None, "/received", error.to_string()),
    };
    // It need not be the canonical replay, only stand for it.
    let stands_for =
        |text: &[u8]| referee.verify(text).is_ok_and(|verdict| verdict.replay == documents.replay);
    if text.is_some_and(|text| text != documents.replay && !stands_for(&text)) {
        let detail = "the text as it was received is not that of the replay which was judged".to_owned();
        return finding("different", None, "/received", detail);
    }
    match referee.rejudge(&documents.replay) {
        Err(no) => {
            let field = no.call().map_or_else(|| "/setup".to_owned(), |call| format!("/calls/{call}"));
            finding("different", no.call(), &field, format!("now rejected: {no}"))
        }
        Ok(judged) if !has_snapshot_digest(it, &documents, &judged) => edited("/snapshot"),
        Ok(judged) => {
            let field = differs(it, &documents, &judged)?;
            let call = first_call(&documents.trail, &judged.trail);
            let detail = match call {
                Some(call) => format!("not what the engine says, the states part at call {call}"),
                None => "not what the engine says".to_owned(),
            };
            finding("different", call, &field, detail)
        }
    }
}

/// Whether a column holds this digest; whatever its length.
fn is_digest(column: &[u8], digest: Digest) -> bool {
    digest.0[..] == *column
}

/// Whether the recorded snapshot has the digest of its row; that of the engine's serves where the two are the same.
fn has_snapshot_digest(it: &Archived, documents: &Documents, judged: &Judged) -> bool {
    match (&documents.snapshot, &it.snapshot_digest) {
        (None, None) => true,
        (Some(recorded), Some(column)) => {
            let same = judged.snapshot.as_ref().filter(|it| it.bytes() == recorded);
            is_digest(column, same.map_or_else(|| Digest::of(recorded), Document::digest))
        }
        _ => false,
    }
}

/// The first field in which the record is not what the engine says now.
fn differs(it: &Archived, documents: &Documents, judged: &Judged) -> Option<String> {
    if judged.outcome != documents.outcome {
        return Some(format!("/outcome{}", diff::first(&documents.outcome, &judged.outcome)));
    }
    let snapshots = [documents.snapshot.as_deref(), judged.snapshot.as_ref().map(Document::bytes)];
    if snapshots[0] != snapshots[1] {
        let [recorded, now] = snapshots.map(Option::unwrap_or_default);
        return Some(format!("/snapshot{}", diff::first(recorded, now)));
    }
    let now = &judged.standing;
    [
        ("/standing/score", it.score == now.score),
        ("/standing/rounds", it.rounds == i64::from(now.rounds)),
        ("/standing/finished", it.finished == now.finished),
        ("/calls", it.calls == i64::from(judged.calls)),
        ("/rng_words", u64::try_from(it.rng_words) == Ok(judged.rng_words)),
        ("/checkpoint", it.checkpoint.cast_unsigned() == judged.checkpoint),
        ("/trail", documents.trail.is_empty() || documents.trail == judged.trail),
    ]
    .into_iter()
    .find_map(|(field, same)| (!same).then(|| field.to_owned()))
}

/// The first call after which two trails differ.
fn first_call(recorded: &[u8], now: &[u8]) -> Option<u32> {
    let pairs = recorded.chunks(2).zip(now.chunks(2));
    let differs = pairs.enumerate().find(|(_, (recorded, now))| recorded != now);
    differs.and_then(|(index, _)| u32::try_from(index).ok())
}
