//! The one generator of a replay and its draws (conventions, "Stream and draws").

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::Seed;

/// ChaCha8, stream 0, from word 0, counting the 32-bit words it gave.
#[derive(Clone, Debug)]
pub struct Stream {
    words: u64,
    rng: ChaCha8Rng,
}

impl Stream {
    /// The stream of a seed, at word 0.
    pub fn new(seed: &Seed) -> Self {
        Self { words: 0, rng: ChaCha8Rng::from_seed(*seed.bytes()) }
    }

    /// The next word.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        self.words += 1;
        let word = self.rng.next_u32();
        #[cfg(feature = "faults")]
        let word = word ^ crate::faults::flipped(self.words - 1);
        word
    }

    /// The next two words, low one first.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.words += 2;
        let pair = self.rng.next_u64();
        #[cfg(feature = "faults")]
        let pair = pair
            ^ (u64::from(crate::faults::flipped(self.words - 2))
                | u64::from(crate::faults::flipped(self.words - 1)) << 32);
        pair
    }

    /// A uniform integer in `0..n`, `1 ≤ n ≤ 2^32`, by rejection; at least one word.
    ///
    /// # Panics
    /// If `n` is out of that range: the caller's fault, never a replay's.
    #[inline(always)]
    pub fn below(&mut self, n: u64) -> u64 {
        assert!((1..=1 << 32).contains(&n), "below({n})");
        let limit = (1_u64 << 32) - (1_u64 << 32) % n;
        loop {
            let word = u64::from(self.next_u32());
            if word < limit {
                return word % n;
            }
        }
    }

    /// A die with `n` faces: `1 + below(n)`.
    #[inline(always)]
    pub fn die(&mut self, n: u64) -> u64 {
        1 + self.below(n)
    }

    /// A uniform double in `[0, 1)` with 53 bits; two words.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.next_u64() >> 11) as f64 * STEP
    }

    /// How many 32-bit words have been drawn so far.
    pub fn words(&self) -> u64 {
        self.words
    }
}
