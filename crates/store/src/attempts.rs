//! Attempts: issued before their dice are known, each good for one verdict.

use std::sync::Arc;
use std::time::Duration;

use ongrid_engine::Digest;
use serde::Serialize;
use uuid::Uuid;

use crate::db::{Record, Row, Tx, columns_by, values};
use crate::writing::lock_pilot;
use crate::{Conflict, Day, DayRecord, Error, Kind, Micros, Result, Store, archive, sql};

/// Most different replays of an attempt that may be refused (http-api, "Shapes").
pub const MOST_REJECTED: u32 = 10;

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AttemptState {
    /// Waits for its replay.
    Open,
    /// Has its verdict, or was refused too often.
    Spent,
    /// Its time is over.
    Expired,
}

columns_by! {
    AttemptState as String, |text| match text.as_str() {
        "open" => Ok(AttemptState::Open),
        "spent" => Ok(AttemptState::Spent),
        "expired" => Ok(AttemptState::Expired),
        _ => Err(Error::Corrupt(format!("{text:?} is no state of an attempt"))),
    };
}

/// An attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its id, a UUIDv7.
    pub id: Uuid,
    /// Whose it is.
    pub pilot: Uuid,
    /// The day that it counts for.
    pub day: Day,
    /// From 1, over all of the pilot's attempts of that day.
    pub number: u32,
    /// Ranked or practice.
    pub kind: Kind,
    /// As it is written down; [`Attempt::state_at`] says what it is at an instant.
    pub state: AttemptState,
    /// Tag of the engine.
    pub engine: String,
    /// Digest of the engine's ruleset data.
    pub ruleset: Digest,
    /// Id of the doctrine.
    pub doctrine: String,
    /// The 32 bytes of the seed.
    pub seed: Vec<u8>,
    /// The frozen setup, canonical.
    pub setup: Vec<u8>,
    /// Digest of the setup, labels left out.
    pub setup_digest: Digest,
    /// When it was issued.
    pub issued_at: Micros,
    /// The first instant at which it is expired.
    pub expires_at: Micros,
    /// The first instant at which its day takes no replays.
    pub final_at: Micros,
    /// How many different replays were refused.
    pub rejected: u32,
    /// Whether an operator gave it back: it does not use up one of its kind.
    pub returned: bool,
    /// The fight that is its verdict.
    pub fight: Option<Uuid>,
}

impl Attempt {
    /// What it is at an instant: an open one may have expired since it was written down.
    pub fn state_at(&self, now: Micros) -> AttemptState {
        match self.state {
            AttemptState::Open if self.expires_at <= now || self.final_at <= now => AttemptState::Expired,
            state => state,
        }
    }

    /// How many different replays may yet be refused.
    pub fn rejected_left(&self) -> u32 {
        MOST_REJECTED.saturating_sub(self.rejected)
    }
}

impl Record for Attempt {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            id: row.next()?,
            pilot: row.next()?,
            day: row.next()?,
            number: row.next()?,
            kind: row.next()?,
            state: row.next()?,
            engine: row.next()?,
            ruleset: row.next()?,
            doctrine: row.next()?,
            seed: row.next()?,
            setup: archive::unpacked(&row.next::<Vec<u8>>()?)?,
            setup_digest: row.next()?,
            issued_at: row.next()?,
            expires_at: row.next()?,
            final_at: row.next()?,
            rejected: row.next()?,
            returned: row.next()?,
            fight: row.next()?,
        })
    }
}

/// An attempt to be issued.
#[derive(Clone)]
pub struct NewAttempt {
    /// For whom.
    pub pilot: Uuid,
    /// The day.
    pub day: Day,
    /// Now, by which the day is open.
    pub now: Micros,
    /// Digest of the engine's ruleset data; engine and doctrine are the day's.
    pub ruleset: Digest,
    /// The setup, canonical, found legal.
    pub setup: Vec<u8>,
    /// Its digest.
    pub setup_digest: Digest,
    /// Makes the seed, from the number of the attempt: nobody knows it before.
    pub seed: Arc<dyn Fn(u32) -> [u8; 32] + Send + Sync>,
}

impl std::fmt::Debug for NewAttempt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewAttempt")
            .field("pilot", &self.pilot)
            .field("day", &self.day)
            .finish_non_exhaustive()
    }
}

/// An attempt that was issued now or before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issued {
    /// The attempt.
    pub attempt: Attempt,
    /// Whether it was issued now.
    pub new: bool,
}

/// What became of a refused replay.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The attempt as it is then.
    pub attempt: Attempt,
    /// Whether the replay is one of those that count against it.
    pub counted: bool,
}

impl Store {
    /// Issues a pilot's next attempt of an open day: ranked while the policy has ranked ones left, then practice. The
    /// open attempt is answered again where the setup is the same. Several replicas may be asked at once.
    ///
    /// # Errors
    /// [`Conflict::UnknownPilot`], [`Conflict::UnknownDay`] (also one that has not opened), [`Conflict::DayClosed`],
    /// [`Conflict::AttemptOpen`] with another setup, [`Conflict::NoAttemptLeft`].
    pub async fn issue_attempt(&self, new: NewAttempt) -> Result<Issued> {
        self.transact(move |tx| {
            let new = new.clone();
            Box::pin(async move { issue(tx, &new).await })
        })
        .await
    }

    /// The attempt with this id.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn attempt(&self, id: Uuid) -> Result<Option<Attempt>> {
        self.db.maybe(sql::ATTEMPT, values![id]).await
    }

    /// The attempts of a pilot on a day, in order.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn attempts(&self, pilot: Uuid, day: Day) -> Result<Vec<Attempt>> {
        self.db.all(sql::ATTEMPTS_OF, values![pilot, day]).await
    }

    /// Counts a refused replay of an open attempt, by the digest of what was sent; the same one counts once. The tenth
    /// different one spends the attempt; one that is not open stays as it is.
    ///
    /// # Errors
    /// [`Conflict::UnknownAttempt`], also where it is another pilot's.
    pub async fn reject(&self, attempt: Uuid, pilot: Uuid, digest: Digest, code: &str) -> Result<Rejected> {
        let code: Arc<str> = code.into();
        let once = || {
            let code = code.clone();
            self.transact(move |tx| {
                let code = code.clone();
                Box::pin(async move { reject(tx, attempt, pilot, &digest, &code).await })
            })
        };
        match once().await {
            // Others spent it at the same moment: what was written here is undone, and it is looked at as it is now.
            Err(Error::Conflict(Conflict::AttemptSpent)) => once().await,
            done => done,
        }
    }
}

async fn reject(tx: &mut Tx, id: Uuid, pilot: Uuid, digest: &Digest, code: &str) -> Result<Rejected> {
    let attempt: Option<Attempt> = tx.maybe(sql::ATTEMPT, values![id]).await?;
    let attempt = attempt.filter(|known| known.pilot == pilot).ok_or(Conflict::UnknownAttempt)?;
    if attempt.state != AttemptState::Open {
        let counted = tx.maybe::<i64>(sql::REJECTION, values![id, digest]).await?.is_some();
        return Ok(Rejected { attempt, counted });
    }
    if tx.execute(sql::INSERT_REJECTION, values![id, digest, code, Micros::now()]).await? > 0
        && tx.execute(sql::COUNT_REJECTION, values![id, pilot, MOST_REJECTED]).await? == 0
    {
        return Err(Conflict::AttemptSpent.into());
    }
    Ok(Rejected { attempt: tx.one(sql::ATTEMPT, values![id]).await?, counted: true })
}

async fn issue(tx: &mut Tx, new: &NewAttempt) -> Result<Issued> {
    // One at a time for a pilot: whatever is read from here on stays true until the commit.
    if lock_pilot(tx, new.pilot).await?.erased {
        return Err(Conflict::UnknownPilot.into());
    }
    let day: Option<DayRecord> = tx.maybe(sql::DAY, values![new.day]).await?;
    let day = day.filter(|day| day.opens_at <= new.now).ok_or(Conflict::UnknownDay)?;
    if day.closes_at <= new.now {
        return Err(Conflict::DayClosed.into());
    }
    tx.execute(sql::EXPIRE_ATTEMPTS, values![new.pilot, new.day, new.now]).await?;
    let open: Option<Attempt> = tx.maybe(sql::OPEN_ATTEMPT, values![new.pilot, new.day]).await?;
    if let Some(open) = open {
        let same = open.setup_digest == new.setup_digest;
        return if same {
            Ok(Issued { attempt: open, new: false })
        } else {
            Err(Conflict::AttemptOpen.into())
        };
    }
    let (all, ranked, practice): (u32, u32, u32) =
        tx.one(sql::COUNT_ATTEMPTS, values![new.pilot, new.day]).await?;
    let kind = if ranked < day.policy.ranked_attempts {
        Kind::Ranked
    } else if practice < day.policy.practice_attempts {
        Kind::Practice
    } else {
        return Err(Conflict::NoAttemptLeft.into());
    };
    let (id, number) = (Uuid::now_v7(), all + 1);
    let (seed, setup) = ((new.seed)(number), archive::pack(&new.setup));
    let lasts = Duration::from_secs(60 * u64::from(day.policy.attempt_minutes));
    let row = values![
        id,
        new.pilot,
        new.day,
        number,
        kind.as_str(),
        &day.engine,
        &new.ruleset,
        &day.doctrine,
        seed.as_slice(),
        &setup,
        &new.setup_digest,
        new.now,
        new.now.plus(lasts),
        day.final_at,
    ];
    tx.execute(sql::INSERT_ATTEMPT, row).await?;
    Ok(Issued { attempt: tx.one(sql::ATTEMPT, values![id]).await?, new: true })
}
