//! What time it is. The service asks only here, so that a test can cross a reset without waiting for one.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use ongrid_store::Micros;

/// The system's clock, shifted by what a test wants; a running service never shifts it.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    shift: Arc<AtomicI64>,
}

impl Clock {
    /// Now.
    pub fn now(&self) -> Micros {
        Micros(Micros::now().0 + self.shift.load(Ordering::Relaxed))
    }

    /// Moves the clock so that it is `then`; for tests.
    pub fn set(&self, then: Micros) {
        self.shift.store(then.0 - Micros::now().0, Ordering::Relaxed);
    }
}
