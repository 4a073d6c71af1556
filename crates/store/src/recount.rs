//! What a board must be, counted again from the records: for operators and for tests.

use std::collections::HashMap;

use serde::Serialize;
use uuid::Uuid;

use crate::db::{Record, Row, Tx, values};
use crate::ladder::{LOWEST, Ladder};
use crate::place::{Board, Place};
use crate::standings::{self, BEYOND, Entry, Run, better, with_day};
use crate::{Day, DayRecord, Micros, Month, Result, Store, sql};

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
        let entries = i64::try_from(self.entries);
        self.differences.is_empty() && entries == Ok(self.total) && entries == Ok(self.counted)
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
                let recount = compare(&mut tx, &board, expected).await;
                tx.rollback().await?;
                recount
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
        let (board, ladders) = (board.clone(), self.ladders.clone());
        self.transact(move |tx| {
            let (board, ladders) = (board.clone(), ladders.clone());
            Box::pin(async move {
                let mut standings = standings::Standings::new(&ladders);
                standings.hold(tx, [board.clone()]).await?;
                tx.execute(sql::CLEAR_BUCKETS, values![board.id()]).await?;
                let total: i64 = tx.one(sql::COUNT_ENTRIES, values![board.id()]).await?;
                // Step by step, so that no statement takes long however large the board is.
                let (mut places, mut from, mut skip) = (Vec::new(), LOWEST, 0);
                loop {
                    let next = values![board.id(), from.as_slice(), BEYOND.as_slice(), skip];
                    let Some(place): Option<Place> = tx.maybe(sql::PLACE_WITHIN, next).await? else { break };
                    (from, skip) = (place.key(), Ladder::step(total));
                    places.push(from);
                }
                let (ladder, changes) = Ladder::over(&places, total);
                standings::write_changes(tx, &[(board.id(), ladder.total(), changes)]).await
            })
        })
        .await
    }
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

async fn compare(tx: &mut Tx, board: &Board, mut expected: Expected) -> Result<Recount> {
    let stand = entries(tx, board.id()).await?;
    let mut differences = Vec::new();
    for (pilot, entry) in &stand {
        let should = expected.remove(pilot).filter(|should| !should.benched);
        if should != Some(*entry) {
            let should = should.map(|should| should.place.fight);
            differences.push(Difference { pilot: *pilot, stands: Some(entry.place.fight), should });
        }
    }
    for (pilot, should) in expected.into_iter().filter(|(_, should)| !should.benched) {
        differences.push(Difference { pilot, stands: None, should: Some(should.place.fight) });
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
