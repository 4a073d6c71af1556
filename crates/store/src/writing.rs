//! How submissions are written: a batch of them in one transaction, each with its own answer.
//!
//! Everything is locked in one order, so that batches of several replicas wait for each other and never in a ring:
//! pilots by id, attempts of these pilots, plays by digest, fights of these pilots, boards by id.

use std::collections::{BTreeSet, HashMap, HashSet};

use ongrid_engine::Digest;
use uuid::Uuid;

use crate::archive::Packed;
use crate::db::{Record, Row, Tx, Value, values};
use crate::ladder::Ladders;
use crate::place::{Board, Place};
use crate::standings::{Entry, Kept, Move, Standings, better, with_day};
use crate::{
    Attempt, AttemptState, Conflict, Day, Error, Kind, Micros, Play, Rank, Recorded, Result, Submission, sql,
};

/// A submission with what can be made of it before its transaction.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) id: Uuid,
    pub(crate) submission: Submission,
    packed: Packed,
}

/// A submission that may be stored, with what its attempt says of it.
struct Admitted<'a> {
    index: usize,
    prepared: &'a Prepared,
    day: Day,
    kind: Kind,
    attempt: Option<Uuid>,
    doctrine: Option<String>,
    issued_at: Option<Micros>,
    /// The board beside the day's.
    series: Option<Board>,
    benched: bool,
    copied_from: Option<Uuid>,
}

/// An attempt that was taken.
struct Taken {
    day: Day,
    kind: Kind,
    doctrine: String,
    issued_at: Micros,
}

/// The record that has the same content address.
struct Same {
    id: Uuid,
    kind: Kind,
    attempt: Option<Uuid>,
    verified_at: Micros,
    copied_from: Option<Uuid>,
    voided_at: Option<Micros>,
    build: String,
    outcome_digest: Digest,
}

impl Record for (Uuid, Taken) {
    fn read(row: &mut Row) -> Result<Self> {
        let id = row.next()?;
        let (day, kind, doctrine, issued_at) = (row.next()?, row.next()?, row.next()?, row.next()?);
        Ok((id, Taken { day, kind, doctrine, issued_at }))
    }
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
            build: row.next()?,
            outcome_digest: row.next()?,
        })
    }
}

impl Same {
    fn recorded(self, day: Day, new: bool) -> Recorded {
        Recorded {
            fight: self.id,
            new,
            day,
            kind: self.kind,
            attempt: self.attempt,
            verified_at: self.verified_at,
            copied_from: self.copied_from,
            void: self.voided_at.is_some(),
            build: self.build,
            outcome_digest: self.outcome_digest,
            rank: None,
        }
    }
}

/// The answers of a batch, in its order, and the ladders to keep after its commit.
pub(crate) type Written = (Vec<Result<Recorded>>, Kept);

/// Writes a batch in which no pilot occurs twice.
pub(crate) async fn write(tx: &mut Tx, ladders: &Ladders, batch: &[Prepared]) -> Result<Written> {
    let mut answers: Vec<Option<Result<Recorded>>> = batch.iter().map(|_| None).collect();
    let mut pilots = lock_pilots(tx, batch.iter().map(|it| it.submission.pilot).collect()).await?;
    pilots.retain(|_, pilot| !pilot.erased);
    let mut admitted = admit(tx, batch, &pilots, &mut answers).await?;
    mark_copies(tx, &mut admitted).await?;
    let counted = insert(tx, admitted, &mut answers).await?;
    let mut standings = Standings::new(ladders);
    let ranked = rank(tx, &mut standings, &counted).await?;
    for (index, rank) in ranked {
        if let Some(Some(Ok(recorded))) = answers.get_mut(index) {
            recorded.rank = Some(rank);
        }
    }
    let lost = || Err(Error::Corrupt("a submission got no answer".into()));
    Ok((answers.into_iter().map(|it| it.unwrap_or_else(lost)).collect(), standings.keep()))
}

/// A pilot that is locked until the commit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LockedPilot {
    pub(crate) banned: bool,
    pub(crate) erased: bool,
}

/// Locks pilots until the commit, against every other writer; answers those that there are.
pub(crate) async fn lock_pilots(tx: &mut Tx, mut pilots: Vec<Uuid>) -> Result<HashMap<Uuid, LockedPilot>> {
    pilots.sort_unstable();
    pilots.dedup();
    let rows: Vec<_> = pilots.into_iter().map(Value::from).collect();
    let lock = if tx.postgres().is_some() { &sql::postgres::LOCK_PILOTS } else { &sql::LOCK_PILOTS };
    let found: Vec<(Uuid, Option<Micros>, Option<Micros>)> = tx.all_many(lock, &rows).await?;
    let locked = |banned: Option<Micros>, erased: Option<Micros>| LockedPilot {
        banned: banned.is_some(),
        erased: erased.is_some(),
    };
    Ok(found.into_iter().map(|(pilot, banned, erased)| (pilot, locked(banned, erased))).collect())
}

/// Locks one pilot until the commit.
pub(crate) async fn lock_pilot(tx: &mut Tx, pilot: Uuid) -> Result<LockedPilot> {
    let mut found = lock_pilots(tx, vec![pilot]).await?;
    found.remove(&pilot).ok_or_else(|| Conflict::UnknownPilot.into())
}

/// Takes the attempts and answers what cannot be stored.
async fn admit<'a>(
    tx: &mut Tx,
    batch: &'a [Prepared],
    pilots: &HashMap<Uuid, LockedPilot>,
    answers: &mut [Option<Result<Recorded>>],
) -> Result<Vec<Admitted<'a>>> {
    let mut rows = Vec::new();
    for it in batch.iter().filter(|it| pilots.contains_key(&it.submission.pilot)) {
        if let Play::Attempt(attempt) = it.submission.play {
            let verdict = &it.submission.verdict;
            rows.extend([
                Value::from(attempt),
                it.submission.pilot.into(),
                it.id.into(),
                verdict.engine.into(),
            ]);
            rows.extend([Value::from(&verdict.setup_digest), verdict.seed.bytes().as_slice().into()]);
            rows.push(it.submission.submitted_at.into());
        }
    }
    let taken: Vec<(Uuid, Taken)> = tx.all_many(&sql::TAKE_ATTEMPTS, &rows).await?;
    let mut taken: HashMap<Uuid, Taken> = taken.into_iter().collect();

    let mut admitted = Vec::with_capacity(batch.len());
    for (index, (prepared, answer)) in batch.iter().zip(answers).enumerate() {
        let it = &prepared.submission;
        let Some(&LockedPilot { banned: benched, .. }) = pilots.get(&it.pilot) else {
            *answer = Some(Err(Conflict::UnknownPilot.into()));
            continue;
        };
        let engine = || it.verdict.engine.to_owned();
        let (attempt, day, kind, doctrine, issued_at, series) = match it.play {
            Play::Free { day, scenario } => {
                let series =
                    scenario.then(|| Board::Scenario { engine: engine(), setup: it.verdict.setup_digest });
                (None, day, Kind::Free, it.doctrine.clone(), None, series)
            }
            Play::Attempt(attempt) => match taken.remove(&attempt) {
                None => {
                    *answer = Some(judge(tx, attempt, it).await?);
                    continue;
                }
                Some(Taken { day, kind, doctrine, issued_at }) => {
                    let series = Board::Doctrine { engine: engine(), doctrine: doctrine.clone() };
                    let series = (kind == Kind::Ranked).then_some(series);
                    (Some(attempt), day, kind, Some(doctrine), Some(issued_at), series)
                }
            },
        };
        let copied_from = None;
        admitted.push(Admitted {
            index,
            prepared,
            day,
            kind,
            attempt,
            doctrine,
            issued_at,
            series,
            benched,
            copied_from,
        });
    }
    Ok(admitted)
}

/// What an attempt that could not be taken says to a replay: the verdict that it had, or why there is none.
async fn judge(tx: &mut Tx, id: Uuid, it: &Submission) -> Result<Result<Recorded>> {
    let attempt: Option<Attempt> = tx.maybe(sql::ATTEMPT, values![id]).await?;
    let Some(attempt) = attempt.filter(|attempt| attempt.pilot == it.pilot) else {
        return Ok(Err(Conflict::UnknownAttempt.into()));
    };
    if let Some(fight) = attempt.fight {
        let address = values![it.pilot, attempt.day, &it.verdict.replay_digest];
        let same: Option<Same> = tx.maybe(sql::SAME_FIGHT, address).await?;
        return Ok(match same.filter(|same| same.id == fight) {
            Some(same) => Ok(same.recorded(attempt.day, false)),
            None => Err(Conflict::AttemptSpent.into()),
        });
    }
    let conflict = if attempt.state == AttemptState::Spent {
        Conflict::AttemptSpent
    } else if attempt.final_at <= it.submitted_at {
        Conflict::DayClosed
    } else if attempt.state == AttemptState::Expired || attempt.expires_at <= it.submitted_at {
        Conflict::AttemptExpired
    } else {
        Conflict::AttemptDiffers
    };
    Ok(Err(conflict.into()))
}

/// Writes down who plays a fleet and its calls first, and marks those that another pilot played before.
async fn mark_copies(tx: &mut Tx, admitted: &mut [Admitted<'_>]) -> Result<()> {
    let mut ordered: Vec<&mut Admitted<'_>> = admitted.iter_mut().collect();
    ordered.sort_by_key(|it| it.prepared.submission.verdict.play_digest);
    let mut rows = Vec::with_capacity(ordered.len() * 3);
    for it in &ordered {
        let submission = &it.prepared.submission;
        let digest = &submission.verdict.play_digest;
        rows.extend([Value::from(digest), it.prepared.id.into(), submission.pilot.into()]);
    }
    let first: HashSet<Digest> = tx.all_many(&sql::INSERT_PLAYS, &rows).await?.into_iter().collect();
    let mut seen = HashSet::new();
    for it in ordered {
        let submission = &it.prepared.submission;
        let digest = &submission.verdict.play_digest;
        // Of several in one batch the first one in order was inserted.
        if first.contains(digest) && seen.insert(*digest) {
            continue;
        }
        let (fight, pilot): (Uuid, Uuid) = tx.one(sql::PLAY, values![digest]).await?;
        it.copied_from = (pilot != submission.pilot).then_some(fight);
    }
    Ok(())
}

/// A run that boards have to know of.
struct Counted {
    index: usize,
    pilot: Uuid,
    day: Day,
    kind: Kind,
    series: Board,
    entry: Entry,
}

/// Inserts the records; answers every one, and gives those that count.
async fn insert(
    tx: &mut Tx,
    mut admitted: Vec<Admitted<'_>>,
    answers: &mut [Option<Result<Recorded>>],
) -> Result<Vec<Counted>> {
    admitted.sort_by_key(|it| (it.prepared.submission.pilot, it.prepared.submission.verdict.replay_digest));
    let mut rows = Vec::with_capacity(admitted.len() * 29);
    for it in &admitted {
        it.push_row(&mut rows);
    }
    let stored: HashSet<Uuid> = tx.all_many(&sql::INSERT_FIGHTS, &rows).await?.into_iter().collect();
    drop(rows);
    let mut counted = Vec::with_capacity(admitted.len());
    for it in admitted {
        let (recorded, counts) = match stored.contains(&it.prepared.id) {
            true => (it.recorded(), true),
            false => known(tx, &it).await?,
        };
        let index = it.index;
        counted.extend(it.counted(recorded.fight).filter(|_| counts && !recorded.void));
        answers[index] = Some(Ok(recorded));
    }
    Ok(counted)
}

/// A replay that is stored already: the first record stands. A free fight becomes its attempt's, if it has one now; only
/// then boards have to hear of it.
async fn known(tx: &mut Tx, it: &Admitted<'_>) -> Result<(Recorded, bool)> {
    let submission = &it.prepared.submission;
    let address = values![submission.pilot, it.day, &submission.verdict.replay_digest];
    let mut same: Same = tx.one(sql::SAME_FIGHT, address).await?;
    let Some(attempt) = it.attempt else { return Ok((same.recorded(it.day, false), false)) };
    tx.execute(sql::SET_ATTEMPT_FIGHT, values![attempt, same.id]).await?;
    if same.kind != Kind::Free {
        return Ok((same.recorded(it.day, false), false));
    }
    let series = it.series.as_ref().map(Board::id);
    let promoted = values![
        same.id,
        it.day,
        it.kind.as_str(),
        attempt,
        it.doctrine.as_deref(),
        it.issued_at,
        submission.submitted_at,
        submission.verified_at,
        series,
    ];
    tx.execute(sql::PROMOTE_FIGHT, promoted).await?;
    // Its receipt is another one from now on, and the log has to learn of it.
    tx.execute(sql::INSERT_LOG_QUEUE, values![same.id]).await?;
    same.kind = it.kind;
    same.attempt = Some(attempt);
    same.verified_at = submission.verified_at;
    Ok((same.recorded(it.day, false), true))
}

/// Puts the runs that count on their boards; answers the ranks of the day, by index in the batch.
async fn rank(tx: &mut Tx, standings: &mut Standings<'_>, counted: &[Counted]) -> Result<Vec<(usize, Rank)>> {
    if counted.is_empty() {
        return Ok(Vec::new());
    }
    standings.hold(tx, counted.iter().flat_map(Counted::boards)).await?;
    let asked: Vec<_> = counted
        .iter()
        .flat_map(|it| {
            let on_day = |board: &Board| matches!(board, Board::Day(_)).then_some(it.entry.place);
            it.boards().map(move |board| (it.pilot, board.id(), on_day(&board)))
        })
        .collect();
    let found = standings.read(tx, &asked).await?;
    let mut moves = Vec::with_capacity(asked.len());
    let mut replaced = Vec::new();
    for it in counted {
        let old = |board: &Board| found.get(&(it.pilot, board.id())).and_then(|found| found.entry);
        let shift = |board: &Board, new| Move { board: board.id(), pilot: it.pilot, old: old(board), new };
        if it.kind == Kind::Free {
            let run = Entry { elapsed: None, series: None, ..it.entry };
            moves.push(shift(&it.series, better(old(&it.series), Some(run))));
            continue;
        }
        let (day, season) = (Board::Day(it.day), Board::Season(it.day.month()));
        let (was, best) = (old(&day), better(old(&day), Some(it.entry)));
        if best == was {
            continue;
        }
        moves.push(shift(&day, best));
        if was.is_some() {
            replaced.push((it, was.and_then(|was| was.series)));
            continue;
        }
        moves.push(shift(&season, Some(with_day(old(&season), it.day, &it.entry))));
        let run = Entry { series: None, ..it.entry };
        moves.push(shift(&it.series, better(old(&it.series), Some(run))));
    }
    moves.retain(|it| it.old != it.new);
    standings.shift(tx, &moves).await?;
    for (it, was) in replaced {
        // A better run of the same day takes the place of one that sums and bests were made of.
        resettle(tx, standings, it.pilot, it.day, was.into_iter().chain(it.entry.series)).await?;
    }
    let mut ranks = Vec::with_capacity(counted.len());
    for it in counted.iter().filter(|it| it.kind != Kind::Free && !it.entry.benched) {
        let board = Board::Day(it.day).id();
        // Only those that moved: a run that is no better leaves its pilot where it was.
        let moved = moves.iter().any(|to| to.board == board && to.pilot == it.pilot);
        if let Some(found) = found.get(&(it.pilot, board)).filter(|_| moved) {
            let rank = found.before + 1 + moved_before(&moves, board, &it.entry.place);
            ranks.push((it.index, Rank { rank, of: standings.total(tx, board).await? }));
        }
    }
    Ok(ranks)
}

/// How many more stand before a place of a board after these moves than did before them.
fn moved_before(moves: &[Move], board: Uuid, place: &Place) -> i64 {
    let before =
        |entry: &Option<Entry>| i64::from(entry.is_some_and(|entry| !entry.benched && entry.place < *place));
    moves.iter().filter(|it| it.board == board).map(|it| before(&it.new) - before(&it.old)).sum()
}

/// Makes sums and bests of a pilot what its days say, after the entry of a day changed; `series` are the doctrines'
/// boards that the day counted for and counts for now.
pub(crate) async fn resettle(
    tx: &mut Tx,
    standings: &mut Standings<'_>,
    pilot: Uuid,
    day: Day,
    series: impl IntoIterator<Item = Uuid>,
) -> Result<()> {
    standings.settle_season(tx, pilot, day.month()).await?;
    for board in series.into_iter().collect::<BTreeSet<_>>() {
        if !standings.holds(board) {
            // Two runs of one day under two engines: too rare to be foreseen in the order of locks.
            let (kind, name): (String, String) = tx.one(sql::BOARD, values![board]).await?;
            standings.hold(tx, [Board::named(&kind, &name)?]).await?;
        }
        standings.settle_doctrine(tx, pilot, board).await?;
    }
    Ok(())
}

impl Counted {
    fn boards(&self) -> impl Iterator<Item = Board> {
        let of_day = match self.kind {
            Kind::Free => None,
            _ => Some([Board::Day(self.day), Board::Season(self.day.month())]),
        };
        of_day.into_iter().flatten().chain([self.series.clone()])
    }
}

impl Admitted<'_> {
    fn recorded(&self) -> Recorded {
        Recorded {
            fight: self.prepared.id,
            new: true,
            day: self.day,
            kind: self.kind,
            attempt: self.attempt,
            verified_at: self.prepared.submission.verified_at,
            copied_from: self.copied_from,
            void: false,
            build: self.prepared.submission.build.clone(),
            outcome_digest: self.prepared.submission.verdict.outcome_digest,
            rank: None,
        }
    }

    /// What boards have to know of it, if it counts on any; unfinished never ranks.
    fn counted(self, fight: Uuid) -> Option<Counted> {
        let it = &self.prepared.submission;
        let series = self.series.filter(|_| it.verdict.standing.finished)?;
        let standing = &it.verdict.standing;
        let place = Place { score: standing.score, rounds: standing.rounds, at: it.verified_at, fight };
        let elapsed = self.issued_at.map(|issued| it.submitted_at.since(issued));
        let entry = Entry { place, elapsed, days: 0, series: Some(series.id()), benched: self.benched };
        Some(Counted { index: self.index, pilot: it.pilot, day: self.day, kind: self.kind, series, entry })
    }

    /// Appends the row of [`sql::INSERT_FIGHTS`].
    fn push_row<'r>(&'r self, row: &mut Vec<Value<'r>>) {
        let it = &self.prepared.submission;
        let verdict = &it.verdict;
        row.extend([
            self.prepared.id.into(),
            self.day.into(),
            it.pilot.into(),
            self.kind.as_str().into(),
            self.attempt.into(),
            verdict.engine.into(),
            Value::from(&verdict.ruleset),
            Value::from(&it.build),
            self.doctrine.as_deref().into(),
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
            self.issued_at.into(),
            it.submitted_at.into(),
            it.verified_at.into(),
            i64::try_from(it.verify_time.as_micros()).unwrap_or(i64::MAX).into(),
            self.copied_from.into(),
            self.series.as_ref().map(Board::id).into(),
            Value::from(&self.prepared.packed.archive),
            Value::from(&self.prepared.packed.received),
        ]);
    }
}

/// An id made at an instant: where it is, the day of the fight is not far ([`crate::fights::days_of`]).
fn id_at(at: Micros) -> Uuid {
    let micros = at.0.max(0).cast_unsigned();
    let nanos = u32::try_from(micros % 1_000_000 * 1000).unwrap_or_default();
    Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, micros / 1_000_000, nanos))
}

impl Prepared {
    pub(crate) fn new(submission: Submission) -> Self {
        let verdict = &submission.verdict;
        let packed = Packed::new(
            &verdict.replay,
            &verdict.outcome,
            verdict.snapshot.as_deref(),
            &verdict.trail,
            &submission.received,
        );
        Self { id: id_at(submission.submitted_at), packed, submission }
    }

    /// Whether both ask for the same thing, so that one answer is good for either.
    pub(crate) fn repeats(&self, other: &Self) -> bool {
        let address =
            |it: &Self| (it.submission.pilot, it.submission.play, it.submission.verdict.replay_digest);
        address(self) == address(other)
    }
}
