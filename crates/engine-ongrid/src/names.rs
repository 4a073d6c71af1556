//! Ids of one kind, found by their text without an unordered map.

/// A fixed set of ids; an id's number is its place in the list it was made from.
#[derive(Debug)]
pub(crate) struct Names {
    ids: Vec<&'static str>,
    /// Numbers by hash, open addressing; at most half full.
    slots: Vec<u16>,
}

const EMPTY: u16 = u16::MAX;

impl Names {
    /// Numbers the ids in their order. `None` where two are the same or there are too many.
    pub fn new(ids: impl IntoIterator<Item = &'static str>) -> Option<Self> {
        let ids: Vec<&'static str> = ids.into_iter().collect();
        let mut names = Self { slots: vec![EMPTY; (ids.len() * 4).next_power_of_two()], ids: Vec::new() };
        for id in ids {
            if names.find(id).is_some() || names.ids.len() >= usize::from(EMPTY) {
                return None;
            }
            let slot = names.probe(id);
            names.slots[slot] = names.ids.len() as u16;
            names.ids.push(id);
        }
        Some(names)
    }

    /// The number of an id.
    #[inline]
    pub fn find(&self, id: &str) -> Option<usize> {
        let number = *self.slots.get(self.probe(id))?;
        (number != EMPTY).then_some(usize::from(number))
    }

    /// The slot that holds the id, or the empty one where it would be.
    #[inline]
    fn probe(&self, id: &str) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(id.as_bytes()) as usize & mask;
        loop {
            let number = self.slots[slot];
            if number == EMPTY || same(self.ids[usize::from(number)].as_bytes(), id.as_bytes()) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }
}

/// Mixes the length and three stretches of eight bytes, which tells the ids of a catalogue apart well enough.
#[inline]
fn hash(id: &[u8]) -> u64 {
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    let word =
        |at: usize| id.get(at..at + 8).and_then(|eight| eight.try_into().ok()).map_or(0, u64::from_le_bytes);
    let length = id.len();
    let mixed = if length >= 8 {
        word(0) ^ word(length - 8).rotate_left(17) ^ word((length - 8) / 2).rotate_left(41)
    } else {
        id.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))
    };
    ((mixed ^ length as u64).wrapping_mul(MIX)) >> 40
}

/// Equality of short texts, for which calling the C library takes longer than comparing them.
#[inline]
fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    match (a.last_chunk::<8>(), b.last_chunk::<8>()) {
        (Some(end), Some(other)) => {
            end == other && a.as_chunks::<8>().0.iter().zip(b.as_chunks().0).all(|(a, b)| a == b)
        }
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_is_found_and_no_other() {
        let ids =
            ["a", "", "gyrostabilizer-i", "gyrostabilizer-ii", "damage-control-i", "b", "ab", "12345678"];
        let names = Names::new(ids).unwrap();
        for (number, id) in ids.iter().enumerate() {
            assert_eq!(names.find(id), Some(number));
        }
        for other in ["c", "gyrostabilizer-iii", "A", "a ", "\0"] {
            assert_eq!(names.find(other), None, "{other}");
        }
    }

    #[test]
    fn an_id_stands_once() {
        assert!(Names::new(["a", "b", "a"]).is_none());
    }

    #[test]
    fn an_empty_list_knows_nothing() {
        assert_eq!(Names::new([]).unwrap().find("a"), None);
    }
}
