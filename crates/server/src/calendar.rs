//! The days that are and those to come: drawn and committed to seven days ahead.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use ongrid_store::{Day, DayRecord, Micros, Policy, SeedPolicy, Store};

use crate::config;
use crate::day::{MINUTE, Secret, closes_at, day_of, opens_at};
use crate::fleets::Fleets;
use crate::problem::Problem;
use crate::secrets::Sealer;

/// How many days ahead a day is drawn.
pub const AHEAD: i32 = 7;

/// Days as the service sees them.
#[derive(Debug)]
pub struct Calendar {
    settings: config::Day,
    sealer: Sealer,
    /// Days that have begun: nothing of them changes any more.
    begun: Mutex<BTreeMap<Day, Arc<DayRecord>>>,
}

impl Calendar {
    /// A calendar by the settings.
    pub fn new(settings: config::Day, sealer: Sealer) -> Self {
        Self { settings, sealer, begun: Mutex::default() }
    }

    /// The day of an instant.
    pub fn day_of(&self, now: Micros) -> Day {
        day_of(now, self.settings.reset)
    }

    /// Draws what is missing of today and the days ahead. Several replicas may do so at once: the first wins.
    ///
    /// # Errors
    /// The database's, or the system's want of randomness.
    pub async fn draw_ahead(&self, store: &Store, fleets: &Fleets, now: Micros) -> Result<()> {
        let today = self.day_of(now);
        store.ensure_partitions(today, today.plus(AHEAD + 1)).await.context("partitions")?;
        let known = store.days(today, today.plus(AHEAD)).await?;
        for day in (0..=AHEAD).map(|ahead| today.plus(ahead)) {
            if known.iter().all(|record| record.day != day) {
                store.ensure_day(&self.draw(day, fleets)?).await.with_context(|| format!("day {day}"))?;
            }
        }
        Ok(())
    }

    fn draw(&self, day: Day, fleets: &Fleets) -> Result<DayRecord> {
        let secret = Secret::random()?;
        let settings = &self.settings;
        let doctrines = fleets.doctrines();
        let closes_at = closes_at(day, settings.reset);
        Ok(DayRecord {
            day,
            engine: fleets.tag().to_owned(),
            doctrine: doctrines[secret.doctrine(day, doctrines.len())].id.to_owned(),
            doctrine_set: false,
            secret: self.sealer.seal(day, &secret)?,
            commitment: secret.commitment().0.to_vec(),
            policy: Policy {
                seed: match settings.seed {
                    config::SeedPolicy::Pilot => SeedPolicy::Pilot,
                    config::SeedPolicy::Day => SeedPolicy::Day,
                },
                ranked_attempts: settings.ranked_attempts,
                practice_attempts: settings.practice_attempts,
                attempt_minutes: settings.attempt_minutes,
                grace_minutes: settings.grace_minutes,
            },
            opens_at: opens_at(day, settings.reset),
            closes_at,
            final_at: Micros(closes_at.0 + i64::from(settings.grace_minutes) * MINUTE),
            archived_at: None,
        })
    }

    /// A day, where it was drawn.
    ///
    /// # Errors
    /// 503 where the database cannot say.
    pub async fn find(
        &self,
        store: &Store,
        day: Day,
        now: Micros,
    ) -> Result<Option<Arc<DayRecord>>, Problem> {
        if let Some(known) = self.begun.lock().unwrap_or_else(PoisonError::into_inner).get(&day) {
            return Ok(Some(known.clone()));
        }
        let Some(record) = store.day(day).await?.map(Arc::new) else { return Ok(None) };
        if record.opens_at <= now {
            let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
            begun.insert(day, record.clone());
            if begun.len() > 64 {
                begun.pop_first();
            }
        }
        Ok(Some(record))
    }

    /// The secret of a day.
    ///
    /// # Errors
    /// 500 where it does not open with this service's key; the log says so.
    pub fn secret(&self, record: &DayRecord) -> Result<Secret, Problem> {
        self.sealer.open(record.day, &record.secret).map_err(|error| {
            tracing::error!(%error, "a day's secret does not open");
            Problem::internal()
        })
    }
}
