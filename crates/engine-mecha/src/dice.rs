//! The dice of a battle and the journal of what they led to.

use ongrid_engine::{Seed, Stream};

use crate::event::Happening;

/// Most draws and happenings that the log of one battle tells one by one; what comes later is told in sums. An
/// ordinary battle has hundreds, the longest legal ones a hundred million.
const LOG_ROOM: u32 = 100_000;

/// Faces of a die.
const FACES: u32 = 6;
/// Words from here on are drawn again: 2^32 − 2^32 mod 6.
const FAIR: u32 = u32::MAX - (u32::MAX % FACES + 1) % FACES + 1;

/// Draws from the stream; each is noted in the journal, which never moves the stream.
#[derive(Clone, Debug)]
pub(crate) struct Dice {
    stream: Stream,
    room: u32,
    cut: bool,
    draws: Vec<f64>,
    happenings: Vec<Happening<u8>>,
}

impl Dice {
    pub fn new(seed: &Seed) -> Self {
        Self {
            stream: Stream::new(seed),
            room: LOG_ROOM,
            cut: false,
            draws: Vec::new(),
            happenings: Vec::new(),
        }
    }

    /// A uniform double in 0..1; two words.
    pub fn unit(&mut self) -> f64 {
        let u = self.stream.unit();
        if self.has_room() {
            self.draws.push(u);
        }
        u
    }

    /// A die with six faces: [`Stream::die`], written out so that the division is by a constant.
    #[inline]
    pub fn die(&mut self) -> u8 {
        let word = loop {
            let word = self.stream.next_u32();
            if word < FAIR {
                break word;
            }
        };
        let die = (1 + word % FACES) as u8;
        if self.has_room() {
            self.draws.push(f64::from(die));
        }
        die
    }

    /// The sum of two dice.
    pub fn two(&mut self) -> u8 {
        self.die() + self.die()
    }

    /// 32-bit words drawn so far.
    pub fn words(&self) -> u64 {
        self.stream.words()
    }

    /// Notes something that happened.
    #[inline]
    pub fn note(&mut self, happening: Happening<u8>) {
        if self.has_room() {
            self.happenings.push(happening);
        }
    }

    #[inline]
    fn has_room(&mut self) -> bool {
        if self.room == 0 {
            self.cut = true;
            return false;
        }
        self.room -= 1;
        true
    }

    /// Begins the notes of an act.
    pub fn begin(&mut self) {
        self.draws.clear();
        self.happenings.clear();
        self.cut = false;
    }

    /// The draws noted since [`Dice::begin`].
    pub fn draws(&self) -> &[f64] {
        &self.draws
    }

    /// The happenings noted since [`Dice::begin`].
    pub fn happenings(&self) -> &[Happening<u8>] {
        &self.happenings
    }

    /// Whether something was left out of the notes.
    pub fn is_cut(&self) -> bool {
        self.cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_die_is_the_die_of_the_stream() {
        assert_eq!(u64::from(FAIR), (1 << 32) - (1_u64 << 32) % 6);
        let seed = Seed::from_u64(7);
        let (mut dice, mut stream) = (Dice::new(&seed), Stream::new(&seed));
        for _ in 0..10_000 {
            assert_eq!(u64::from(dice.die()), stream.die(6));
        }
        assert_eq!(dice.words(), stream.words());
    }

    #[test]
    fn a_full_journal_draws_the_same() {
        let seed = Seed::from_u64(8);
        let (mut full, mut roomy) = (Dice::new(&seed), Dice::new(&seed));
        full.room = 3;
        full.begin();
        for count in 0..10 {
            assert_eq!(full.die(), roomy.die());
            assert_eq!(full.is_cut(), count >= 3);
        }
        assert_eq!(full.draws().len(), 3);
    }
}
