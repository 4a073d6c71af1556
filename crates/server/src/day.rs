//! The day: the one function that decides it, and what is drawn from its secret (http-api, "Seeds of the day").

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use ongrid_engine::{Digest, Seed};
use ongrid_store::{Day, Micros};
use sha2::Sha256;

use crate::config::{Reset, SeedPolicy};

/// Microseconds of a minute.
pub const MINUTE: i64 = 60_000_000;
const DAY: i64 = 24 * 60 * MINUTE;

/// The day that an instant belongs to, `reset` minutes after midnight UTC beginning it. Whatever zone host or
/// database are in, this decides.
pub fn day_of(now: Micros, reset: Reset) -> Day {
    Day::of(Micros(now.0.saturating_sub(i64::from(reset.0) * MINUTE)))
}

/// When a day begins.
pub fn opens_at(day: Day, reset: Reset) -> Micros {
    Micros(i64::from(day.0) * DAY + i64::from(reset.0) * MINUTE)
}

/// When a day ends; the next one begins at the same instant.
pub fn closes_at(day: Day, reset: Reset) -> Micros {
    opens_at(day.plus(1), reset)
}

/// The 32 random bytes behind a day's seeds and doctrine. Not shown before the day is final.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub [u8; 32]);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Secret {
    /// A new secret from the system's randomness.
    ///
    /// # Errors
    /// Where the system gives none.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// What is published before the day: SHA-256 of the secret.
    pub fn commitment(&self) -> Digest {
        Digest::of(&self.0)
    }

    /// The seed of an attempt; `number` counts all attempts of that pilot and day.
    pub fn seed(&self, policy: SeedPolicy, engine: &str, day: Day, pilot: &str, number: u32) -> Seed {
        let (pilot, number) = match policy {
            SeedPolicy::Pilot => (pilot, number.to_string()),
            SeedPolicy::Day => ("", String::new()),
        };
        Seed::from_bytes(self.mac(&format!("ongrid-seed-1\0{engine}\0{day}\0{pilot}\0{number}")))
    }

    /// Which of `count` doctrines the day has.
    pub fn doctrine(&self, day: Day, count: usize) -> usize {
        let mac = self.mac(&format!("ongrid-doctrine-1\0{day}"));
        let mut head = [0; 8];
        head.copy_from_slice(&mac[..8]);
        usize::try_from(u64::from_be_bytes(head) % (count.max(1) as u64)).unwrap_or_default()
    }

    fn mac(&self, text: &str) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instant(text: &str) -> Micros {
        text.parse::<jiff::Timestamp>().unwrap().into()
    }

    #[test]
    fn a_day_is_half_open_and_begins_at_the_reset() {
        for (now, reset, day) in [
            ("2026-12-01T00:00:00Z", 0, "2026-12-01"),
            ("2026-11-30T23:59:59.999999Z", 0, "2026-11-30"),
            ("2026-12-01T05:29:59.999999Z", 330, "2026-11-30"),
            ("2026-12-01T05:30:00Z", 330, "2026-12-01"),
            ("2024-02-29T12:00:00Z", 0, "2024-02-29"),
            ("1969-12-31T23:00:00Z", 0, "1969-12-31"),
        ] {
            assert_eq!(day_of(instant(now), Reset(reset)).to_string(), day, "{now}");
        }
        let (day, reset): (Day, _) = ("2026-12-01".parse().unwrap(), Reset(330));
        assert_eq!(closes_at(day, reset), opens_at(day.plus(1), reset));
        assert_eq!(day_of(opens_at(day, reset), reset), day);
        assert_eq!(day_of(Micros(closes_at(day, reset).0 - 1), reset), day);
    }

    #[test]
    fn seeds_doctrines_and_commitments_as_published() {
        let secret: [u8; 32] = std::array::from_fn(|index| index as u8);
        let secret = Secret(secret);
        assert_eq!(
            secret.commitment().hex(),
            "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
        );
        let day: Day = "2026-12-01".parse().unwrap();
        let pilot = "0193b3a5-0000-7000-8000-000000000001";
        let seed = |policy, day, number| secret.seed(policy, "ongrid-8", day, pilot, number).hex();
        let published = [
            (SeedPolicy::Pilot, day, 1, "b485d9026137ffc64c3dba30e3ba44f5100132ea2c2def2117720daf79a51379"),
            (SeedPolicy::Pilot, day, 2, "2aeea3ffc600426af2f1f7622906a90ab39df169c4d270df575c39f0018671c6"),
            (
                SeedPolicy::Pilot,
                day.plus(1),
                1,
                "a6754c49d2aaad02a555edd54e522aa225e4726f6156ec540d694238a777e174",
            ),
            (SeedPolicy::Day, day, 1, "442fba01a5906ed7a294b0e1917ebc8d6efd8f6fc3365cf85fe9ec0c55e983d0"),
        ];
        for (policy, day, number, hex) in published {
            assert_eq!(seed(policy, day, number), hex);
        }
    }
}
