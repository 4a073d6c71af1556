//! The partitions of the fights on Postgres, one a day. SQLite has one table.

use crate::db::{Database, Tx, values};
use crate::moderation::audit;
use crate::{Conflict, Day, DayRecord, Order, Result, Store, sql};

impl Store {
    /// Makes sure that every day from `first` to `last` has its partition; called ahead of the days. A day whose fights
    /// already lie in the common partition stays there. Does nothing on SQLite.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn ensure_partitions(&self, first: Day, last: Day) -> Result<()> {
        let Database::Postgres(pool) = self.db.clone() else { return Ok(()) };
        self.detached(move || {
            Box::pin(async move {
                for day in first.0..=last.0 {
                    ensure_partition(&pool, Day(day)).await?;
                }
                Ok(())
            })
        })
        .await
    }
}

impl Store {
    /// Takes the fights of a day that is over out of the table; its boards stay as they are. On Postgres they are from then
    /// on a table of their own, named as answered, to be dumped and dropped. SQLite has no partitions.
    ///
    /// # Errors
    /// [`Conflict::UnknownDay`]; [`Conflict::NotArchivable`] where it is not final by then, was archived before, or has
    /// no partition of its own.
    pub async fn archive_day(&self, day: Day, by: Order) -> Result<String> {
        self.transact(move |tx| {
            let by = by.clone();
            Box::pin(async move { archive(tx, day, &by).await })
        })
        .await
    }
}

async fn archive(tx: &mut Tx, day: Day, by: &Order) -> Result<String> {
    let known: Option<DayRecord> = tx.maybe(sql::DAY, values![day]).await?;
    if known.ok_or(Conflict::UnknownDay)?.final_at > by.at {
        return Err(Conflict::NotArchivable.into());
    }
    let name = partition_name(day);
    let Tx::Postgres(connection) = &mut *tx else { return Err(Conflict::NotArchivable.into()) };
    let attached = sqlx::query(sql::postgres::ATTACHED).bind(&name).fetch_optional(&mut **connection).await?;
    if attached.is_none() {
        return Err(Conflict::NotArchivable.into());
    }
    let detach = sql::postgres::detach_partition(&name);
    sqlx::query(sqlx::AssertSqlSafe(detach)).execute(&mut **connection).await?;
    tx.execute(sql::ARCHIVE_DAY, values![day, by.at]).await?;
    audit(tx, by, "archive_day", None, None, Some(day)).await?;
    Ok(name)
}

async fn ensure_partition(pool: &sqlx::PgPool, day: Day) -> Result<()> {
    let mut tx = pool.begin().await?;
    sqlx::query(sql::postgres::LOCK_PARTITIONS).execute(&mut *tx).await?;
    let name = partition_name(day);
    let exists = sqlx::query(sql::postgres::PARTITION).bind(&name).fetch_optional(&mut *tx).await?;
    let strays = sqlx::query(sql::postgres::STRAY_FIGHT).bind(day.0).fetch_optional(&mut *tx).await?;
    if exists.is_none() && strays.is_none() {
        let create = sql::postgres::create_partition(&name, day);
        sqlx::query(sqlx::AssertSqlSafe(create)).execute(&mut *tx).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// `fights_2026_11_29`.
pub(crate) fn partition_name(day: Day) -> String {
    format!("fights_{}", day.to_string().replace('-', "_"))
}
