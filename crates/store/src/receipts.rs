//! What the log of receipts is kept in: leaves, tiles, checkpoints, and whose turn it is to append. The store knows no
//! tree and no key: hashes and signatures are made by the service.

use ongrid_engine::Digest;
use uuid::Uuid;

use crate::db::{Record, Row, Value, values};
use crate::fights::days_of;
use crate::{AuditRow, Conflict, Day, Fight, Kind, Micros, Result, Store, sql};

/// What a receipt states of a fight (http-api, "Receipt").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipted {
    /// The fight.
    pub fight: Uuid,
    /// What it was fought for.
    pub kind: Kind,
    /// Tag of the engine.
    pub engine: String,
    /// Digest of the engine's ruleset data.
    pub ruleset: Digest,
    /// Build that judged.
    pub build: String,
    /// Digest of the canonical replay.
    pub replay_digest: Digest,
    /// Digest of the outcome.
    pub outcome_digest: Digest,
    /// Who fought.
    pub pilot: Uuid,
    /// The day that it counts for.
    pub day: Day,
    /// When the engine was done.
    pub at: Micros,
}

impl From<&Fight> for Receipted {
    fn from(fight: &Fight) -> Self {
        Self {
            fight: fight.id,
            kind: fight.kind,
            engine: fight.engine.clone(),
            ruleset: fight.ruleset,
            build: fight.build.clone(),
            replay_digest: fight.replay_digest,
            outcome_digest: fight.outcome_digest,
            pilot: fight.pilot,
            day: fight.day,
            at: fight.verified_at,
        }
    }
}

impl Record for Receipted {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            fight: row.next()?,
            kind: row.next()?,
            engine: row.next()?,
            ruleset: row.next()?,
            build: row.next()?,
            replay_digest: row.next()?,
            outcome_digest: row.next()?,
            pilot: row.next()?,
            day: row.next()?,
            at: row.next()?,
        })
    }
}

/// How far the log goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogHead {
    /// How many leaves it has.
    pub size: u64,
    /// Up to this fight none is missing.
    pub fights: Uuid,
    /// Up to this row of the audit none is missing.
    pub acts: Uuid,
}

impl Record for LogHead {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self { size: row.next()?, fights: row.next()?, acts: row.next()? })
    }
}

/// A leaf of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its place, from 0.
    pub position: u64,
    /// Its hash.
    pub hash: Digest,
    /// The fight of a receipt, or the row of the audit.
    pub subject: Uuid,
}

impl Record for Leaf {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self { position: row.next()?, hash: row.next()?, subject: row.next()? })
    }
}

/// A signed checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The day whose last one it is.
    pub day: Day,
    /// How many leaves it covers.
    pub size: u64,
    /// The root over them.
    pub root: Digest,
    /// When it was signed.
    pub at: Micros,
    /// The note as signed.
    pub note: String,
}

impl Record for Checkpoint {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            day: row.next()?,
            size: row.next()?,
            root: row.next()?,
            at: row.next()?,
            note: row.next()?,
        })
    }
}

/// What is appended in one transaction.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The log that it is appended to.
    pub before: LogHead,
    /// The new leaves in order: hash and subject.
    pub leaves: Vec<(Digest, Uuid)>,
    /// Tiles that changed: level, number, hashes.
    pub tiles: Vec<(u64, u64, Vec<u8>)>,
    /// The checkpoint over all of it.
    pub checkpoint: Checkpoint,
    /// Up to this fight and this act nothing is missing then.
    pub complete: (Uuid, Uuid),
    /// Fights of the queue that are dealt with.
    pub unqueued: Vec<Uuid>,
}

impl Store {
    /// Takes the right to append until `until`, or keeps it; `None` where another has it.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn lead_log(&self, holder: Uuid, now: Micros, until: Micros) -> Result<Option<LogHead>> {
        self.db.maybe(sql::LEAD_LOG, values![holder, now, until]).await
    }

    /// Gives the right to append back.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn leave_log(&self, holder: Uuid) -> Result<()> {
        self.db.execute(sql::LEAVE_LOG, values![holder]).await.map(drop)
    }

    /// How far the log goes.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn log_head(&self) -> Result<LogHead> {
        self.db.one(sql::LOG_HEAD, &[]).await
    }

    /// Fights between two ids (the first left out) that have no leaf, by id.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn unlogged_fights(&self, after: Uuid, last: Uuid, limit: u32) -> Result<Vec<Receipted>> {
        // The days that may be between them; an archived day is read no more.
        let (first_day, last_day) = (days_of(after).0, days_of(last).1);
        self.db.all(sql::UNLOGGED_FIGHTS, values![after, last, first_day, last_day, limit]).await
    }

    /// Fights whose receipt became another one.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn queued_fights(&self, limit: u32) -> Result<Vec<Receipted>> {
        let queued: Vec<Uuid> = self.db.all(sql::QUEUED, values![limit]).await?;
        let (Some(first), Some(last)) = (queued.first(), queued.last()) else { return Ok(Vec::new()) };
        let (first_day, last_day) = (days_of(*first).0, days_of(*last).1);
        self.db.all(sql::QUEUED_FIGHTS, values![*last, first_day, last_day]).await
    }

    /// Acts between two ids (the first left out) that have no leaf, by id.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn unlogged_acts(&self, after: Uuid, last: Uuid, limit: u32) -> Result<Vec<AuditRow>> {
        self.db.all(sql::UNLOGGED_ACTS, values![after, last, limit]).await
    }

    /// What receipts state of a day's fights, by id, after one.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn receipted(&self, day: Day, after: Uuid, limit: u32) -> Result<Vec<Receipted>> {
        self.db.all(sql::RECEIPTS_AFTER, values![day, after, limit]).await
    }

    /// A row of the audit.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn audit_row(&self, id: Uuid) -> Result<Option<AuditRow>> {
        self.db.maybe(sql::ACT, values![id]).await
    }

    /// The latest leaf of a fight or of a row of the audit.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn leaf_of(&self, subject: Uuid) -> Result<Option<Leaf>> {
        self.db.maybe(sql::LEAF_OF, values![subject]).await
    }

    /// Leaves from a position on.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn leaves(&self, from: u64, limit: u32) -> Result<Vec<Leaf>> {
        self.db.all(sql::LEAVES_AFTER, values![from.cast_signed(), limit]).await
    }

    /// The hashes of a tile, 32 bytes each.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn log_tile(&self, level: u64, number: u64) -> Result<Option<Vec<u8>>> {
        self.db.maybe(sql::LOG_TILE, values![level.cast_signed(), number.cast_signed()]).await
    }

    /// The last checkpoint of a day or, where it has none, of a day before.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn checkpoint(&self, day: Day) -> Result<Option<Checkpoint>> {
        self.db.maybe(sql::CHECKPOINT, values![day]).await
    }

    /// The last checkpoint of every day.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn checkpoints(&self) -> Result<Vec<Checkpoint>> {
        self.db.all(sql::CHECKPOINTS, &[]).await
    }

    /// Appends to the log, all or nothing.
    ///
    /// # Errors
    /// [`Conflict::NotLeading`] where another has appended meanwhile or may append now.
    pub async fn grow_log(&self, holder: Uuid, growth: Growth) -> Result<()> {
        self.transact(move |tx| {
            let growth = growth.clone();
            Box::pin(async move {
                let before = growth.before.size;
                let size = before + growth.leaves.len() as u64;
                let (fights, acts) = growth.complete;
                let head = values![holder, before.cast_signed(), size.cast_signed(), fights, acts];
                if tx.execute(sql::GROW_LOG, head).await? == 0 {
                    return Err(Conflict::NotLeading.into());
                }
                let at = growth.checkpoint.at;
                let mut rows: Vec<Value<'_>> = Vec::with_capacity(growth.leaves.len() * 4);
                for (position, (leaf, subject)) in (before..).zip(&growth.leaves) {
                    rows.extend_from_slice(values![position.cast_signed(), leaf, *subject, at]);
                }
                tx.execute_many(&sql::INSERT_LEAVES, &rows).await?;
                for (level, number, hashes) in &growth.tiles {
                    let tile = values![level.cast_signed(), number.cast_signed(), hashes];
                    tx.execute(sql::PUT_TILE, tile).await?;
                }
                for fight in &growth.unqueued {
                    tx.execute(sql::UNQUEUE_FIGHT, values![*fight]).await?;
                }
                let it = &growth.checkpoint;
                let checkpoint = values![it.day, it.size.cast_signed(), &it.root, it.at, &it.note];
                tx.execute(sql::PUT_CHECKPOINT, checkpoint).await.map(drop)
            })
        })
        .await
    }
}
