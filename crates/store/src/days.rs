//! The days: what is fought, under which policy, with which secret.

use serde::Serialize;
use uuid::Uuid;

use crate::db::{Record, Row, columns_by, values};
use crate::moderation::audit;
use crate::{Conflict, Day, Error, Micros, Order, Result, Store, sql};

/// What the seed of an attempt is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SeedPolicy {
    /// Pilot and number of the attempt: same foes, own dice.
    Pilot,
    /// The day alone: the same dice for all.
    Day,
}

impl SeedPolicy {
    /// `pilot` or `day`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pilot => "pilot",
            Self::Day => "day",
        }
    }
}

columns_by! {
    SeedPolicy as String, |text| match text.as_str() {
        "pilot" => Ok(SeedPolicy::Pilot),
        "day" => Ok(SeedPolicy::Day),
        _ => Err(Error::Corrupt(format!("{text:?} is no seed policy"))),
    };
}

/// How a day is fought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Policy {
    /// What seeds are made of.
    pub seed: SeedPolicy,
    /// Attempts of a pilot that count.
    pub ranked_attempts: u32,
    /// Attempts after those.
    pub practice_attempts: u32,
    /// Minutes from the issue of an attempt to its end.
    pub attempt_minutes: u32,
    /// Minutes after the close in which attempts issued before may be submitted.
    pub grace_minutes: u32,
}

/// A day. What is set ahead is set before it opens; afterwards nothing of it changes but `archived_at`.
#[derive(Clone, PartialEq, Eq)]
pub struct DayRecord {
    /// The day.
    pub day: Day,
    /// Tag of the engine.
    pub engine: String,
    /// Id of the doctrine.
    pub doctrine: String,
    /// Whether an operator set it.
    pub doctrine_set: bool,
    /// The secret as the server handed it: sealed or plain.
    pub secret: Vec<u8>,
    /// SHA-256 of the secret, as the server handed it.
    pub commitment: Vec<u8>,
    /// How it is fought.
    pub policy: Policy,
    /// Its first instant.
    pub opens_at: Micros,
    /// The first instant after it.
    pub closes_at: Micros,
    /// The end of the grace time: secret and fights become public, the board final.
    pub final_at: Micros,
    /// When its fights were archived.
    pub archived_at: Option<Micros>,
}

/// The secret is not for logs.
impl std::fmt::Debug for DayRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DayRecord")
            .field("day", &self.day)
            .field("engine", &self.engine)
            .field("doctrine", &self.doctrine)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

impl Record for DayRecord {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            day: row.next()?,
            engine: row.next()?,
            doctrine: row.next()?,
            doctrine_set: row.next()?,
            secret: row.next()?,
            commitment: row.next()?,
            policy: Policy {
                seed: row.next()?,
                ranked_attempts: row.next()?,
                practice_attempts: row.next()?,
                attempt_minutes: row.next()?,
                grace_minutes: row.next()?,
            },
            opens_at: row.next()?,
            closes_at: row.next()?,
            final_at: row.next()?,
            archived_at: row.next()?,
        })
    }
}

impl Store {
    /// Writes a day down if it is not there, and answers the one that is: of several replicas that draw its secret
    /// the first wins.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn ensure_day(&self, day: &DayRecord) -> Result<DayRecord> {
        let policy = &day.policy;
        let row = values![
            day.day,
            &day.engine,
            &day.doctrine,
            day.doctrine_set,
            &day.secret,
            &day.commitment,
            policy.seed.as_str(),
            policy.ranked_attempts,
            policy.practice_attempts,
            policy.attempt_minutes,
            policy.grace_minutes,
            day.opens_at,
            day.closes_at,
            day.final_at,
            Micros::now(),
        ];
        self.db.execute(sql::INSERT_DAY, row).await?;
        self.db.one(sql::DAY, values![day.day]).await
    }

    /// The day.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn day(&self, day: Day) -> Result<Option<DayRecord>> {
        self.db.maybe(sql::DAY, values![day]).await
    }

    /// The days from `first` to `last`, in order.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn days(&self, first: Day, last: Day) -> Result<Vec<DayRecord>> {
        self.db.all(sql::DAYS, values![first, last]).await
    }

    /// Sets engine, doctrine, policy and `final_at` of a day ahead, as `day` has them; secret, commitment and hours stay.
    ///
    /// # Errors
    /// [`Conflict::UnknownDay`]; [`Conflict::DayBegun`] once it has opened by then.
    pub async fn set_day(&self, day: DayRecord, by: Order) -> Result<()> {
        self.transact(move |tx| {
            let (day, by) = (day.clone(), by.clone());
            Box::pin(async move {
                let policy = &day.policy;
                let row = values![
                    day.day,
                    &day.engine,
                    &day.doctrine,
                    day.doctrine_set,
                    policy.seed.as_str(),
                    policy.ranked_attempts,
                    policy.practice_attempts,
                    policy.attempt_minutes,
                    policy.grace_minutes,
                    day.final_at,
                    by.at,
                ];
                if tx.execute(sql::SET_DAY, row).await? == 0 {
                    let known: Option<DayRecord> = tx.maybe(sql::DAY, values![day.day]).await?;
                    return Err(known.map_or(Conflict::UnknownDay, |_| Conflict::DayBegun).into());
                }
                audit(tx, &by, "set_day", None::<Uuid>, None, Some(day.day)).await
            })
        })
        .await
    }
}
