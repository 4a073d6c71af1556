//! A bound on what one replay may make the referee do.

use crate::{Rejection, Result};

/// Refuses a replay that has asked for more work than its ruleset's bound: `limit`.
///
/// Work is counted in things that the rules themselves count, such as words drawn, so that every machine refuses at the
/// same call. The bounds lie far above what battles come to; they exist since a replay of a few hundred kilobytes can
/// ask for hundreds of millions of draws within every limit of its setup.
///
/// # Errors
/// `limit`, without a path; the driver names the call.
#[inline]
pub fn within_work(done: u64, most: u64) -> Result<()> {
    if done > most { Err(too_much(most)) } else { Ok(()) }
}

#[cold]
fn too_much(most: u64) -> Rejection {
    Rejection::new("limit", format!("the replay asks for more than {most} draws and the like"))
}
