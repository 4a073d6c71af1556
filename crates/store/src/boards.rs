//! Reading boards: pages, around a pilot, ranks. Each answer is one statement, so that it agrees with itself.

use std::time::Duration;

use serde::Serialize;
use uuid::Uuid;

use crate::db::{Record, Row, Value, values};
use crate::ladder::Ladder;
use crate::place::{Board, Place};
use crate::sums::Sums;
use crate::{Result, Store, sql, standings};

/// Where something stands among how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rank {
    /// From 1, the best.
    pub rank: i64,
    /// How many stand on the board.
    pub of: i64,
}

impl Rank {
    /// 100 × (of − rank + 1) ÷ of, to one decimal (http-api, "Shapes").
    pub fn percentile(&self) -> f64 {
        let tenths = 1000 * (self.of - self.rank + 1);
        // Half a tenth rounds up; the figures are far from what an f64 cannot hold.
        ((2 * tenths + self.of) / (2 * self.of.max(1))) as f64 / 10.0
    }
}

/// A row of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardRow {
    /// From 1, the best.
    pub rank: i64,
    /// The pilot.
    pub pilot: Uuid,
    /// The pilot's name; none where it was erased.
    pub pilot_name: Option<String>,
    /// Score, rounds, instant and fight; see [`Place`] for what they are on a season.
    pub place: Place,
    /// From the issue of the attempt to the submission; none for seasons and scenarios.
    pub elapsed: Option<Duration>,
    /// Days of a season that count, bit 0 the first; 0 on other boards.
    pub days: u32,
}

impl BoardRow {
    /// Longest streak of days in a row within the season.
    pub fn best_streak(&self) -> u32 {
        longest_run(self.days)
    }
}

/// Longest run of ones.
pub(crate) fn longest_run(mut days: u32) -> u32 {
    let mut longest = 0;
    while days != 0 {
        days &= days << 1;
        longest += 1;
    }
    longest
}

/// A page of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardPage {
    /// The rows in order.
    pub rows: Vec<BoardRow>,
    /// Where the next page begins, if there is one: after this place.
    pub next: Option<Place>,
    /// How many stand on the board.
    pub total: i64,
}

/// A row as the statements answer it: in all, before it (or before the first), and the row.
struct Found {
    total: i64,
    before: i64,
    row: BoardRow,
}

impl Record for Found {
    fn read(row: &mut Row) -> Result<Self> {
        let (total, before) = (row.next()?, row.next()?);
        Self::with(total, before, row)
    }
}

impl Found {
    fn with(total: i64, before: i64, row: &mut Row) -> Result<Self> {
        let (place, elapsed, days): (_, _, i64) = (row.next()?, row.next()?, row.next()?);
        let days = u32::try_from(days).unwrap_or_default();
        let row =
            BoardRow { rank: before + 1, place, elapsed, days, pilot: row.next()?, pilot_name: row.next()? };
        Ok(Self { total, before, row })
    }
}

/// The same where only those within the bucket are counted.
struct Within {
    home: Vec<u8>,
    revision: i64,
    found: Found,
}

impl Record for Within {
    fn read(row: &mut Row) -> Result<Self> {
        let (total, home, within, revision) = (row.next()?, row.next()?, row.next()?, row.next()?);
        Ok(Self { home, revision, found: Found::with(total, within, row)? })
    }
}

impl Within {
    /// With what the sums say of the buckets before; `None` where they are of another revision.
    fn after(self, sums: &Sums) -> Option<Found> {
        let Self { home, revision, mut found } = self;
        found.before += sums.before(revision, &home)?;
        found.row.rank = found.before + 1;
        Some(found)
    }
}

impl Store {
    /// Rows of a board with what stands before them: by `within` and the sums at hand, where those are of the same moment,
    /// else by `whole`.
    async fn found(
        &self,
        board: &Board,
        within: &'static str,
        whole: &'static str,
        asked: &[Value<'_>],
    ) -> Result<Vec<Found>> {
        let (id, shelf) = (board.id(), &self.ladders.shelf);
        if let Some(sums) = shelf.sums(id) {
            let rows: Vec<Within> = self.db.all(within, asked).await?;
            let found: Option<Vec<Found>> = rows.into_iter().map(|row| row.after(&sums)).collect();
            match found {
                Some(found) => return Ok(found),
                None => shelf.drop_sums(id, &sums),
            }
        }
        let found: Vec<Found> = self.db.all(whole, asked).await?;
        if found.first().is_some_and(|first| first.total >= self.sums_from) && shelf.is_due(id) {
            let store = self.clone();
            tokio::spawn(async move {
                match store.read_sums(id).await {
                    Ok(Some(sums)) => store.ladders.shelf.keep(id, sums),
                    Ok(None) => {}
                    Err(error) => tracing::debug!(%error, "the sums of a board cannot be read"),
                }
            });
        }
        Ok(found)
    }

    async fn read_sums(&self, board: Uuid) -> Result<Option<Sums>> {
        // Buckets and revision of one moment.
        let mut tx = self.db.begin_reading().await?;
        let revision: Option<i64> = tx.maybe(sql::REVISION, values![board]).await?;
        let buckets = standings::read_buckets(&mut tx, board).await?;
        tx.rollback().await?;
        Ok(revision.map(|revision| Sums::new(revision, &Ladder::new(buckets))))
    }

    /// The best rows of a board, after a place: no row is skipped or shown twice while others come and go.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn top(&self, board: &Board, limit: u32, after: Option<&Place>) -> Result<BoardPage> {
        // The least bytes that are greater than the key of the place.
        let from = after.map_or(vec![0; Place::LENGTH], |place| [&place.key()[..], &[0]].concat());
        let one_more = i64::from(limit) + 1;
        let asked = values![board.id(), &from, one_more];
        let found = self.found(board, sql::TOP_WITHIN, sql::TOP, asked).await?;
        let total = match found.first() {
            Some(first) => first.total,
            None => self.total(board).await?,
        };
        let before = found.first().map_or(0, |first| first.before);
        let more = found.len() > limit as usize;
        let rows: Vec<BoardRow> = found
            .into_iter()
            .take(limit as usize)
            .zip(before + 1..)
            .map(|(found, rank)| BoardRow { rank, ..found.row })
            .collect();
        let next = rows.last().filter(|_| more).map(|last| last.place);
        Ok(BoardPage { rows, next, total })
    }

    /// A pilot's row with up to `beside` rows on either side; no rows where the pilot does not stand on the board.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn around(&self, board: &Board, pilot: Uuid, beside: u32) -> Result<BoardPage> {
        let (beside, one_more) = (i64::from(beside), i64::from(beside) + 2);
        let asked = values![board.id(), pilot, beside, one_more];
        let mut found = self.found(board, sql::AROUND_WITHIN, sql::AROUND, asked).await?;
        let Some(first) = found.first() else {
            return Ok(BoardPage { rows: Vec::new(), next: None, total: self.total(board).await? });
        };
        let (total, before) = (first.total, first.before);
        found.sort_unstable_by_key(|found| found.row.place);
        let above = found.iter().take_while(|found| found.row.pilot != pilot).count();
        let shown = above + 1 + beside as usize;
        let more = found.len() > shown;
        let first_rank = before + 1 - i64::try_from(above).unwrap_or_default();
        let ranked = found.into_iter().take(shown).zip(first_rank..);
        let rows: Vec<BoardRow> = ranked.map(|(found, rank)| BoardRow { rank, ..found.row }).collect();
        let next = rows.last().filter(|_| more).map(|last| last.place);
        Ok(BoardPage { rows, next, total })
    }

    /// A pilot's row and how many stand on the board; none where the pilot does not.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn standing(&self, board: &Board, pilot: Uuid) -> Result<Option<(BoardRow, i64)>> {
        let asked = values![board.id(), pilot];
        let found = self.found(board, sql::STANDING_WITHIN, sql::STANDING, asked).await?;
        Ok(found.into_iter().next().map(|found| (found.row, found.total)))
    }

    /// A pilot's rank on a board; none where the pilot does not stand on it.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn rank(&self, board: &Board, pilot: Uuid) -> Result<Option<Rank>> {
        Ok(self.standing(board, pilot).await?.map(|(row, of)| Rank { rank: row.rank, of }))
    }

    /// How many stand on a board.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn total(&self, board: &Board) -> Result<i64> {
        self.db.one(sql::TOTAL, values![board.id()]).await
    }

    /// Boards of a kind (`day`, `season`, `doctrine`, `scenario`) by name, after one, each with how many stand on it.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn boards(&self, kind: &str, after: &str, limit: u32) -> Result<Vec<(Board, i64)>> {
        let found: Vec<(String, i64)> = self.db.all(sql::BOARDS_LIKE, values![kind, after, limit]).await?;
        found.into_iter().map(|(name, total)| Ok((Board::named(kind, &name)?, total))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_have_one_decimal() {
        for (rank, of, percentile) in
            [(1, 1, 100.0), (1, 3, 100.0), (2, 3, 66.7), (3, 3, 33.3), (8, 8, 12.5), (1_999, 2_000, 0.1)]
        {
            assert_eq!(Rank { rank, of }.percentile(), percentile, "{rank} of {of}");
        }
    }

    #[test]
    fn streaks_are_runs_of_days() {
        for (days, longest) in [(0, 0), (1, 1), (0b1011, 2), (0b1110111, 3), (u32::MAX, 32)] {
            assert_eq!(longest_run(days), longest, "{days:b}");
        }
    }
}
