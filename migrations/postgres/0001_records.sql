-- Everything a fight leaves behind. The same tables, columns and keys stand in ../sqlite under the same number.
--
-- Instants are microseconds since 1970 in UTC, days are days since 1970-01-01, digests and seeds are bytes; all of
-- them are made by the service, never by the database. Hot tables carry no foreign keys: the writer locks the pilots
-- of a batch before it writes anything of theirs.

-- Who fights. An erased pilot keeps its row and its fights, and loses name and skills.
CREATE TABLE pilots (
    id          UUID PRIMARY KEY,
    name        TEXT COLLATE "C",
    name_key    TEXT COLLATE "C" UNIQUE,
    skills      TEXT COLLATE "C",
    created_at  BIGINT NOT NULL,
    banned_at   BIGINT,
    erased_at   BIGINT
);

-- Bearer tokens. The secret itself is nowhere.
CREATE TABLE tokens (
    id            UUID PRIMARY KEY,
    role          TEXT COLLATE "C" NOT NULL CHECK (role IN ('pilot', 'backend', 'operator')),
    pilot         UUID REFERENCES pilots (id),
    label         TEXT COLLATE "C" NOT NULL,
    secret_hash   BYTEA NOT NULL UNIQUE,
    created_at    BIGINT NOT NULL,
    last_used_at  BIGINT,
    revoked_at    BIGINT,
    CHECK ((role = 'pilot') = (pilot IS NOT NULL))
);
CREATE INDEX tokens_of_pilot ON tokens (pilot);

-- The rulesets that ever judged here: a tag stands for one digest for ever.
CREATE TABLE rulesets (
    tag            TEXT COLLATE "C" PRIMARY KEY,
    digest         BYTEA NOT NULL,
    build          TEXT COLLATE "C" NOT NULL,
    registered_at  BIGINT NOT NULL
);

CREATE TABLE days (
    day                INTEGER PRIMARY KEY,
    engine             TEXT COLLATE "C" NOT NULL,
    doctrine           TEXT COLLATE "C" NOT NULL,
    doctrine_set       BOOLEAN NOT NULL,
    secret             BYTEA NOT NULL,
    commitment         BYTEA NOT NULL,
    seed_policy        TEXT COLLATE "C" NOT NULL CHECK (seed_policy IN ('pilot', 'day')),
    ranked_attempts    BIGINT NOT NULL,
    practice_attempts  BIGINT NOT NULL,
    attempt_minutes    BIGINT NOT NULL,
    grace_minutes      BIGINT NOT NULL,
    opens_at           BIGINT NOT NULL,
    closes_at          BIGINT NOT NULL,
    final_at           BIGINT NOT NULL,
    created_at         BIGINT NOT NULL,
    archived_at        BIGINT
);

-- Issued under the lock of their pilot, so that at most one of a day is open. `setup` is packed by the store.
CREATE TABLE attempts (
    id            UUID PRIMARY KEY,
    pilot         UUID NOT NULL,
    day           INTEGER NOT NULL,
    number        BIGINT NOT NULL,
    kind          TEXT COLLATE "C" NOT NULL CHECK (kind IN ('ranked', 'practice')),
    state         TEXT COLLATE "C" NOT NULL CHECK (state IN ('open', 'spent', 'expired')),
    engine        TEXT COLLATE "C" NOT NULL,
    ruleset       BYTEA NOT NULL,
    doctrine      TEXT COLLATE "C" NOT NULL,
    seed          BYTEA NOT NULL,
    setup         BYTEA NOT NULL,
    setup_digest  BYTEA NOT NULL,
    issued_at     BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    final_at      BIGINT NOT NULL,
    rejected      BIGINT NOT NULL,
    returned      BOOLEAN NOT NULL,
    fight         UUID,
    UNIQUE (pilot, day, number)
) WITH (fillfactor = 80);
ALTER TABLE attempts ALTER COLUMN setup SET STORAGE EXTERNAL;

-- The different replays of an attempt that were refused, by digest.
CREATE TABLE rejections (
    attempt      UUID NOT NULL,
    digest       BYTEA NOT NULL,
    code         TEXT COLLATE "C" NOT NULL,
    rejected_at  BIGINT NOT NULL,
    PRIMARY KEY (attempt, digest)
);

-- The records. A partition a day, so that old days can be detached and archived; every unique key has the day.
-- `series` is the board beside the day's that a fight counts for.
-- `archive` holds canonical replay, outcome and snapshot, `received` the text as it came, both packed by the store.
CREATE TABLE fights (
    id               UUID NOT NULL,
    day              INTEGER NOT NULL,
    pilot            UUID NOT NULL,
    kind             TEXT COLLATE "C" NOT NULL CHECK (kind IN ('free', 'practice', 'ranked')),
    attempt          UUID,
    engine           TEXT COLLATE "C" NOT NULL,
    ruleset          BYTEA NOT NULL,
    build            TEXT COLLATE "C" NOT NULL,
    doctrine         TEXT COLLATE "C",
    replay_digest    BYTEA NOT NULL,
    setup_digest     BYTEA NOT NULL,
    play_digest      BYTEA NOT NULL,
    outcome_digest   BYTEA NOT NULL,
    snapshot_digest  BYTEA,
    score            BIGINT NOT NULL,
    rounds           BIGINT NOT NULL,
    finished         BOOLEAN NOT NULL,
    calls            BIGINT NOT NULL,
    checkpoint       BIGINT NOT NULL,
    rng_words        BIGINT NOT NULL,
    desync           BIGINT,
    issued_at        BIGINT,
    submitted_at     BIGINT NOT NULL,
    verified_at      BIGINT NOT NULL,
    verify_micros    BIGINT NOT NULL,
    copied_from      UUID,
    series           UUID,
    voided_at        BIGINT,
    void_reason      TEXT COLLATE "C",
    archive          BYTEA NOT NULL,
    received         BYTEA NOT NULL,
    PRIMARY KEY (id, day),
    UNIQUE (pilot, day, replay_digest)
) PARTITION BY RANGE (day);
CREATE INDEX fights_copied ON fights (id) WHERE copied_from IS NOT NULL;
-- Packed bytes are not worth packing again; where they are short they stay beside their row (see below).
ALTER TABLE fights ALTER COLUMN archive SET STORAGE EXTERNAL;
ALTER TABLE fights ALTER COLUMN received SET STORAGE EXTERNAL;
CREATE TABLE fights_other PARTITION OF fights DEFAULT WITH (toast_tuple_target = 8160);

-- Who played a fleet and its calls first, whatever the seed.
CREATE TABLE plays (
    digest  BYTEA PRIMARY KEY,
    fight   UUID NOT NULL,
    pilot   UUID NOT NULL
);

-- A board is anything that ranks. Whoever changes one holds its row until the commit.
CREATE TABLE boards (
    board     UUID PRIMARY KEY,
    kind      TEXT COLLATE "C" NOT NULL CHECK (kind IN ('day', 'season', 'doctrine', 'scenario')),
    name      TEXT COLLATE "C" NOT NULL,
    revision  BIGINT NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX boards_by_name ON boards (kind, name);

-- A pilot's standing on a board. `place` compares, byte by byte, as the order of the board does. `days` are the days of
-- a season that count, bit 0 the first; `series` is the doctrine's board that a day's run counts for as well. The
-- entries of a banned pilot are kept up as if nothing were, and stand nowhere.
CREATE TABLE entries (
    pilot    UUID NOT NULL,
    board    UUID NOT NULL,
    place    BYTEA NOT NULL,
    elapsed  BIGINT,
    days     BIGINT NOT NULL,
    series   UUID,
    benched  BOOLEAN NOT NULL,
    PRIMARY KEY (pilot, board)
);
CREATE UNIQUE INDEX entries_by_place ON entries (board, place) WHERE benched = FALSE;

-- How many entries of a board lie between one `low` and the next: what makes a rank cheap. The bucket whose `low` is
-- empty, the first of its board, counts the whole.
CREATE TABLE buckets (
    board    UUID NOT NULL,
    low      BYTEA NOT NULL,
    entries  BIGINT NOT NULL,
    PRIMARY KEY (board, low)
) WITH (fillfactor = 50);

-- Who did what to whom, when and why.
CREATE TABLE audit (
    id      UUID PRIMARY KEY,
    at      BIGINT NOT NULL,
    actor   UUID,
    action  TEXT COLLATE "C" NOT NULL,
    pilot   UUID,
    fight   UUID,
    day     INTEGER,
    reason  TEXT COLLATE "C" NOT NULL
);
CREATE INDEX audit_of_pilot ON audit (pilot, id);
CREATE INDEX audit_of_fight ON audit (fight, id);
