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

/// A statement over a list of rows, whose text has `{rows}` where they come in: a query of its own that gives them.
/// How it does so is all that the databases differ in. Postgres takes an array for each column, so that one plan is good
/// for any number of rows; SQLite takes `VALUES`, in sizes that are powers of two, so that it keeps few plans.
pub(crate) struct Many {
    text: &'static str,
    row: &'static [Type],
    arrays: OnceLock<String>,
    sizes: [OnceLock<String>; SIZES],
}

/// Sizes of a [`Many`] on SQLite: 1, 2, 4, … 64 rows.
const SIZES: usize = 7;

impl Many {
    const fn new(text: &'static str, row: &'static [Type]) -> Self {
        Self { text, row, arrays: OnceLock::new(), sizes: [const { OnceLock::new() }; SIZES] }
    }

    /// Types of a row's columns.
    pub(crate) fn row(&self) -> &'static [Type] {
        self.row
    }

    /// The text for arrays.
    pub(crate) fn of_arrays(&'static self) -> &'static str {
        self.arrays.get_or_init(|| {
            // In the list of columns the arrays are gone through row by row; after FROM each would be copied first.
            let arrays: Vec<String> =
                (1..=self.row.len()).map(|column| format!("UNNEST(${column})")).collect();
            self.text.replace("{rows}", &format!("SELECT {}", arrays.join(", ")))
        })
    }

    /// The text for `1 << power` rows of `VALUES`.
    fn of_values(&'static self, power: usize) -> &'static str {
        self.sizes[power].get_or_init(|| {
            let width = self.row.len();
            let row = |row: usize| {
                let columns: Vec<String> =
                    (1..=width).map(|column| format!("${}", row * width + column)).collect();
                format!("({})", columns.join(", "))
            };
            let rows: Vec<String> = (0..1 << power).map(row).collect();
            self.text.replace("{rows}", &format!("VALUES {}", rows.join(", ")))
        })
    }

    /// Cuts the values of all rows into executions with `VALUES`, largest first.
    pub(crate) fn chunks<'v, 'a>(
        &'static self,
        values: &'v [Value<'a>],
    ) -> impl Iterator<Item = (&'static str, &'v [Value<'a>])> {
        let width = self.row.len();
        let mut rest = values;
        std::iter::from_fn(move || {
            let rows = rest.len() / width;
            let power = rows.checked_ilog2()?.min(SIZES as u32 - 1);
            let (chunk, tail) = rest.split_at(width << power);
            rest = tail;
            Some((self.of_values(power as usize), chunk))
        })
    }

    /// Whether these are the values of whole rows.
    pub(crate) fn fits(&self, values: &[Value<'_>]) -> bool {
        let width = self.row.len();
        let typed = |(at, value): (usize, &Value<'_>)| value.kind() == self.row[at % width];
        values.len().is_multiple_of(width) && values.iter().enumerate().all(typed)
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
         f.issued_at, f.submitted_at, f.verified_at, f.verify_micros, f.copied_from, f.series, f.voided_at, f.void_reason"
    };
}

/// Columns of an entry as the boards read it, before its pilot's name.
macro_rules! run_columns {
    () => {
        "f.score, f.rounds, f.verified_at, f.id, f.issued_at, f.submitted_at, f.series"
    };
}

/// Columns of an attempt as [`crate::Attempt`] reads them.
macro_rules! attempt_columns {
    () => {
        "id, pilot, day, number, kind, state, engine, ruleset, doctrine, seed, setup, setup_digest, \
         issued_at, expires_at, final_at, rejected, returned, fight"
    };
}

/// Columns of a fight that its receipt states.
macro_rules! receipt_columns {
    () => {
        "f.id, f.kind, f.engine, f.ruleset, f.build, f.replay_digest, f.outcome_digest, f.pilot, f.day, f.verified_at"
    };
}

/// Columns of a day as [`crate::DayRecord`] reads them.
macro_rules! day_columns {
    () => {
        "day, engine, doctrine, doctrine_set, secret, commitment, seed_policy, ranked_attempts, practice_attempts, \
         attempt_minutes, grace_minutes, opens_at, closes_at, final_at, archived_at"
    };
}

/// How many entries of board `$1` stand before a place: the buckets before its own, without the one that counts the whole,
/// and those within its own.
macro_rules! entries_before {
    ($place:literal) => {
        concat!(
            "((SELECT CAST(COALESCE(SUM(b.entries), 0) AS BIGINT) FROM buckets b WHERE b.board = $1 AND b.low < ",
            home!($place),
            ") - ",
            total!(),
            " + (SELECT CAST(COUNT(*) AS BIGINT) FROM entries c WHERE c.board = $1 AND c.benched = FALSE \
             AND c.place >= ",
            home!($place),
            " AND c.place < ",
            $place,
            "))"
        )
    };
}

/// The same but for the buckets before: the low end of its own, how many are within it, and the revision of the board, by
/// which those who know the sums of that revision add the rest.
macro_rules! entries_within {
    ($place:literal) => {
        concat!(
            home!($place),
            ", (SELECT CAST(COUNT(*) AS BIGINT) FROM entries c WHERE c.board = $1 AND c.benched = FALSE AND c.place >= ",
            home!($place),
            " AND c.place < ",
            $place,
            "), (SELECT r.revision FROM boards r WHERE r.board = $1)"
        )
    };
}

/// Low end of the bucket that a place is in.
macro_rules! home {
    ($place:literal) => {
        concat!(
            "COALESCE((SELECT h.low FROM buckets h WHERE h.board = $1 AND h.low <= ",
            $place,
            " ORDER BY h.low DESC LIMIT 1), ",
            $place,
            ")"
        )
    };
}

/// An entry `e` of a board as [`crate::BoardRow`] reads it, but for its rank.
macro_rules! board_row_columns {
    () => {
        "e.place, e.elapsed, e.days, e.pilot, (SELECT p.name FROM pilots p WHERE p.id = e.pilot)"
    };
}

/// The entry of pilot `$2` on board `$1`.
macro_rules! me {
    () => {
        "me AS (SELECT i.pilot, i.place, i.elapsed, i.days FROM entries i \
         WHERE i.pilot = $2 AND i.board = $1 AND i.benched = FALSE)"
    };
}

/// Rows of board `$1` from place `$2` on, at most `$3`; `$before` is what stands before them.
macro_rules! top {
    ($($before:tt)*) => {
        concat!("SELECT ", total!(), ", ", $($before)*, ", ", board_row_columns!(), " FROM entries e \
             WHERE e.board = $1 AND e.benched = FALSE AND e.place >= $2 ORDER BY e.place LIMIT $3")
    };
}

/// The row of pilot `$2` on board `$1`; `$before` is what stands before it.
macro_rules! standing {
    ($($before:tt)*) => {
        concat!("WITH ", me!(), " SELECT ", total!(), ", ", $($before)*, ", ", board_row_columns!(), " FROM me e")
    };
}

/// Up to `$3` rows before and `$4` from that of pilot `$2` on board `$1` on; `$before` is what stands before the pilot.
macro_rules! around {
    ($($before:tt)*) => {
        concat!("WITH ", me!(), " SELECT ", total!(), ", ", $($before)*, ", x.* FROM (\
             SELECT * FROM (SELECT ", board_row_columns!(), " FROM entries e WHERE e.board = $1 AND e.benched = FALSE \
             AND e.place < (SELECT m.place FROM me m) ORDER BY e.place DESC LIMIT $3) above UNION ALL \
             SELECT * FROM (SELECT ", board_row_columns!(), " FROM entries e WHERE e.board = $1 AND e.benched = FALSE \
             AND e.place >= (SELECT m.place FROM me m) ORDER BY e.place LIMIT $4) below) x")
    };
}

/// How many entries board `$1` has: its first bucket counts the whole.
macro_rules! total {
    () => {
        "COALESCE((SELECT t.entries FROM buckets t WHERE t.board = $1 ORDER BY t.low LIMIT 1), CAST(0 AS BIGINT))"
    };
}

/// Locks pilots in the order of their ids; Postgres needs to be told, SQLite has one writer.
macro_rules! lock_pilots {
    ($how:literal) => {
        concat!(
            "WITH w(pilot) AS ({rows}) SELECT p.id, p.banned_at, p.erased_at \
             FROM w JOIN pilots p ON p.id = w.pilot ORDER BY p.id",
            $how
        )
    };
}

statements! {
    /// Whether the schema answers at all.
    CHECK = "SELECT CAST(COUNT(*) AS BIGINT) FROM rulesets";

    ANY_PILOT = "SELECT id FROM pilots LIMIT 1";
    INSERT_PILOT = "INSERT INTO pilots (id, name, name_key, skills, created_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (id) DO NOTHING";
    CHANGE_PILOT = "UPDATE pilots SET name = $2, name_key = $3, skills = $4 WHERE id = $1 AND erased_at IS NULL";
    PILOT = "SELECT id, name, skills, created_at, banned_at, erased_at FROM pilots WHERE id = $1";
    PILOT_BY_KEY = "SELECT id, name, skills, created_at, banned_at, erased_at FROM pilots WHERE name_key = $1";
    PILOTS = "SELECT id, name, skills, created_at, banned_at, erased_at FROM pilots WHERE id > $1 ORDER BY id LIMIT $2";
    BAN_PILOT = "UPDATE pilots SET banned_at = $2 WHERE id = $1";
    ERASE_PILOT = "UPDATE pilots SET name = NULL, name_key = NULL, skills = NULL, erased_at = $2 \
         WHERE id = $1 AND erased_at IS NULL";

    INSERT_TOKEN = "INSERT INTO tokens (id, role, pilot, label, secret_hash, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6)";
    /// Revoked tokens and those of erased pilots are nobody's.
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
    SAME_FIGHT = "SELECT id, kind, attempt, verified_at, copied_from, voided_at, build, outcome_digest FROM fights \
         WHERE pilot = $1 AND day = $2 AND replay_digest = $3";
    /// A free fight turns out to be the replay of an attempt.
    PROMOTE_FIGHT = "UPDATE fights SET kind = $3, attempt = $4, doctrine = $5, issued_at = $6, submitted_at = $7, \
         verified_at = $8, series = $9 WHERE id = $1 AND day = $2";
    VOID_FIGHT = "UPDATE fights SET voided_at = $4, void_reason = $5 WHERE id = $1 AND day = $2 AND pilot = $3";
    PLAY = "SELECT fight, pilot FROM plays WHERE digest = $1";
    FIGHTS_OF = concat!("SELECT ", fight_columns!(), " FROM fights f JOIN pilots p ON p.id = f.pilot \
         WHERE f.pilot = $1 AND f.day BETWEEN $2 AND $3 AND (f.day < $4 OR (f.day = $4 AND f.id < $5)) \
         ORDER BY f.day DESC, f.id DESC LIMIT $6");
    COPIED_FIGHTS = concat!("SELECT ", fight_columns!(), " FROM fights f JOIN pilots p ON p.id = f.pilot \
         WHERE f.copied_from IS NOT NULL AND f.day BETWEEN $1 AND $2 AND f.id > $3 ORDER BY f.id LIMIT $4");
    DAY_RUNS_OF = concat!("SELECT ", run_columns!(), " FROM fights f WHERE f.pilot = $1 AND f.day = $2 \
         AND f.kind = 'ranked' AND f.finished = TRUE AND f.voided_at IS NULL");
    SCENARIO_RUNS_OF = concat!("SELECT ", run_columns!(), " FROM fights f WHERE f.pilot = $1 AND f.series = $2 \
         AND f.kind = 'free' AND f.finished = TRUE AND f.voided_at IS NULL");
    /// What counts on a day, for a recount, by pages.
    DAY_RUNS = concat!("SELECT f.pilot, p.banned_at, ", run_columns!(), " FROM fights f JOIN pilots p ON p.id = f.pilot \
         WHERE f.day = $1 AND f.id > $2 AND f.kind = 'ranked' AND f.finished = TRUE AND f.voided_at IS NULL \
         ORDER BY f.id LIMIT $3");
    SCENARIO_RUNS = concat!("SELECT f.pilot, p.banned_at, ", run_columns!(), " FROM fights f JOIN pilots p ON p.id = f.pilot \
         WHERE f.series = $1 AND f.id > $2 AND f.kind = 'free' AND f.finished = TRUE AND f.voided_at IS NULL \
         ORDER BY f.id LIMIT $3");

    BOARD = "SELECT kind, name FROM boards WHERE board = $1";
    BOARDS_LIKE = "SELECT b.name, COALESCE((SELECT t.entries FROM buckets t WHERE t.board = b.board ORDER BY t.low LIMIT 1), \
         CAST(0 AS BIGINT)) FROM boards b WHERE b.kind = $1 AND b.name > $2 ORDER BY b.name LIMIT $3";
    TOTAL = concat!("SELECT ", total!());
    BUCKETS = "SELECT low, entries FROM buckets WHERE board = $1 ORDER BY low";
    REVISION = "SELECT revision FROM boards WHERE board = $1";
    CLEAR_BUCKETS = "DELETE FROM buckets WHERE board = $1";
    /// The place that has so many entries between `low` and itself.
    PLACE_WITHIN = "SELECT place FROM entries WHERE board = $1 AND benched = FALSE AND place >= $2 AND place < $3 \
         ORDER BY place LIMIT 1 OFFSET $4";
    COUNT_ENTRIES = "SELECT CAST(COUNT(*) AS BIGINT) FROM entries WHERE board = $1 AND benched = FALSE";
    DAYS_OF = "SELECT board, place, elapsed, days, series, benched FROM entries \
         WHERE pilot = $1 AND board BETWEEN $2 AND $3 ORDER BY board";
    DAYS_AGAINST = "SELECT place, elapsed, days, series, benched FROM entries \
         WHERE pilot = $1 AND board BETWEEN $2 AND $3 AND series = $4";
    ENTRIES_OF_PILOT = "SELECT board, place, elapsed, days, series, benched FROM entries WHERE pilot = $1";
    BOARDS_OF_PILOT = "SELECT b.board, b.kind, b.name FROM entries e JOIN boards b ON b.board = e.board \
         WHERE e.pilot = $1 ORDER BY b.board";
    ENTRIES = "SELECT pilot, place, elapsed, days, series, benched FROM entries \
         WHERE board = $1 AND benched = FALSE AND place > $2 ORDER BY place LIMIT $3";
    /// The rows of a board from a place on, with how many stand before them and in all.
    TOP = top!(entries_before!("$2"));
    TOP_WITHIN = top!(entries_within!("$2"));
    /// A pilot's row, with how many stand before it and in all.
    STANDING = standing!(entries_before!("(SELECT m.place FROM me m)"));
    STANDING_WITHIN = standing!(entries_within!("(SELECT m.place FROM me m)"));
    /// The rows around a pilot's, the nearest of each side, with how many stand before the pilot and in all.
    AROUND = around!(entries_before!("(SELECT m.place FROM me m)"));
    AROUND_WITHIN = around!(entries_within!("(SELECT m.place FROM me m)"));

    INSERT_DAY = "INSERT INTO days (day, engine, doctrine, doctrine_set, secret, commitment, seed_policy, \
         ranked_attempts, practice_attempts, attempt_minutes, grace_minutes, opens_at, closes_at, final_at, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) ON CONFLICT (day) DO NOTHING";
    DAY = concat!("SELECT ", day_columns!(), " FROM days WHERE day = $1");
    DAYS = concat!("SELECT ", day_columns!(), " FROM days WHERE day BETWEEN $1 AND $2 ORDER BY day");
    SET_DAY = "UPDATE days SET engine = $2, doctrine = $3, doctrine_set = $4, seed_policy = $5, ranked_attempts = $6, \
         practice_attempts = $7, attempt_minutes = $8, grace_minutes = $9, final_at = $10 WHERE day = $1 AND opens_at > $11";
    ARCHIVE_DAY = "UPDATE days SET archived_at = $2 WHERE day = $1 AND archived_at IS NULL";

    ATTEMPT = concat!("SELECT ", attempt_columns!(), " FROM attempts WHERE id = $1");
    OPEN_ATTEMPT = concat!("SELECT ", attempt_columns!(), " FROM attempts \
         WHERE pilot = $1 AND day = $2 AND state = 'open'");
    ATTEMPTS_OF = concat!("SELECT ", attempt_columns!(), " FROM attempts WHERE pilot = $1 AND day = $2 ORDER BY number");
    EXPIRE_ATTEMPTS = "UPDATE attempts SET state = 'expired' \
         WHERE pilot = $1 AND day = $2 AND state = 'open' AND expires_at <= $3";
    COUNT_ATTEMPTS = "SELECT CAST(COUNT(*) AS BIGINT), \
         CAST(COUNT(*) FILTER (WHERE kind = 'ranked' AND returned = FALSE) AS BIGINT), \
         CAST(COUNT(*) FILTER (WHERE kind = 'practice' AND returned = FALSE) AS BIGINT) \
         FROM attempts WHERE pilot = $1 AND day = $2";
    INSERT_ATTEMPT = "INSERT INTO attempts (id, pilot, day, number, kind, state, engine, ruleset, doctrine, seed, \
         setup, setup_digest, issued_at, expires_at, final_at, rejected, returned) \
         VALUES ($1, $2, $3, $4, $5, 'open', $6, $7, $8, $9, $10, $11, $12, $13, $14, 0, FALSE)";
    SET_ATTEMPT_FIGHT = "UPDATE attempts SET fight = $2 WHERE id = $1";
    RETURN_ATTEMPT = "UPDATE attempts SET returned = TRUE WHERE id = $1";
    INSERT_REJECTION = "INSERT INTO rejections (attempt, digest, code, rejected_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (attempt, digest) DO NOTHING";
    REJECTION = "SELECT CAST(1 AS BIGINT) FROM rejections WHERE attempt = $1 AND digest = $2";
    COUNT_REJECTION = "UPDATE attempts SET rejected = rejected + 1, \
         state = CASE WHEN rejected + 1 >= $3 THEN 'spent' ELSE state END \
         WHERE id = $1 AND pilot = $2 AND state = 'open'";

    INSERT_AUDIT = "INSERT INTO audit (id, at, actor, action, pilot, fight, day, reason) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    AUDIT = "SELECT id, at, actor, action, pilot, fight, day, reason FROM audit WHERE id < $1 ORDER BY id DESC LIMIT $2";
    AUDIT_OF_PILOT = "SELECT id, at, actor, action, pilot, fight, day, reason FROM audit WHERE pilot = $1 ORDER BY id";
    AUDIT_OF_FIGHT = "SELECT id, at, actor, action, pilot, fight, day, reason FROM audit WHERE fight = $1 ORDER BY id";

    INSERT_LOG_QUEUE = "INSERT INTO log_queue (fight) VALUES ($1) ON CONFLICT (fight) DO NOTHING";
    LOG_HEAD = "SELECT size, fights, acts FROM log_head WHERE id = 1";
    /// Takes the right to append, or keeps it.
    LEAD_LOG = "UPDATE log_head SET holder = $1, until = $3 \
         WHERE id = 1 AND (holder = $1 OR holder IS NULL OR until < $2) RETURNING size, fights, acts";
    LEAVE_LOG = "UPDATE log_head SET holder = NULL, until = 0 WHERE id = 1 AND holder = $1";
    /// Only the leader appends, and only to the log that it knows.
    GROW_LOG = "UPDATE log_head SET size = $3, fights = $4, acts = $5 WHERE id = 1 AND holder = $1 AND size = $2";
    UNLOGGED_FIGHTS = concat!("SELECT ", receipt_columns!(), " FROM fights f \
         WHERE f.id > $1 AND f.id <= $2 AND f.day BETWEEN $3 AND $4 \
         AND NOT EXISTS (SELECT 1 FROM log_leaves l WHERE l.subject = f.id) ORDER BY f.id LIMIT $5");
    QUEUED = "SELECT fight FROM log_queue ORDER BY fight LIMIT $1";
    QUEUED_FIGHTS = concat!("SELECT ", receipt_columns!(), " FROM log_queue q JOIN fights f ON f.id = q.fight \
         WHERE q.fight <= $1 AND f.day BETWEEN $2 AND $3 ORDER BY q.fight");
    UNQUEUE_FIGHT = "DELETE FROM log_queue WHERE fight = $1";
    UNLOGGED_ACTS = "SELECT id, at, actor, action, pilot, fight, day, reason FROM audit a WHERE a.id > $1 AND a.id <= $2 \
         AND NOT EXISTS (SELECT 1 FROM log_leaves l WHERE l.subject = a.id) ORDER BY a.id LIMIT $3";
    RECEIPTS_AFTER = concat!("SELECT ", receipt_columns!(), " FROM fights f \
         WHERE f.day = $1 AND f.id > $2 ORDER BY f.id LIMIT $3");
    ACT = "SELECT id, at, actor, action, pilot, fight, day, reason FROM audit WHERE id = $1";
    LEAF_OF = "SELECT position, leaf, subject FROM log_leaves WHERE subject = $1 ORDER BY position DESC LIMIT 1";
    /// The leaf of a fight whose day may be archived; acts have leaves too.
    ARCHIVED_LEAF = "SELECT l.position FROM log_leaves l WHERE l.subject = $1 \
         AND EXISTS (SELECT 1 FROM days d WHERE d.day BETWEEN $2 AND $3 AND d.archived_at IS NOT NULL) \
         AND NOT EXISTS (SELECT 1 FROM audit a WHERE a.id = $1) LIMIT 1";
    LEAVES_AFTER = "SELECT position, leaf, subject FROM log_leaves WHERE position >= $1 ORDER BY position LIMIT $2";
    LOG_TILE = "SELECT hashes FROM log_tiles WHERE level = $1 AND number = $2";
    PUT_TILE = "INSERT INTO log_tiles (level, number, hashes) VALUES ($1, $2, $3) \
         ON CONFLICT (level, number) DO UPDATE SET hashes = excluded.hashes";
    PUT_CHECKPOINT = "INSERT INTO log_checkpoints (day, size, root, at, note) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (day) DO UPDATE SET size = excluded.size, root = excluded.root, at = excluded.at, note = excluded.note";
    CHECKPOINT = "SELECT day, size, root, at, note FROM log_checkpoints WHERE day <= $1 ORDER BY day DESC LIMIT 1";
    CHECKPOINTS = "SELECT day, size, root, at, note FROM log_checkpoints ORDER BY day";

    FIGHT_DAYS = "SELECT day, CAST(COUNT(*) AS BIGINT) FROM fights WHERE day BETWEEN $1 AND $2 GROUP BY day ORDER BY day";
    /// The last of the next so many fights of a day.
    PART_END = "SELECT id FROM fights WHERE day = $1 AND id > $2 ORDER BY id LIMIT 1 OFFSET $3";
    LAST_OF_DAY = "SELECT id FROM fights WHERE day = $1 ORDER BY id DESC LIMIT 1";
    INSERT_RUN = "INSERT INTO reverify_runs (id, started_at, build, scope) VALUES ($1, $2, $3, $4)";
    RUN = "SELECT build, scope FROM reverify_runs WHERE id = $1";
    LAST_RUN = "SELECT id FROM reverify_runs ORDER BY id DESC LIMIT 1";
    FREE_PART = "SELECT part FROM reverify_parts WHERE run = $1 AND done_at IS NULL AND (holder IS NULL OR until < $2) \
         ORDER BY part LIMIT 1 OFFSET $3";
    CLAIM_PART = "UPDATE reverify_parts SET holder = $3, until = $4 WHERE run = $1 AND part = $2 AND done_at IS NULL \
         AND (holder IS NULL OR until < $5) RETURNING part, day, first, last, fights";
    KEEP_PART = "UPDATE reverify_parts SET until = $4 WHERE run = $1 AND part = $2 AND holder = $3 AND done_at IS NULL";
    FINISH_PART = "UPDATE reverify_parts SET done_at = $4, same = $5, different = $6, unreadable = $7 \
         WHERE run = $1 AND part = $2 AND holder = $3 AND done_at IS NULL";
    PROGRESS = "SELECT CAST(COALESCE(SUM(fights), 0) AS BIGINT), CAST(COUNT(*) FILTER (WHERE done_at IS NULL) AS BIGINT), \
         CAST(COALESCE(SUM(same), 0) AS BIGINT), CAST(COALESCE(SUM(different), 0) AS BIGINT), \
         CAST(COALESCE(SUM(unreadable), 0) AS BIGINT) FROM reverify_parts WHERE run = $1";
    PUT_FINDING = "INSERT INTO reverify_findings (run, fight, verdict, call, field, detail) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (run, fight) DO NOTHING";
    FINDINGS = "SELECT fight, verdict, call, field, detail FROM reverify_findings WHERE run = $1 ORDER BY fight LIMIT $2";
    ARCHIVED_AFTER = "SELECT id, engine, ruleset, replay_digest, outcome_digest, snapshot_digest, score, rounds, finished, \
         calls, checkpoint, rng_words, archive, CASE WHEN $5 THEN received END \
         FROM fights WHERE day = $1 AND id > $2 AND id <= $3 ORDER BY id LIMIT $4";
}

statements_over_rows! {
    /// Whom tokens speak for.
    PRINCIPALS(Bytes) = "SELECT t.secret_hash, t.id, t.role, t.last_used_at, t.pilot, p.name, p.skills, p.banned_at \
         FROM tokens t LEFT JOIN pilots p ON p.id = t.pilot \
         WHERE t.secret_hash IN ({rows}) AND t.revoked_at IS NULL AND p.erased_at IS NULL";
    USE_TOKENS(Id, Long) = "WITH w(token, at) AS ({rows}) \
         UPDATE tokens SET last_used_at = w.at FROM w WHERE tokens.id = w.token";
    LOCK_PILOTS(Id) = lock_pilots!("");
    /// Takes attempts for replays of their seed, engine and setup, in their time; answers those that it took.
    TAKE_ATTEMPTS(Id, Id, Id, Text, Bytes, Bytes, Long) =
        "WITH w(attempt, pilot, fight, engine, setup_digest, seed, at) AS ({rows}) \
         UPDATE attempts SET state = 'spent', fight = w.fight FROM w \
         WHERE attempts.id = w.attempt AND attempts.pilot = w.pilot AND attempts.state = 'open' \
         AND attempts.engine = w.engine AND attempts.setup_digest = w.setup_digest AND attempts.seed = w.seed \
         AND attempts.expires_at > w.at AND attempts.final_at > w.at \
         RETURNING attempts.id, attempts.day, attempts.kind, attempts.doctrine, attempts.issued_at";
    /// The first who plays a fleet and its calls stays the first.
    INSERT_PLAYS(Bytes, Id, Id) = "INSERT INTO plays (digest, fight, pilot) {rows} \
         ON CONFLICT (digest) DO NOTHING RETURNING digest";
    /// Answers only the rows that were not there.
    INSERT_FIGHTS(Id, Int, Id, Text, Id, Text, Bytes, Text, Text, Bytes, Bytes, Bytes, Bytes, Bytes,
        Long, Long, Bool, Long, Long, Long, Long, Long, Long, Long, Long, Id, Id, Bytes, Bytes) =
        "INSERT INTO fights (id, day, pilot, kind, attempt, engine, ruleset, build, doctrine, \
         replay_digest, setup_digest, play_digest, outcome_digest, snapshot_digest, \
         score, rounds, finished, calls, checkpoint, rng_words, desync, \
         issued_at, submitted_at, verified_at, verify_micros, copied_from, series, archive, received) {rows} \
         ON CONFLICT (pilot, day, replay_digest) DO NOTHING RETURNING id";
    INSERT_LEAVES(Long, Bytes, Id, Long) = "INSERT INTO log_leaves (position, leaf, subject, at) {rows}";
    INSERT_PARTS(Id, Long, Int, Id, Id, Long) = "WITH w(run, part, day, first, last, fights) AS ({rows}) \
         INSERT INTO reverify_parts (run, part, day, first, last, fights, until, same, different, unreadable) \
         SELECT w.run, w.part, w.day, w.first, w.last, w.fights, 0, 0, 0, 0 FROM w";
    /// Locks boards in the order of their ids and makes those that are new.
    HOLD_BOARDS(Id, Text, Text, Long) = "WITH w(board, kind, name, step) AS ({rows}) \
         INSERT INTO boards (board, kind, name, revision) \
         SELECT w.board, w.kind, w.name, w.step FROM w WHERE TRUE ORDER BY w.board \
         ON CONFLICT (board) DO UPDATE SET revision = boards.revision + excluded.revision RETURNING board, revision";
    /// The entries of pilots on boards, and how many stand before a place between its bucket's low end and itself; where
    /// no place is asked for, none.
    ENTRIES_OF(Id, Id, Bytes, Bytes) = "WITH w(pilot, board, low, place) AS ({rows}) \
         SELECT w.pilot, w.board, (SELECT CAST(COUNT(*) AS BIGINT) FROM entries c WHERE c.board = w.board \
         AND c.benched = FALSE AND c.place >= w.low AND c.place < w.place), \
         e.place, e.elapsed, e.days, e.series, e.benched \
         FROM w LEFT JOIN entries e ON e.pilot = w.pilot AND e.board = w.board";
    ADD_ENTRIES(Id, Id, Bytes, Long, Long, Id, Bool) =
        "INSERT INTO entries (pilot, board, place, elapsed, days, series, benched) {rows}";
    CHANGE_ENTRIES(Id, Id, Bytes, Long, Long, Id, Bool) =
        "WITH w(pilot, board, place, elapsed, days, series, benched) AS ({rows}) \
         UPDATE entries SET place = w.place, elapsed = w.elapsed, days = w.days, series = w.series, benched = w.benched \
         FROM w WHERE entries.pilot = w.pilot AND entries.board = w.board";
    DROP_ENTRIES(Id, Id) = "DELETE FROM entries WHERE (pilot, board) IN ({rows})";
    PUT_BUCKETS(Id, Bytes, Long) = "INSERT INTO buckets (board, low, entries) {rows} \
         ON CONFLICT (board, low) DO UPDATE SET entries = excluded.entries";
    DROP_BUCKETS(Id, Bytes) = "DELETE FROM buckets WHERE (board, low) IN ({rows})";
}

/// What only Postgres knows.
pub(crate) mod postgres {
    use super::{Many, Type};
    use crate::Day;

    pub(crate) static LOCK_PILOTS: Many = Many::new(lock_pilots!(" FOR NO KEY UPDATE OF p"), &[Type::Id]);
    /// One replica at a time: `IF NOT EXISTS` alone does not keep two of them apart.
    pub(crate) const LOCK_PARTITIONS: &str = "SELECT pg_advisory_xact_lock(7215545057)";
    pub(crate) const PARTITION: &str = "SELECT CAST(1 AS BIGINT) FROM pg_class WHERE oid = to_regclass($1)";
    pub(crate) const STRAY_FIGHT: &str = "SELECT id FROM fights_other WHERE day = $1 LIMIT 1";

    pub(crate) const ATTACHED: &str = "SELECT CAST(1 AS BIGINT) FROM pg_class \
         WHERE oid = to_regclass($1) AND relispartition";

    /// A partition for one day. Rows stay whole in it up to a page: their documents are packed, and short.
    pub(crate) fn create_partition(name: &str, day: Day) -> String {
        let (first, next) = (day.0, day.plus(1).0);
        format!(
            "CREATE TABLE {name} PARTITION OF fights FOR VALUES FROM ({first}) TO ({next}) \
             WITH (toast_tuple_target = 8160)"
        )
    }

    /// Takes a day's partition out of the table, under a name of its own.
    pub(crate) fn detach_partition(name: &str) -> String {
        format!("ALTER TABLE fights DETACH PARTITION {name}")
    }

    #[cfg(test)]
    pub(super) const ONES: &[&str] = &[LOCK_PARTITIONS, PARTITION, STRAY_FIGHT, ATTACHED];
}

#[cfg(test)]
mod tests {
    use sqlx::{Executor, Postgres, SqlSafeStr};
    use uuid::Uuid;

    use super::*;
    use crate::db::Database;
    use crate::{Options, Store};

    fn array_of(kind: Type) -> sqlx::postgres::PgTypeInfo {
        use sqlx::Type as Known;
        match kind {
            Type::Bool => <Vec<bool> as Known<Postgres>>::type_info(),
            Type::Int => <Vec<i32> as Known<Postgres>>::type_info(),
            Type::Long => <Vec<i64> as Known<Postgres>>::type_info(),
            Type::Text => <Vec<String> as Known<Postgres>>::type_info(),
            Type::Bytes => <Vec<Vec<u8>> as Known<Postgres>>::type_info(),
            Type::Id => <Vec<Uuid> as Known<Postgres>>::type_info(),
        }
    }

    #[tokio::test]
    async fn every_statement_prepares_on_postgres() {
        let database = ongrid_testkit::Postgres::database();
        let store = Store::open(&database.url(), &Options::default()).await.unwrap();
        store.migrate().await.unwrap();
        let Database::Postgres(pool) = &store.db else { panic!("{} is not Postgres", store.kind()) };
        let ones = ONES.iter().copied().chain(postgres::ONES.iter().map(|text| (*text, *text)));
        let ones = ones.map(|(name, text)| (name, text, Vec::new()));
        let manies = MANIES.iter().copied().chain([("LOCK_PILOTS", &postgres::LOCK_PILOTS)]);
        let manies = manies
            .map(|(name, many)| (name, many.of_arrays(), many.row.iter().copied().map(array_of).collect()));
        for (name, text, types) in ones.chain(manies) {
            let types: Vec<_> = types;
            let prepared = Executor::prepare_with(pool, text.into_sql_str(), &types).await;
            prepared.unwrap_or_else(|fault| panic!("{name}: {fault}"));
        }
        store.close().await;
    }

    #[tokio::test]
    async fn every_statement_prepares_on_sqlite() {
        let store = Store::open("sqlite::memory:", &Options::default()).await.unwrap();
        store.migrate().await.unwrap();
        let Database::Sqlite(pool) = &store.db else { panic!("{} is not SQLite", store.kind()) };
        let manies = MANIES
            .iter()
            .flat_map(|(name, many)| (0..SIZES).map(move |power| (*name, many.of_values(power))));
        for (name, text) in ONES.iter().copied().chain(manies) {
            let prepared = Executor::prepare(pool, text.into_sql_str()).await;
            prepared.unwrap_or_else(|fault| panic!("{name}: {fault}"));
        }
        store.close().await;
    }

    #[test]
    fn rows_are_cut_into_powers_of_two() {
        let values = vec![Value::from(1_i64); 3 * 203];
        static THREE: Many = Many::new("{rows}", &[Type::Long, Type::Long, Type::Long]);
        let sizes: Vec<_> = THREE.chunks(&values).map(|(_, chunk)| chunk.len() / 3).collect();
        assert_eq!(sizes, [64, 64, 64, 8, 2, 1]);
        assert_eq!(THREE.chunks(&values[..6]).next().unwrap().0, "VALUES ($1, $2, $3), ($4, $5, $6)");
        assert_eq!(THREE.of_arrays(), "SELECT UNNEST($1), UNNEST($2), UNNEST($3)");
        assert!(THREE.fits(&values) && !THREE.fits(&values[..2]) && !THREE.fits(&[Value::from(true); 3]));
        assert_eq!(THREE.chunks(&[]).count(), 0);
    }
}
