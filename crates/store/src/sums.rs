//! Sums over the buckets of boards, kept in memory: what a rank costs most to read.
//!
//! A statement can answer the revision of its board beside what it found. Sums of that revision are those that it would
//! have read itself, whoever wrote the board and when; sums of any other are of no use, and the database adds up.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use uuid::Uuid;

use crate::ladder::Ladder;
use crate::place::Key;

/// How long sums are kept up with the board after somebody asked for them, and how often they are read at most.
const AWHILE: Duration = Duration::from_secs(1);

/// How many entries stand before each bucket of a board, at one revision of it.
#[derive(Debug)]
pub(crate) struct Sums {
    revision: i64,
    /// Low end of each bucket, in order, and what is before it.
    before: Vec<(Key, i64)>,
}

impl Sums {
    pub(crate) fn new(revision: i64, ladder: &Ladder) -> Self {
        Self { revision, before: ladder.sums() }
    }

    /// How many entries stood before the bucket that begins at `low` when the board had this revision.
    pub(crate) fn before(&self, revision: i64, low: &[u8]) -> Option<i64> {
        if revision != self.revision {
            return None;
        }
        let at = self.before.binary_search_by(|(other, _)| other.as_slice().cmp(low)).ok()?;
        Some(self.before[at].1)
    }
}

/// The sums of boards that are asked for, by board.
#[derive(Debug, Default)]
pub(crate) struct Shelf(Mutex<HashMap<Uuid, Kept>>);

#[derive(Debug)]
struct Kept {
    sums: Option<Arc<Sums>>,
    asked: Instant,
    read: Instant,
}

impl Shelf {
    /// Boards whose sums are kept; of a board of a million entries they take 130 KB.
    const MOST: usize = 64;

    /// The sums of a board, if there are any.
    pub(crate) fn sums(&self, board: Uuid) -> Option<Arc<Sums>> {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = shelf.get_mut(&board)?;
        kept.asked = Instant::now();
        kept.sums.clone()
    }

    /// Takes sums that did not fit away.
    pub(crate) fn drop_sums(&self, board: Uuid, useless: &Arc<Sums>) {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = shelf.get_mut(&board) {
            kept.sums = kept.sums.take().filter(|sums| !Arc::ptr_eq(sums, useless));
        }
    }

    /// Whether it is time to read the sums of a board; whoever is told so reads them.
    pub(crate) fn is_due(&self, board: Uuid) -> bool {
        let now = Instant::now();
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = shelf.get_mut(&board) {
            let due = kept.sums.is_none() && now - kept.read > AWHILE;
            if due {
                kept.read = now;
            }
            return due;
        }
        if shelf.len() >= Self::MOST {
            shelf.retain(|_, kept| now - kept.asked < AWHILE);
        }
        if shelf.len() >= Self::MOST {
            return false;
        }
        shelf.insert(board, Kept { sums: None, asked: now, read: now });
        true
    }

    /// Keeps sums that were read.
    pub(crate) fn keep(&self, board: Uuid, sums: Sums) {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = shelf.get_mut(&board)
            && kept.sums.as_ref().is_none_or(|known| known.revision < sums.revision)
        {
            kept.sums = Some(Arc::new(sums));
        }
    }

    /// Keeps up with a board that was written here, if its sums were asked for a moment ago.
    pub(crate) fn follow(&self, board: Uuid, revision: i64, ladder: &Ladder) {
        let asked = |kept: &Kept| kept.asked.elapsed() < AWHILE;
        let wanted = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&board).is_some_and(asked);
        if wanted {
            self.keep(board, Sums::new(revision, ladder));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ladder::LOWEST;

    #[test]
    fn sums_are_of_one_revision() {
        let high = [7; LOWEST.len()];
        let sums = Sums::new(4, &Ladder::new(vec![(LOWEST, 5), (high, 2)]));
        assert_eq!(sums.before(4, &LOWEST), Some(0));
        assert_eq!(sums.before(4, &high), Some(5));
        assert_eq!(sums.before(4, &[8; LOWEST.len()]), None, "no bucket begins there");
        assert_eq!(sums.before(4, &[]), None);
        assert_eq!(sums.before(5, &high), None);
    }

    #[test]
    fn a_shelf_keeps_the_newest_and_reads_now_and_then() {
        let (shelf, board) = (Shelf::default(), Uuid::nil());
        let ladder = |entries| Ladder::new(vec![(LOWEST, entries)]);
        shelf.follow(board, 1, &ladder(1));
        assert!(shelf.sums(board).is_none(), "nobody asked");
        assert!(shelf.is_due(board));
        assert!(!shelf.is_due(board), "somebody is at it");
        shelf.keep(board, Sums::new(3, &ladder(1)));
        shelf.keep(board, Sums::new(2, &ladder(1)));
        let kept = shelf.sums(board).unwrap();
        assert_eq!(kept.before(3, &LOWEST), Some(0));
        shelf.follow(board, 4, &ladder(2));
        assert_eq!(shelf.sums(board).unwrap().before(4, &LOWEST), Some(0));
        shelf.drop_sums(board, &kept);
        let kept = shelf.sums(board).expect("newer ones stay");
        shelf.drop_sums(board, &kept);
        assert!(shelf.sums(board).is_none());
    }

    #[test]
    fn a_full_shelf_takes_no_more() {
        let shelf = Shelf::default();
        assert!((0..Shelf::MOST as u128).all(|board| shelf.is_due(Uuid::from_u128(board))));
        assert!(!shelf.is_due(Uuid::from_u128(u128::MAX)));
    }
}
