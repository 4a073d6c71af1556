//! Days and instants as the database holds them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Serialize, Serializer};

/// A day of fights: days since 1970-01-01. Which instants belong to it is the server's to say; `YYYY-MM-DD` in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(pub i32);

/// An instant: microseconds since 1970 in UTC; RFC 3339 with six places in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Micros(pub i64);

/// A calendar month, the span of a season; `YYYY-MM` in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month {
    /// Year, from 0 to 9999.
    pub year: i16,
    /// Month, from 1 to 12.
    pub month: i8,
}

const EPOCH: Date = Date::constant(1970, 1, 1);

impl Day {
    /// The first and the last day that have a text form.
    const RANGE: std::ops::RangeInclusive<i32> = -719_528..=2_932_896;

    /// The UTC calendar day of an instant.
    pub fn of(at: Micros) -> Self {
        let day = at.0.div_euclid(86_400_000_000);
        Self(i32::try_from(day).unwrap_or(if day < 0 { i32::MIN } else { i32::MAX }))
    }

    /// The day so many days later, or earlier.
    pub fn plus(self, days: i32) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// The calendar date; a day out of the years 0 to 9999 counts as the nearest in them.
    pub fn date(self) -> Date {
        let days = self.0.clamp(*Self::RANGE.start(), *Self::RANGE.end());
        EPOCH.saturating_add(jiff::Span::new().days(days))
    }

    /// The month that the day is in.
    pub fn month(self) -> Month {
        let date = self.date();
        Month { year: date.year(), month: date.month() }
    }
}

impl From<Date> for Day {
    fn from(date: Date) -> Self {
        let days = date.duration_since(EPOCH).as_hours() / 24;
        Self(i32::try_from(days).unwrap_or_default())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = self.date();
        write!(f, "{:04}-{:02}-{:02}", date.year(), date.month(), date.day())
    }
}

/// The text is not `YYYY-MM-DD` (or `YYYY-MM`), or there is no such day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a date of the form YYYY-MM-DD, or of the form YYYY-MM for a month")]
pub struct NotADate;

/// Reads exactly the digits and dashes of the form: no sign, no blank, no short year.
fn digits<const N: usize>(text: &str, lengths: [usize; N]) -> Result<[i16; N], NotADate> {
    let mut parts = text.split('-');
    let mut numbers = [0; N];
    for (number, length) in numbers.iter_mut().zip(lengths) {
        let part = parts.next().ok_or(NotADate)?;
        if part.len() != length || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NotADate);
        }
        *number = part.parse().map_err(|_| NotADate)?;
    }
    if parts.next().is_some() { Err(NotADate) } else { Ok(numbers) }
}

impl FromStr for Day {
    type Err = NotADate;

    fn from_str(text: &str) -> Result<Self, NotADate> {
        let [year, month, day] = digits(text, [4, 2, 2])?;
        let small = |number: i16| i8::try_from(number).map_err(|_| NotADate);
        Date::new(year, small(month)?, small(day)?).map(Self::from).map_err(|_| NotADate)
    }
}

impl Month {
    /// The first day.
    pub fn first(self) -> Day {
        Date::new(self.year, self.month, 1).map_or(Day(0), Day::from)
    }

    /// The last day.
    pub fn last(self) -> Day {
        Date::new(self.year, self.month, 1).map_or(Day(0), |first| first.last_of_month().into())
    }

    /// Months since the year 0: the next month is one more.
    pub fn index(self) -> i32 {
        i32::from(self.year) * 12 + i32::from(self.month) - 1
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

impl FromStr for Month {
    type Err = NotADate;

    fn from_str(text: &str) -> Result<Self, NotADate> {
        let [year, month] = digits(text, [4, 2])?;
        let month = i8::try_from(month).map_err(|_| NotADate)?;
        Date::new(year, month, 1).map(|_| Self { year, month }).map_err(|_| NotADate)
    }
}

impl Micros {
    /// Now.
    pub fn now() -> Self {
        Timestamp::now().into()
    }

    /// The instant so much later.
    pub fn plus(self, by: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(by.as_micros()).unwrap_or(i64::MAX)))
    }

    /// How long after `earlier` it is; nothing where it is not after.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0).max(0).cast_unsigned())
    }

    /// As a timestamp; one that jiff cannot hold counts as the nearest that it can.
    pub fn timestamp(self) -> Timestamp {
        Timestamp::from_microsecond(self.0).unwrap_or(if self.0 < 0 {
            Timestamp::MIN
        } else {
            Timestamp::MAX
        })
    }
}

impl From<Timestamp> for Micros {
    fn from(at: Timestamp) -> Self {
        Self(at.as_microsecond())
    }
}

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.6}", self.timestamp())
    }
}

macro_rules! serialize_as_text {
    ($($noun:ty),*) => {$(
        impl Serialize for $noun {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )*};
}
serialize_as_text!(Day, Month, Micros);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_read_and_write() {
        for (text, days) in [
            ("1970-01-01", 0),
            ("2026-11-29", 20_786),
            ("1969-12-31", -1),
            ("9999-12-31", 2_932_896),
            ("0000-01-01", -719_528),
        ] {
            assert_eq!(text.parse::<Day>(), Ok(Day(days)), "{text}");
            assert_eq!(Day(days).to_string(), text);
        }
        for text in [
            "",
            "2026-11-31",
            "2026-1-1",
            "+026-01-01",
            "2026-11-29 ",
            "2026-11-29T00:00",
            "2026-00-10",
            "20261129",
        ] {
            assert_eq!(text.parse::<Day>(), Err(NotADate), "{text}");
        }
        for extreme in [i32::MIN, i32::MAX] {
            assert_eq!(Day(extreme).to_string().len(), 10);
        }
    }

    #[test]
    fn a_day_is_a_half_open_interval() {
        assert_eq!(Day::of(Micros(-1)), Day(-1));
        assert_eq!(Day::of(Micros(0)), Day(0));
        assert_eq!(Day::of(Micros(86_400_000_000 - 1)), Day(0));
        assert_eq!(Day::of(Micros(86_400_000_000)), Day(1));
    }

    #[test]
    fn months_span_their_days() {
        let month: Month = "2028-02".parse().unwrap();
        assert_eq!(
            (month.first().to_string(), month.last().to_string()),
            ("2028-02-01".into(), "2028-02-29".into())
        );
        assert_eq!(month.last().month(), month);
        assert_eq!(month.last().plus(1).month().index(), month.index() + 1);
        assert!("2028-13".parse::<Month>().is_err() && "2028-2".parse::<Month>().is_err());
    }

    #[test]
    fn instants_show_six_places() {
        assert_eq!(Micros(1_500_000).to_string(), "1970-01-01T00:00:01.500000Z");
        assert_eq!(Micros(0).to_string(), "1970-01-01T00:00:00.000000Z");
        let _ = (Micros(i64::MIN).to_string(), Micros(i64::MAX).to_string());
    }
}
