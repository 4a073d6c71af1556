//! What a board must be, counted again from the records: for operators and for tests.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use uuid::Uuid;

use crate::db::{Record, Row, Tx, Value, values};
use crate::fights::days_of;
use crate::ladder::{LOWEST, Ladder};
use crate::place::{Board, Place};
use crate::standings::{self, BEYOND, Entry, Run, better, with_day};
use crate::store::Work;
use crate::{Day, DayRecord, Fight, Micros, Month, Result, Store, sql};

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

type Expected = HashMap<Uuid, Entry>;

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

    /// Makes a board what the records say, and answers how it was found. One that agrees is only read; one that does not
    /// is held meanwhile, so that submissions that count for it wait.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn mend(&self, board: &Board) -> Result<Recount> {
        let found = self.recount(board).await?;
        if found.agrees() {
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
                    let right = pilots.iter().filter_map(|pilot| Some((*pilot, *expected.get(pilot)?)));
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
    let should = |pilot| expected.get(pilot).filter(|should| !should.benched);
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
    for (pilot, entry) in expected.iter().filter(|(pilot, entry)| !entry.benched && !stood.contains(pilot)) {
        differences.push(Difference { pilot: *pilot, stands: None, should: Some(entry.place.fight) });
    }
    let total = tx.one(sql::TOTAL, values![board.id()]).await?;
    let counted = Ladder::new(standings::read_buckets(tx, board.id()).await?);
    let counted =
        if counted.agrees_with(&stand.iter().map(|(_, entry)| entry.place.key()).collect::<Vec<_>>()) {
            counted.total()
        } else {
            -1
        };
    Ok(Recount { entries: stand.len(), total, counted, differences })
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
    let days: Vec<DayRecord> = tx.all(sql::DAYS, values![first, last]).await?;
    Ok(record.is_none() && days.iter().any(|day| day.archived_at.is_some()))
}

async fn expected(tx: &mut Tx, board: &Board) -> Result<Expected> {
    match board {
        Board::Day(day) => day_entries(tx, *day).await,
        Board::Season(month) => season_entries(tx, *month).await,
        Board::Doctrine { .. } => doctrine_entries(tx, board.id()).await,
        Board::Scenario { .. } => {
            let mut best = Expected::new();
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

fn keep_better(best: &mut Expected, pilot: Uuid, entry: Entry) {
    let known = best.get(&pilot).copied();
    if let Some(entry) = better(known, Some(entry)) {
        best.insert(pilot, entry);
    }
}

/// The best of each pilot's runs of a day.
async fn day_entries(tx: &mut Tx, day: Day) -> Result<Expected> {
    let known: Option<DayRecord> = tx.maybe(sql::DAY, values![day]).await?;
    if known.is_some_and(|day| day.archived_at.is_some()) {
        return Ok(entries(tx, Board::Day(day).id()).await?.into_iter().collect());
    }
    let mut best = Expected::new();
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
    let mut sums = Expected::new();
    for day in month.first().0..=month.last().0 {
        for (pilot, run) in day_entries(tx, Day(day)).await? {
            let sum = with_day(sums.get(&pilot).copied(), Day(day), &run);
            sums.insert(pilot, sum);
        }
    }
    Ok(sums)
}

async fn doctrine_entries(tx: &mut Tx, board: Uuid) -> Result<Expected> {
    let mut best = Expected::new();
    let (first, last) = Board::days(Day(i32::MIN), Day(i32::MAX));
    let days: Vec<Uuid> = tx.all(sql::BOARDS_BETWEEN, values![first, last]).await?;
    for day in days.into_iter().filter_map(Board::day_of) {
        for (pilot, run) in day_entries(tx, day).await? {
            if run.series == Some(board) {
                keep_better(&mut best, pilot, Entry { series: None, ..run });
            }
        }
    }
    Ok(best)
}
