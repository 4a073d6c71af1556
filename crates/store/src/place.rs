//! The one order of every board, and the boards themselves.

use std::cmp::Ordering;

use ongrid_engine::Digest;
use serde::Serialize;
use uuid::Uuid;

use crate::{Day, Error, Micros, Month, Result};

/// Where a run stands among others: score descending, rounds ascending, earlier verified, id (http-api, "Shapes").
/// The better place is the lesser one.
///
/// On the board of a season score and rounds are sums over the days, instant and fight those of the last run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Points; more is better.
    pub score: i64,
    /// Rounds; fewer is better.
    pub rounds: u32,
    /// When it was verified; earlier is better.
    pub at: Micros,
    /// The fight.
    pub fight: Uuid,
}

/// What a place is ahead of the next by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AheadBy {
    /// More points.
    Score,
    /// Fewer rounds.
    Rounds,
    /// Verified earlier.
    Time,
    /// Nothing but the id.
    Id,
}

/// A place as bytes that compare as the places do: what the databases order by, and the cursor of a page.
pub(crate) type Key = [u8; Place::LENGTH];

impl Place {
    /// Length of [`Place::key`].
    pub const LENGTH: usize = 36;

    /// The place as bytes: compared byte by byte they give the order of the places.
    pub fn key(&self) -> [u8; Self::LENGTH] {
        let mut key = [0; Self::LENGTH];
        // An integer of either sign orders as its bits do once the sign bit is turned over; `!` turns the order round.
        key[..8].copy_from_slice(&ordered(!self.score));
        key[8..12].copy_from_slice(&self.rounds.to_be_bytes());
        key[12..20].copy_from_slice(&ordered(self.at.0));
        key[20..].copy_from_slice(self.fight.as_bytes());
        key
    }

    /// The place that has these bytes; `None` where they are not as many.
    pub fn from_key(key: &[u8]) -> Option<Self> {
        let (score, rest) = key.split_first_chunk::<8>()?;
        let (rounds, rest) = rest.split_first_chunk::<4>()?;
        let (at, rest) = rest.split_first_chunk::<8>()?;
        Some(Self {
            score: !disordered(*score),
            rounds: u32::from_be_bytes(*rounds),
            at: Micros(disordered(*at)),
            fight: Uuid::from_slice(rest).ok()?,
        })
    }

    /// What this place, the better one, is ahead of `other` by.
    pub fn ahead_by(&self, other: &Self) -> AheadBy {
        if self.score != other.score {
            AheadBy::Score
        } else if self.rounds != other.rounds {
            AheadBy::Rounds
        } else if self.at != other.at {
            AheadBy::Time
        } else {
            AheadBy::Id
        }
    }
}

fn ordered(number: i64) -> [u8; 8] {
    (number ^ i64::MIN).to_be_bytes()
}

fn disordered(bytes: [u8; 8]) -> i64 {
    i64::from_be_bytes(bytes) ^ i64::MIN
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = other.score.cmp(&self.score);
        by_score
            .then(self.rounds.cmp(&other.rounds))
            .then(self.at.cmp(&other.at))
            .then(self.fight.cmp(&other.fight))
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

crate::db::columns_by! {
    Place as Vec<u8>, |bytes| {
        Place::from_key(&bytes).ok_or_else(|| Error::Corrupt("a place is not 36 bytes long".into()))
    };
}

/// Something that ranks; a pilot stands on it once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Board {
    /// The best ranked run of each pilot on a day.
    Day(Day),
    /// The sum of each pilot's days in a month.
    Season(Month),
    /// The best of each pilot's days against a doctrine.
    Doctrine {
        /// Tag of the engine.
        engine: String,
        /// Id of the doctrine.
        doctrine: String,
    },
    /// The best of each pilot's free fights of one setup.
    Scenario {
        /// Tag of the engine.
        engine: String,
        /// Digest of the setup.
        setup: Digest,
    },
}

impl Board {
    const DAY: u8 = 1;
    const SEASON: u8 = 2;
    const DOCTRINE: u8 = 3;
    const SCENARIO: u8 = 4;

    /// The id under which the databases know it, made of what it is: nobody has to look it up.
    pub fn id(&self) -> Uuid {
        let (kind, rest) = match self {
            Self::Day(day) => return numbered(Self::DAY, day.0),
            Self::Season(month) => return numbered(Self::SEASON, month.index()),
            Self::Doctrine { .. } => (Self::DOCTRINE, Digest::of(self.name().as_bytes())),
            Self::Scenario { .. } => (Self::SCENARIO, Digest::of(self.name().as_bytes())),
        };
        let mut bytes = [kind; 16];
        bytes[1..].copy_from_slice(&rest.0[..15]);
        Uuid::from_bytes(bytes)
    }

    /// `day`, `season`, `doctrine` or `scenario`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Day(_) => "day",
            Self::Season(_) => "season",
            Self::Doctrine { .. } => "doctrine",
            Self::Scenario { .. } => "scenario",
        }
    }

    /// Its name among the boards of its kind: the day, the month, `engine/doctrine`, `engine/setup digest`.
    pub fn name(&self) -> String {
        match self {
            Self::Day(day) => day.to_string(),
            Self::Season(month) => month.to_string(),
            Self::Doctrine { engine, doctrine } => format!("{engine}/{doctrine}"),
            Self::Scenario { engine, setup } => format!("{engine}/{setup}"),
        }
    }

    /// The board of this kind and name.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where there can be none.
    pub fn named(kind: &str, name: &str) -> Result<Self> {
        let board = || match kind {
            "day" => Some(Self::Day(name.parse().ok()?)),
            "season" => Some(Self::Season(name.parse().ok()?)),
            "doctrine" => {
                let (engine, doctrine) = name.split_once('/')?;
                Some(Self::Doctrine { engine: engine.into(), doctrine: doctrine.into() })
            }
            "scenario" => {
                let (engine, setup) = name.split_once('/')?;
                Some(Self::Scenario { engine: engine.into(), setup: digest(setup)? })
            }
            _ => None,
        };
        board().ok_or_else(|| Error::Corrupt(format!("{kind:?} {name:?} is no board")))
    }

    /// The day whose board has this id.
    pub(crate) fn day_of(id: Uuid) -> Option<Day> {
        let (kind, rest) = id.as_bytes().split_first()?;
        let number = rest.first_chunk::<4>()?;
        (*kind == Self::DAY).then(|| Day(i32::from_be_bytes(*number) ^ i32::MIN))
    }

    /// The month whose board has this id.
    pub(crate) fn month_of(id: Uuid) -> Option<Month> {
        let (kind, rest) = id.as_bytes().split_first()?;
        let number = i32::from_be_bytes(*rest.first_chunk::<4>()?) ^ i32::MIN;
        let year = i16::try_from(number.div_euclid(12)).ok()?;
        let month = i8::try_from(number.rem_euclid(12) + 1).ok()?;
        (*kind == Self::SEASON).then_some(Month { year, month })
    }

    /// The first and the last id that the board of a season may have.
    pub(crate) fn seasons() -> (Uuid, Uuid) {
        (numbered(Self::SEASON, i32::MIN), numbered(Self::SEASON, i32::MAX))
    }

    /// The first and the last id that the board of a day may have.
    pub(crate) fn days(first: Day, last: Day) -> (Uuid, Uuid) {
        (Self::Day(first).id(), Self::Day(last).id())
    }
}

/// Ids of one kind order as their numbers do.
fn numbered(kind: u8, number: i32) -> Uuid {
    let mut bytes = [0; 16];
    bytes[0] = kind;
    bytes[1..5].copy_from_slice(&(number ^ i32::MIN).to_be_bytes());
    Uuid::from_bytes(bytes)
}

fn digest(hex: &str) -> Option<Digest> {
    let mut bytes = [0; 32];
    if hex.len() != 64 || !hex.is_ascii() {
        return None;
    }
    for (byte, digits) in bytes.iter_mut().zip(hex.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(Digest(bytes))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn place() -> impl Strategy<Value = Place> {
        let score = prop_oneof![any::<i64>(), -2_i64..2];
        let rounds = prop_oneof![any::<u32>(), 0_u32..2];
        let at = prop_oneof![any::<i64>(), -1_i64..1];
        let fight = prop_oneof![any::<u128>(), 0_u128..2];
        (score, rounds, at, fight).prop_map(|(score, rounds, at, fight)| Place {
            score,
            rounds,
            at: Micros(at),
            fight: Uuid::from_u128(fight),
        })
    }

    proptest! {
        #[test]
        fn bytes_order_as_places_do(one in place(), other in place()) {
            prop_assert_eq!(one.cmp(&other), one.key().cmp(&other.key()));
            prop_assert_eq!(Place::from_key(&one.key()), Some(one));
        }
    }

    #[test]
    fn the_order_of_the_board() {
        let place =
            |score, rounds, at, fight| Place { score, rounds, at: Micros(at), fight: Uuid::from_u128(fight) };
        let ranked = [
            (place(9, 9, 9, 9), AheadBy::Score),
            (place(8, 1, 9, 9), AheadBy::Rounds),
            (place(8, 2, 1, 9), AheadBy::Time),
            (place(8, 2, 2, 1), AheadBy::Id),
            (place(8, 2, 2, 2), AheadBy::Score),
            (place(-8, 0, 0, 0), AheadBy::Score),
        ];
        for pair in ranked.windows(2) {
            assert!(pair[0].0 < pair[1].0);
            assert_eq!(pair[0].0.ahead_by(&pair[1].0), pair[0].1);
        }
    }

    #[test]
    fn boards_know_their_ids_and_names() {
        let boards = [
            Board::Day(Day(20_786)),
            Board::Season("2026-11".parse().unwrap()),
            Board::Doctrine { engine: "ongrid-8".into(), doctrine: "caldari-line".into() },
            Board::Scenario { engine: "mecha-battle-1".into(), setup: Digest::of(b"") },
        ];
        for board in &boards {
            assert_eq!(Board::named(board.kind(), &board.name()).unwrap(), *board);
        }
        assert!(boards.windows(2).all(|pair| pair[0].id() < pair[1].id()));
        assert!(Board::Day(Day(-1)).id() < Board::Day(Day(0)).id());
        assert_eq!(Board::day_of(Board::Day(Day(-7)).id()), Some(Day(-7)));
        assert_eq!(Board::day_of(boards[1].id()), None);
        assert_eq!(Board::month_of(boards[1].id()), Some("2026-11".parse().unwrap()));
        assert_eq!(Board::month_of(boards[0].id()), None);
        assert!(Board::named("season", "2026-13").is_err() && Board::named("scenario", "a/ff").is_err());
    }
}
