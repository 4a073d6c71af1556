-- Receipts in a log that only grows, and re-verification. The same tables, columns and keys stand in ../postgres under the
-- same number.

-- One row: how far the log goes, who appends to it and until when, and up to which fight and which act nothing is missing.
CREATE TABLE log_head (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    size    INTEGER NOT NULL,
    fights  BLOB NOT NULL,
    acts    BLOB NOT NULL,
    holder  BLOB,
    until   INTEGER NOT NULL
) STRICT;
INSERT INTO log_head (id, size, fights, acts, until)
VALUES (1, 0, zeroblob(16), zeroblob(16), 0);

-- Digests, no names: they outlive the days that are archived. `subject` is the fight of a receipt or the row of the audit.
CREATE TABLE log_leaves (
    position  INTEGER PRIMARY KEY,
    leaf      BLOB NOT NULL,
    subject   BLOB NOT NULL,
    at        INTEGER NOT NULL
) STRICT;
CREATE INDEX log_leaves_of ON log_leaves (subject, position);

-- Hashes of the Merkle tree, 256 to a tile as in C2SP tlog-tiles.
CREATE TABLE log_tiles (
    level   INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    hashes  BLOB NOT NULL,
    PRIMARY KEY (level, number)
) STRICT;

-- The last signed checkpoint of each day.
CREATE TABLE log_checkpoints (
    day   INTEGER PRIMARY KEY,
    size  INTEGER NOT NULL,
    root  BLOB NOT NULL,
    at    INTEGER NOT NULL,
    note  TEXT NOT NULL
) STRICT;

-- Fights whose receipt became another one after it may have been logged.
CREATE TABLE log_queue (
    fight  BLOB PRIMARY KEY
) STRICT;

-- Fights judged again: a run, its parts as machines take them, and what was not as recorded.
CREATE TABLE reverify_runs (
    id          BLOB PRIMARY KEY,
    started_at  INTEGER NOT NULL,
    build       TEXT NOT NULL,
    scope       TEXT NOT NULL
) STRICT;
CREATE TABLE reverify_parts (
    run         BLOB NOT NULL,
    part        INTEGER NOT NULL,
    day         INTEGER NOT NULL,
    first       BLOB NOT NULL,
    last        BLOB NOT NULL,
    fights      INTEGER NOT NULL,
    holder      BLOB,
    until       INTEGER NOT NULL,
    done_at     INTEGER,
    same        INTEGER NOT NULL,
    different   INTEGER NOT NULL,
    unreadable  INTEGER NOT NULL,
    PRIMARY KEY (run, part)
) STRICT;
CREATE TABLE reverify_findings (
    run      BLOB NOT NULL,
    fight    BLOB NOT NULL,
    verdict  TEXT NOT NULL,
    call     INTEGER,
    field    TEXT NOT NULL,
    detail   TEXT NOT NULL,
    PRIMARY KEY (run, fight)
) STRICT;
