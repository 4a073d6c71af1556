//! Fights read back in bulk, to be judged again: runs cut into parts that machines take one by one.

use serde::Serialize;
use uuid::Uuid;

use crate::db::{Record, Row, Value, values};
use crate::{Day, Documents, Micros, Result, Store, archive, sql};

/// Fights in a part: some seconds of one core.
const PART: u32 = 10_000;

/// Which fights are judged again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of these days, both included.
    Days(Day, Day),
    /// One fight.
    Fight(Uuid),
}

/// A part of a run: fights of one day between two ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its number.
    pub number: i64,
    /// The day of its fights.
    pub day: Day,
    /// The id before its first fight.
    pub after: Uuid,
    /// The id of its last fight.
    pub last: Uuid,
    /// How many there were when the run began.
    pub fights: i64,
}

impl Record for Part {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            number: row.next()?,
            day: row.next()?,
            after: row.next()?,
            last: row.next()?,
            fights: row.next()?,
        })
    }
}

/// A fight's record, with what judging it again is held against: as it stands in the database, whatever somebody wrote there.
#[derive(Clone, Debug)]
pub struct Archived {
    /// The fight.
    pub id: Uuid,
    /// Tag of the engine.
    pub engine: String,
    /// Digest of the engine's ruleset data.
    pub ruleset: Vec<u8>,
    /// Digest of the canonical replay.
    pub replay_digest: Vec<u8>,
    /// Digest of the outcome.
    pub outcome_digest: Vec<u8>,
    /// Digest of the audit of the fits.
    pub snapshot_digest: Option<Vec<u8>>,
    /// Points.
    pub score: i64,
    /// Rounds it took.
    pub rounds: i64,
    /// Whether it came to its end.
    pub finished: bool,
    /// How many calls were applied.
    pub calls: i64,
    /// The last checkpoint, its bits.
    pub checkpoint: i64,
    /// 32-bit words drawn.
    pub rng_words: i64,
    archive: Vec<u8>,
    received: Option<Vec<u8>>,
}

impl Archived {
    /// The documents.
    ///
    /// # Errors
    /// [`crate::Error::Corrupt`] where they do not unpack.
    pub fn documents(&self) -> Result<Documents> {
        archive::documents(&self.archive)
    }

    /// The text as it was received, where it was asked for.
    ///
    /// # Errors
    /// [`crate::Error::Corrupt`] where it does not unpack with these documents.
    pub fn received(&self, documents: &Documents) -> Result<Option<Vec<u8>>> {
        self.received.as_ref().map(|packed| archive::received(packed, &documents.replay)).transpose()
    }
}

impl Record for Archived {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            id: row.next()?,
            engine: row.next()?,
            ruleset: row.next()?,
            replay_digest: row.next()?,
            outcome_digest: row.next()?,
            snapshot_digest: row.next()?,
            score: row.next()?,
            rounds: row.next()?,
            finished: row.next()?,
            calls: row.next()?,
            checkpoint: row.next()?,
            rng_words: row.next()?,
            archive: row.next()?,
            received: row.next()?,
        })
    }
}

/// A fight that is not as recorded, or that this build cannot judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The fight.
    pub fight: Uuid,
    /// `different` or `unreadable`.
    pub verdict: String,
    /// The first call after which the state differs, where it can be placed.
    pub call: Option<u32>,
    /// The first field that differs, as a JSON pointer into the record.
    pub field: String,
    /// One sentence for a person.
    pub detail: String,
}

impl Record for Finding {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            fight: row.next()?,
            verdict: row.next()?,
            call: row.next()?,
            field: row.next()?,
            detail: row.next()?,
        })
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Fights of all parts.
    pub fights: i64,
    /// Parts that are not done.
    pub parts_left: i64,
    /// Fights found as recorded.
    pub same: i64,
    /// Fights found different.
    pub different: i64,
    /// Fights that this build cannot judge.
    pub unreadable: i64,
}

impl Record for Progress {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            fights: row.next()?,
            parts_left: row.next()?,
            same: row.next()?,
            different: row.next()?,
            unreadable: row.next()?,
        })
    }
}

impl Store {
    /// Begins a run and cuts it into parts.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn begin_reverify(&self, build: &str, name: &str, scope: Scope, now: Micros) -> Result<Uuid> {
        let run = Uuid::now_v7();
        let parts = self.cut(scope).await?;
        let (build, name) = (build.to_owned(), name.to_owned());
        self.transact(move |tx| {
            let (build, name, parts) = (build.clone(), name.clone(), parts.clone());
            Box::pin(async move {
                tx.execute(sql::INSERT_RUN, values![run, now, &build, &name]).await?;
                let mut rows: Vec<Value<'_>> = Vec::with_capacity(parts.len() * 6);
                for it in &parts {
                    rows.extend_from_slice(values![run, it.number, it.day, it.after, it.last, it.fights]);
                }
                tx.execute_many(&sql::INSERT_PARTS, &rows).await
            })
        })
        .await?;
        Ok(run)
    }

    async fn cut(&self, scope: Scope) -> Result<Vec<Part>> {
        let (first, last) = match scope {
            Scope::Days(first, last) => (first, last),
            Scope::Fight(id) => {
                let Some(fight) = self.fight(id).await? else { return Ok(Vec::new()) };
                let after = Uuid::from_u128(id.as_u128().saturating_sub(1));
                return Ok(vec![Part { number: 0, day: fight.day, after, last: id, fights: 1 }]);
            }
        };
        let days: Vec<(Day, i64)> = self.db.all(sql::FIGHT_DAYS, values![first, last]).await?;
        let mut parts = Vec::new();
        for (day, mut left) in days {
            let mut after = Uuid::nil();
            while left > 0 {
                let fights = left.min(i64::from(PART));
                let end: Option<Uuid> = self.db.maybe(sql::PART_END, values![day, after, fights - 1]).await?;
                let end = match end {
                    Some(end) => end,
                    None => self.db.one(sql::LAST_OF_DAY, values![day]).await?,
                };
                parts.push(Part { number: parts.len() as i64, day, after, last: end, fights });
                (after, left) = (end, left - fights);
            }
        }
        Ok(parts)
    }

    /// Build and scope of a run.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn reverify_run(&self, run: Uuid) -> Result<Option<(String, String)>> {
        self.db.maybe(sql::RUN, values![run]).await
    }

    /// The latest run.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn last_reverify(&self) -> Result<Option<Uuid>> {
        self.db.maybe(sql::LAST_RUN, &[]).await
    }

    /// Takes a part of a run until `until`: one that nobody has, or whose holder did not come back in time.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn claim_part(
        &self,
        run: Uuid,
        holder: Uuid,
        now: Micros,
        until: Micros,
    ) -> Result<Option<Part>> {
        // Those who race for the same part look further.
        for ahead in 0_i64.. {
            let free: Option<i64> = self.db.maybe(sql::FREE_PART, values![run, now, ahead % 8]).await?;
            let Some(part) = free else {
                if ahead % 8 == 0 {
                    return Ok(None);
                }
                continue;
            };
            let claim = values![run, part, holder, until, now];
            if let Some(part) = self.db.maybe(sql::CLAIM_PART, claim).await? {
                return Ok(Some(part));
            }
        }
        Ok(None)
    }

    /// Keeps a part until `until`, or gives it back where that is now. Answers false where another holder has it.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn keep_part(&self, run: Uuid, holder: Uuid, part: Part, until: Micros) -> Result<bool> {
        let kept = self.db.execute(sql::KEEP_PART, values![run, part.number, holder, until]).await?;
        Ok(kept == 1)
    }

    /// Hands in a part: what was found in it and how many were as they should be. Answers false where it took so long
    /// that another holder has it.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn finish_part(
        &self,
        run: Uuid,
        holder: Uuid,
        part: Part,
        same: i64,
        findings: Vec<Finding>,
        now: Micros,
    ) -> Result<bool> {
        let unreadable = findings.iter().filter(|it| it.verdict == "unreadable").count() as i64;
        let different = findings.len() as i64 - unreadable;
        self.transact(move |tx| {
            let findings = findings.clone();
            Box::pin(async move {
                let done = values![run, part.number, holder, now, same, different, unreadable];
                if tx.execute(sql::FINISH_PART, done).await? == 0 {
                    return Ok(false);
                }
                for it in &findings {
                    let row = values![run, it.fight, &it.verdict, it.call, &it.field, &it.detail];
                    tx.execute(sql::PUT_FINDING, row).await?;
                }
                Ok(true)
            })
        })
        .await
    }

    /// How far a run is.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn reverify_progress(&self, run: Uuid) -> Result<Progress> {
        self.db.one(sql::PROGRESS, values![run]).await
    }

    /// What a run found, by fight.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn findings(&self, run: Uuid, limit: u32) -> Result<Vec<Finding>> {
        self.db.all(sql::FINDINGS, values![run, limit]).await
    }

    /// The fights of a part after one of them, by id; with the texts as they were received, if they are asked for.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn archived(
        &self,
        part: &Part,
        after: Uuid,
        limit: u32,
        received: bool,
    ) -> Result<Vec<Archived>> {
        self.db.all(sql::ARCHIVED_AFTER, values![part.day, after, part.last, limit, received]).await
    }
}
