//! Values by name, in the order of canonical JSON.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// A map from names to values. It is kept in ascending key bytes, the order of every check, and written in
/// ascending UTF-16 code units, as canonical JSON wants it; the two differ beyond the basic plane only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Named<T>(Vec<(String, T)>);

impl<T> Named<T> {
    /// The number of names.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The place of a name among all.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.0.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.position(name).map(|place| &self.0[place].1)
    }

    /// The value at a place.
    pub fn at(&self, place: usize) -> Option<&T> {
        self.0.get(place).map(|(_, value)| value)
    }

    /// Names and values by ascending key bytes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

impl<T> FromIterator<(String, T)> for Named<T> {
    /// Collects names that are all different.
    fn from_iter<I: IntoIterator<Item = (String, T)>>(members: I) -> Self {
        let mut members: Vec<_> = members.into_iter().collect();
        members.sort_by(|a, b| a.0.cmp(&b.0));
        Self(members)
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members: Vec<_> = self.iter().collect();
        members.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
        let mut map = serializer.serialize_map(Some(members.len()))?;
        for (name, value) in members {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_by_bytes_written_by_utf16() {
        let names: Named<u8> = [("\u{1F600}".to_owned(), 1), ("\u{FF5E}".to_owned(), 2), ("a".to_owned(), 3)]
            .into_iter()
            .collect();
        assert_eq!(names.iter().map(|(_, value)| *value).collect::<Vec<_>>(), [3, 2, 1]);
        assert_eq!(serde_json::to_string(&names).unwrap(), "{\"a\":3,\"\u{1F600}\":1,\"\u{FF5E}\":2}");
        assert_eq!((names.get("a"), names.get("b"), names.position("\u{1F600}")), (Some(&3), None, Some(2)));
    }
}
