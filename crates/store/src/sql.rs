//! Every SQL text, once for both databases.
//!
//! Rules: aggregates and literals are cast to BIGINT, nothing is asked inside JSON, no comparison depends on a
//! collation, instants and days come in as numbers, and every order that matters is an order of bytes or of integers.
//! What only one database knows is at the end, under its name.

use std::sync::OnceLock;

use crate::db::Value;

/// Type of a placeholder in a list of rows: what Postgres is told before it knows the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Bool,
    Int,
    Long,
    Text,
    Bytes,
    Id,
}

/// A statement over a list of rows, whose text has `{rows}` where `VALUES` lists them. It exists in sizes that are
/// powers of two, so that the databases keep few plans.
pub(crate) struct Many {
    text: &'static str,
    row: &'static [Type],
    sizes: [OnceLock<String>; SIZES],
}

/// Sizes of a [`Many`]: 1, 2, 4, … 64 rows.
const SIZES: usize = 7;

impl Many {
    const fn new(text: &'static str, row: &'static [Type]) -> Self {
        Self { text, row, sizes: [const { OnceLock::new() }; SIZES] }
    }

    /// The text for `1 << power` rows.
    fn sized(&'static self, power: usize) -> &'static str {
        self.sizes[power].get_or_init(|| {
            let mut rows = String::new();
            for row in 0..1 << power {
                rows.push_str(if row == 0 { "(" } else { ", (" });
                for column in 0..self.row.len() {
                    let comma = if column == 0 { "" } else { ", " };
                    rows.push_str(&format!("{comma}${}", row * self.row.len() + column + 1));
                }
                rows.push(')');
            }
            self.text.replace("{rows}", &rows)
        })
    }

    /// Cuts the values of all rows into executions, largest first.
    pub(crate) fn chunks<'v, 'a>(
        &'static self,
        values: &'v [Value<'a>],
    ) -> impl Iterator<Item = (&'static str, &'v [Value<'a>])> {
        let width = self.row.len();
        debug_assert!(values.len().is_multiple_of(width), "{}: not whole rows", self.text);
        debug_assert!(
            values.iter().enumerate().all(|(at, value)| value.kind() == self.row[at % width]),
            "{}: a value of another type",
            self.text
        );
        let mut rest = values;
        std::iter::from_fn(move || {
            let rows = rest.len() / width;
            let power = rows.checked_ilog2()?.min(SIZES as u32 - 1);
            let (chunk, tail) = rest.split_at(width << power);
            rest = tail;
            Some((self.sized(power as usize), chunk))
        })
    }
}

impl Value<'_> {
    fn kind(&self) -> Type {
        match self {
            Self::Bool(_) => Type::Bool,
            Self::Int(_) => Type::Int,
            Self::Long(_) => Type::Long,
            Self::Text(_) => Type::Text,
            Self::Bytes(_) => Type::Bytes,
            Self::Id(_) => Type::Id,
        }
    }
}

/// Declares statements and keeps the list by which the tests prepare each of them.
macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident = $text:expr;)*) => {
        $($(#[$doc])* pub(crate) const $name: &str = $text;)*
        #[cfg(test)]
        const ONES: &[(&str, &str)] = &[$((stringify!($name), $text)),*];
    };
}

/// The same for statements over a list of rows, with the types of a row's columns.
macro_rules! statements_over_rows {
    ($($(#[$doc:meta])* $name:ident($($kind:ident),*) = $text:expr;)*) => {
        $($(#[$doc])* pub(crate) static $name: Many = Many::new($text, &[$(Type::$kind),*]);)*
        #[cfg(test)]
        static MANIES: &[(&str, &Many)] = &[$((stringify!($name), &$name)),*];
    };
}

/// Columns of a fight as [`crate::Fight`] reads them.
macro_rules! fight_columns {
    () => {
        "f.id, f.day, f.pilot, p.name, f.kind, f.attempt, f.engine, f.ruleset, f.build, f.doctrine, \
         f.replay_digest, f.setup_digest, f.play_digest, f.outcome_digest, f.snapshot_digest, \
         f.score, f.rounds, f.finished, f.calls, f.checkpoint, f.rng_words, f.desync, \
         f.issued_at, f.submitted_at, f.verified_at, f.verify_micros, f.copied_from, f.voided_at, f.void_reason"
    };
}

statements! {
    /// Whether the schema answers at all.
    CHECK = "SELECT CAST(COUNT(*) AS BIGINT) FROM rulesets";

    ANY_PILOT = "SELECT id FROM pilots LIMIT 1";
    INSERT_PILOT = "INSERT INTO pilots (id, name, name_key, skills, created_at) VALUES ($1, $2, $3, $4, $5)";
    /// Answers nothing where the pilot was erased.
    PUT_PILOT = "INSERT INTO pilots (id, name, name_key, skills, created_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_key = excluded.name_key, skills = excluded.skills \
         WHERE pilots.erased_at IS NULL RETURNING created_at";
    PILOT = "SELECT id, name, skills, created_at, banned_at, erased_at FROM pilots WHERE id = $1";
    PILOT_BY_KEY = "SELECT id, name, skills, created_at, banned_at, erased_at FROM pilots WHERE name_key = $1";
    /// Locks the pilot against every other writer until the commit.
    LOCK_PILOT = "UPDATE pilots SET created_at = created_at WHERE id = $1 AND erased_at IS NULL RETURNING id";
    ERASE_PILOT = "UPDATE pilots SET name = NULL, name_key = NULL, skills = NULL, erased_at = $2 \
         WHERE id = $1 AND erased_at IS NULL";

    INSERT_TOKEN = "INSERT INTO tokens (id, role, pilot, label, secret_hash, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6)";
    /// Revoked tokens and those of erased pilots are nobody's.
    PRINCIPAL = "SELECT t.id, t.role, t.last_used_at, t.pilot, p.name, p.skills, p.banned_at \
         FROM tokens t LEFT JOIN pilots p ON p.id = t.pilot \
         WHERE t.secret_hash = $1 AND t.revoked_at IS NULL AND p.erased_at IS NULL";
    USE_TOKEN = "UPDATE tokens SET last_used_at = $2 WHERE id = $1";
    REVOKE_TOKEN = "UPDATE tokens SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
    REVOKE_TOKENS_OF = "UPDATE tokens SET revoked_at = $2 WHERE pilot = $1 AND revoked_at IS NULL";
    TOKEN = "SELECT id, role, pilot, label, created_at, last_used_at, revoked_at FROM tokens WHERE id = $1";
    TOKENS_OF = "SELECT id, role, pilot, label, created_at, last_used_at, revoked_at FROM tokens \
         WHERE pilot = $1 ORDER BY id";
    TOKENS = "SELECT id, role, pilot, label, created_at, last_used_at, revoked_at FROM tokens ORDER BY id";

    INSERT_RULESET = "INSERT INTO rulesets (tag, digest, build, registered_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (tag) DO NOTHING";
    RULESET = "SELECT digest FROM rulesets WHERE tag = $1";

    FIGHT = concat!("SELECT ", fight_columns!(), " FROM fights f JOIN pilots p ON p.id = f.pilot \
         WHERE f.id = $1 AND f.day BETWEEN $2 AND $3");
    FIGHT_BYTES = "SELECT archive, received FROM fights WHERE id = $1 AND day BETWEEN $2 AND $3";
    SAME_FIGHT = "SELECT id, kind, attempt, verified_at, copied_from, voided_at FROM fights \
         WHERE pilot = $1 AND day = $2 AND replay_digest = $3";
    PLAY = "SELECT fight, pilot FROM plays WHERE digest = $1";

}

statements_over_rows! {
    /// The first who plays a fleet and its calls stays the first.
    INSERT_PLAYS(Bytes, Id, Id) = "INSERT INTO plays (digest, fight, pilot) VALUES {rows} \
         ON CONFLICT (digest) DO NOTHING RETURNING digest";
    /// Answers only the rows that were not there.
    INSERT_FIGHTS(Id, Int, Id, Text, Id, Text, Bytes, Text, Text, Bytes, Bytes, Bytes, Bytes, Bytes,
        Long, Long, Bool, Long, Long, Long, Long, Long, Long, Long, Long, Id, Bytes, Bytes) =
        "INSERT INTO fights (id, day, pilot, kind, attempt, engine, ruleset, build, doctrine, \
         replay_digest, setup_digest, play_digest, outcome_digest, snapshot_digest, \
         score, rounds, finished, calls, checkpoint, rng_words, desync, \
         issued_at, submitted_at, verified_at, verify_micros, copied_from, archive, received) VALUES {rows} \
         ON CONFLICT (pilot, day, replay_digest) DO NOTHING RETURNING id";
}

/// What only Postgres knows.
pub(crate) mod postgres {
    /// Locks pilots against every other writer until the commit, in the order of their ids. SQLite has one writer.
    pub(crate) const FOR_UPDATE: &str = " FOR NO KEY UPDATE";
}

#[cfg(test)]
mod tests {
    use sqlx::{Executor, Postgres, SqlSafeStr, Sqlite, TypeInfo as _};
    use uuid::Uuid;

    use super::*;
    use crate::db::Database;
    use crate::{Options, Store};

    fn postgres_type(kind: Type) -> sqlx::postgres::PgTypeInfo {
        use sqlx::Type as Known;
        match kind {
            Type::Bool => <bool as Known<Postgres>>::type_info(),
            Type::Int => <i32 as Known<Postgres>>::type_info(),
            Type::Long => <i64 as Known<Postgres>>::type_info(),
            Type::Text => <str as Known<Postgres>>::type_info(),
            Type::Bytes => <Vec<u8> as Known<Postgres>>::type_info(),
            Type::Id => <Uuid as Known<Postgres>>::type_info(),
        }
    }

    /// Every statement, with what Postgres is told of its placeholders.
    fn statements() -> impl Iterator<Item = (String, &'static str, Vec<Type>)> {
        let ones = ONES.iter().map(|(name, text)| ((*name).to_owned(), *text, Vec::new()));
        let manies = MANIES.iter().flat_map(|(name, many)| {
            (0..SIZES).map(move |power| {
                (format!("{name} of {}", 1 << power), many.sized(power), many.row.repeat(1 << power))
            })
        });
        ones.chain(manies)
    }

    #[tokio::test]
    async fn every_statement_prepares_on_both() {
        let database = ongrid_testkit::Postgres::database();
        for url in [database.url(), "sqlite::memory:".into()] {
            let store = Store::open(&url, &Options::default()).await.unwrap();
            store.migrate().await.unwrap();
            for (name, text, types) in statements() {
                let text = text.into_sql_str();
                let prepared = match &store.db {
                    Database::Postgres(pool) => {
                        let types: Vec<_> = types.into_iter().map(postgres_type).collect();
                        Executor::prepare_with(pool, text, &types).await.map(drop)
                    }
                    Database::Sqlite(pool) => Executor::prepare_with(pool, text, &[]).await.map(drop),
                };
                prepared.unwrap_or_else(|fault| panic!("{name} on {}: {fault}", store.kind()));
            }
            store.close().await;
        }
        let _ = <i64 as sqlx::Type<Sqlite>>::type_info().name();
    }

    #[test]
    fn rows_are_cut_into_powers_of_two() {
        let values = vec![Value::from(1_i64); 3 * 203];
        static THREE: Many = Many::new("{rows}", &[Type::Long, Type::Long, Type::Long]);
        let sizes: Vec<_> = THREE.chunks(&values).map(|(_, chunk)| chunk.len() / 3).collect();
        assert_eq!(sizes, [64, 64, 64, 8, 2, 1]);
        assert_eq!(THREE.chunks(&values[..6]).next().unwrap().0, "($1, $2, $3), ($4, $5, $6)");
        assert_eq!(THREE.chunks(&[]).count(), 0);
    }
}
