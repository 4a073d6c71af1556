//! What is handed in to be stored, and what the store answers.

use std::time::Duration;

use ongrid_engine::Verdict;
use uuid::Uuid;

use crate::{Day, Kind, Micros, Rank};

/// What the fight was fought for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Play {
    /// A free fight.
    Free {
        /// The day that it belongs to.
        day: Day,
        /// Whether it stands on the board of its scenario, that is of its engine and setup.
        scenario: bool,
    },
    /// The replay of an attempt; day and kind are the attempt's.
    Attempt(Uuid),
}

/// A fight that an engine has verified.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Who fought it.
    pub pilot: Uuid,
    /// What for.
    pub play: Play,
    /// The doctrine fought, where the ruleset has doctrines.
    pub doctrine: Option<String>,
    /// What the engine made of it.
    pub verdict: Verdict,
    /// The replay as it was received.
    pub received: Vec<u8>,
    /// The build that judged.
    pub build: String,
    /// When the replay came in.
    pub submitted_at: Micros,
    /// When the engine was done.
    pub verified_at: Micros,
    /// How long the engine took.
    pub verify_time: Duration,
}

/// What became of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The fight's id: for the same canonical replay of the same pilot and day always the same.
    pub fight: Uuid,
    /// Whether this submission stored it.
    pub new: bool,
    /// The day that it counts for.
    pub day: Day,
    /// What it was fought for.
    pub kind: Kind,
    /// Its attempt.
    pub attempt: Option<Uuid>,
    /// When the engine was done, the first time.
    pub verified_at: Micros,
    /// The first fight of another pilot with the same fleet and calls.
    pub copied_from: Option<Uuid>,
    /// Whether the fight was voided since.
    pub void: bool,
    /// Where the pilot stands on the board of the day, for a ranked fight that counts.
    pub rank: Option<Rank>,
}
