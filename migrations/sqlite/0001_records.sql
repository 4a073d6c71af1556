-- Everything a fight leaves behind. The same tables, columns and keys stand in ../postgres under the same number.
--
-- Instants are microseconds since 1970 in UTC, days are days since 1970-01-01, digests and seeds are bytes; all of
-- them are made by the service, never by the database. Hot tables carry no foreign keys: the writer locks the pilots
-- of a batch before it writes anything of theirs.

-- Who fights. An erased pilot keeps its row and its fights, and loses name and skills.
CREATE TABLE pilots (
    id          BLOB PRIMARY KEY,
    name        TEXT,
    name_key    TEXT UNIQUE,
    skills      TEXT,
    created_at  INTEGER NOT NULL,
    banned_at   INTEGER,
    erased_at   INTEGER
) STRICT;

-- Bearer tokens. The secret itself is nowhere.
CREATE TABLE tokens (
    id            BLOB PRIMARY KEY,
    role          TEXT NOT NULL CHECK (role IN ('pilot', 'backend', 'operator')),
    pilot         BLOB REFERENCES pilots (id),
    label         TEXT NOT NULL,
    secret_hash   BLOB NOT NULL UNIQUE,
    created_at    INTEGER NOT NULL,
    last_used_at  INTEGER,
    revoked_at    INTEGER,
    CHECK ((role = 'pilot') = (pilot IS NOT NULL))
) STRICT;
CREATE INDEX tokens_of_pilot ON tokens (pilot);

-- The rulesets that ever judged here: a tag stands for one digest for ever.
CREATE TABLE rulesets (
    tag            TEXT PRIMARY KEY,
    digest         BLOB NOT NULL,
    build          TEXT NOT NULL,
    registered_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE days (
    day                INTEGER PRIMARY KEY,
    engine             TEXT NOT NULL,
    doctrine           TEXT NOT NULL,
    doctrine_set       INTEGER NOT NULL,
    secret             BLOB NOT NULL,
    commitment         BLOB NOT NULL,
    seed_policy        TEXT NOT NULL CHECK (seed_policy IN ('pilot', 'day')),
    ranked_attempts    INTEGER NOT NULL,
    practice_attempts  INTEGER NOT NULL,
    attempt_minutes    INTEGER NOT NULL,
    grace_minutes      INTEGER NOT NULL,
    opens_at           INTEGER NOT NULL,
    closes_at          INTEGER NOT NULL,
    final_at           INTEGER NOT NULL,
    created_at         INTEGER NOT NULL,
    archived_at        INTEGER
) STRICT;

-- Issued under the lock of their pilot, so that at most one of a day is open. `setup` is packed by the store.
CREATE TABLE attempts (
    id            BLOB PRIMARY KEY,
    pilot         BLOB NOT NULL,
    day           INTEGER NOT NULL,
    number        INTEGER NOT NULL,
    kind          TEXT NOT NULL CHECK (kind IN ('ranked', 'practice')),
    state         TEXT NOT NULL CHECK (state IN ('open', 'spent', 'expired')),
    engine        TEXT NOT NULL,
    ruleset       BLOB NOT NULL,
    doctrine      TEXT NOT NULL,
    seed          BLOB NOT NULL,
    setup         BLOB NOT NULL,
    setup_digest  BLOB NOT NULL,
    issued_at     INTEGER NOT NULL,
    expires_at    INTEGER NOT NULL,
    final_at      INTEGER NOT NULL,
    rejected      INTEGER NOT NULL,
    returned      INTEGER NOT NULL,
    fight         BLOB,
    UNIQUE (pilot, day, number)
) STRICT;

-- The different replays of an attempt that were refused, by digest.
CREATE TABLE rejections (
    attempt      BLOB NOT NULL,
    digest       BLOB NOT NULL,
    code         TEXT NOT NULL,
    rejected_at  INTEGER NOT NULL,
    PRIMARY KEY (attempt, digest)
) STRICT, WITHOUT ROWID;

-- The records. `series` is the board beside the day's that a fight counts for.
-- `archive` holds canonical replay, outcome and snapshot, `received` the text as it came, both packed by the store.
CREATE TABLE fights (
    id               BLOB NOT NULL,
    day              INTEGER NOT NULL,
    pilot            BLOB NOT NULL,
    kind             TEXT NOT NULL CHECK (kind IN ('free', 'practice', 'ranked')),
    attempt          BLOB,
    engine           TEXT NOT NULL,
    ruleset          BLOB NOT NULL,
    build            TEXT NOT NULL,
    doctrine         TEXT,
    replay_digest    BLOB NOT NULL,
    setup_digest     BLOB NOT NULL,
    play_digest      BLOB NOT NULL,
    outcome_digest   BLOB NOT NULL,
    snapshot_digest  BLOB,
    score            INTEGER NOT NULL,
    rounds           INTEGER NOT NULL,
    finished         INTEGER NOT NULL,
    calls            INTEGER NOT NULL,
    checkpoint       INTEGER NOT NULL,
    rng_words        INTEGER NOT NULL,
    desync           INTEGER,
    issued_at        INTEGER,
    submitted_at     INTEGER NOT NULL,
    verified_at      INTEGER NOT NULL,
    verify_micros    INTEGER NOT NULL,
    copied_from      BLOB,
    series           BLOB,
    voided_at        INTEGER,
    void_reason      TEXT,
    archive          BLOB NOT NULL,
    received         BLOB NOT NULL,
    PRIMARY KEY (id, day),
    UNIQUE (pilot, day, replay_digest)
) STRICT;
CREATE INDEX fights_copied ON fights (id) WHERE copied_from IS NOT NULL;

-- Who played a fleet and its calls first, whatever the seed.
CREATE TABLE plays (
    digest  BLOB PRIMARY KEY,
    fight   BLOB NOT NULL,
    pilot   BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- A board is anything that ranks. Whoever changes one holds its row until the commit.
CREATE TABLE boards (
    board     BLOB PRIMARY KEY,
    kind      TEXT NOT NULL CHECK (kind IN ('day', 'season', 'doctrine', 'scenario')),
    name      TEXT NOT NULL,
    revision  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX boards_by_name ON boards (kind, name);

-- A pilot's standing on a board. `place` compares, byte by byte, as the order of the board does. `days` are the days of
-- a season that count, bit 0 the first; `series` is the doctrine's board that a day's run counts for as well. The
-- entries of a banned pilot are kept up as if nothing were, and stand nowhere.
CREATE TABLE entries (
    pilot    BLOB NOT NULL,
    board    BLOB NOT NULL,
    place    BLOB NOT NULL,
    elapsed  INTEGER,
    days     INTEGER NOT NULL,
    series   BLOB,
    benched  INTEGER NOT NULL,
    PRIMARY KEY (pilot, board)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX entries_by_place ON entries (board, place) WHERE benched = FALSE;

-- How many entries of a board lie between one `low` and the next: what makes a rank cheap. The bucket whose `low` is
-- empty, the first of its board, counts the whole.
CREATE TABLE buckets (
    board    BLOB NOT NULL,
    low      BLOB NOT NULL,
    entries  INTEGER NOT NULL,
    PRIMARY KEY (board, low)
) STRICT, WITHOUT ROWID;

-- Who did what to whom, when and why.
CREATE TABLE audit (
    id      BLOB PRIMARY KEY,
    at      INTEGER NOT NULL,
    actor   BLOB,
    action  TEXT NOT NULL,
    pilot   BLOB,
    fight   BLOB,
    day     INTEGER,
    reason  TEXT NOT NULL
) STRICT;
CREATE INDEX audit_of_pilot ON audit (pilot, id);
CREATE INDEX audit_of_fight ON audit (fight, id);
