//! The state that checkpoints are computed over: 64-bit words in the order of docs/state-mind-combat-1.md.

use crate::war::War;

impl War {
    /// Appends the state.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let over = u64::from(self.is_over());
        put(out, &[u64::from(self.minute()), self.stream.words(), u64::from(self.turns()), over]);
        for mind in 0..self.minds.len() {
            self.encode_mind(mind, out);
        }
    }

    fn encode_mind(&self, index: usize, out: &mut Vec<u8>) {
        let mind = &self.minds[index];
        let (program, above) = match mind.countermeasure {
            None => (0, 0.0),
            Some(guard) => (1 + guard.program as u64, guard.above),
        };
        let recent = mind.recent(&self.rules, self.minute());
        let struck = mind.struck(&self.rules, self.minute());
        let [city, datacenter, factory, lab, firewall] = mind.buildings.plain();
        put(
            out,
            &[
                u64::from(mind.deleted),
                mind.territory,
                city,
                datacenter,
                factory,
                lab,
                firewall,
                mind.buildings.core,
                mind.capital,
                mind.users,
                mind.compute,
                self.cycles(index),
                program,
                above.to_bits(),
                recent.len() as u64,
                struck.clone().count() as u64,
            ],
        );
        put(out, &mind.units);
        // The attacks before the last were the last of earlier links: the chain holds them already.
        if let Some(last) = { recent }.next_back() {
            put(out, &[u64::from(last)]);
        }
        for struck in struck {
            put(out, &[struck.on as u64, u64::from(struck.t)]);
        }
    }
}

/// Appends words, little-endian.
fn put(out: &mut Vec<u8>, words: &[u64]) {
    let start = out.len();
    out.resize(start + words.len() * 8, 0);
    for (place, word) in out[start..].chunks_exact_mut(8).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
}
