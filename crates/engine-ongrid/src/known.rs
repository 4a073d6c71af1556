//! Fleets that were judged before, found by their content: a pilot flies one fleet again and again.

use std::sync::Mutex;

use ongrid_engine::Result;

use crate::legal::{self, Legal};
use crate::setup::Setup;

/// How many places there are, each for the last two fleets of those whose content hashes to it. A fleet takes some 20 KB.
const PLACES: usize = 512;

/// Legal setups, by content. What is found here is what judging anew would give: a setup says it all.
#[derive(Debug)]
pub(crate) struct Known {
    /// The last seen first.
    places: Box<[Mutex<[Option<Entry>; 2]>]>,
}

#[derive(Debug)]
struct Entry {
    words: Box<[u64]>,
    legal: Legal,
}

impl Default for Known {
    fn default() -> Self {
        Self::with_places(if cfg!(target_family = "wasm") { 0 } else { PLACES })
    }
}

impl Known {
    fn with_places(places: usize) -> Self {
        Self { places: (0..places).map(|_| Mutex::default()).collect() }
    }

    /// As [`legal::check`].
    ///
    /// # Errors
    /// As [`legal::check`]; what is wrong with a setup is found out every time.
    pub fn judge(&self, setup: Setup) -> Result<Legal> {
        // A module plays one fight at a time, and every byte of it is loaded.
        if cfg!(target_family = "wasm") {
            return legal::check(setup);
        }
        let place = &self.places[hash(setup.words()) as usize % self.places.len()];
        if let Ok(mut two) = place.lock() {
            let at = two.iter().position(|entry| entry.as_ref().is_some_and(|entry| entry.is_of(&setup)));
            if let Some(entry) = at.and_then(|at| {
                two.swap(0, at);
                two[0].as_ref()
            }) {
                return Ok(entry.legal.clone());
            }
        }
        let words = setup.words().collect();
        let legal = legal::check(setup)?;
        let entry = Entry { words, legal: legal.clone() };
        // The one that gives way is dropped when the place is free again.
        let _last = place.lock().ok().and_then(|mut two| {
            two.swap(0, 1);
            two[0].replace(entry)
        });
        Ok(legal)
    }
}

impl Entry {
    fn is_of(&self, setup: &Setup) -> bool {
        setup.words().eq(self.words.iter().copied())
    }
}

fn hash(words: impl Iterator<Item = u64>) -> u64 {
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    words.fold(0, |hash: u64, word| (hash ^ word).wrapping_mul(MIX).rotate_left(29)) >> 7
}

#[cfg(test)]
mod tests {
    use ongrid_engine::Engine;
    use ongrid_engine::json::Reader;

    use super::*;
    use crate::OnGrid;

    /// A rifter's setup with one thing changed.
    fn setup(engine: &OnGrid, from: &str, to: &str) -> Setup {
        let text = r#"{"doctrine": "minmatar-skirmish", "skills": {"gunnery": 3, "motion-prediction": 3,
            "missiles": 3, "tank": 3, "navigation": 3, "electronics": 3}, "fleet": [{"hull": "rifter", "fit": [
            {"module": "200mm-autocannon-i", "charge": "fusion-s", "count": 3},
            {"module": "stasis-webifier-i", "count": 1}, {"module": "damage-control-i", "count": 1}]}]}"#;
        assert!(text.contains(from));
        engine.read_setup(&mut Reader::new(&text.replacen(from, to, 1))).unwrap()
    }

    #[test]
    fn a_fleet_is_found_and_no_other_is_taken_for_it() {
        let engine = OnGrid::new().unwrap();
        let changes = [
            ("rifter", "rifter"),
            (r#""count": 3"#, r#""count": 2"#),
            (r#""tank": 3"#, r#""tank": 4"#),
            (r#""tank": 3"#, r#""tank": 259"#),
            (r#""tank": 3"#, r#""tonk": 3"#),
            ("fusion-s", "emp-s"),
            (r#", "charge": "fusion-s""#, ""),
            ("damage-control-i", "damage-control-ii"),
            ("damage-control-i", "damage-control-iii"),
            ("minmatar-skirmish", "caldari-skirmish"),
            (r#""count": 3"#, r#""count": 65539"#),
            ("rifter", "slasher"),
        ];
        for places in [1, PLACES] {
            let known = Known::with_places(places);
            for (from, to) in changes.into_iter().chain(changes) {
                let told = known.judge(setup(&engine, from, to));
                match (told, legal::check(setup(&engine, from, to))) {
                    (Ok(told), Ok(fresh)) => {
                        assert_eq!(told.0.canonical.bytes(), fresh.0.canonical.bytes(), "{to}");
                        assert_eq!(engine.snapshot_document(&told), engine.snapshot_document(&fresh), "{to}");
                    }
                    (Err(told), Err(fresh)) => assert_eq!(told, fresh, "{to}"),
                    (told, fresh) => panic!("{to}: {told:?} {fresh:?}"),
                }
            }
        }
    }

    #[test]
    fn fights_of_one_fleet_share_what_is_known_of_it() {
        let engine = OnGrid::new().unwrap();
        let judged = || engine.check(setup(&engine, "rifter", "rifter")).unwrap();
        assert!(std::sync::Arc::ptr_eq(&judged().0, &judged().0));
    }
}
