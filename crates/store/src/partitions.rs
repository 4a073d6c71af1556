//! The partitions of the fights on Postgres, one a day. SQLite has one table.

use uuid::Uuid;

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
        if matches!(self.db, Database::Sqlite(_)) {
            return Ok(());
        }
        for day in (first.0..=last.0).map(Day) {
            self.transact(move |tx| Box::pin(ensure_partition(tx, day))).await?;
        }
        Ok(())
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
    if tx.postgres().is_none() || tx.maybe::<i64>(sql::postgres::ATTACHED, values![&name]).await?.is_none() {
        return Err(Conflict::NotArchivable.into());
    }
    tx.define(sql::postgres::detach_partition(&name)).await?;
    tx.execute(sql::ARCHIVE_DAY, values![day, by.at]).await?;
    audit(tx, by, "archive_day", None, None, Some(day)).await?;
    Ok(name)
}

async fn ensure_partition(tx: &mut Tx, day: Day) -> Result<()> {
    tx.execute(sql::postgres::LOCK_PARTITIONS, &[]).await?;
    let name = partition_name(day);
    let exists: Option<i64> = tx.maybe(sql::postgres::PARTITION, values![&name]).await?;
    let stray: Option<Uuid> = tx.maybe(sql::postgres::STRAY_FIGHT, values![day]).await?;
    if exists.is_none() && stray.is_none() {
        tx.define(sql::postgres::create_partition(&name, day)).await?;
    }
    Ok(())
}

/// `fights_2026_11_29`.
pub(crate) fn partition_name(day: Day) -> String {
    format!("fights_{}", day.to_string().replace('-', "_"))
}
