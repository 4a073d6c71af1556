//! Connections to Postgres on loan from the pool, given back only in a state in which the next one can use them.
//!
//! Asking each connection whether it still lives, before and after each use, would cost more than most statements here.
//! So a connection is asked only where there is reason to: after it lay idle for a while, or when the one who used it
//! went away in the middle of a statement.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use sqlx::pool::{PoolConnection, PoolConnectionMetadata};
use sqlx::{Connection, PgConnection, PgPool, Postgres};
use tokio::time::timeout;

use crate::Result;

/// How long a connection may have been idle to be used without a question.
const FRESH: Duration = Duration::from_secs(1);

/// How long a connection may take to answer that it lives. One whose network is gone without a word would otherwise be
/// waited for as long as TCP is patient.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether an idle connection may be used.
pub(crate) async fn is_usable(
    connection: &mut PgConnection,
    since: PoolConnectionMetadata,
) -> sqlx::Result<bool> {
    Ok(since.idle_for < FRESH || matches!(timeout(PATIENCE, connection.ping()).await, Ok(Ok(()))))
}

/// A connection for one statement.
pub(crate) struct Lease(Option<PoolConnection<Postgres>>);

impl Lease {
    pub(crate) async fn take(pool: &PgPool) -> Result<Self> {
        Ok(Self(Some(pool.acquire().await?)))
    }

    /// Gives it back after the statement, unless that shows that the connection is lost.
    pub(crate) fn end<T>(mut self, done: sqlx::Result<T>) -> sqlx::Result<T> {
        if let Some(mut connection) = self.0.take()
            && done.as_ref().is_err_and(is_lost)
        {
            connection.close_on_drop();
        }
        done
    }

    pub(crate) fn connection(&mut self) -> sqlx::Result<&mut PgConnection> {
        self.0.as_deref_mut().ok_or(sqlx::Error::PoolClosed)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // In the middle of a statement: its answer is still to come, if any comes.
        if let Some(mut connection) = self.0.take() {
            tokio::spawn(async move {
                if !matches!(timeout(PATIENCE, connection.ping()).await, Ok(Ok(()))) {
                    connection.close_on_drop();
                }
            });
        }
    }
}

/// Whether a fault means that the connection is of no more use.
fn is_lost(fault: &sqlx::Error) -> bool {
    match fault.as_database_error().and_then(|said| said.code()) {
        Some(code) => code.starts_with("08") || code.starts_with("57P"),
        None => !matches!(fault, sqlx::Error::RowNotFound),
    }
}

/// A connection inside a transaction. If that does not end in order the connection is closed: the server undoes what its
/// client leaves behind, wherever it was.
pub(crate) struct Session {
    connection: PoolConnection<Postgres>,
    ended: bool,
}

impl Session {
    pub(crate) async fn begin(pool: &PgPool, text: &'static str) -> Result<Self> {
        // A restarted server leaves dead connections in the pool; no more than it may have.
        let mut stale = pool.options().get_max_connections();
        loop {
            let mut session = Self { connection: pool.acquire().await?, ended: false };
            match sqlx::raw_sql(text).execute(&mut *session.connection).await {
                Ok(_) => return Ok(session),
                Err(fault) if stale == 0 || !is_lost(&fault) => return Err(fault.into()),
                Err(_) => stale -= 1,
            }
        }
    }

    pub(crate) async fn end(mut self, text: &'static str) -> Result<()> {
        sqlx::raw_sql(text).execute(&mut *self.connection).await?;
        self.ended = true;
        Ok(())
    }
}

impl Deref for Session {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.connection
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.connection
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.ended {
            self.connection.close_on_drop();
        }
    }
}
