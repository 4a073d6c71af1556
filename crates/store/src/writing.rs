//! How submissions are written: several in one transaction.

use std::collections::HashMap;

use ongrid_engine::Digest;
use uuid::Uuid;

use crate::archive::Packed;
use crate::db::{Record, Row, Tx, Value};
use crate::{Conflict, Day, Kind, Micros, Play, Recorded, Result, Store, Submission, sql};

/// A submission with what can be made of it before its transaction.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) id: Uuid,
    pub(crate) submission: Submission,
    pub(crate) packed: Packed,
}

/// The record that has the same content address.
struct Same {
    id: Uuid,
    kind: Kind,
    attempt: Option<Uuid>,
    verified_at: Micros,
    copied_from: Option<Uuid>,
    voided_at: Option<Micros>,
}

impl Record for Same {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            id: row.next()?,
            kind: row.next()?,
            attempt: row.next()?,
            verified_at: row.next()?,
            copied_from: row.next()?,
            voided_at: row.next()?,
        })
    }
}

impl Store {
    /// Stores a verified fight, durably, in one transaction. The same canonical replay of the same pilot and day is
    /// one record: every later submission of it answers the first one's id. It is whole or absent, whatever
    /// becomes of the caller.
    ///
    /// # Errors
    /// [`Conflict::UnknownPilot`], the attempt's conflicts, [`crate::Error::Busy`] and [`crate::Error::Unavailable`].
    pub async fn submit(&self, submission: Submission) -> Result<Recorded> {
        let prepared = std::sync::Arc::new(Prepared::new(submission));
        self.transact(move |tx| {
            let prepared = prepared.clone();
            Box::pin(async move { write_one(tx, &prepared).await })
        })
        .await
    }
}

async fn write_one(tx: &mut Tx, prepared: &Prepared) -> Result<Recorded> {
    let submission = &prepared.submission;
    let Play::Free(day) = submission.play else { return Err(Conflict::UnknownAttempt.into()) };
    if tx.maybe::<Uuid>(sql::LOCK_PILOT, &[submission.pilot.into()]).await?.is_none() {
        return Err(Conflict::UnknownPilot.into());
    }
    let copied = first_plays(tx, &[prepared]).await?;
    let copied_from = copied.get(&prepared.id).copied();
    let mut row = Vec::new();
    prepared.push_row(&mut row, day, Kind::Free, None, None, copied_from);
    let stored: Vec<Uuid> = tx.all_many(&sql::INSERT_FIGHTS, &row).await?;
    let same: Same = tx
        .one(
            sql::SAME_FIGHT,
            &[submission.pilot.into(), day.into(), (&submission.verdict.replay_digest).into()],
        )
        .await?;
    Ok(Recorded {
        fight: same.id,
        new: !stored.is_empty(),
        day,
        kind: same.kind,
        attempt: same.attempt,
        verified_at: same.verified_at,
        copied_from: same.copied_from,
        void: same.voided_at.is_some(),
    })
}

/// Writes down who plays a fleet and its calls first; answers, by fight, the first fight of another pilot.
async fn first_plays(tx: &mut Tx, batch: &[&Prepared]) -> Result<HashMap<Uuid, Uuid>> {
    let mut ordered: Vec<&&Prepared> = batch.iter().collect();
    ordered.sort_by_key(|it| it.submission.verdict.play_digest);
    let mut rows = Vec::with_capacity(ordered.len() * 3);
    for it in &ordered {
        let digest = &it.submission.verdict.play_digest;
        rows.extend([Value::from(digest), Value::from(it.id), Value::from(it.submission.pilot)]);
    }
    let first: Vec<Digest> = tx.all_many(&sql::INSERT_PLAYS, &rows).await?;
    let mut copied = HashMap::new();
    for it in ordered {
        let digest = &it.submission.verdict.play_digest;
        if !first.contains(digest) {
            let (fight, pilot): (Uuid, Uuid) = tx.one(sql::PLAY, &[digest.into()]).await?;
            if pilot != it.submission.pilot {
                copied.insert(it.id, fight);
            }
        }
    }
    Ok(copied)
}

impl Prepared {
    pub(crate) fn new(submission: Submission) -> Self {
        let verdict = &submission.verdict;
        let packed =
            Packed::new(&verdict.replay, &verdict.outcome, verdict.snapshot.as_deref(), &submission.received);
        Self { id: Uuid::now_v7(), packed, submission }
    }

    /// Appends the row of [`sql::INSERT_FIGHTS`].
    fn push_row<'a>(
        &'a self,
        row: &mut Vec<Value<'a>>,
        day: Day,
        kind: Kind,
        attempt: Option<Uuid>,
        issued_at: Option<Micros>,
        copied_from: Option<Uuid>,
    ) {
        let it = &self.submission;
        let verdict = &it.verdict;
        row.extend([
            self.id.into(),
            day.into(),
            it.pilot.into(),
            kind.as_str().into(),
            attempt.into(),
            verdict.engine.into(),
            Value::from(&verdict.ruleset),
            Value::from(&it.build),
            it.doctrine.as_deref().into(),
            Value::from(&verdict.replay_digest),
            Value::from(&verdict.setup_digest),
            Value::from(&verdict.play_digest),
            Value::from(&verdict.outcome_digest),
            verdict.snapshot_digest.as_ref().into(),
            verdict.standing.score.into(),
            verdict.standing.rounds.into(),
            verdict.standing.finished.into(),
            verdict.calls.into(),
            verdict.checkpoint.cast_signed().into(),
            verdict.rng_words.cast_signed().into(),
            verdict.desync.into(),
            issued_at.into(),
            it.submitted_at.into(),
            it.verified_at.into(),
            i64::try_from(it.verify_time.as_micros()).unwrap_or(i64::MAX).into(),
            copied_from.into(),
            Value::from(&self.packed.archive),
            Value::from(&self.packed.received),
        ]);
    }
}
