//! A fault on demand, for tests of what must find faults; no build that serves has this feature.

use std::cell::Cell;

thread_local! {
    static FLIP: Cell<Option<(u64, u32)>> = const { Cell::new(None) };
}

/// From now on, on this thread, every stream has `bit` (0 to 31) of its word number `word` flipped; `None` ends it.
pub fn flip(word_and_bit: Option<(u64, u32)>) {
    FLIP.set(word_and_bit);
}

/// Flips what is to be flipped among words that were generated, the first one being number `first`.
pub(crate) fn apply(first: u64, words: &mut [u32]) {
    if let Some((word, bit)) = FLIP.get()
        && let Some(word) = word.checked_sub(first).and_then(|at| words.get_mut(usize::try_from(at).ok()?))
    {
        *word ^= 1 << (bit % 32);
    }
}
