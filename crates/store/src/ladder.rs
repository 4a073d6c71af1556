//! What makes an exact rank cheap: a board cut into buckets of neighbouring places, with the number of entries in each.
//!
//! A rank is the sum over the buckets before one's own and a count within it. Buckets split where they grow too full
//! and join where they empty, so that their number follows the square root of the board, however its scores are spread.
//! They lie in the table `buckets`, changed in the transaction that changes the entries; whoever changes them holds
//! the board's row, and keeps the ladder in memory until the next time: the revision of the row tells whether
//! somebody else was there in between.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use uuid::Uuid;

use crate::place::{Key, Place};
use crate::sums::Shelf;

/// Least place that there can be: the low end of the first bucket.
pub(crate) const LOWEST: Key = [0; Place::LENGTH];

/// Fewest entries at which a bucket splits.
const SMALLEST_CAPACITY: i64 = 32;

/// How many entries a bucket of a board of so many may hold. The reading of a rank costs one row for each bucket before
/// one's own and one for each entry before oneself in it; the writing of a batch only the latter.
fn capacity(total: i64) -> i64 {
    (total.max(0).isqrt() / 2).max(SMALLEST_CAPACITY)
}

/// The buckets of a board, by their low ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ladder {
    buckets: Vec<Bucket>,
    total: i64,
    changed: BTreeSet<Key>,
    removed: BTreeSet<Key>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Bucket {
    low: Key,
    entries: i64,
}

/// What has to be written after a change.
pub(crate) struct Changes {
    pub(crate) changed: Vec<(Key, i64)>,
    pub(crate) removed: Vec<Key>,
}

/// A bucket that is too full: its ends and how many entries belong to its lower half.
pub(crate) struct Overfull {
    pub(crate) low: Key,
    /// Low end of the next bucket, if there is one.
    pub(crate) high: Option<Key>,
    pub(crate) half: i64,
}

impl Ladder {
    /// A ladder from its buckets in order; without any it is that of an empty board.
    pub(crate) fn new(buckets: Vec<(Key, i64)>) -> Self {
        let mut buckets: Vec<_> = buckets.into_iter().map(|(low, entries)| Bucket { low, entries }).collect();
        if buckets.first().is_none_or(|first| first.low != LOWEST) {
            buckets.insert(0, Bucket { low: LOWEST, entries: 0 });
        }
        let total = buckets.iter().map(|bucket| bucket.entries).sum();
        Self { buckets, total, changed: BTreeSet::new(), removed: BTreeSet::new() }
    }

    /// How many entries the buckets of a new ladder hold, where the board has `total`.
    pub(crate) fn step(total: i64) -> i64 {
        (capacity(total) * 2 / 3).max(1)
    }

    /// The ladder over so many entries, of which every [`Ladder::step`]th is given in order from the first, and all of it as
    /// changes.
    pub(crate) fn over(places: &[Key], total: i64) -> (Self, Changes) {
        let (step, mut left) = (Self::step(total), total);
        let bucket = |place: &Key| {
            let entries = left.min(step);
            left -= entries;
            (*place, entries)
        };
        let mut buckets: Vec<_> = places.iter().map(bucket).collect();
        if let Some(first) = buckets.first_mut() {
            first.0 = LOWEST;
        }
        (Self::new(buckets.clone()), Changes { changed: buckets, removed: Vec::new() })
    }

    /// Whether it counts these places, in order, as they are.
    pub(crate) fn agrees_with(&self, places: &[Key]) -> bool {
        let mut before = 0;
        self.buckets.iter().enumerate().all(|(index, bucket)| {
            let high = self.buckets.get(index + 1).map(|next| next.low);
            let end = high.map_or(places.len(), |high| places.partition_point(|place| *place < high));
            let within = end.saturating_sub(before);
            before = end;
            i64::try_from(within) == Ok(bucket.entries)
        })
    }

    /// How many entries stand on the board.
    pub(crate) fn total(&self) -> i64 {
        self.total
    }

    /// Low end of the bucket that a place is in, and how many entries are in the buckets before it.
    pub(crate) fn home(&self, key: &Key) -> (Key, i64) {
        let index = self.index(key);
        (self.buckets[index].low, self.buckets[..index].iter().map(|bucket| bucket.entries).sum())
    }

    /// Low end of each bucket, in order, and how many entries are in those before it.
    pub(crate) fn sums(&self) -> Vec<(Key, i64)> {
        let before = self.buckets.iter().scan(0, |before, bucket| {
            let here = *before;
            *before += bucket.entries;
            Some((bucket.low, here))
        });
        before.collect()
    }

    /// Counts an entry in, or out.
    pub(crate) fn count(&mut self, key: &Key, by: i64) {
        let index = self.index(key);
        let bucket = &mut self.buckets[index];
        bucket.entries += by;
        self.total += by;
        self.changed.insert(bucket.low);
    }

    fn index(&self, key: &Key) -> usize {
        // The first low end is the least key, so at least one is not above.
        self.buckets.partition_point(|bucket| bucket.low <= *key) - 1
    }

    /// A bucket that has to be split, if there is one among those that changed.
    pub(crate) fn overfull(&self) -> Option<Overfull> {
        let most = capacity(self.total);
        self.changed.iter().find_map(|low| {
            let index = self.index(low);
            let entries = self.buckets[index].entries;
            let high = self.buckets.get(index + 1).map(|next| next.low);
            (entries > most).then_some(Overfull { low: *low, high, half: entries / 2 })
        })
    }

    /// Splits a bucket at the place that has `half` entries of it below.
    pub(crate) fn split(&mut self, overfull: &Overfull, at: Key) {
        let index = self.index(&overfull.low);
        let upper = self.buckets[index].entries - overfull.half;
        self.buckets[index].entries = overfull.half;
        self.buckets.insert(index + 1, Bucket { low: at, entries: upper });
        self.removed.remove(&at);
        self.changed.insert(at);
    }

    /// Joins buckets that changed and are nearly empty to their neighbours, and gives what has to be written.
    pub(crate) fn take_changes(&mut self) -> Changes {
        let few = capacity(self.total) / 3;
        for low in std::mem::take(&mut self.changed) {
            let index = self.index(&low);
            if self.buckets[index].low != low {
                continue;
            }
            let joined = |index: usize| self.buckets[index].entries + self.buckets[index + 1].entries;
            let at = if index > 0 && joined(index - 1) <= few {
                index - 1
            } else if index + 1 < self.buckets.len() && joined(index) <= few {
                index
            } else {
                self.changed.insert(low);
                continue;
            };
            let gone = self.buckets.remove(at + 1);
            self.buckets[at].entries += gone.entries;
            self.changed.remove(&gone.low);
            self.changed.insert(self.buckets[at].low);
            self.removed.insert(gone.low);
        }
        let changed = std::mem::take(&mut self.changed);
        let entries = |low: &Key| self.buckets[self.index(low)].entries;
        Changes {
            changed: changed.iter().map(|low| (*low, entries(low))).collect(),
            removed: std::mem::take(&mut self.removed).into_iter().collect(),
        }
    }
}

/// Ladders of the boards that were written last, each with the revision of its board that it belongs to.
#[derive(Debug, Default)]
pub(crate) struct Ladders {
    ladders: Mutex<HashMap<Uuid, (i64, Ladder)>>,
    /// What those read who ask for ranks.
    pub(crate) shelf: Shelf,
}

impl Ladders {
    /// More boards than are written at a time; a board of a million entries takes 200 KB.
    const MOST: usize = 32;

    /// Takes the ladder of a board out, if it is the one that belongs to this revision.
    pub(crate) fn take(&self, board: Uuid, revision: i64) -> Option<Ladder> {
        let (known, ladder) = self.ladders.lock().unwrap_or_else(PoisonError::into_inner).remove(&board)?;
        (known == revision).then_some(ladder)
    }

    /// Puts a ladder in, after the commit that made its revision.
    pub(crate) fn put(&self, board: Uuid, revision: i64, ladder: Ladder) {
        self.shelf.follow(board, revision, &ladder);
        let mut ladders = self.ladders.lock().unwrap_or_else(PoisonError::into_inner);
        if ladders.get(&board).is_some_and(|(known, _)| *known > revision) {
            return;
        }
        if ladders.len() >= Self::MOST {
            ladders.clear();
        }
        ladders.insert(board, (revision, ladder));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn key(number: u32) -> Key {
        let mut key = LOWEST;
        key[..4].copy_from_slice(&number.to_be_bytes());
        key
    }

    proptest! {
        /// Whatever comes and goes, the buckets count what is there, and the written ones are those in memory.
        #[test]
        fn buckets_count_what_is_there(
            waves in proptest::collection::vec((0_u32..4, proptest::collection::vec(0_u32..3000, 1..400)), 1..20),
        ) {
            let mut ladder = Ladder::new(Vec::new());
            let mut entries = BTreeSet::new();
            let mut written = BTreeMap::new();
            for (kind, numbers) in waves {
                for number in numbers {
                    let key = key(number);
                    if kind > 0 && entries.insert(key) {
                        ladder.count(&key, 1);
                    } else if kind == 0 && entries.remove(&key) {
                        ladder.count(&key, -1);
                    }
                }
                while let Some(overfull) = ladder.overfull() {
                    let within = entries.iter().filter(|it| **it >= overfull.low && overfull.high.is_none_or(|high| **it < high));
                    let at = *within.clone().nth(usize::try_from(overfull.half).unwrap()).unwrap();
                    ladder.split(&overfull, at);
                }
                let changes = ladder.take_changes();
                for low in changes.removed {
                    written.remove(&low);
                }
                written.extend(changes.changed);
                let read = Ladder::new(written.iter().map(|(low, entries)| (*low, *entries)).collect());
                prop_assert_eq!(&read, &ladder);
                prop_assert_eq!(ladder.total(), i64::try_from(entries.len()).unwrap());
                prop_assert!(ladder.buckets.iter().all(|bucket| (0..=capacity(ladder.total)).contains(&bucket.entries)));
                for probe in [0, 1, 77, 1500, 2999, u32::MAX] {
                    let (low, before) = ladder.home(&key(probe));
                    let within = entries.range(low..key(probe)).count();
                    let rank = entries.range(..key(probe)).count();
                    prop_assert_eq!(usize::try_from(before).unwrap() + within, rank);
                }
            }
            prop_assert!(ladder.buckets.len() <= 1 + entries.len() / 10 + 3);
        }
    }

    #[test]
    fn a_ladder_of_another_revision_is_not_taken() {
        let (ladders, board) = (Ladders::default(), Uuid::nil());
        ladders.put(board, 3, Ladder::new(vec![(LOWEST, 7)]));
        ladders.put(board, 2, Ladder::new(Vec::new()));
        assert_eq!(ladders.take(board, 3).map(|ladder| ladder.total()), Some(7));
        assert_eq!(ladders.take(board, 3), None);
        ladders.put(board, 3, Ladder::new(Vec::new()));
        assert_eq!(ladders.take(board, 4), None);
    }
}
