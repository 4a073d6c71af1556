//! How boards change: always under the lock of their rows, entries and buckets together.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use uuid::Uuid;

use crate::db::{Record, Row, Tx, Value, values};
use crate::ladder::{Changes, Ladder, Ladders};
use crate::place::{Board, Key, Place};
use crate::{Day, Error, Micros, Month, Result, sql};

/// Greater than every place.
pub(crate) const BEYOND: [u8; Place::LENGTH + 1] = [0xff; Place::LENGTH + 1];

/// A pilot's standing on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) place: Place,
    /// From the issue of the attempt to the submission; none for sums and free fights.
    pub(crate) elapsed: Option<Duration>,
    /// Days of a season that count, bit 0 the first; 0 on other boards.
    pub(crate) days: i64,
    /// The doctrine's board that a day's run counts for as well.
    pub(crate) series: Option<Uuid>,
    /// Whether the pilot is banned: the entry is kept up, and stands nowhere.
    pub(crate) benched: bool,
}

impl Record for Entry {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            place: row.next()?,
            elapsed: row.next()?,
            days: row.next()?,
            series: row.next()?,
            benched: row.next()?,
        })
    }
}

impl Entry {
    /// Appends the row of [`sql::ADD_ENTRIES`] and [`sql::CHANGE_ENTRIES`]; the key is that of its place.
    pub(crate) fn push_row<'r>(&self, rows: &mut Vec<Value<'r>>, pilot: Uuid, board: Uuid, key: &'r Key) {
        rows.extend([
            Value::from(pilot),
            board.into(),
            key.as_slice().into(),
            self.elapsed.map(|time| i64::try_from(time.as_micros()).unwrap_or(i64::MAX)).into(),
            self.days.into(),
            self.series.into(),
            self.benched.into(),
        ]);
    }
}

/// The better of two entries.
pub(crate) fn better(one: Option<Entry>, other: Option<Entry>) -> Option<Entry> {
    [one, other].into_iter().flatten().min_by_key(|entry| entry.place)
}

/// Adds a day's run to a season: sums of score and rounds, instant and fight of the latest run.
pub(crate) fn with_day(season: Option<Entry>, day: Day, run: &Entry) -> Entry {
    let bit = 1_i64 << (day.0 - day.month().first().0).clamp(0, 31);
    let Some(season) = season else {
        return Entry { elapsed: None, days: bit, series: None, ..*run };
    };
    let latest = |place: &Place| (place.at, place.fight);
    let last = if latest(&run.place) > latest(&season.place) { run.place } else { season.place };
    let place = Place {
        score: season.place.score.saturating_add(run.place.score),
        rounds: season.place.rounds.saturating_add(run.place.rounds),
        at: last.at,
        fight: last.fight,
    };
    Entry { place, days: season.days | bit, ..season }
}

/// What is known of a pilot on a board before it changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) entry: Option<Entry>,
    /// How many stand before the place that was asked for.
    pub(crate) before: i64,
}

/// A row of [`sql::ENTRIES_OF`].
pub(crate) struct Read {
    pub(crate) pilot: Uuid,
    board: Uuid,
    within: i64,
    pub(crate) entry: Option<Entry>,
}

impl Record for Read {
    fn read(row: &mut Row) -> Result<Self> {
        let (pilot, board, within) = (row.next()?, row.next()?, row.next()?);
        let (place, elapsed): (Option<Place>, _) = (row.next()?, row.next()?);
        let (days, series): (Option<i64>, _) = (row.next()?, row.next()?);
        let benched: Option<bool> = row.next()?;
        let entry = place.map(|place| Entry {
            place,
            elapsed,
            days: days.unwrap_or_default(),
            series,
            benched: benched.unwrap_or_default(),
        });
        Ok(Self { pilot, board, within, entry })
    }
}

/// A change of a pilot's standing on a board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) board: Uuid,
    pub(crate) pilot: Uuid,
    pub(crate) old: Option<Entry>,
    pub(crate) new: Option<Entry>,
}

/// The boards that a transaction holds. Everything it knows of them is true until its commit.
pub(crate) struct Standings<'s> {
    ladders: &'s Ladders,
    held: BTreeMap<Uuid, Held>,
}

struct Held {
    revision: i64,
    /// The revision that this transaction found.
    before: i64,
    ladder: Option<Ladder>,
}

/// The ladders to be kept after the commit, each with its board and revision.
pub(crate) type Kept = Vec<(Uuid, i64, Ladder)>;

impl<'s> Standings<'s> {
    pub(crate) fn new(ladders: &'s Ladders) -> Self {
        Self { ladders, held: BTreeMap::new() }
    }

    /// Locks boards, in the order of their ids, and makes those that are new. A transaction that can name all its
    /// boards beforehand locks them in one go, so that two of them never wait for each other.
    pub(crate) async fn hold(&mut self, tx: &mut Tx, boards: impl IntoIterator<Item = Board>) -> Result<()> {
        let boards: BTreeMap<Uuid, Board> = boards
            .into_iter()
            .map(|board| (board.id(), board))
            .filter(|(id, _)| !self.held.contains_key(id))
            .collect();
        let names: Vec<String> = boards.values().map(Board::name).collect();
        // Revisions go on by steps that nobody foretells: a database that lost commits and went on without them does not
        // come to a number again that this process knows of the history that is lost.
        let step = 1 + (Uuid::now_v7().as_u128() & 0xFF_FFFF) as i64;
        let mut rows = Vec::with_capacity(boards.len() * 4);
        for ((id, board), name) in boards.iter().zip(&names) {
            rows.extend([Value::from(*id), board.kind().into(), name.into(), step.into()]);
        }
        for (board, revision) in tx.all_many::<(Uuid, i64)>(&sql::HOLD_BOARDS, &rows).await? {
            self.held.insert(board, Held { revision, before: revision - step, ladder: None });
        }
        Ok(())
    }

    pub(crate) fn holds(&self, board: Uuid) -> bool {
        self.held.contains_key(&board)
    }

    /// The entries of pilots on boards, which are held. With a pilot goes, where it is asked for, a place on that board:
    /// answered is how many stand before it now.
    pub(crate) async fn read(
        &mut self,
        tx: &mut Tx,
        asked: &[(Uuid, Uuid, Option<Place>)],
    ) -> Result<HashMap<(Uuid, Uuid), Found>> {
        let mut homes = Vec::with_capacity(asked.len());
        for (_, board, place) in asked {
            homes.push(match place {
                None => None,
                Some(place) => {
                    let (low, before) = self.ladder(tx, *board).await?.home(&place.key());
                    Some((low, before, place.key()))
                }
            });
        }
        let mut rows = Vec::with_capacity(asked.len() * 4);
        let mut found = HashMap::with_capacity(asked.len());
        for ((pilot, board, _), home) in asked.iter().zip(&homes) {
            let (low, place) =
                home.as_ref().map(|(low, _, place)| (low.as_slice(), place.as_slice())).unzip();
            rows.extend([Value::from(*pilot), (*board).into(), low.into(), place.into()]);
            let before = home.as_ref().map_or(0, |(_, before, _)| *before);
            found.insert((*pilot, *board), Found { entry: None, before });
        }
        for it in tx.all_many::<Read>(&sql::ENTRIES_OF, &rows).await? {
            if let Some(found) = found.get_mut(&(it.pilot, it.board)) {
                found.entry = it.entry;
                found.before += it.within;
            }
        }
        Ok(found)
    }

    /// The entry of one pilot on one board, which is held.
    pub(crate) async fn entry(&mut self, tx: &mut Tx, pilot: Uuid, board: Uuid) -> Result<Option<Entry>> {
        let mut found = self.read(tx, &[(pilot, board, None)]).await?;
        Ok(found.remove(&(pilot, board)).and_then(|found| found.entry))
    }

    /// How many stand on a board, which is held.
    pub(crate) async fn total(&mut self, tx: &mut Tx, board: Uuid) -> Result<i64> {
        Ok(self.ladder(tx, board).await?.total())
    }

    /// Moves entries on boards that are held; of a pilot on a board at most one at a time.
    pub(crate) async fn shift(&mut self, tx: &mut Tx, moves: &[Move]) -> Result<()> {
        let keys: Vec<Option<Key>> = moves.iter().map(|it| it.new.map(|new| new.place.key())).collect();
        let (mut added, mut changed, mut dropped) =
            (Vec::with_capacity(moves.len() * 7), Vec::new(), Vec::new());
        for (it, key) in moves.iter().zip(&keys) {
            match (&it.new, key) {
                (Some(new), Some(key)) => {
                    let rows = if it.old.is_some() { &mut changed } else { &mut added };
                    new.push_row(rows, it.pilot, it.board, key);
                }
                _ if it.old.is_some() => dropped.extend([Value::from(it.pilot), it.board.into()]),
                _ => {}
            }
        }
        tx.execute_many(&sql::DROP_ENTRIES, &dropped).await?;
        tx.execute_many(&sql::CHANGE_ENTRIES, &changed).await?;
        tx.execute_many(&sql::ADD_ENTRIES, &added).await?;
        self.recount(tx, moves).await
    }

    /// Brings the buckets after the entries.
    async fn recount(&mut self, tx: &mut Tx, moves: &[Move]) -> Result<()> {
        let mut touched: Vec<Uuid> = Vec::new();
        for it in moves {
            let seen = |entry: Option<Entry>| entry.filter(|entry| !entry.benched).map(|entry| entry.place);
            let (old, new) = (seen(it.old), seen(it.new));
            if old == new {
                continue;
            }
            let ladder = self.ladder(tx, it.board).await?;
            if let Some(old) = old {
                ladder.count(&old.key(), -1);
            }
            if let Some(new) = new {
                ladder.count(&new.key(), 1);
            }
            touched.push(it.board);
        }
        touched.sort_unstable();
        touched.dedup();
        let mut changes = Vec::new();
        for board in touched {
            let ladder = self.ladder(tx, board).await?;
            while let Some(overfull) = ladder.overfull() {
                let high = overfull.high.as_ref().map_or(BEYOND.as_slice(), |high| high.as_slice());
                let middle = values![board, overfull.low.as_slice(), high, overfull.half];
                let at: Option<Place> = tx.maybe(sql::PLACE_WITHIN, middle).await?;
                let at = at.ok_or_else(|| {
                    Error::Corrupt(format!(
                        "the buckets of board {board} do not count its entries: ongrid board recount"
                    ))
                })?;
                ladder.split(&overfull, at.key());
            }
            changes.push((board, ladder.total(), ladder.take_changes()));
        }
        write_changes(tx, &changes).await
    }

    /// The ladder of a board that is held.
    async fn ladder(&mut self, tx: &mut Tx, board: Uuid) -> Result<&mut Ladder> {
        let held =
            self.held.get_mut(&board).ok_or_else(|| Error::Corrupt(format!("board {board} is not held")))?;
        if held.ladder.is_none() {
            held.ladder = Some(match self.ladders.take(board, held.before) {
                Some(ladder) => ladder,
                None => Ladder::new(read_buckets(tx, board).await?),
            });
        }
        held.ladder.as_mut().ok_or_else(|| Error::Corrupt(format!("board {board} has no ladder")))
    }

    /// What is worth keeping once the transaction is committed.
    pub(crate) fn keep(self) -> Kept {
        let kept = |(board, held): (Uuid, Held)| Some((board, held.revision, held.ladder?));
        self.held.into_iter().filter_map(kept).collect()
    }

    /// Makes the season of a pilot and month what its days say; the season's board is held.
    pub(crate) async fn settle_season(&mut self, tx: &mut Tx, pilot: Uuid, month: Month) -> Result<()> {
        let (first, last) = Board::days(month.first(), month.last());
        let days: Vec<(Uuid, Entry)> = tx.all(sql::DAYS_OF, values![pilot, first, last]).await?;
        let new = days.iter().fold(None, |season, (board, run)| {
            Board::day_of(*board).map_or(season, |day| Some(with_day(season, day, run)))
        });
        self.settle(tx, pilot, Board::Season(month).id(), new).await
    }

    /// Makes a pilot's standing against a doctrine the best of its days; the doctrine's board is held.
    pub(crate) async fn settle_doctrine(&mut self, tx: &mut Tx, pilot: Uuid, board: Uuid) -> Result<()> {
        let (first, last) = Board::days(Day(i32::MIN), Day(i32::MAX));
        let runs: Vec<Entry> = tx.all(sql::DAYS_AGAINST, values![pilot, first, last, board]).await?;
        let new = runs.into_iter().fold(None, |best, run| better(best, Some(run)));
        self.settle(tx, pilot, board, new.map(|run| Entry { series: None, ..run })).await
    }

    /// Makes a pilot's entry on a board, which is held, this one.
    pub(crate) async fn settle(
        &mut self,
        tx: &mut Tx,
        pilot: Uuid,
        board: Uuid,
        new: Option<Entry>,
    ) -> Result<()> {
        let old = self.entry(tx, pilot, board).await?;
        if old == new { Ok(()) } else { self.shift(tx, &[Move { board, pilot, old, new }]).await }
    }
}

/// The buckets of a board, from the lowest, without the one that counts the whole.
pub(crate) async fn read_buckets(tx: &mut Tx, board: Uuid) -> Result<Vec<(Key, i64)>> {
    let rows: Vec<(Vec<u8>, i64)> = tx.all(sql::BUCKETS, values![board]).await?;
    let damaged = |_| Error::Corrupt("a bucket does not begin at a place".into());
    let buckets = rows.into_iter().filter(|(low, _)| !low.is_empty());
    buckets.map(|(low, entries)| Ok((low.try_into().map_err(damaged)?, entries))).collect()
}

/// Writes the buckets that changed, and with them the one that counts the whole.
pub(crate) async fn write_changes(tx: &mut Tx, changes: &[(Uuid, i64, Changes)]) -> Result<()> {
    let (mut removed, mut changed) = (Vec::new(), Vec::new());
    for (board, total, it) in changes {
        for low in &it.removed {
            removed.extend([Value::from(*board), low.as_slice().into()]);
        }
        changed.extend([Value::from(*board), [].as_slice().into(), (*total).into()]);
        for (low, entries) in &it.changed {
            changed.extend([Value::from(*board), low.as_slice().into(), (*entries).into()]);
        }
    }
    tx.execute_many(&sql::DROP_BUCKETS, &removed).await?;
    tx.execute_many(&sql::PUT_BUCKETS, &changed).await
}

/// A run as the fights tell it: what an entry is made of.
pub(crate) struct Run {
    pub(crate) place: Place,
    elapsed: Option<Duration>,
    series: Option<Uuid>,
}

impl Record for Run {
    fn read(row: &mut Row) -> Result<Self> {
        let place = Place { score: row.next()?, rounds: row.next()?, at: row.next()?, fight: row.next()? };
        let (issued, submitted): (Option<Micros>, Micros) = (row.next()?, row.next()?);
        Ok(Self { place, elapsed: issued.map(|issued| submitted.since(issued)), series: row.next()? })
    }
}

impl Run {
    /// The entry that the run is on the board of its day.
    pub(crate) fn on_day(&self, benched: bool) -> Entry {
        Entry { place: self.place, elapsed: self.elapsed, days: 0, series: self.series, benched }
    }

    /// The entry that the run is on the board of its scenario.
    pub(crate) fn on_scenario(&self, benched: bool) -> Entry {
        Entry { elapsed: None, series: None, ..self.on_day(benched) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Store};

    /// A database that lost commits and goes on comes to other revisions than those that are lost.
    #[tokio::test]
    async fn revisions_are_not_come_to_twice() {
        let board = Board::Day(Day(20_000));
        let mut ends = Vec::new();
        for _ in 0..2 {
            let store = Store::open("sqlite::memory:", &Options::default()).await.unwrap();
            store.migrate().await.unwrap();
            let mut last = 0;
            for _ in 0..3 {
                store.rebuild_ranks(&board).await.unwrap();
                let revision: i64 = store.db.one(sql::REVISION, values![board.id()]).await.unwrap();
                assert!(revision > last);
                last = revision;
            }
            ends.push(last);
            store.close().await;
        }
        assert_ne!(ends[0], ends[1], "three writes of the same board");
    }
}
