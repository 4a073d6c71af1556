//! The one generator of a replay and its draws (conventions, "Stream and draws").

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::Seed;

/// Words that are generated at a time: four blocks, as the generator itself works.
const WORDS: usize = 64;

/// ChaCha8, stream 0, from word 0, counting the 32-bit words it gave.
#[derive(Clone, Debug)]
pub struct Stream {
    /// Words generated so far; those from `next` on are still to be given.
    generated: u64,
    next: usize,
    words: [u32; WORDS],
    rng: ChaCha8Rng,
}

impl Stream {
    /// The stream of a seed, at word 0.
    pub fn new(seed: &Seed) -> Self {
        Self { generated: 0, next: WORDS, words: [0; WORDS], rng: ChaCha8Rng::from_seed(*seed.bytes()) }
    }

    /// The next word.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        if self.next >= WORDS {
            self.generate();
        }
        let word = self.words[self.next];
        self.next += 1;
        word
    }

    /// The next two words, low one first.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        if let Some([low, high]) = self.words.get(self.next..self.next + 2) {
            self.next += 2;
            return u64::from(*high) << 32 | u64::from(*low);
        }
        let low = self.next_u32();
        u64::from(self.next_u32()) << 32 | u64::from(low)
    }

    #[cold]
    fn generate(&mut self) {
        let mut bytes = [0; 4 * WORDS];
        self.rng.fill_bytes(&mut bytes);
        for (word, four) in self.words.iter_mut().zip(bytes.chunks_exact(4)) {
            *word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        }
        self.generated += WORDS as u64;
        self.next = 0;
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
        self.generated + self.next as u64 - WORDS as u64
    }
}
