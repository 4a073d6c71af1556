//! Names of hulls, modules and charges as people write them.

use std::collections::BTreeMap;

use ongrid_engine_ongrid::{Catalogue, Charge, Hull, Module};
use unicode_normalization::UnicodeNormalization;

use crate::eft::renames;

/// How many near names are told.
const NEAREST: usize = 3;

/// The names of a catalogue, found whatever their case, blanks and quotation marks.
#[derive(Debug)]
pub struct Names {
    hulls: BTreeMap<String, &'static Hull>,
    modules: BTreeMap<String, &'static Module>,
    charges: BTreeMap<String, &'static Charge>,
}

/// A thing, and whether it was found by an old name.
pub(super) type Found<T> = (&'static T, bool);

impl Names {
    /// The names of a catalogue.
    pub fn new(catalogue: &'static Catalogue) -> Self {
        Self {
            hulls: catalogue.hulls.iter().map(|hull| (fold(hull.name), hull)).collect(),
            modules: catalogue.modules.iter().map(|module| (fold(module.name), module)).collect(),
            charges: catalogue.charges.iter().map(|charge| (fold(charge.name), charge)).collect(),
        }
    }

    /// The hull of that name.
    pub fn hull(&self, name: &str) -> Option<&'static Hull> {
        self.hulls.get(&fold(name)).copied()
    }

    /// The module of that name or old name.
    pub(super) fn module(&self, name: &str) -> Option<Found<Module>> {
        find(&self.modules, name)
    }

    /// The charge of that name or old name.
    pub(super) fn charge(&self, name: &str) -> Option<Found<Charge>> {
        find(&self.charges, name)
    }

    /// The hulls whose names are nearest to a text.
    pub(super) fn nearest_hulls(&self, text: &str) -> Vec<&'static str> {
        nearest(text, self.hulls.iter().map(|(folded, hull)| (&**folded, hull.name)))
    }

    /// The modules and charges whose names are nearest to a text.
    pub(super) fn nearest_items(&self, text: &str) -> Vec<&'static str> {
        let modules = self.modules.iter().map(|(folded, module)| (&**folded, module.name));
        let charges = self.charges.iter().map(|(folded, charge)| (&**folded, charge.name));
        nearest(text, modules.chain(charges))
    }

    /// The charges whose names are nearest to a text.
    pub(super) fn nearest_charges(&self, text: &str) -> Vec<&'static str> {
        nearest(text, self.charges.iter().map(|(folded, charge)| (&**folded, charge.name)))
    }

    /// Whether the text ends with the name of a module or charge, its mark of tech level left out: a variant of it.
    pub(super) fn is_variant(&self, folded: &str) -> bool {
        self.modules.keys().chain(self.charges.keys()).any(|name| {
            let stem = name.strip_suffix(" ii").or_else(|| name.strip_suffix(" i")).unwrap_or(name);
            folded.strip_suffix(stem).is_some_and(|rest| rest.ends_with(' '))
        })
    }
}

fn find<T>(names: &BTreeMap<String, &'static T>, name: &str) -> Option<Found<T>> {
    let folded = fold(name);
    if let Some(known) = names.get(&folded) {
        return Some((known, false));
    }
    renames::today(&folded, |name| names.contains_key(name)).map(|today| (names[&today], true))
}

/// A name as it is compared: compatibility forms and case folded, one blank between words, straight quotation marks,
/// without the star that clients put behind names they could not translate.
pub(super) fn fold(name: &str) -> String {
    let straight = name.nfkc().map(|character| match character {
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '`' | '\u{b4}' => '\'',
        '\u{2010}'..='\u{2015}' => '-',
        other => other,
    });
    let lower: String = straight.flat_map(char::to_lowercase).collect();
    let words: Vec<&str> = lower.trim_end_matches('*').split_whitespace().collect();
    words.join(" ")
}

fn nearest<'a>(text: &str, known: impl Iterator<Item = (&'a str, &'static str)>) -> Vec<&'static str> {
    let text: Vec<char> = fold(text).chars().take(64).collect();
    let mut far = (text.len() / 2).max(3);
    let mut best: Vec<(usize, &'static str)> = Vec::with_capacity(NEAREST + 1);
    for (folded, name) in known {
        let Some(distance) = distance(&text, folded, far) else { continue };
        let at = best.partition_point(|(other, _)| *other <= distance);
        best.insert(at, (distance, name));
        best.truncate(NEAREST);
        if let [.., (last, _)] = best[..]
            && best.len() == NEAREST
        {
            far = last;
        }
    }
    best.into_iter().map(|(_, name)| name).collect()
}

/// Edit distance (letters added, dropped, changed, or swapped with their neighbour), where it is at most `far`.
fn distance(text: &[char], name: &str, far: usize) -> Option<usize> {
    let name: Vec<char> = name.chars().collect();
    if text.len().abs_diff(name.len()) > far {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=name.len()).collect();
    for (row, letter) in text.iter().enumerate() {
        let mut next = vec![row + 1; name.len() + 1];
        for (column, other) in name.iter().enumerate() {
            let changed = last[column] + usize::from(letter != other);
            let mut least = changed.min(last[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && text[row - 1] == *other && *letter == name[column - 1] {
                least = least.min(before[column - 1] + 1);
            }
            next[column + 1] = least;
        }
        if next.iter().min().is_none_or(|least| *least > far) {
            return None;
        }
        before = std::mem::replace(&mut last, next);
    }
    last.last().copied().filter(|distance| *distance <= far)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fold() {
        for (name, folded) in [
            ("  200mm\u{a0}AutoCannon   II ", "200mm autocannon ii"),
            ("\u{2019}Arbalest\u{2019} Rocket Launcher I", "'arbalest' rocket launcher i"),
            ("Damage Control II*", "damage control ii"),
            ("Ｒｉｆｔｅｒ", "rifter"),
        ] {
            assert_eq!(fold(name), folded);
        }
    }

    #[test]
    fn distances() {
        let between = |a: &str, b: &str, far| distance(&a.chars().collect::<Vec<_>>(), b, far);
        assert_eq!(between("rifter", "rifter", 0), Some(0));
        assert_eq!(between("rfiter", "rifter", 3), Some(1));
        assert_eq!(between("riffter", "rifter", 3), Some(1));
        assert_eq!(between("kitten", "sitting", 3), Some(3));
        assert_eq!(between("kitten", "sitting", 2), None);
        assert_eq!(between("", "abc", 3), Some(3));
    }
}
