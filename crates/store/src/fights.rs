//! The record of a fight, as it is read back.

use std::time::Duration;

use ongrid_engine::{Digest, Standing};
use serde::Serialize;
use uuid::Uuid;

use crate::db::{Record, Row, columns_by, values};
use crate::{Day, Documents, Error, Micros, Result, Store, archive, sql};

/// What a fight was fought for (http-api, "Kinds of fight").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Any seed, never ranked.
    Free,
    /// An attempt that does not count.
    Practice,
    /// An attempt that counts.
    Ranked,
}

impl Kind {
    /// `free`, `practice` or `ranked`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Practice => "practice",
            Self::Ranked => "ranked",
        }
    }
}

columns_by! {
    Kind as String, |text| match text.as_str() {
        "free" => Ok(Kind::Free),
        "practice" => Ok(Kind::Practice),
        "ranked" => Ok(Kind::Ranked),
        _ => Err(Error::Corrupt(format!("{text:?} is no kind of fight"))),
    };
}

/// Why a fight does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Void {
    /// When it was voided.
    pub at: Micros,
    /// The operator's reason.
    pub reason: String,
}

/// The record of a fight, without its documents ([`Store::documents`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Fight {
    /// Its id, a UUIDv7.
    pub id: Uuid,
    /// The day that it belongs to: of its seed for an attempt, else of its submission.
    pub day: Day,
    /// Who fought it.
    pub pilot: Uuid,
    /// The pilot's name; none where the pilot was erased.
    pub pilot_name: Option<String>,
    /// What it was fought for.
    pub kind: Kind,
    /// The attempt, unless it is free.
    pub attempt: Option<Uuid>,
    /// Tag of the engine.
    pub engine: String,
    /// Digest of the engine's ruleset data.
    pub ruleset: Digest,
    /// Build that judged.
    pub build: String,
    /// The doctrine fought, where the ruleset has doctrines.
    pub doctrine: Option<String>,
    /// Digest of the canonical replay.
    pub replay_digest: Digest,
    /// Digest of the canonical setup.
    pub setup_digest: Digest,
    /// Digest of fleet and calls, whatever the seed.
    pub play_digest: Digest,
    /// Digest of the outcome.
    pub outcome_digest: Digest,
    /// Digest of the audit of the fits, where there is one.
    pub snapshot_digest: Option<Digest>,
    /// What boards rank by.
    pub standing: Standing,
    /// How many calls were applied.
    pub calls: u32,
    /// The last checkpoint.
    pub checkpoint: u64,
    /// 32-bit words drawn.
    pub rng_words: u64,
    /// First call after which the client's checkpoint differed.
    pub desync: Option<u32>,
    /// When the attempt was issued.
    pub issued_at: Option<Micros>,
    /// When the replay came in.
    pub submitted_at: Micros,
    /// When the engine was done: earlier ranks higher.
    pub verified_at: Micros,
    /// How long the engine took.
    pub verify_time: Duration,
    /// The first fight of another pilot with the same fleet and calls.
    pub copied_from: Option<Uuid>,
    /// The board beside the day's that it counts for: a doctrine's, or of a free fight its scenario's.
    pub series: Option<Uuid>,
    /// Whether it was voided.
    pub void: Option<Void>,
}

impl Fight {
    /// From the issue of the attempt to the submission.
    pub fn elapsed(&self) -> Option<Duration> {
        self.issued_at.map(|issued| self.submitted_at.since(issued))
    }
}

impl Record for Fight {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            id: row.next()?,
            day: row.next()?,
            pilot: row.next()?,
            pilot_name: row.next()?,
            kind: row.next()?,
            attempt: row.next()?,
            engine: row.next()?,
            ruleset: row.next()?,
            build: row.next()?,
            doctrine: row.next()?,
            replay_digest: row.next()?,
            setup_digest: row.next()?,
            play_digest: row.next()?,
            outcome_digest: row.next()?,
            snapshot_digest: row.next()?,
            standing: Standing { score: row.next()?, rounds: row.next()?, finished: row.next()? },
            calls: row.next()?,
            checkpoint: row.next()?,
            rng_words: row.next()?,
            desync: row.next()?,
            issued_at: row.next()?,
            submitted_at: row.next()?,
            verified_at: row.next()?,
            verify_time: row.next()?,
            copied_from: row.next()?,
            series: row.next()?,
            void: match (row.next()?, row.next()?) {
                (Some(at), reason) => {
                    let reason: Option<String> = reason;
                    Some(Void { at, reason: reason.unwrap_or_default() })
                }
                (None, _) => None,
            },
        })
    }
}

/// The days among which a fight with this id is: its id was made when it was submitted, its day is that of its attempt,
/// which ended no more than a day and a grace time before; a day may begin at any hour.
pub(crate) fn days_of(id: Uuid) -> (Day, Day) {
    let made = id.get_timestamp().map_or(0, |stamp| stamp.to_unix().0);
    let day = Day::of(Micros(i64::try_from(made).unwrap_or(i64::MAX / 1_000_000).saturating_mul(1_000_000)));
    (day.plus(-3), day.plus(1))
}

impl Store {
    /// The record of a fight.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn fight(&self, id: Uuid) -> Result<Option<Fight>> {
        let (first, last) = days_of(id);
        self.db.maybe(sql::FIGHT, values![id, first, last]).await
    }

    /// Whether a fight that has no record here had one: its leaf is in the log, and a day that it may be of is archived.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn is_archived(&self, id: Uuid) -> Result<bool> {
        let (first, last) = days_of(id);
        let leaf: Option<i64> = self.db.maybe(sql::ARCHIVED_LEAF, values![id, first, last]).await?;
        Ok(leaf.is_some())
    }

    /// The canonical documents of a fight.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where they do not unpack.
    pub async fn documents(&self, id: Uuid) -> Result<Option<Documents>> {
        let found = self.packed(id).await?;
        found.map(|(archive, _)| archive::documents(&archive)).transpose()
    }

    /// The replay of a fight as it was received, byte by byte.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where it does not unpack.
    pub async fn received(&self, id: Uuid) -> Result<Option<Vec<u8>>> {
        let found = self.packed(id).await?;
        found
            .map(|(archive, received)| archive::received(&received, &archive::documents(&archive)?.replay))
            .transpose()
    }

    async fn packed(&self, id: Uuid) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
        let (first, last) = days_of(id);
        self.db.maybe(sql::FIGHT_BYTES, values![id, first, last]).await
    }
}
