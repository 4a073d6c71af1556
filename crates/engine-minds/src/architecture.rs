//! The five architectures and their wheel (R3).

use serde::Serialize;

/// What a mind is built as. The order is that of the wheel; after the last comes the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Architecture {
    /// `steward`
    Steward,
    /// `symbiote`
    Symbiote,
    /// `accelerant`
    Accelerant,
    /// `assimilator`
    Assimilator,
    /// `oracle`
    Oracle,
}

impl Architecture {
    /// All, round the wheel.
    pub const WHEEL: [Self; 5] =
        [Self::Steward, Self::Symbiote, Self::Accelerant, Self::Assimilator, Self::Oracle];

    /// The names on the wire, round the wheel.
    pub const NAMES: [&'static str; 5] = ["steward", "symbiote", "accelerant", "assimilator", "oracle"];

    /// The architecture with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).map(|place| Self::WHEEL[place])
    }

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Whether two stand opposite each other: two steps apart, either way (R3).
    pub fn opposes(self, other: Self) -> bool {
        let steps = (self as usize + 5 - other as usize) % 5;
        steps == 2 || steps == 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_architecture_has_two_opposites_and_is_theirs() {
        for a in Architecture::WHEEL {
            assert_eq!(Architecture::WHEEL.into_iter().filter(|b| a.opposes(*b)).count(), 2);
            assert!(!a.opposes(a));
            for b in Architecture::WHEEL {
                assert_eq!(a.opposes(b), b.opposes(a));
            }
        }
    }

    #[test]
    fn names_and_wheel_agree() {
        for a in Architecture::WHEEL {
            assert_eq!(Architecture::named(a.name()), Some(a));
            assert_eq!(serde_json::to_string(&a).unwrap(), format!("{:?}", a.name()));
        }
        assert_eq!(Architecture::named("Oracle"), None);
    }
}
