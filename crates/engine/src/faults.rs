//! A fault on demand, for tests of what must find faults; no build that serves has this feature.

use std::cell::Cell;

thread_local! {
    static FLIP: Cell<Option<(u64, u32)>> = const { Cell::new(None) };
}

/// From now on, on this thread, every stream has `bit` (0 to 31) of its word number `word` flipped; `None` ends it.
pub fn flip(word_and_bit: Option<(u64, u32)>) {
    FLIP.set(word_and_bit);
}

/// What a word is to be combined with.
pub(crate) fn flipped(word: u64) -> u32 {
    match FLIP.get() {
        Some((flipped, bit)) if flipped == word => 1 << (bit % 32),
        _ => 0,
    }
}
