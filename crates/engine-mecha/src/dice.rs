//! The dice of a battle and the journal of what they led to.

use ongrid_engine::{Seed, Stream};

use crate::event::Happening;

/// Most draws and happenings that the log of one battle tells one by one; what comes later is told in sums. An
/// ordinary battle has hundreds, the longest legal ones a hundred million.
const LOG_ROOM: u32 = 100_000;

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

    /// A die with six faces.
    pub fn die(&mut self) -> u8 {
        let die = self.stream.die(6) as u8;
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
    pub fn note(&mut self, happening: Happening<u8>) {
        if self.has_room() {
            self.happenings.push(happening);
        }
    }

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
