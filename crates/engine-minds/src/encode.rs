//! The state that checkpoints are computed over: 64-bit words in the order of docs/state-mind-combat-1.md.

use crate::war::War;

impl War {
    /// Appends the state.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let over = u64::from(self.is_over());
        put(out, [u64::from(self.minute()), self.stream.words(), u64::from(self.turns()), over]);
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
            [
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
        for count in &mind.units {
            put(out, [*count]);
        }
        // The attacks before the last were the last of earlier links: the chain holds them already.
        if let Some(last) = { recent }.next_back() {
            put(out, [u64::from(last)]);
        }
        for struck in struck {
            put(out, [struck.on as u64, u64::from(struck.t)]);
        }
    }
}

/// Appends words, little-endian.
fn put<const N: usize>(out: &mut Vec<u8>, words: [u64; N]) {
    out.extend_from_slice(words.map(u64::to_le_bytes).as_flattened());
}

#[cfg(test)]
mod tests {
    use ongrid_engine::json::Reader;
    use ongrid_engine::{Engine, Seed, Silent};

    use crate::{Call, MindCombat, Setup};

    const SETUP: &str = r#"{"player": "A", "hours": 24, "minds": [
        {"id": "A", "architecture": "oracle", "territory": 500, "capability": 0, "capital": 40, "users": 50, "compute": 9,
         "cycles": 5, "buildings": {"city": 1, "datacenter": 2, "factory": 3, "lab": 4, "firewall": 5, "core": 6},
         "units": [{"kind": "host", "count": 1, "attack": 1, "defense": 9}], "programs": {"a": {"compute": 1}, "p": {"compute": 1}}},
        {"id": "B", "architecture": "oracle", "territory": 600, "capability": 0, "capital": 70, "users": 80,
         "buildings": {"core": 1}, "units": [{"kind": "x", "count": 7, "attack": 0, "defense": 9}, {"kind": "y", "count": 3, "attack": 0, "defense": 0}]}
    ]}"#;

    #[test]
    fn the_words_are_those_of_the_document() {
        let engine = MindCombat::new().unwrap();
        let legal = engine.check(Setup::read(&mut Reader::new(SETUP)).unwrap()).unwrap();
        let mut war = engine.start(&legal, &Seed::from_u64(1), &mut Silent);
        for call in [
            r#"{"op":"attack","t":3,"target":"B","mode":"raid"}"#,
            r#"{"op":"set_countermeasure","t":61,"program":"p","above":0.5}"#,
        ] {
            engine.apply(&mut war, &Call::read(&mut Reader::new(call)).unwrap(), &mut Silent).unwrap();
        }
        let mut state = Vec::new();
        engine.encode(&war, &mut state);
        let words: Vec<u64> =
            state.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect();
        assert_eq!(state.len(), words.len() * 8);
        let half = 0.5_f64.to_bits();
        let head = [61, 2, 0, 0];
        let first = [0, 500, 1, 2, 3, 4, 5, 6, 40, 50, 9, 5 - 2 + 2, 2, half, 1, 1, 1, 3, 1, 3];
        let second = [0, 600, 0, 0, 0, 0, 0, 1, 70, 80, 0, 96, 0, 0, 0, 0, 7, 3];
        assert_eq!(words, [&head[..], &first, &second].concat());
    }
}
