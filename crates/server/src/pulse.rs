//! What the service does right now, for operators: counted in memory, forgotten with the process.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::Shared;
use crate::problem::ProblemCode;

/// How many seconds are kept.
pub const SECONDS: usize = 60;
/// Buckets of latencies: four to each doubling of the microseconds.
const BUCKETS: usize = 112;

/// The last minute, second by second.
#[derive(Debug)]
pub struct Pulse {
    begun: Instant,
    kept: Mutex<Kept>,
}

#[derive(Debug)]
struct Kept {
    /// The second of the newest slot, since the start.
    now: u64,
    slots: Vec<Slot>,
    codes: BTreeMap<String, u64>,
    total: u64,
}

/// A second.
#[derive(Clone, Debug)]
struct Slot {
    requests: u32,
    refused: u32,
    failed: u32,
    latencies: [u16; BUCKETS],
}

impl Default for Slot {
    fn default() -> Self {
        Self { requests: 0, refused: 0, failed: 0, latencies: [0; BUCKETS] }
    }
}

/// The last minute, in figures.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Requests of each second, the oldest first; the second under way is left out.
    pub requests: Vec<u32>,
    /// Requests of the minute.
    pub minute: u32,
    /// Of them, answered with a status of 400 to 499.
    pub refused: u32,
    /// Of them, answered with a status of 500 or above.
    pub failed: u32,
    /// Requests since the start.
    pub total: u64,
    /// Latency that half, 95 and 99 of a hundred requests kept to.
    pub latencies: [Duration; 3],
    /// Problems since the start by code, the most frequent first.
    pub codes: Vec<(String, u64)>,
    /// Since the start.
    pub uptime: Duration,
}

impl Default for Pulse {
    fn default() -> Self {
        let kept = Kept { now: 0, slots: vec![Slot::default(); SECONDS], codes: BTreeMap::new(), total: 0 };
        Self { begun: Instant::now(), kept: Mutex::new(kept) }
    }
}

impl Pulse {
    /// Counts an answer.
    pub fn count(&self, status: u16, code: Option<&str>, took: Duration) {
        self.count_at(self.begun.elapsed().as_secs(), status, code, took);
    }

    fn count_at(&self, second: u64, status: u16, code: Option<&str>, took: Duration) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.advance(second);
        kept.total += 1;
        let slot = &mut kept.slots[(second % SECONDS as u64) as usize];
        slot.requests += 1;
        slot.refused += u32::from((400..500).contains(&status));
        slot.failed += u32::from(status >= 500);
        let bucket = &mut slot.latencies[bucket_of(took)];
        *bucket = bucket.saturating_add(1);
        if let Some(code) = code {
            *kept.codes.entry(code.to_owned()).or_default() += 1;
        }
    }

    /// The last minute.
    pub fn read(&self) -> Reading {
        self.read_at(self.begun.elapsed())
    }

    fn read_at(&self, uptime: Duration) -> Reading {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.advance(uptime.as_secs());
        let mut reading = Reading { total: kept.total, uptime, ..Reading::default() };
        let mut latencies = [0_u64; BUCKETS];
        for age in (1..SECONDS as u64).rev() {
            let Some(second) = uptime.as_secs().checked_sub(age) else { continue };
            let slot = &kept.slots[(second % SECONDS as u64) as usize];
            reading.requests.push(slot.requests);
            reading.minute += slot.requests;
            reading.refused += slot.refused;
            reading.failed += slot.failed;
            for (sum, count) in latencies.iter_mut().zip(slot.latencies) {
                *sum += u64::from(count);
            }
        }
        reading.latencies = [50, 95, 99].map(|percent| quantile(&latencies, percent));
        reading.codes = kept.codes.iter().map(|(code, count)| (code.clone(), *count)).collect();
        reading.codes.sort_by_key(|code| std::cmp::Reverse(code.1));
        reading
    }
}

impl Kept {
    /// Clears the seconds that have passed since the newest.
    fn advance(&mut self, second: u64) {
        let passed = second.saturating_sub(self.now).min(SECONDS as u64);
        for ahead in 1..=passed {
            self.slots[((second - passed + ahead) % SECONDS as u64) as usize] = Slot::default();
        }
        self.now = self.now.max(second);
    }
}

fn bucket_of(took: Duration) -> usize {
    let micros = took.as_micros().clamp(1, u128::from(u32::MAX)) as f64;
    ((micros.log2() * 4.0) as usize).min(BUCKETS - 1)
}

/// The upper bound of the bucket that so many of a hundred keep to.
fn quantile(latencies: &[u64; BUCKETS], percent: u64) -> Duration {
    let all: u64 = latencies.iter().sum();
    let mut left = (all * percent).div_ceil(100);
    for (bucket, count) in latencies.iter().enumerate() {
        if left <= *count && all > 0 {
            return Duration::from_micros(((bucket + 1) as f64 / 4.0).exp2() as u64);
        }
        left = left.saturating_sub(*count);
    }
    Duration::ZERO
}

/// Counts every answer.
pub async fn watch(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let response = next.run(request).await;
    let code = response.extensions().get::<ProblemCode>().and_then(|code| code.0.to_str().ok());
    app.pulse.count(response.status().as_u16(), code, begun.elapsed());
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_is_kept_and_then_forgotten() {
        let pulse = Pulse::default();
        for second in 0..3 {
            for _ in 0..10 {
                pulse.count_at(second, 200, None, Duration::from_micros(900));
            }
            pulse.count_at(second, 422, Some("capacitor"), Duration::from_millis(30));
        }
        pulse.count_at(3, 503, Some("busy"), Duration::from_millis(1));
        let reading = pulse.read_at(Duration::from_secs(4));
        assert_eq!((reading.minute, reading.refused, reading.failed, reading.total), (34, 3, 1, 34));
        assert_eq!(reading.requests, [11, 11, 11, 1]);
        let [half, _, most] = reading.latencies.map(|latency| latency.as_micros());
        assert!((900..1300).contains(&half) && (30_000..40_000).contains(&most), "{half} {most}");
        assert_eq!(reading.codes, [("capacitor".to_owned(), 3), ("busy".to_owned(), 1)]);
        let later = pulse.read_at(Duration::from_secs(100));
        assert_eq!((later.minute, later.total, later.requests.len()), (0, 34, SECONDS - 1));
        assert_eq!(later.latencies, [Duration::ZERO; 3]);
    }

    #[test]
    fn a_clock_that_jumps_far_clears_everything_once() {
        let pulse = Pulse::default();
        pulse.count_at(5, 200, None, Duration::ZERO);
        pulse.count_at(1_000_000, 200, None, Duration::from_secs(9999));
        assert_eq!(pulse.read_at(Duration::from_secs(1_000_001)).minute, 1);
    }
}
