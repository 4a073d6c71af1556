//! The commodities.

use serde::{Serialize, Serializer};

/// A commodity that sectors and convoys hold; in the order of the names, which is that of canonical JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// Bars of gold; no damage takes them.
    Bar,
    /// Civilians, people.
    Civ,
    /// Gold dust.
    Dust,
    /// Food.
    Food,
    /// Guns.
    Gun,
    /// Heavy construction material.
    Hcm,
    /// Iron.
    Iron,
    /// Light construction material.
    Lcm,
    /// Military, people.
    Mil,
    /// Oil.
    Oil,
    /// Petrol.
    Petrol,
    /// Radioactive material.
    Rad,
    /// Shells.
    Shell,
    /// Uncompensated workers, people.
    Uw,
}

impl Item {
    /// Every item.
    pub const ALL: [Item; 14] = [
        Item::Bar,
        Item::Civ,
        Item::Dust,
        Item::Food,
        Item::Gun,
        Item::Hcm,
        Item::Iron,
        Item::Lcm,
        Item::Mil,
        Item::Oil,
        Item::Petrol,
        Item::Rad,
        Item::Shell,
        Item::Uw,
    ];

    /// The names, in the order of [`Item::ALL`].
    pub const NAMES: [&str; 14] = [
        "bar", "civ", "dust", "food", "gun", "hcm", "iron", "lcm", "mil", "oil", "petrol", "rad", "shell",
        "uw",
    ];

    /// The item of a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).map(|at| Self::ALL[at])
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

impl Serialize for Item {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_name_their_item() {
        assert!(Item::NAMES.is_sorted() && Item::ALL.is_sorted());
        assert!(Item::ALL.iter().all(|item| Item::of(item.name()) == Some(*item)));
        assert_eq!(Item::of("gold"), None);
    }
}
