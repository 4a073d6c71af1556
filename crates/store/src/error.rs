//! What can go wrong, by what the caller can do about it.

use std::sync::Arc;
use std::time::Duration;

use ongrid_engine::Digest;
use sqlx::error::ErrorKind;

/// Result of everything in the store.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why the store did not do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The database cannot be reached, did not answer in time, is full or read-only, or had to give way to somebody
    /// else: nothing is wrong with what was asked, and it may be asked again.
    #[error("the database cannot do it now: {0}")]
    Unavailable(#[source] Arc<sqlx::Error>),
    /// The queue of writes is full, or closing: ask again a little later.
    #[error("the queue of writes is full")]
    Busy,
    /// What was asked contradicts what is stored.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// What is stored is not what this store writes, or what was asked is not what a database can hold.
    #[error("the records are damaged: {0}")]
    Corrupt(String),
    /// The data of a ruleset changed under a tag that has judged here before: the server must not start.
    #[error(
        "{tag} stands for the ruleset digest {known} in this database, this build has {found}: a changed figure needs a new tag"
    )]
    RulesetChanged {
        /// The tag.
        tag: String,
        /// The digest that it stands for.
        known: Digest,
        /// The digest of this build.
        found: Digest,
    },
    /// The database address is not one that the store understands, or leads to no database where none may be made.
    #[error("the database address cannot be used: {0}")]
    Address(String),
    /// The schema could not be brought up to date.
    #[error("the schema cannot be brought up to date: {0}")]
    Migrate(#[source] Arc<sqlx::migrate::MigrateError>),
}

/// How what was asked contradicts what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Conflict {
    /// Another pilot has this name, letters folded.
    #[error("another pilot has this name")]
    NameTaken,
    /// Another token has this secret.
    #[error("another token has this secret")]
    TokenTaken,
    /// There is no such pilot, or it was erased.
    #[error("there is no such pilot")]
    UnknownPilot,
    /// There is no such token.
    #[error("there is no such token")]
    UnknownToken,
    /// There is no such fight.
    #[error("there is no such fight")]
    UnknownFight,
    /// There is no such attempt of this pilot.
    #[error("there is no such attempt")]
    UnknownAttempt,
    /// There is no such day.
    #[error("there is no such day")]
    UnknownDay,
    /// The day has begun: what it is made of can no longer be set.
    #[error("the day has begun")]
    DayBegun,
    /// The pilot has an open attempt of that day with another setup.
    #[error("an attempt is open")]
    AttemptOpen,
    /// The pilot has had all attempts of that day.
    #[error("no attempt is left")]
    NoAttemptLeft,
    /// The attempt has its verdict, or was refused too often.
    #[error("the attempt is spent")]
    AttemptSpent,
    /// The attempt's time is over.
    #[error("the attempt has expired")]
    AttemptExpired,
    /// Seed, engine or setup of the replay are not those of the attempt.
    #[error("the replay is not of this attempt: seed, engine or setup differ")]
    AttemptDiffers,
    /// The grace time of the attempt's day is over.
    #[error("the day is closed")]
    DayClosed,
    /// The day is not over, or its fights have no partition of their own.
    #[error("the day cannot be archived")]
    NotArchivable,
    /// Another appends to the log.
    #[error("another replica appends to the log")]
    NotLeading,
    /// The fight is void already or is not, the pilot is banned already or is not.
    #[error("it is so already")]
    SameState,
}

impl Error {
    /// The database neither answers nor hangs up.
    pub(crate) fn silent() -> Self {
        Self::Unavailable(Arc::new(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())))
    }

    /// Whether the same may be asked again as it is.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Busy)
    }

    /// Whether the database undid the transaction in favour of another (serialisation, deadlock, a stale snapshot):
    /// it may be tried again at once.
    pub(crate) fn gave_way(&self) -> bool {
        let Self::Unavailable(fault) = self else { return false };
        let code = fault.as_database_error().and_then(sqlx::error::DatabaseError::code);
        code.is_some_and(|code| (code.len() == 5 && code.starts_with("40")) || code == "517")
    }

    /// How long to wait before asking again, where that makes sense.
    pub fn retry_after(&self) -> Option<Duration> {
        self.is_retryable().then(|| Duration::from_secs(1))
    }
}

/// What the constraints of the schema mean, in one place: by the constraint's name on Postgres, by the columns that
/// SQLite names in its message.
const MEANINGS: [(&str, &str, Conflict); 3] = [
    ("pilots_name_key_key", "pilots.name_key", Conflict::NameTaken),
    ("tokens_secret_hash_key", "tokens.secret_hash", Conflict::TokenTaken),
    ("tokens_pilot_fkey", "FOREIGN KEY", Conflict::UnknownPilot),
];

impl From<sqlx::migrate::MigrateError> for Error {
    fn from(fault: sqlx::migrate::MigrateError) -> Self {
        Self::Migrate(fault.into())
    }
}

impl From<sqlx::Error> for Error {
    fn from(fault: sqlx::Error) -> Self {
        let Some(said) = fault.as_database_error() else {
            return match fault {
                sqlx::Error::ColumnDecode { .. }
                | sqlx::Error::ColumnIndexOutOfBounds { .. }
                | sqlx::Error::Decode(_)
                | sqlx::Error::Encode(_)
                | sqlx::Error::RowNotFound => Self::Corrupt(fault.to_string()),
                _ => Self::Unavailable(fault.into()),
            };
        };
        match said.kind() {
            ErrorKind::Other => {
                if is_passing(said.code().as_deref().unwrap_or_default()) {
                    Self::Unavailable(fault.into())
                } else {
                    Self::Corrupt(fault.to_string())
                }
            }
            _ => {
                let constraint = said.constraint().unwrap_or_default();
                let message = said.message();
                MEANINGS
                    .iter()
                    .find(|(name, columns, _)| {
                        constraint == *name || (constraint.is_empty() && message.contains(columns))
                    })
                    .map_or_else(
                        || Self::Corrupt(fault.to_string()),
                        |(_, _, meaning)| Self::Conflict(*meaning),
                    )
            }
        }
    }
}

/// Whether a fault passes by itself: SQLSTATE classes and codes of Postgres, primary result codes of SQLite.
fn is_passing(code: &str) -> bool {
    /// Connection, serialisation and deadlock, resources, operator's intervention, system.
    const CLASSES: [&str; 5] = ["08", "40", "53", "57", "58"];
    /// Lock not available (lock_timeout), idle_in_transaction_session_timeout, read-only transaction (a standby).
    const CODES: [&str; 3] = ["55P03", "25P03", "25006"];
    /// BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN, PROTOCOL.
    const SQLITE: [i32; 9] = [5, 6, 7, 8, 9, 10, 13, 14, 15];
    if code.len() == 5 {
        CODES.contains(&code) || CLASSES.iter().any(|class| code.starts_with(class))
    } else {
        code.parse::<i32>().is_ok_and(|code| SQLITE.contains(&(code & 0xff)))
    }
}

#[cfg(test)]
mod tests {
    use super::is_passing;

    #[test]
    fn codes_that_pass() {
        for code in [
            "08006", "40P01", "40001", "53300", "57P01", "57014", "58030", "55P03", "25P03", "5", "517", "6",
            "13", "778",
        ] {
            assert!(is_passing(code), "{code}");
        }
        for code in ["42P01", "23505", "22P02", "1", "11", "26", "XX001", ""] {
            assert!(!is_passing(code), "{code}");
        }
    }
}
