//! What a board must be, counted again from the records: for operators and for tests.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use uuid::Uuid;

use crate::db::{Record, Row, Tx, Value, values};
use crate::fights::days_of;
use crate::ladder::{LOWEST, Ladder};
use crate::place::{Board, Place};
use crate::standings::{self, BEYOND, Entry, Read, Run, better, with_day};
use crate::store::Work;
use crate::{Day, DayRecord, Error, Fight, Micros, Month, Result, Store, sql};

/// A pilot whose standing is not what the records say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The pilot.
    pub pilot: Uuid,
    /// The fight that stands on the board.
    pub stands: Option<Uuid>,
    /// The fight that should.
    pub should: Option<Uuid>,
}

/// A board held against the records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recount {
    /// How many stand on the board.
    pub entries: usize,
    /// How many it says that it has.
    pub total: i64,
    /// How many its ranks are counted from.
    pub counted: i64,
    /// Where the board is not what the records say.
    pub differences: Vec<Difference>,
}

impl Recount {
    /// Whether the board is what the records say.
    pub fn agrees(&self) -> bool {
        self.differences.is_empty() && self.ranks_agree()
    }

    /// Whether ranks are counted from the entries that stand on it.
    pub fn ranks_agree(&self) -> bool {
        let entries = i64::try_from(self.entries);
        entries == Ok(self.total) && entries == Ok(self.counted)
    }
}

/// Rows read at a time.
const PAGE: u32 = 20_000;

/// What counts on a day or a scenario: who, whether banned, the run.
struct Counts {
    pilot: Uuid,
    banned_at: Option<Micros>,
    run: Run,
}

impl Record for Counts {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self { pilot: row.next()?, banned_at: row.next()?, run: Record::read(row)? })
    }
}

/// What the records say of a board.
#[derive(Default)]
struct Expected {
    entries: HashMap<Uuid, Entry>,
    /// Whether they are from a day that is archived, of which nothing is known but what stands.
    archived: bool,
}

impl Store {
    /// Counts a board again from the fights, in one snapshot. A day that is archived counts as it stands.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn recount(&self, board: &Board) -> Result<Recount> {
        let (db, board) = (self.db.clone(), board.clone());
        self.detached(move || {
            Box::pin(async move {
                let mut tx = db.begin_reading().await?;
                let expected = expected(&mut tx, &board).await?;
                let recount = compare(&mut tx, &board, &expected).await;
                tx.rollback().await?;
                recount
            })
        })
        .await
    }

    /// Makes a board what the records say, and answers how it was found. One that agrees is only read; one that does not,
    /// or whose own row is lost, is held meanwhile, so that submissions that count for it wait.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn mend(&self, board: &Board) -> Result<Recount> {
        let found = self.recount(board).await?;
        let row: Option<String> = self.db.maybe(sql::BOARD, values![board.id()]).await?;
        if found.agrees() && (row.is_some() || found.entries == 0) {
            return Ok(found);
        }
        self.holding(board, |tx, board| {
            Box::pin(async move {
                let expected = expected(tx, board).await?;
                let found = compare(tx, board, &expected).await?;
                let wrong: Vec<Uuid> = found.differences.iter().map(|it| it.pilot).collect();
                // All that is wrong goes first: a place is one entry's.
                for pilots in wrong.chunks(PAGE as usize) {
                    let rows = pilots.iter().flat_map(|pilot| [Value::from(*pilot), board.id().into()]);
                    tx.execute_many(&sql::DROP_ENTRIES, &rows.collect::<Vec<_>>()).await?;
                }
                for pilots in wrong.chunks(PAGE as usize) {
                    let right =
                        pilots.iter().filter_map(|pilot| Some((*pilot, *expected.entries.get(pilot)?)));
                    let right: Vec<_> =
                        right.map(|(pilot, entry)| (pilot, entry, entry.place.key())).collect();
                    let mut rows = Vec::with_capacity(right.len() * 7);
                    for (pilot, entry, key) in &right {
                        entry.push_row(&mut rows, *pilot, board.id(), key);
                    }
                    tx.execute_many(&sql::ADD_ENTRIES, &rows).await?;
                }
                rebuild(tx, board).await?;
                Ok(found)
            })
        })
        .await
    }

    /// Makes the buckets of a board anew from its entries: after a bulk load (on Postgres vacuumed, or every entry is looked
    /// up in its table), or where a recount finds that ranks are counted wrong.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn rebuild_ranks(&self, board: &Board) -> Result<()> {
        self.holding(board, |tx, board| Box::pin(rebuild(tx, board))).await
    }

    /// Runs a transaction that holds a board.
    async fn holding<T: Send + 'static>(
        &self,
        board: &Board,
        work: for<'t> fn(&'t mut Tx, &'t Board) -> Work<'t, T>,
    ) -> Result<T> {
        let (board, ladders) = (board.clone(), self.ladders.clone());
        self.transact(move |tx| {
            let (board, ladders) = (board.clone(), ladders.clone());
            Box::pin(async move {
                standings::Standings::new(&ladders).hold(tx, [board.clone()]).await?;
                work(tx, &board).await
            })
        })
        .await
    }
}

/// Makes the buckets of a board, which is held, anew. Step by step, so that no statement takes long however large it is.
async fn rebuild(tx: &mut Tx, board: &Board) -> Result<()> {
    tx.execute(sql::CLEAR_BUCKETS, values![board.id()]).await?;
    let total: i64 = tx.one(sql::COUNT_ENTRIES, values![board.id()]).await?;
    let (mut places, mut from, mut skip) = (Vec::new(), LOWEST, 0);
    loop {
        let next = values![board.id(), from.as_slice(), BEYOND.as_slice(), skip];
        let Some(place): Option<Place> = tx.maybe(sql::PLACE_WITHIN, next).await? else { break };
        (from, skip) = (place.key(), Ladder::step(total));
        places.push(from);
    }
    let (ladder, changes) = Ladder::over(&places, total);
    standings::write_changes(tx, &[(board.id(), ladder.total(), changes)]).await
}

/// The entries that stand on a board, in order.
async fn entries(tx: &mut Tx, board: Uuid) -> Result<Vec<(Uuid, Entry)>> {
    let mut all: Vec<(Uuid, Entry)> = Vec::new();
    loop {
        let after = all.last().map_or(Vec::new(), |(_, entry)| entry.place.key().to_vec());
        let mut page = tx.all(sql::ENTRIES, values![board, &after, PAGE]).await?;
        let more = page.len() == PAGE as usize;
        all.append(&mut page);
        if !more {
            return Ok(all);
        }
    }
}

async fn compare(tx: &mut Tx, board: &Board, expected: &Expected) -> Result<Recount> {
    let stand = entries(tx, board.id()).await?;
    let should = |pilot| expected.entries.get(pilot).filter(|should| !should.benched);
    let mut differences = Vec::new();
    for (pilot, entry) in &stand {
        let should = should(pilot);
        if should == Some(entry) || is_of_archived(tx, board, entry, should).await? {
            continue;
        }
        let should = should.map(|should| should.place.fight);
        differences.push(Difference { pilot: *pilot, stands: Some(entry.place.fight), should });
    }
    let stood: HashSet<Uuid> = stand.iter().map(|(pilot, _)| *pilot).collect();
    let missing = |(pilot, entry): &(&Uuid, &Entry)| !entry.benched && !stood.contains(*pilot);
    for (pilot, entry) in expected.entries.iter().filter(missing) {
        differences.push(Difference { pilot: *pilot, stands: None, should: Some(entry.place.fight) });
    }
    if !expected.archived {
        compare_benched(tx, board.id(), &expected.entries, &mut differences).await?;
    }
    let total = tx.one(sql::TOTAL, values![board.id()]).await?;
    let places: Vec<_> = stand.iter().map(|(_, entry)| entry.place.key()).collect();
    let ladder = match standings::read_buckets(tx, board.id()).await {
        Ok(buckets) => Some(Ladder::new(buckets)).filter(|ladder| ladder.agrees_with(&places)),
        // Buckets that begin at no place count nothing.
        Err(Error::Corrupt(_)) => None,
        Err(fault) => return Err(fault),
    };
    let counted = ladder.map_or(-1, |ladder| ladder.total());
    Ok(Recount { entries: stand.len(), total, counted, differences })
}

/// Holds the entries of banned pilots, which are kept for the day on which they are not banned any more, against the
/// records.
async fn compare_benched(
    tx: &mut Tx,
    board: Uuid,
    expected: &HashMap<Uuid, Entry>,
    differences: &mut Vec<Difference>,
) -> Result<()> {
    let mut benched: Vec<(&Uuid, &Entry)> = expected.iter().filter(|(_, entry)| entry.benched).collect();
    benched.sort_unstable_by_key(|(pilot, _)| **pilot);
    for page in benched.chunks(PAGE as usize) {
        let none = None::<&[u8]>;
        let rows: Vec<Value<'_>> = page
            .iter()
            .flat_map(|(pilot, _)| [Value::from(**pilot), board.into(), none.into(), none.into()])
            .collect();
        let kept = tx.all_many::<Read>(&sql::ENTRIES_OF, &rows).await?;
        let kept: HashMap<Uuid, Option<Entry>> = kept.into_iter().map(|it| (it.pilot, it.entry)).collect();
        for (pilot, should) in page {
            let kept = kept.get(*pilot).copied().flatten();
            if kept != Some(**should) {
                let stands = kept.map(|kept| kept.place.fight);
                differences.push(Difference { pilot: **pilot, stands, should: Some(should.place.fight) });
            }
        }
    }
    Ok(())
}

/// Whether a run that stands on the board of a scenario has no record only because its day is archived: it stays, unless
/// there is a better one.
async fn is_of_archived(tx: &mut Tx, board: &Board, stands: &Entry, should: Option<&Entry>) -> Result<bool> {
    let worse = should.is_some_and(|should| should.place < stands.place);
    if !matches!(board, Board::Scenario { .. }) || worse {
        return Ok(false);
    }
    let (first, last) = days_of(stands.place.fight);
    let record: Option<Fight> = tx.maybe(sql::FIGHT, values![stands.place.fight, first, last]).await?;
    Ok(record.is_none() && !archived_days(tx, first, last).await?.is_empty())
}

async fn expected(tx: &mut Tx, board: &Board) -> Result<Expected> {
    match board {
        Board::Day(day) => {
            let archived = !archived_days(tx, *day, *day).await?.is_empty();
            day_entries(tx, *day, archived).await
        }
        Board::Season(month) => season_entries(tx, *month).await,
        Board::Doctrine { .. } => doctrine_entries(tx, board.id()).await,
        Board::Scenario { .. } => {
            let archived = !archived_days(tx, Day(i32::MIN), Day(i32::MAX)).await?.is_empty();
            let mut best = Expected { archived, ..Expected::default() };
            let mut after = Uuid::nil();
            loop {
                let page: Vec<Counts> = tx.all(sql::SCENARIO_RUNS, values![board.id(), after, PAGE]).await?;
                let Some(last) = page.last() else { return Ok(best) };
                after = last.run.place.fight;
                for it in page {
                    keep_better(&mut best, it.pilot, it.run.on_scenario(it.banned_at.is_some()));
                }
            }
        }
    }
}

/// The days between two, both included, that are archived.
async fn archived_days(tx: &mut Tx, first: Day, last: Day) -> Result<Vec<Day>> {
    let days: Vec<DayRecord> = tx.all(sql::DAYS, values![first, last]).await?;
    Ok(days.into_iter().filter(|day| day.archived_at.is_some()).map(|day| day.day).collect())
}

fn keep_better(best: &mut Expected, pilot: Uuid, entry: Entry) {
    let known = best.entries.get(&pilot).copied();
    if let Some(entry) = better(known, Some(entry)) {
        best.entries.insert(pilot, entry);
    }
}

/// The best of each pilot's runs of a day.
async fn day_entries(tx: &mut Tx, day: Day, archived: bool) -> Result<Expected> {
    if archived {
        let entries = entries(tx, Board::Day(day).id()).await?.into_iter().collect();
        return Ok(Expected { entries, archived: true });
    }
    let mut best = Expected::default();
    let mut after = Uuid::nil();
    loop {
        let page: Vec<Counts> = tx.all(sql::DAY_RUNS, values![day, after, PAGE]).await?;
        let Some(last) = page.last() else { return Ok(best) };
        after = last.run.place.fight;
        for it in page {
            keep_better(&mut best, it.pilot, it.run.on_day(it.banned_at.is_some()));
        }
    }
}

async fn season_entries(tx: &mut Tx, month: Month) -> Result<Expected> {
    let mut sums = Expected::default();
    let archived = archived_days(tx, month.first(), month.last()).await?;
    for day in month.first().0..=month.last().0 {
        let runs = day_entries(tx, Day(day), archived.contains(&Day(day))).await?;
        sums.archived |= runs.archived;
        for (pilot, run) in runs.entries {
            let sum = with_day(sums.entries.get(&pilot).copied(), Day(day), &run);
            sums.entries.insert(pilot, sum);
        }
    }
    Ok(sums)
}

async fn doctrine_entries(tx: &mut Tx, board: Uuid) -> Result<Expected> {
    let mut best = Expected::default();
    // The days that there are, not their boards: whose row is lost has its runs all the same.
    let days: Vec<DayRecord> = tx.all(sql::DAYS, values![Day(i32::MIN), Day(i32::MAX)]).await?;
    for day in days {
        let runs = day_entries(tx, day.day, day.archived_at.is_some()).await?;
        best.archived |= runs.archived;
        for (pilot, run) in runs.entries {
            if run.series == Some(board) {
                keep_better(&mut best, pilot, Entry { series: None, ..run });
            }
        }
    }
    Ok(best)
}
