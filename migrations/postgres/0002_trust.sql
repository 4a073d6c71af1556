-- Receipts in a log that only grows, and re-verification. The same tables, columns and keys stand in ../sqlite under the
-- same number.

-- One row: how far the log goes, who appends to it and until when, and up to which fight and which act nothing is missing.
CREATE TABLE log_head (
    id      BIGINT PRIMARY KEY CHECK (id = 1),
    size    BIGINT NOT NULL,
    fights  UUID NOT NULL,
    acts    UUID NOT NULL,
    holder  UUID,
    until   BIGINT NOT NULL
);
INSERT INTO log_head (id, size, fights, acts, until)
VALUES (1, 0, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', 0);

-- Digests, no names: they outlive the days that are archived. `subject` is the fight of a receipt or the row of the audit.
CREATE TABLE log_leaves (
    position  BIGINT PRIMARY KEY,
    leaf      BYTEA NOT NULL,
    subject   UUID NOT NULL,
    at        BIGINT NOT NULL
);
CREATE INDEX log_leaves_of ON log_leaves (subject, position);

-- Hashes of the Merkle tree, 256 to a tile as in C2SP tlog-tiles.
CREATE TABLE log_tiles (
    level   BIGINT NOT NULL,
    number  BIGINT NOT NULL,
    hashes  BYTEA NOT NULL,
    PRIMARY KEY (level, number)
);

-- The last signed checkpoint of each day.
CREATE TABLE log_checkpoints (
    day   INTEGER PRIMARY KEY,
    size  BIGINT NOT NULL,
    root  BYTEA NOT NULL,
    at    BIGINT NOT NULL,
    note  TEXT COLLATE "C" NOT NULL
);

-- Fights whose receipt became another one after it may have been logged.
CREATE TABLE log_queue (
    fight  UUID PRIMARY KEY
);

-- Fights judged again: a run, its parts as machines take them, and what was not as recorded.
CREATE TABLE reverify_runs (
    id          UUID PRIMARY KEY,
    started_at  BIGINT NOT NULL,
    build       TEXT COLLATE "C" NOT NULL,
    scope       TEXT COLLATE "C" NOT NULL
);
CREATE TABLE reverify_parts (
    run         UUID NOT NULL,
    part        BIGINT NOT NULL,
    day         INTEGER NOT NULL,
    first       UUID NOT NULL,
    last        UUID NOT NULL,
    fights      BIGINT NOT NULL,
    holder      UUID,
    until       BIGINT NOT NULL,
    done_at     BIGINT,
    same        BIGINT NOT NULL,
    different   BIGINT NOT NULL,
    unreadable  BIGINT NOT NULL,
    PRIMARY KEY (run, part)
);
CREATE TABLE reverify_findings (
    run      UUID NOT NULL,
    fight    UUID NOT NULL,
    verdict  TEXT COLLATE "C" NOT NULL,
    call     BIGINT,
    field    TEXT COLLATE "C" NOT NULL,
    detail   TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (run, fight)
);
