//! The log of receipts: appended to by one elected replica, proved by anyone.
//!
//! A leaf is the RFC 6962 hash of a receipt's canonical body or of an act of moderation. Nothing is written when a fight
//! is stored: the sequencer finds what has no leaf, from a mark behind which nothing is missing.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ongrid_engine::Digest;
use ongrid_store::{AuditRow, Checkpoint, Conflict, Day, Error, Growth, Leaf, LogHead, Micros, Store};
use serde::Serialize;
use uuid::Uuid;

use crate::app::Shared;
use crate::merkle::{self, Edge, Hash, Steps, TileId};
use crate::receipts::{KeyRing, ReceiptBody};

/// How long a sequencer that is not heard of keeps its right, in the times that it did not come.
const MISSED: u32 = 4;
/// How long after its id was made a fight may still be on its way into the database.
const SETTLED: i64 = 120_000_000;
/// How far the clocks of replicas may differ.
const SKEW: i64 = 3_600_000_000;
/// Most fights in one append.
const PAGE: u32 = 5_000;

/// Appends until the service ends.
pub async fn sequence(app: Shared) {
    let holder = Uuid::now_v7();
    let every = Duration::from_secs(app.config.receipts.append_every);
    let mut ticks = tokio::time::interval(every);
    loop {
        tokio::select! { _ = ticks.tick() => {}, () = app.stop.cancelled() => break }
        let now = app.clock.now();
        let until = now.plus(every * MISSED);
        match append(&app.store, &app.receipts, holder, (now, until), app.calendar.day_of(now)).await {
            Ok(0) => {}
            Ok(leaves) => tracing::debug!(leaves, "appended to the log"),
            Err(error) => tracing::error!(error = format!("{error:#}"), "cannot append to the log"),
        }
    }
    // Another may go on at once.
    let _ = app.store.leave_log(holder).await;
}

/// Appends everything that has no leaf yet, if this replica leads or may lead from now until another instant; answers how
/// many leaves.
///
/// # Errors
/// The database's; that the tiles are not what the last checkpoint signed, or that these keys did not sign it.
pub async fn append(
    store: &Store,
    keys: &KeyRing,
    holder: Uuid,
    (now, until): (Micros, Micros),
    day: Day,
) -> Result<usize> {
    let mut appended = 0;
    loop {
        let Some(head) = store.lead_log(holder, now, until).await? else { return Ok(appended) };
        let (growth, more) = gather(store, keys, head, now, day).await?;
        if growth.leaves.is_empty() && growth.unqueued.is_empty() {
            return Ok(appended);
        }
        let leaves = growth.leaves.len();
        match store.grow_log(holder, growth).await {
            Err(Error::Conflict(Conflict::NotLeading)) => return Ok(appended),
            grown => grown?,
        }
        appended += leaves;
        if !more {
            return Ok(appended);
        }
    }
}

/// What is to be appended next, and whether there may be more.
async fn gather(
    store: &Store,
    keys: &KeyRing,
    head: LogHead,
    now: Micros,
    day: Day,
) -> Result<(Growth, bool)> {
    let (settled, horizon) = (id_before(Micros(now.0 - SETTLED)), id_before(Micros(now.0 + SKEW)));
    let fights = store.unlogged_fights(head.fights, horizon, PAGE).await?;
    let acts = store.unlogged_acts(head.acts, horizon, PAGE).await?;
    let queued = store.queued_fights(PAGE).await?;
    let more = [fights.len(), acts.len(), queued.len()].contains(&(PAGE as usize));
    // Nothing is missing before what is settled or, where there is more to come, before the end of this page.
    let complete = |before: Uuid, last: Option<Uuid>, full: bool| {
        let until = if full { last.unwrap_or(before).min(settled) } else { settled };
        until.max(before)
    };
    let full = |length: usize| length == PAGE as usize;
    let complete = (
        complete(head.fights, fights.last().map(|it| it.fight), full(fights.len())),
        complete(head.acts, acts.last().map(|it| it.id), full(acts.len())),
    );
    let mut leaves: Vec<(Digest, Uuid)> = Vec::new();
    leaves.extend(fights.iter().map(|it| (Digest(ReceiptBody::from(it).leaf()), it.fight)));
    leaves.extend(acts.iter().map(|it| (Digest(ActBody::from(it).leaf()), it.id)));
    let taken: HashSet<Uuid> = leaves.iter().map(|(_, subject)| *subject).collect();
    for it in queued.iter().filter(|it| !taken.contains(&it.fight)) {
        let leaf = Digest(ReceiptBody::from(it).leaf());
        if store.leaf_of(it.fight).await?.is_none_or(|known| known.hash != leaf) {
            leaves.push((leaf, it.fight));
        }
    }
    let mut edge = edge(store, head.size).await?;
    if let Some(last) = store.checkpoint(Day(i32::MAX)).await? {
        keys.check_note(&last.note).context("other keys signed the log: nothing is appended")?;
        if (last.size, last.root.0) != (head.size, edge.root()) {
            bail!(
                "the tiles of the log are not what the checkpoint of {} signed: nothing is appended",
                last.day
            );
        }
    }
    let changed = edge.append(leaves.iter().map(|(leaf, _)| leaf.0));
    let tiles = changed.into_iter().map(|((level, number), hashes)| (level, number, hashes.concat()));
    let (size, root) = (edge.size(), edge.root());
    let checkpoint = Checkpoint { day, size, root: Digest(root), at: now, note: keys.note(size, &root)? };
    let unqueued = queued.iter().map(|it| it.fight).collect();
    let growth = Growth { before: head, leaves, tiles: tiles.collect(), checkpoint, complete, unqueued };
    Ok((growth, more))
}

/// The smallest id that is made at an instant.
fn id_before(at: Micros) -> Uuid {
    let milliseconds = u128::from((at.0.max(0) / 1000).cast_unsigned());
    Uuid::from_u128(milliseconds << 80 | 7 << 76 | 2 << 62)
}

async fn edge(store: &Store, size: u64) -> Result<Edge> {
    let mut tiles = Vec::new();
    for (level, number) in Edge::tiles_of(size) {
        tiles.push(tile(store, (level, number)).await?.unwrap_or_default());
    }
    // A level whose last tile is full has none after it; one that an append left behind may be there, full.
    Edge::new(size, tiles).context("the tiles of the log are not of its size")
}

async fn tile(store: &Store, (level, number): TileId) -> Result<Option<Vec<Hash>>, Error> {
    let hashes = store.log_tile(level, number).await?;
    Ok(hashes.map(|bytes| bytes.as_chunks().0.to_vec()))
}

/// The hashes of the steps of a proof.
///
/// # Errors
/// The database's, or that tiles are missing.
pub async fn prove(store: &Store, steps: &Steps) -> Result<Vec<Hash>> {
    let mut tiles = BTreeMap::new();
    for id in merkle::tiles_for(steps) {
        tiles.insert(id, tile(store, id).await?.unwrap_or_default());
    }
    merkle::hashes(steps, &tiles).context("a tile of the log is missing")
}

/// What the log says of an act of moderation: digests, no names. Fields stand in canonical order.
#[derive(Debug, Serialize)]
pub struct ActBody {
    act: String,
    at: String,
    audit: Uuid,
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fight: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pilot: Option<Uuid>,
    reason_digest: String,
    v: u32,
}

impl From<&AuditRow> for ActBody {
    fn from(row: &AuditRow) -> Self {
        Self {
            act: row.action.clone(),
            at: row.at.to_string(),
            audit: row.id,
            day: row.day.map(|day| day.to_string()),
            fight: row.fight,
            pilot: row.pilot,
            reason_digest: Digest::of(row.reason.as_bytes()).hex(),
            v: 1,
        }
    }
}

impl ActBody {
    /// Its leaf in the log.
    pub fn leaf(&self) -> Hash {
        merkle::leaf(&ongrid_engine::canonical::to_vec(self))
    }
}

/// Holds the whole log against its checkpoints and against the records; answers every fault in a sentence, and how many
/// leaves there are.
///
/// # Errors
/// The database's.
pub async fn check(store: &Store, keys: &KeyRing) -> Result<(u64, Vec<String>)> {
    let mut faults = Vec::new();
    let head = store.log_head().await?;
    let mut checkpoints = store.checkpoints().await?;
    checkpoints.sort_by_key(|it| it.size);
    let mut checkpoints = checkpoints.into_iter().peekable();
    let (mut edge, mut tiles) = (Edge::default(), BTreeMap::new());
    let mut sound = 0;
    loop {
        let page = store.leaves(edge.size(), PAGE).await?;
        for leaf in &page {
            if leaf.position != edge.size() {
                faults.push(format!("the log has no leaf {}", edge.size()));
                return Ok((head.size, faults));
            }
            tiles.append(&mut edge.append([leaf.hash.0]));
            while let Some(it) = checkpoints.next_if(|it| it.size == edge.size()) {
                let signed = keys.check_note(&it.note);
                match signed {
                    Err(error) => faults.push(format!("the checkpoint of {}: {error:#}", it.day)),
                    Ok(signed) if signed != (edge.size(), edge.root()) => faults.push(format!(
                        "a leaf between {sound} and {} is not the one that the checkpoint of {} signed",
                        edge.size(),
                        it.day
                    )),
                    Ok(_) => sound = edge.size(),
                }
            }
        }
        for leaf in &page {
            faults.extend(check_leaf(store, leaf).await?);
        }
        if page.len() < PAGE as usize {
            break;
        }
    }
    if edge.size() != head.size {
        faults.push(format!("the log has {} leaves and says {}", edge.size(), head.size));
    }
    faults.extend(
        checkpoints
            .map(|it| format!("the checkpoint of {} signed {} leaves, there are fewer", it.day, it.size)),
    );
    for (id, hashes) in tiles {
        if tile(store, id).await?.as_ref() != Some(&hashes) {
            faults.push(format!("tile {} of level {} is not made of the leaves below it", id.1, id.0));
        }
    }
    Ok((head.size, faults))
}

/// Whether the latest leaf of a record is what the record says; what is archived has only its leaf.
async fn check_leaf(store: &Store, leaf: &Leaf) -> Result<Option<String>> {
    let latest = store.leaf_of(leaf.subject).await?;
    if latest.is_some_and(|latest| latest.position != leaf.position) {
        return Ok(None);
    }
    let (what, says) = if let Some(fight) = store.fight(leaf.subject).await? {
        ("fight", ReceiptBody::from(&(&fight).into()).leaf())
    } else if let Some(act) = store.audit_row(leaf.subject).await? {
        ("act", ActBody::from(&act).leaf())
    } else {
        return Ok(None);
    };
    let differs = says != leaf.hash.0;
    Ok(differs.then(|| {
        format!(
            "leaf {}: the record of {what} {} is not the one that was logged",
            leaf.position, leaf.subject
        )
    }))
}
