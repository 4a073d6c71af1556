//! The two databases behind one way of asking: values in, columns out, one dispatch macro.

use std::time::Duration;

use ongrid_engine::Digest;
use sqlx::postgres::{PgArguments, PgPool, PgRow};
use sqlx::sqlite::{SqliteArguments, SqlitePool, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, PgConnection, Postgres, Row as _, Sqlite, Transaction};
use uuid::Uuid;

use crate::lease::{Lease, Session};
use crate::sql::{Many, Type};
use crate::time::{Day, Micros};
use crate::{Error, Result};

/// The database itself.
#[derive(Clone, Debug)]
pub(crate) enum Database {
    Postgres(PgPool),
    Sqlite(SqlitePool),
}

/// A transaction. It ends with [`Tx::commit`] or [`Tx::rollback`]; dropped before (its task was cancelled or panicked, or
/// the database does not answer) it is undone, and no connection goes back to the pool inside it.
pub(crate) enum Tx {
    Postgres(Session),
    Sqlite(Transaction<'static, Sqlite>),
}

/// Something bound to a placeholder.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Bool(bool),
    Int(Option<i32>),
    Long(Option<i64>),
    Text(Option<&'a str>),
    Bytes(Option<&'a [u8]>),
    Id(Option<Uuid>),
}

/// A row of either database, read column by column from the first.
pub(crate) struct Row {
    row: Either,
    next: usize,
}

enum Either {
    Postgres(PgRow),
    Sqlite(SqliteRow),
}

/// What a row is read as, columns in the order of the SELECT.
pub(crate) trait Record: Sized {
    fn read(row: &mut Row) -> Result<Self>;
}

/// What a column is read as.
pub(crate) trait Column: Sized {
    fn column(row: &Row, index: usize) -> Result<Self>;
}

macro_rules! values_to {
    ($arguments:ty, $values:expr) => {{
        let mut arguments = <$arguments>::default();
        arguments.reserve($values.len(), 0);
        for value in $values {
            match *value {
                Value::Bool(it) => arguments.add(it),
                Value::Int(it) => arguments.add(it),
                Value::Long(it) => arguments.add(it),
                Value::Text(it) => arguments.add(it),
                Value::Bytes(it) => arguments.add(it),
                Value::Id(it) => arguments.add(it),
            }
            .map_err(|fault| Error::Corrupt(format!("a value cannot be bound: {fault}")))?;
        }
        arguments
    }};
}

/// Runs one sqlx method of a query on whichever database it is.
macro_rules! run {
    ($on:expr, $sql:expr, $values:expr, $method:ident, |$got:ident, $wrap:ident| $then:expr) => {
        match $on {
            Self::Postgres(it) => {
                let query = sqlx::query_with::<Postgres, _>($sql, values_to!(PgArguments, $values));
                let $got = on_postgres!(it, query, $method);
                #[allow(unused_variables)]
                let $wrap = Either::Postgres;
                $then
            }
            Self::Sqlite(it) => {
                let $got = sqlx::query_with::<Sqlite, _>($sql, values_to!(SqliteArguments, $values))
                    .$method(executor!(it))
                    .await?;
                #[allow(unused_variables)]
                let $wrap = Either::Sqlite;
                $then
            }
        }
    };
}

macro_rules! statements {
    ($this:ty) => {
        /// Runs a statement; answers how many rows it touched.
        pub(crate) async fn execute(self: $this, sql: &'static str, values: &[Value<'_>]) -> Result<u64> {
            run!(self, sql, values, execute, |done, _wrap| Ok(done.rows_affected()))
        }

        /// Every row.
        pub(crate) async fn all<T: Record>(
            self: $this,
            sql: &'static str,
            values: &[Value<'_>],
        ) -> Result<Vec<T>> {
            run!(self, sql, values, fetch_all, |rows, wrap| rows
                .into_iter()
                .map(|row| T::read(&mut Row { row: wrap(row), next: 0 }))
                .collect())
        }

        /// The row, if there is one.
        pub(crate) async fn maybe<T: Record>(
            self: $this,
            sql: &'static str,
            values: &[Value<'_>],
        ) -> Result<Option<T>> {
            run!(self, sql, values, fetch_optional, |row, wrap| row
                .map(|row| T::read(&mut Row { row: wrap(row), next: 0 }))
                .transpose())
        }

        /// The one row that there must be.
        #[allow(dead_code)]
        pub(crate) async fn one<T: Record>(
            self: $this,
            sql: &'static str,
            values: &[Value<'_>],
        ) -> Result<T> {
            run!(self, sql, values, fetch_one, |row, wrap| T::read(&mut Row { row: wrap(row), next: 0 }))
        }
    };
}

macro_rules! executor {
    ($it:ident) => {
        $it
    };
}

macro_rules! on_postgres {
    ($it:ident, $query:ident, $method:ident) => {{
        let mut lease = Lease::take($it).await?;
        let done = $query.$method(lease.connection()?).await;
        lease.end(done)?
    }};
}

impl Database {
    statements!(&Self);

    /// Begins a transaction that may write: on SQLite it holds the write lock at once, so that what is read
    /// first cannot be out of date when it is written.
    pub(crate) async fn begin(&self) -> Result<Tx> {
        self.begin_with("BEGIN", "BEGIN IMMEDIATE").await
    }

    /// Begins a transaction that reads one snapshot; it is to be rolled back.
    pub(crate) async fn begin_reading(&self) -> Result<Tx> {
        self.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "BEGIN").await
    }

    async fn begin_with(&self, postgres: &'static str, sqlite: &'static str) -> Result<Tx> {
        Ok(match self {
            Self::Postgres(pool) => Tx::Postgres(Session::begin(pool, postgres).await?),
            Self::Sqlite(pool) => Tx::Sqlite(pool.begin_with(sqlite).await?),
        })
    }

    /// How long a transaction may take before its connection is given up: six times what a connection is waited for,
    /// and so longer than the database itself lets statements take.
    pub(crate) fn patience(&self) -> Duration {
        6 * match self {
            Self::Postgres(pool) => pool.options().get_acquire_timeout(),
            Self::Sqlite(pool) => pool.options().get_acquire_timeout(),
        }
    }

    pub(crate) async fn close(&self) {
        match self {
            Self::Postgres(pool) => pool.close().await,
            Self::Sqlite(pool) => pool.close().await,
        }
    }

    /// Connections open, and how many of them are idle.
    pub(crate) fn connections(&self) -> (u32, usize) {
        match self {
            Self::Postgres(pool) => (pool.size(), pool.num_idle()),
            Self::Sqlite(pool) => (pool.size(), pool.num_idle()),
        }
    }
}

macro_rules! executor {
    ($it:ident) => {
        &mut **$it
    };
}

macro_rules! on_postgres {
    ($it:ident, $query:ident, $method:ident) => {
        $query.$method(&mut **$it).await?
    };
}

impl Tx {
    statements!(&mut Self);

    /// A statement over a list of rows; nothing where there are none.
    pub(crate) async fn execute_many(&mut self, many: &'static Many, rows: &[Value<'_>]) -> Result<()> {
        debug_assert!(many.fits(rows), "{}", many.of_arrays());
        match self {
            _ if rows.is_empty() => {}
            Self::Postgres(tx) => {
                let query = sqlx::query_with::<Postgres, _>(many.of_arrays(), arrays(many, rows)?);
                query.execute(&mut **tx).await?;
            }
            Self::Sqlite(_) => {
                for (sql, chunk) in many.chunks(rows) {
                    self.execute(sql, chunk).await?;
                }
            }
        }
        Ok(())
    }

    /// Every row that a statement over a list of rows answers.
    pub(crate) async fn all_many<T: Record>(
        &mut self,
        many: &'static Many,
        rows: &[Value<'_>],
    ) -> Result<Vec<T>> {
        debug_assert!(many.fits(rows), "{}", many.of_arrays());
        match self {
            _ if rows.is_empty() => Ok(Vec::new()),
            Self::Postgres(tx) => {
                let query = sqlx::query_with::<Postgres, _>(many.of_arrays(), arrays(many, rows)?);
                let found = query.fetch_all(&mut **tx).await?;
                found
                    .into_iter()
                    .map(|row| T::read(&mut Row { row: Either::Postgres(row), next: 0 }))
                    .collect()
            }
            Self::Sqlite(_) => {
                let mut all = Vec::new();
                for (sql, chunk) in many.chunks(rows) {
                    all.append(&mut self.all(sql, chunk).await?);
                }
                Ok(all)
            }
        }
    }

    pub(crate) async fn commit(self) -> Result<()> {
        match self {
            Self::Postgres(session) => session.end("COMMIT").await,
            Self::Sqlite(tx) => Ok(tx.commit().await?),
        }
    }

    /// Undoes it now, so that its locks are free before the caller goes on.
    pub(crate) async fn rollback(self) -> Result<()> {
        match self {
            Self::Postgres(session) => session.end("ROLLBACK").await,
            Self::Sqlite(tx) => Ok(tx.rollback().await?),
        }
    }

    /// Changes the schema of a Postgres; such a statement takes no values.
    pub(crate) async fn define(&mut self, text: String) -> Result<()> {
        if let Some(connection) = self.postgres() {
            sqlx::raw_sql(AssertSqlSafe(text)).execute(connection).await?;
        }
        Ok(())
    }

    /// The connection, where it is Postgres.
    pub(crate) fn postgres(&mut self) -> Option<&mut PgConnection> {
        match self {
            Self::Postgres(it) => Some(it),
            Self::Sqlite(_) => None,
        }
    }
}

/// The values of a list of rows, an array for each column.
fn arrays(many: &Many, rows: &[Value<'_>]) -> Result<PgArguments> {
    macro_rules! array {
        ($arguments:ident, $column:ident, $kind:ident, $empty:expr) => {{
            let values = rows.iter().skip($column).step_by(many.row().len());
            let array: Vec<_> =
                values.map(|value| if let Value::$kind(it) = *value { it } else { $empty }).collect();
            $arguments.add(array)
        }};
    }
    let mut arguments = PgArguments::default();
    for (column, kind) in many.row().iter().enumerate() {
        match kind {
            Type::Bool => array!(arguments, column, Bool, false),
            Type::Int => array!(arguments, column, Int, None),
            Type::Long => array!(arguments, column, Long, None),
            Type::Text => array!(arguments, column, Text, None),
            Type::Bytes => array!(arguments, column, Bytes, None),
            Type::Id => array!(arguments, column, Id, None),
        }
        .map_err(|fault| Error::Corrupt(format!("a value cannot be bound: {fault}")))?;
    }
    Ok(arguments)
}

impl Row {
    /// The next column.
    pub(crate) fn next<T: Column>(&mut self) -> Result<T> {
        let index = self.next;
        self.next += 1;
        T::column(self, index)
    }
}

macro_rules! columns {
    ($($column:ty),*) => {$(
        impl Column for $column {
            fn column(row: &Row, index: usize) -> Result<Self> {
                Ok(match &row.row {
                    Either::Postgres(row) => row.try_get(index)?,
                    Either::Sqlite(row) => row.try_get(index)?,
                })
            }
        }
    )*};
}
columns!(bool, i32, i64, String, Vec<u8>, Uuid);
columns!(Option<bool>, Option<i64>, Option<i32>, Option<String>, Option<Vec<u8>>, Option<Uuid>);

/// Columns that are read by way of another type.
macro_rules! columns_by {
    ($($column:ty as $base:ty, $read:expr;)*) => {$(
        impl $crate::db::Column for $column {
            fn column(row: &$crate::db::Row, index: usize) -> Result<Self> {
                let read: fn($base) -> Result<Self> = $read;
                read(<$base as $crate::db::Column>::column(row, index)?)
            }
        }
        impl $crate::db::Column for Option<$column> {
            fn column(row: &$crate::db::Row, index: usize) -> Result<Self> {
                let read: fn($base) -> Result<$column> = $read;
                <Option<$base> as $crate::db::Column>::column(row, index)?.map(read).transpose()
            }
        }
    )*};
}
pub(crate) use columns_by;
columns_by! {
    Digest as Vec<u8>, |bytes| {
        let bytes = bytes.try_into().map_err(|_| Error::Corrupt("a digest is not 32 bytes long".into()))?;
        Ok(Digest(bytes))
    };
    Day as i32, |day| Ok(Day(day));
    Micros as i64, |at| Ok(Micros(at));
    u32 as i64, |it| u32::try_from(it).map_err(|_| Error::Corrupt(format!("{it} is no count")));
    u64 as i64, |it| Ok(it.cast_unsigned());
    Duration as i64, |micros| Ok(Duration::from_micros(micros.max(0).cast_unsigned()));
}

/// A row that is one column.
impl<T: Column> Record for T {
    fn read(row: &mut Row) -> Result<Self> {
        row.next()
    }
}

/// A row whose columns are two columns and another row.
impl<A: Column, B: Column> Record for (A, B, crate::standings::Entry) {
    fn read(row: &mut Row) -> Result<Self> {
        Ok((row.next()?, row.next()?, Record::read(row)?))
    }
}

impl<A: Column> Record for (A, crate::standings::Entry) {
    fn read(row: &mut Row) -> Result<Self> {
        Ok((row.next()?, Record::read(row)?))
    }
}

impl<A: Column, B: Column> Record for (A, B) {
    fn read(row: &mut Row) -> Result<Self> {
        Ok((row.next()?, row.next()?))
    }
}

impl<A: Column, B: Column, C: Column> Record for (A, B, C) {
    fn read(row: &mut Row) -> Result<Self> {
        Ok((row.next()?, row.next()?, row.next()?))
    }
}

macro_rules! values_from {
    ($($from:ty, $it:ident => $value:expr;)*) => {$(
        impl<'a> From<$from> for Value<'a> {
            fn from($it: $from) -> Self {
                $value
            }
        }
    )*};
}
values_from! {
    bool, it => Self::Bool(it);
    i64, it => Self::Long(Some(it));
    Option<i64>, it => Self::Long(it);
    u32, it => Self::Long(Some(it.into()));
    Option<u32>, it => Self::Long(it.map(i64::from));
    &'a str, it => Self::Text(Some(it));
    Option<&'a str>, it => Self::Text(it);
    &'a String, it => Self::Text(Some(it));
    &'a [u8], it => Self::Bytes(Some(it));
    &'a Vec<u8>, it => Self::Bytes(Some(it));
    Option<&'a [u8]>, it => Self::Bytes(it);
    &'a Digest, it => Self::Bytes(Some(&it.0));
    Option<&'a Digest>, it => Self::Bytes(it.map(|digest| digest.0.as_slice()));
    Uuid, it => Self::Id(Some(it));
    Option<Uuid>, it => Self::Id(it);
    Day, it => Self::Int(Some(it.0));
    Option<Day>, it => Self::Int(it.map(|day| day.0));
    Option<Micros>, it => Self::Long(it.map(|at| at.0));
    Micros, it => Self::Long(Some(it.0));
}

/// The values of a statement, each turned into a [`Value`].
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::db::Value::from($value)),*] };
}
pub(crate) use values;
