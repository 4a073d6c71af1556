//! A pilot's past: fights by pages, seasons, streaks.

use uuid::Uuid;

use crate::boards::longest_run;
use crate::db::values;
use crate::place::Board;
use crate::standings::Entry;
use crate::{Day, Fight, Month, Result, Store, sql};

/// Fights of a pilot, latest day first, latest fight first.
#[derive(Clone, Debug, PartialEq)]
pub struct FightPage {
    /// The fights.
    pub fights: Vec<Fight>,
    /// Where the next page begins, if there may be one: after this day and id.
    pub next: Option<(Day, Uuid)>,
}

/// What a pilot's ranked days come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Days with a ranked run that counts.
    pub days: u32,
    /// Sum of their scores.
    pub score: i64,
    /// Days in a row up to today, or to yesterday while today has none yet.
    pub streak: u32,
    /// Most days in a row.
    pub best_streak: u32,
    /// The seasons, first to last: month, score, days that count (bit 0 the first).
    pub seasons: Vec<(Month, i64, u32)>,
}

/// How many days a page looks at first; the next look is twice as long. An old pilot's fights may be far apart, and each
/// day has its partition.
const FIRST_LOOK: i32 = 32;

impl Store {
    /// Fights of a pilot up to `today`, after one (its day and id).
    ///
    /// # Errors
    /// None but the database's.
    pub async fn fights_of(
        &self,
        pilot: Uuid,
        today: Day,
        limit: u32,
        after: Option<(Day, Uuid)>,
    ) -> Result<FightPage> {
        let none = FightPage { fights: Vec::new(), next: None };
        let Some(created) = self.pilot(pilot).await?.map(|pilot| Day::of(pilot.created_at)) else {
            return Ok(none);
        };
        // A fight's day is at most two before its instant; one day ahead covers any reset hour.
        let (oldest, newest) = (created.plus(-3), today.plus(1));
        let (before_day, before_id) = after.unwrap_or((newest, Uuid::max()));
        let (mut last, mut look) = (before_day, FIRST_LOOK);
        let mut fights: Vec<Fight> = Vec::new();
        while last >= oldest && fights.len() < limit as usize {
            let first = last.plus(1 - look).max(oldest);
            let left = limit - u32::try_from(fights.len()).unwrap_or(limit);
            let asked = values![pilot, first, last, before_day, before_id, left];
            fights.append(&mut self.db.all(sql::FIGHTS_OF, asked).await?);
            last = first.plus(-1);
            look = look.saturating_mul(2);
        }
        let full = fights.len() >= limit as usize;
        let next = fights.last().filter(|_| full).map(|last| (last.day, last.id));
        Ok(FightPage { fights, next })
    }

    /// What a pilot's ranked days come to, seen from `today`.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn totals(&self, pilot: Uuid, today: Day) -> Result<Totals> {
        let (first, last) = Board::seasons();
        let rows: Vec<(Uuid, Entry)> = self.db.all(sql::DAYS_OF, values![pilot, first, last]).await?;
        let season = |(board, entry): (Uuid, Entry)| {
            let days = u32::try_from(entry.days).unwrap_or_default();
            Board::month_of(board).map(|month| (month, entry.place.score, days))
        };
        let seasons: Vec<_> = rows.into_iter().filter_map(season).collect();
        let days: Vec<Day> = seasons
            .iter()
            .flat_map(|(month, _, days)| {
                (0..31).filter(move |bit| days >> bit & 1 == 1).map(|bit| month.first().plus(bit))
            })
            .collect();
        let (streak, best_streak) = streaks(&days, today);
        Ok(Totals {
            days: seasons.iter().map(|(_, _, days)| days.count_ones()).sum(),
            score: seasons.iter().fold(0, |sum, (_, score, _)| sum.saturating_add(*score)),
            streak,
            best_streak: best_streak
                .max(seasons.iter().map(|(_, _, days)| longest_run(*days)).max().unwrap_or(0)),
            seasons,
        })
    }
}

/// The streak that lasts, and the longest, of days in order.
fn streaks(days: &[Day], today: Day) -> (u32, u32) {
    let (mut run, mut best, mut before) = (0, 0, None::<Day>);
    for day in days {
        run = if before.is_some_and(|before| before.plus(1) == *day) { run + 1 } else { 1 };
        best = best.max(run);
        before = Some(*day);
    }
    let lasts = before.is_some_and(|last| last.plus(1) >= today);
    (if lasts { run } else { 0 }, best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_streak_lasts_through_yesterday() {
        let days = |numbers: &[i32]| numbers.iter().map(|number| Day(*number)).collect::<Vec<_>>();
        for (fought, today, expected) in [
            (&[][..], 9, (0, 0)),
            (&[9], 9, (1, 1)),
            (&[7, 8], 9, (2, 2)),
            (&[6, 7], 9, (0, 2)),
            (&[1, 2, 3, 8, 9], 9, (2, 3)),
        ] {
            assert_eq!(streaks(&days(fought), Day(today)), expected, "{fought:?}");
        }
    }
}
