//! Figures of the store on a durable Postgres of its own, from the installed binaries.
//!
//! `cargo run --release -p ongrid-store --example measure -- submit [clients…]` submits verified, ranked fights, each
//! with its own attempt, and has pgbench insert one such row at a time with as many clients, in the same run.
//!
//! `cargo run --release -p ongrid-store --example measure -- boards [rows]` asks a day of so many rows, a third of them on
//! one score, for ranks and pages, and in the same run a Redis sorted set of the same members (Debian's `redis-server`).
//!
//! `cargo run --release -p ongrid-store --example measure -- days [days]` asks boards of so many days, 1,000 rows each, with
//! a partition for each.

#![allow(missing_docs)]

mod redis;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ongrid_engine::{Digest, Seed, Standing, Verdict};
use ongrid_store::{
    Batching, Board, Day, DayRecord, Micros, Options, Play, Policy, SeedPolicy, Store, Submission,
};
use ongrid_testkit::PrivatePostgres;
use uuid::Uuid;

const SETTINGS: &[(&str, &str)] = &[
    ("max_connections", "300"),
    ("shared_buffers", "1GB"),
    ("max_wal_size", "8GB"),
    ("checkpoint_timeout", "30min"),
];

type Failed = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failed> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_default();
    let numbers: Vec<usize> = arguments.filter_map(|it| it.parse().ok()).collect();
    let postgres = PrivatePostgres::start(SETTINGS);
    // `most`, `in_flight` and the wait in microseconds of the writer, to be tried out.
    let figure = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<usize>().ok());
    let standard = Batching::default();
    let batching = Batching {
        queue: 4096,
        most: figure("MOST").unwrap_or(standard.most),
        in_flight: figure("IN_FLIGHT").unwrap_or(standard.in_flight),
        wait: figure("WAIT").map_or(standard.wait, |it| Duration::from_micros(it as u64)),
    };
    let options = Options { batching, ..Options::default() };
    let store = Store::open(&postgres.url("postgres"), &options).await?;
    store.migrate().await?;
    let day = Day::of(Micros::now());
    store.ensure_partitions(day, day).await?;
    store.ensure_day(&day_record(day)).await?;
    match what.as_str() {
        "submit" => {
            let clients = if numbers.is_empty() { vec![8, 32, 128] } else { numbers };
            for clients in clients {
                submit(&postgres, &store, day, clients).await?;
            }
            disk(&postgres);
        }
        "boards" => boards(&postgres, &store, day, numbers.first().copied().unwrap_or(1_000_000)).await?,
        "days" => days(&postgres, &store, day, numbers.first().copied().unwrap_or(1000)).await?,
        _ => eprintln!("measure submit [clients…] | measure boards [rows] | measure days [days]"),
    }
    store.close().await;
    Ok(())
}

fn day_record(day: Day) -> DayRecord {
    let midnight = Micros(i64::from(day.0) * 86_400_000_000);
    let end = midnight.plus(Duration::from_secs(86_400));
    DayRecord {
        day,
        engine: "ongrid-8".into(),
        doctrine: "caldari-line".into(),
        doctrine_set: false,
        secret: vec![7; 32],
        commitment: vec![7; 32],
        policy: Policy {
            seed: SeedPolicy::Pilot,
            ranked_attempts: 1,
            practice_attempts: 10,
            attempt_minutes: 2880,
            grace_minutes: 1440,
        },
        opens_at: midnight,
        closes_at: end,
        final_at: end.plus(Duration::from_secs(86_400)),
        archived_at: None,
    }
}

/// Numbers that look random and are the same in every run.
fn mix(number: usize) -> usize {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_right(29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// A fight of about fifty calls with texts as long and as repetitive as the engine's.
fn verdict(number: usize) -> Verdict {
    let call = |index: usize| {
        let dice = mix(number * 64 + index);
        format!(
            "{{\"do\":\"fire\",\"ship\":{},\"stance\":\"aggressive\",\"target\":{}}}",
            dice % 5,
            5 + dice % 7
        )
    };
    let calls: Vec<String> = (0..50).map(call).collect();
    let ship = |index: usize| {
        let dice = mix(number * 17 + index);
        format!(
            "{{\"damage_dealt\":{}.{},\"damage_taken\":{}.5,\"destroyed_round\":{},\"hull\":\"rifter\",\"id\":{index},\"last_shooter\":{},\"left\":{{\"armor\":0,\"hull\":0,\"shield\":0}},\"side\":\"pilot\"}}",
            dice % 4000,
            dice % 99_999_999,
            dice % 3000,
            dice % 9,
            dice % 12
        )
    };
    let ships: Vec<String> = (0..10).map(ship).collect();
    let module = |index: usize| {
        format!(
            "{{\"charge\":\"fusion-s\",\"count\":{},\"module\":\"200mm-autocannon-i\",\"tier\":\"t1\",\"weight\":1}}",
            1 + mix(index) % 7
        )
    };
    let fits: Vec<String> = (0..50).map(module).collect();
    let replay = format!(
        "{{\"calls\":[{}],\"engine\":\"ongrid-8\",\"seed\":\"{}\",\"setup\":{{\"fleet\":[{}]}}}}",
        calls.join(","),
        Digest::of(&number.to_be_bytes()),
        fits[..12].join(",")
    )
    .into_bytes();
    let outcome = format!("{{\"ships\":[{}]}}", ships.join(",")).into_bytes();
    let snapshot = format!("{{\"pilot\":[{}]}}", fits.join(",")).into_bytes();
    let score = if mix(number).is_multiple_of(3) { 500 } else { mix(number) % 3000 };
    Verdict {
        engine: "ongrid-8",
        ruleset: Digest::of(b"ruleset"),
        seed: Seed::from_bytes([1; 32]),
        replay_digest: Digest::of(&replay),
        setup_digest: Digest::of(b"setup"),
        play_digest: Digest::of(&replay),
        outcome_digest: Digest::of(&outcome),
        snapshot_digest: Some(Digest::of(&snapshot)),
        standing: Standing {
            score: i64::try_from(score).unwrap_or_default(),
            rounds: u32::try_from(3 + mix(number) % 20).unwrap_or_default(),
            finished: true,
        },
        replay,
        outcome,
        snapshot: Some(snapshot),
        calls: 50,
        checkpoint: 1,
        trail: Vec::new(),
        rng_words: 900,
        desync: None,
    }
}

/// Pilots with an open attempt each; answers (pilot, attempt).
fn prepare(postgres: &PrivatePostgres, day: Day, count: usize, label: &str) -> Vec<(Uuid, Uuid)> {
    let (ruleset, setup) = (Digest::of(b"ruleset"), Digest::of(b"setup"));
    let now = Micros::now().0;
    let text = format!(
        "WITH p AS (INSERT INTO pilots (id, name, name_key, created_at) \
         SELECT gen_random_uuid(), '{label} ' || n, '{label} ' || n, 0 FROM generate_series(1, {count}) n RETURNING id) \
         INSERT INTO attempts (id, pilot, day, number, kind, state, engine, ruleset, doctrine, seed, setup, setup_digest, \
         issued_at, expires_at, final_at, rejected, returned) \
         SELECT gen_random_uuid(), id, {}, 1, 'ranked', 'open', 'ongrid-8', '\\x{ruleset}', 'caldari-line', \
         decode(repeat('01', 32), 'hex'), decode('02000000' || '20' || '7b7d', 'hex'), '\\x{setup}', \
         {now}, {now} + 86400000000, {now} + 86400000000, 0, FALSE FROM p RETURNING pilot || ' ' || id",
        day.0
    );
    let pair = |line: &str| -> Option<(Uuid, Uuid)> {
        let (pilot, attempt) = line.split_once(' ')?;
        Some((pilot.parse().ok()?, attempt.parse().ok()?))
    };
    postgres.run("postgres", &text).lines().filter_map(pair).collect()
}

async fn submit(postgres: &PrivatePostgres, store: &Store, day: Day, clients: usize) -> Result<(), Failed> {
    let count = 600 * clients.clamp(8, 64);
    let attempts = prepare(postgres, day, count, &format!("c{clients}"));
    let now = Micros::now();
    let submissions: Vec<_> = attempts
        .iter()
        .enumerate()
        .map(|(index, (pilot, attempt))| {
            let verdict = verdict(clients * 1_000_000 + index);
            Submission {
                pilot: *pilot,
                play: Play::Attempt(*attempt),
                doctrine: None,
                received: [b" ", &verdict.replay[..]].concat(),
                verdict,
                build: "measure".into(),
                submitted_at: now,
                verified_at: Micros(now.0 + i64::try_from(index).unwrap_or_default()),
                verify_time: Duration::from_micros(30),
            }
        })
        .collect();
    postgres.run("postgres", "VACUUM ANALYZE");
    let (next, submissions) = (Arc::new(AtomicUsize::new(0)), Arc::new(submissions));
    let begun = Instant::now();
    let tasks: Vec<_> = (0..clients)
        .map(|_| {
            let (next, submissions, store) = (next.clone(), submissions.clone(), store.clone());
            tokio::spawn(async move {
                let mut times = Vec::new();
                while let Some(submission) = submissions.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let begun = Instant::now();
                    let recorded = store.submit(submission.clone()).await?;
                    assert!(recorded.new && recorded.rank.is_some());
                    times.push(begun.elapsed());
                }
                Ok::<_, ongrid_store::Error>(times)
            })
        })
        .collect();
    let mut times = Vec::new();
    for task in tasks {
        times.extend(task.await??);
    }
    let rate = times.len() as f64 / begun.elapsed().as_secs_f64();
    let plain = pgbench(postgres, clients);
    println!(
        "{clients:4} clients: {rate:7.0} submits/s, {}; plain insert {plain:7.0}/s; ratio {:.2}",
        percentiles(&mut times),
        rate / plain
    );
    Ok(())
}

/// Rows a second that pgbench inserts one by one: the columns and indexes of a fight, with documents as long.
fn pgbench(postgres: &PrivatePostgres, clients: usize) -> f64 {
    postgres.run(
        "postgres",
        "CREATE TABLE IF NOT EXISTS plain (LIKE fights INCLUDING ALL) WITH (toast_tuple_target = 8160); TRUNCATE plain",
    );
    let lengths = postgres
        .run("postgres", "SELECT avg(length(archive))::int || ' ' || avg(length(received))::int FROM fights");
    let (archive, received) = lengths.trim().split_once(' ').unwrap_or(("3000", "300"));
    let bytes = |length: &str| format!("decode(repeat('a7', {length}), 'hex')");
    let digest = "sha256(uuid_send(gen_random_uuid()))";
    let script = format!(
        "INSERT INTO plain (id, day, pilot, kind, engine, ruleset, build, replay_digest, setup_digest, play_digest, \
         outcome_digest, score, rounds, finished, calls, checkpoint, rng_words, submitted_at, verified_at, verify_micros, \
         archive, received) VALUES (gen_random_uuid(), 20000, gen_random_uuid(), 'ranked', 'ongrid-8', {digest}, 'measure', \
         {digest}, {digest}, {digest}, {digest}, 500, 9, TRUE, 50, 1, 900, 1, 1, 30, {}, {});",
        bytes(archive),
        bytes(received)
    );
    let file = postgres.socket_directory().join("insert.sql");
    std::fs::write(&file, script).expect("the directory is ours");
    let mut command = postgres.command("pgbench");
    command
        .arg("-h")
        .arg(postgres.socket_directory())
        .args(["-U", "postgres", "-n", "-M", "prepared", "-j", "2"]);
    let output =
        command.args(["-T", "8", "-c", &clients.to_string(), "-f"]).arg(&file).arg("postgres").output();
    let text = String::from_utf8_lossy(&output.expect("pgbench runs").stdout).into_owned();
    let rate = text.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
    rate.unwrap_or(f64::NAN)
}

fn percentiles(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    format!("p50 {:.2?} p99 {:.2?}", at(0.5), at(0.99))
}

/// What a fight takes on disk, by table, after a vacuum: rows, indexes and what stands beside.
fn disk(postgres: &PrivatePostgres) {
    postgres.run("postgres", "VACUUM FULL");
    let sizes = postgres.run(
        "postgres",
        "WITH n AS (SELECT count(*) AS fights FROM fights), sizes AS (\
         SELECT regexp_replace(relname, '_[0-9_]+$|_other$', '') AS name, sum(pg_total_relation_size(oid)) AS bytes \
         FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'plain' GROUP BY 1) \
         SELECT name || ': ' || (bytes / fights)::int || ' bytes a fight' FROM sizes, n WHERE bytes / fights >= 20 \
         UNION ALL SELECT 'all: ' || round(sum(bytes) / max(fights) / 1000, 2) || ' GB a million fights' FROM sizes, n",
    );
    println!("{}", sizes.trim());
}

/// A board of pilots of its own, a third of them on one score, and its buckets.
async fn fill_board(
    postgres: &PrivatePostgres,
    store: &Store,
    day: Day,
    rows: usize,
) -> Result<Board, Failed> {
    let board = Board::Day(day);
    let hex = board.id();
    let fill = format!(
        "SET synchronous_commit = off; \
         INSERT INTO boards (board, kind, name, revision) VALUES ('{hex}', 'day', '{day}', 1); \
         WITH p AS (INSERT INTO pilots (id, name, name_key, created_at) \
         SELECT gen_random_uuid(), 'Pilot {day} ' || n, 'pilot {day} ' || n, 0 FROM generate_series(1, {rows}) n RETURNING id) \
         INSERT INTO entries (pilot, board, place, elapsed, days, benched) \
         SELECT id, '{hex}', int8send((~(CASE WHEN random() < 0.333 THEN 500 ELSE (random() * 3000)::bigint END)) # (-9223372036854775808)) \
         || int4send((3 + random() * 20)::int) || int8send((1790000000000000 + (random() * 86400000000)::bigint) # (-9223372036854775808)) \
         || uuid_send(gen_random_uuid()), 60000000, 0, FALSE FROM p"
    );
    for statement in fill.split("; ") {
        postgres.run("postgres", statement);
    }
    if rows > 10_000 {
        postgres.run("postgres", "VACUUM ANALYZE");
    }
    store.rebuild_ranks(&board).await?;
    Ok(board)
}

/// Asks one client's questions of boards, each with a pilot on it.
async fn ask(store: &Store, sample: &[(Board, Uuid)]) -> Result<Vec<Duration>, Failed> {
    for (board, pilot) in sample.iter().take(200) {
        store.rank(board, *pilot).await?;
    }
    let (mut ranks, mut arounds, mut pages, mut tops) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (board, pilot) in sample {
        let begun = Instant::now();
        let found = store.standing(board, *pilot).await?;
        ranks.push(begun.elapsed());
        let begun = Instant::now();
        store.around(board, *pilot, 10).await?;
        arounds.push(begun.elapsed());
        let place = found.map(|(row, _)| row.place);
        let begun = Instant::now();
        store.top(board, 50, place.as_ref()).await?;
        pages.push(begun.elapsed());
        let begun = Instant::now();
        store.top(board, 100, None).await?;
        tops.push(begun.elapsed());
    }
    for (what, times) in [
        ("rank", &mut ranks),
        ("around, 10 beside", &mut arounds),
        ("page of 50, anywhere", &mut pages),
        ("top 100", &mut tops),
    ] {
        println!("{what}: {} (asked by one client, decoded)", percentiles(times));
    }
    Ok(ranks)
}

async fn boards(postgres: &PrivatePostgres, store: &Store, day: Day, rows: usize) -> Result<(), Failed> {
    let begun = Instant::now();
    let board = fill_board(postgres, store, day, rows).await?;
    let buckets = postgres.run("postgres", "SELECT count(*) FROM buckets");
    println!("{rows} rows, {} buckets, made in {:.2?}", buckets.trim(), begun.elapsed());
    let sample = postgres.run("postgres", "SELECT id FROM pilots ORDER BY id LIMIT 3000");
    let sample: Vec<Uuid> = sample.lines().filter_map(|line| line.parse().ok()).collect();
    let asked: Vec<(Board, Uuid)> = sample.iter().map(|pilot| (board.clone(), *pilot)).collect();
    let ranks = ask(store, &asked).await?;
    redis(postgres, &sample, ranks).await?;
    for clients in [32, 128] {
        submit(postgres, store, day, clients).await?;
    }
    Ok(())
}

/// The same ranks by a Redis that keeps the same members in memory alone, asked in the same way.
async fn redis(postgres: &PrivatePostgres, sample: &[Uuid], mut ranks: Vec<Duration>) -> Result<(), Failed> {
    let mut redis = redis::Redis::start(&postgres.socket_directory().join("redis.sock")).await?;
    let entries = "SELECT (('x' || encode(substring(place FROM 1 FOR 8), 'hex'))::bit(64)::bigint) || ' ' || pilot FROM entries";
    let entries = postgres.run("postgres", entries);
    let begun = Instant::now();
    let added = redis.add_all("board", entries.lines().filter_map(|line| line.split_once(' '))).await?;
    println!("Redis: {added} members added at once in {:.2?}", begun.elapsed());
    let (mut others, mut adds) = (Vec::new(), Vec::new());
    for pilot in sample {
        let pilot = pilot.to_string();
        let begun = Instant::now();
        redis.ask(&["ZREVRANK", "board", &pilot]).await?;
        others.push(begun.elapsed());
        let begun = Instant::now();
        redis.ask(&["ZADD", "board", "77", &pilot]).await?;
        adds.push(begun.elapsed());
    }
    println!("Redis: ZREVRANK {}; ZADD {}", percentiles(&mut others), percentiles(&mut adds));
    ranks.sort_unstable();
    let middle = |times: &[Duration]| times.get(times.len() / 2).map_or(f64::NAN, Duration::as_secs_f64);
    println!("rank here / ZREVRANK: {:.1} at p50", middle(&ranks) / middle(&others));
    Ok(())
}

async fn days(postgres: &PrivatePostgres, store: &Store, today: Day, days: usize) -> Result<(), Failed> {
    let first = Day(today.0 - i32::try_from(days)? + 1);
    let begun = Instant::now();
    store.ensure_partitions(first, today).await?;
    println!("{days} partitions made in {:.2?}", begun.elapsed());
    let begun = Instant::now();
    for day in first.0..=today.0 {
        fill_board(postgres, store, Day(day), 1000).await?;
    }
    postgres.run("postgres", "VACUUM ANALYZE");
    println!("{days} boards of 1000 rows made in {:.2?}", begun.elapsed());
    let sample = postgres.run(
        "postgres",
        "SELECT b.name || ' ' || e.pilot FROM entries e JOIN boards b ON b.board = e.board ORDER BY e.pilot LIMIT 3000",
    );
    let sample: Vec<(Board, Uuid)> = sample
        .lines()
        .filter_map(|line| {
            let (day, pilot) = line.split_once(' ')?;
            Some((Board::Day(day.parse().ok()?), pilot.parse().ok()?))
        })
        .collect();
    ask(store, &sample).await?;
    submit(postgres, store, today, 32).await?;
    let fights = postgres.run("postgres", "SELECT id FROM fights ORDER BY id LIMIT 3000");
    let mut times = Vec::new();
    for fight in fights.lines().filter_map(|line| line.parse().ok()) {
        let begun = Instant::now();
        store.fight(fight).await?;
        times.push(begun.elapsed());
    }
    println!("a fight by its id: {}", percentiles(&mut times));
    Ok(())
}
