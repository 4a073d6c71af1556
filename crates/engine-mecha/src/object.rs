//! Objects written key by key, those that hold their default left out.

use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};

/// The name of a unit or side, shared between a setup, its events and its outcome.
pub type Id = Arc<str>;

/// An object being written; keys must come in ascending order to be canonical.
pub(crate) struct Object<S: Serializer>(S::SerializeMap);

impl<S: Serializer> Object<S> {
    pub fn begin(serializer: S) -> Result<Self, S::Error> {
        serializer.serialize_map(None).map(Self)
    }

    pub fn put<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), S::Error> {
        self.0.serialize_entry(key, value)
    }

    /// Puts a value unless it is the default of its key.
    pub fn put_unless<T: Serialize + PartialEq>(
        &mut self,
        key: &'static str,
        value: &T,
        default: T,
    ) -> Result<(), S::Error> {
        if *value == default { Ok(()) } else { self.put(key, value) }
    }

    pub fn end(self) -> Result<S::Ok, S::Error> {
        self.0.end()
    }
}

/// Values by name, in the order of RFC 8785 (UTF-16 code units).
#[derive(Clone, Debug, PartialEq)]
pub struct ByName<V>(Vec<(Id, V)>);

impl<V> ByName<V> {
    /// Puts values in the order of their names, of which no two are equal.
    pub fn new(mut values: Vec<(Id, V)>) -> Self {
        values.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
        Self(values)
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&V> {
        self.0.iter().find(|(known, _)| **known == *name).map(|(_, value)| value)
    }

    /// All values, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &V)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }
}

impl<V: Serialize> Serialize for ByName<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_the_order_of_utf_16() {
        let names = ["\u{fb01}", "😀", "b", "a"];
        let by_name = ByName::new(names.iter().map(|name| (Id::from(*name), 1)).collect());
        assert!(ongrid_engine::canonical::is_canonical(&ongrid_engine::canonical::to_vec(&by_name)));
        assert_eq!(by_name.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["a", "b", "😀", "\u{fb01}"]);
        assert_eq!(by_name.get("b"), Some(&1));
    }
}
