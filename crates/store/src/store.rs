//! Opening the store: connections with their limits, the schema, readiness.

use std::future::Future;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, PgConnection, SqliteConnection};
use tokio::time::timeout;

use crate::callers::Callers;
use crate::db::{Database, Tx};
use crate::ladder::Ladders;
use crate::lease::is_usable;
use crate::writer::{Batching, Queue};
use crate::{Error, Result, sql};

static POSTGRES: Migrator = sqlx::migrate!("../../migrations/postgres");
static SQLITE: Migrator = sqlx::migrate!("../../migrations/sqlite");

/// How the store behaves towards its database.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether a SQLite file is made where there is none.
    pub create: bool,
    /// Most connections at a time; an in-memory SQLite has one.
    pub connections: u32,
    /// How long to wait for a connection.
    pub acquire_timeout: Duration,
    /// How long a statement may run (Postgres) or wait for the write lock (SQLite).
    pub statement_timeout: Duration,
    /// How long a statement may wait for somebody else's lock (Postgres).
    pub lock_timeout: Duration,
    /// After how long Postgres ends a transaction in which nothing happens.
    pub idle_transaction_timeout: Duration,
    /// How submissions are gathered.
    pub batching: Batching,
    /// From how many entries on the sums over a board's buckets are kept in memory for those who ask for ranks.
    pub sums_from: i64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            create: true,
            connections: 10,
            acquire_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(10),
            lock_timeout: Duration::from_secs(5),
            idle_transaction_timeout: Duration::from_secs(10),
            batching: Batching::default(),
            sums_from: 4096,
        }
    }
}

/// The store. Clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) db: Database,
    /// What the writer and the desk of callers use; on SQLite the same.
    hot: Database,
    pub(crate) queue: Queue,
    pub(crate) callers: Callers,
    pub(crate) ladders: Arc<Ladders>,
    pub(crate) sums_from: i64,
    address: Address,
}

#[derive(Clone, Debug)]
enum Address {
    Postgres(Box<PgConnectOptions>),
    Sqlite(Box<SqliteConnectOptions>),
}

/// A future that a [`Store`] runs in a task of its own.
pub(crate) type Work<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

impl Store {
    /// Whether a store can be opened at this address, as far as that can be said without asking there.
    ///
    /// # Errors
    /// [`Error::Address`].
    pub fn check_address(url: &str, options: &Options) -> Result<()> {
        Address::parse(url, options).map(drop)
    }

    /// Connects to `postgres://…` or `sqlite://…`; a SQLite file may be made where there is none
    /// ([`Options::create`]). The schema is not touched ([`Store::migrate`]).
    ///
    /// # Errors
    /// [`Error::Address`], or [`Error::Unavailable`] where nobody answers.
    pub async fn open(url: &str, options: &Options) -> Result<Self> {
        let address = Address::parse(url, options)?;
        let (db, hot) = match &address {
            Address::Postgres(connect) => {
                let pool = |connections| {
                    PgPoolOptions::new()
                        .max_connections(connections)
                        .acquire_timeout(options.acquire_timeout)
                        .test_before_acquire(false)
                        .before_acquire(|connection, since| Box::pin(is_usable(connection, since)))
                };
                let db = pool(options.connections).connect_with((**connect).clone()).await?;
                // What nearly every request needs goes through few connections of its own: a server's process that does
                // the same again has its catalogue, plans and pages at hand.
                // The writer's, one for the desk of callers and one for what it writes.
                let few = u32::try_from(options.batching.in_flight).unwrap_or(1).saturating_add(2);
                (Database::Postgres(db), Database::Postgres(pool(few).connect_lazy_with((**connect).clone())))
            }
            Address::Sqlite(connect) => {
                let pool = SqlitePoolOptions::new()
                    .acquire_timeout(options.acquire_timeout)
                    .before_acquire(|connection, _| Box::pin(is_at_rest(connection)));
                // A database in memory lives as long as its only connection.
                let pool = if is_in_memory(url) {
                    pool.max_connections(1).idle_timeout(None).max_lifetime(None)
                } else {
                    pool.max_connections(options.connections)
                };
                let db = Database::Sqlite(pool.connect_with((**connect).clone()).await?);
                (db.clone(), db)
            }
        };
        let ladders = Arc::new(Ladders::default());
        let queue = Queue::start(hot.clone(), ladders.clone(), options.batching);
        let callers = Callers::start(hot.clone());
        Ok(Self { db, hot, queue, callers, ladders, sums_from: options.sums_from, address })
    }

    /// Brings the schema up to date. Several replicas may do so at once: one does it, the others wait.
    ///
    /// # Errors
    /// [`Error::Migrate`] where the database's schema is newer or was changed, [`Error::Unavailable`].
    pub async fn migrate(&self) -> Result<()> {
        let this = self.clone();
        self.detached(move || Box::pin(async move { this.bring_up_to_date().await })).await
    }

    async fn bring_up_to_date(&self) -> Result<()> {
        match (&self.address, &self.db) {
            // On a connection of its own: waiting for another replica must not run into the timeouts of the pool.
            (Address::Postgres(connect), _) => {
                let connect = (**connect).clone().options([
                    ("statement_timeout", "0"),
                    ("lock_timeout", "0"),
                    ("idle_in_transaction_session_timeout", "0"),
                ]);
                let mut connection = PgConnection::connect_with(&connect).await?;
                POSTGRES.run_direct(None, &mut connection, false).await?;
                connection.close().await?;
            }
            (_, Database::Sqlite(pool)) => migrate_sqlite(&mut *pool.acquire().await?).await?,
            (Address::Sqlite(_), Database::Postgres(_)) => {}
        }
        Ok(())
    }

    /// Whether the database answers, with the schema in place.
    ///
    /// # Errors
    /// [`Error::Unavailable`], or [`Error::Corrupt`] where the schema is not there.
    pub async fn check(&self) -> Result<()> {
        self.db.one::<i64>(sql::CHECK, &[]).await.map(drop)
    }

    /// Whether nobody was ever registered here.
    ///
    /// # Errors
    /// As [`Store::check`].
    pub async fn is_new(&self) -> Result<bool> {
        Ok(self.db.maybe::<uuid::Uuid>(sql::ANY_PILOT, &[]).await?.is_none())
    }

    /// `postgres` or `sqlite`.
    pub fn kind(&self) -> &'static str {
        match self.db {
            Database::Postgres(_) => "postgres",
            Database::Sqlite(_) => "sqlite",
        }
    }

    /// How many submissions and acts wait for the writer.
    pub fn waiting(&self) -> usize {
        self.queue.waiting()
    }

    /// Whether the next submission would be [`Error::Busy`]: nothing needs to be verified for it.
    pub fn is_full(&self) -> bool {
        self.queue.is_full()
    }

    /// Connections open, and how many of them are idle.
    pub fn connections(&self) -> (u32, usize) {
        let (open, idle) = self.db.connections();
        if matches!(self.db, Database::Sqlite(_)) {
            return (open, idle);
        }
        let (hot, resting) = self.hot.connections();
        (open + hot, idle + resting)
    }

    /// Writes what was submitted, answers it, and closes the connections; whatever is asked afterwards is
    /// [`Error::Busy`] or [`Error::Unavailable`].
    pub async fn close(&self) {
        self.queue.stop().await;
        self.callers.stop().await;
        self.hot.close().await;
        self.db.close().await;
    }

    /// Runs work in a task of its own: a caller that goes away neither undoes nor halves it, and a connection never
    /// goes back to the pool inside a transaction.
    pub(crate) async fn detached<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce() -> Work<'static, T> + Send + 'static,
    {
        match tokio::spawn(work()).await {
            Ok(done) => done,
            Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
        }
    }

    /// Runs a transaction in a task of its own, and again where the database made it give way to another.
    pub(crate) async fn transact<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: for<'t> Fn(&'t mut Tx) -> Work<'t, T> + Send + Sync + 'static,
    {
        let db = self.db.clone();
        self.detached(move || Box::pin(async move { transact(&db, &work).await })).await
    }
}

/// How often a transaction is tried where it has to give way (deadlock, serialisation, a busy SQLite).
const TRIES: usize = 3;

pub(crate) async fn transact<T, F>(db: &Database, work: &F) -> Result<T>
where
    F: for<'t> Fn(&'t mut Tx) -> Work<'t, T>,
{
    let mut tries = TRIES;
    loop {
        tries -= 1;
        // The database ends what takes too long; this is for one that is gone without a word.
        let done = timeout(db.patience(), once(db, work)).await;
        match done.unwrap_or_else(|_| Err(Error::silent())) {
            Err(fault) if tries > 0 && fault.gave_way() => {}
            done => return done,
        }
    }
}

async fn once<T, F>(db: &Database, work: &F) -> Result<T>
where
    F: for<'t> Fn(&'t mut Tx) -> Work<'t, T>,
{
    let mut tx = db.begin().await?;
    match work(&mut tx).await {
        Ok(done) => tx.commit().await.map(|()| done),
        Err(fault) => {
            // Where even this fails the connection is gone, and the transaction with it.
            let _ = tx.rollback().await;
            Err(fault)
        }
    }
}

impl Address {
    fn parse(url: &str, options: &Options) -> Result<Self> {
        let wrong = |fault: sqlx::Error| Error::Address(fault.to_string());
        let milliseconds = |time: Duration| time.as_millis().to_string();
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let connect =
                PgConnectOptions::from_str(url).map_err(wrong)?.application_name("ongrid").options([
                    ("statement_timeout", milliseconds(options.statement_timeout)),
                    ("lock_timeout", milliseconds(options.lock_timeout)),
                    ("idle_in_transaction_session_timeout", milliseconds(options.idle_transaction_timeout)),
                    // Every statement here looks few rows up by a key; for a list of keys the planner would rather read a
                    // whole table of some thousand rows.
                    ("enable_hashjoin", "off".into()),
                    ("enable_mergejoin", "off".into()),
                    ("enable_seqscan", "off".into()),
                    ("enable_material", "off".into()),
                    ("jit", "off".into()),
                    // Plans are made once, for any key: planning anew takes longer than looking a board's rows up.
                    ("plan_cache_mode", "force_generic_plan".into()),
                ]);
            Ok(Self::Postgres(Box::new(connect.statement_cache_capacity(400))))
        } else if url.starts_with("sqlite:") {
            let connect = SqliteConnectOptions::from_str(url)
                .map_err(wrong)?
                .create_if_missing(options.create)
                // Rows of a page cross over from the connection's own thread without waiting for each other.
                .row_buffer_size(256)
                .foreign_keys(true)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .busy_timeout(options.statement_timeout)
                .statement_cache_capacity(400);
            let file = connect.get_filename();
            if !options.create && !is_in_memory(url) && !file.exists() {
                return Err(Error::Address(format!("there is no database {}", file.display())));
            }
            Ok(Self::Sqlite(Box::new(connect)))
        } else {
            let scheme = url.split_once(':').map_or("none", |(scheme, _)| scheme);
            Err(Error::Address(format!("it begins with postgres:// or sqlite://, not with {scheme:?}")))
        }
    }
}

/// Whether a connection may be used again: one that believes itself inside a transaction is closed instead. SQLite ends a
/// transaction by itself where the disk is full, the rollback that follows fails, and the connection would refuse every
/// BEGIN from then on.
async fn is_at_rest(connection: &mut SqliteConnection) -> sqlx::Result<bool> {
    Ok(!connection.is_in_transaction())
}

fn is_in_memory(url: &str) -> bool {
    url.contains(":memory:") || url.contains("mode=memory")
}

/// SQLite has no lock for this: where two processes race, the loser finds on its next look that nothing is left to do.
async fn migrate_sqlite(connection: &mut SqliteConnection) -> Result<()> {
    let mut tries = 5;
    loop {
        tries -= 1;
        match SQLITE.run_direct(None, &mut *connection, false).await {
            Ok(()) => return Ok(()),
            Err(MigrateError::Execute(_) | MigrateError::ExecuteMigration(..)) if tries > 0 => {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            Err(fault) => return Err(fault.into()),
        }
    }
}
