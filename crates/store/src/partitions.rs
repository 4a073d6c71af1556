//! The partitions of the fights on Postgres, one a day. SQLite has one table.

use crate::db::Database;
use crate::{Day, Result, Store};

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

async fn ensure_partition(pool: &sqlx::PgPool, day: Day) -> Result<()> {
    // One replica at a time: IF NOT EXISTS alone does not keep two of them apart.
    let mut tx = pool.begin().await?;
    sqlx::query("SELECT pg_advisory_xact_lock(7215545057)").execute(&mut *tx).await?;
    let name = partition_name(day);
    let exists: Option<i32> = sqlx::query_scalar("SELECT 1 FROM pg_class WHERE oid = to_regclass($1)")
        .bind(&name)
        .fetch_optional(&mut *tx)
        .await?;
    let strays: Option<i32> = sqlx::query_scalar("SELECT 1 FROM fights_other WHERE day = $1 LIMIT 1")
        .bind(day.0)
        .fetch_optional(&mut *tx)
        .await?;
    if exists.is_none() && strays.is_none() {
        let text = format!(
            "CREATE TABLE {name} PARTITION OF fights FOR VALUES FROM ({}) TO ({}) WITH (toast_tuple_target = 8160)",
            day.0,
            day.0.saturating_add(1)
        );
        sqlx::query(sqlx::AssertSqlSafe(text)).execute(&mut *tx).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// `fights_2026_11_29`.
pub(crate) fn partition_name(day: Day) -> String {
    format!("fights_{}", day.to_string().replace('-', "_"))
}
