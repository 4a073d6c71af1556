//! Figures of the built service under load, on this machine, loopback only.
//!
//! `cargo build --release --bin ongrid && cargo run --release -p ongrid --example overload -- verify|fights [seconds]`
//! finds the capacity (closed loops of 32, 128 and 512 connections, the best of them), then offers twice as much for as long and says what became of
//! it: goodput, refusals and how fast they came, `/healthz` beside it, memory idle and full. `verify` asks for verdicts
//! of one replay, `fights` submits fights of 256 pilots to a Postgres of its own. The client is on the same cores:
//! what it takes to offer twice as much is taken from the service.
//! `… --example overload -- start [fights]` says how long from the start to ready, with an empty and a full database.

#![allow(missing_docs)]

mod drive;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use drive::{Connection, Service};
use ongrid::pilots;
use ongrid_store::{Micros, Store};
use ongrid_testkit::PrivatePostgres;

type Failed = Box<dyn std::error::Error + Send + Sync>;

/// The service over a data directory of its own.
struct Running {
    service: Service,
    _directory: tempfile::TempDir,
}

impl Running {
    fn start(database: Option<&str>) -> Result<Self, Failed> {
        let directory = tempfile::tempdir()?;
        let service = Service::start(|command| {
            command.arg("--data").arg(directory.path());
            command.args(["--set", "rate.per_token=0", "--set", "verify.per_token=100000"]);
            command.args(database.into_iter().flat_map(|url| ["--database-url", url]));
        })?;
        Ok(Self { service, _directory: directory })
    }

    /// A figure of /proc/…/status in MiB.
    fn memory(&self, name: &str) -> f64 {
        let status = format!("/proc/{}/status", self.service.child.id());
        let status = std::fs::read_to_string(status).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.trim_matches(|c: char| !c.is_ascii_digit()).parse().map_or(f64::NAN, |kib: f64| kib / 1024.0)
    }
}

/// Makes the requests of a run, each of the next pilot and with a seed of its own.
struct Requests {
    path: &'static str,
    tokens: Vec<String>,
    replay: String,
    seed: AtomicU64,
}

impl Requests {
    fn next(&self) -> Vec<u8> {
        let seed = self.seed.fetch_add(1, Ordering::Relaxed);
        let token = &self.tokens[seed as usize % self.tokens.len()];
        let body = self.replay.replacen("SEED", &seed.to_string(), 1);
        format!(
            "POST {} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
             authorization: Bearer {token}\r\ncontent-length: {}\r\n\r\n{body}",
            self.path,
            body.len()
        )
        .into_bytes()
    }
}

/// Pilots of a database, by their tokens.
async fn pilots(database: &str, number: usize) -> Result<Vec<String>, Failed> {
    let store = Store::open(database, &Default::default()).await?;
    let mut tokens = Vec::new();
    for number in 0..number {
        let (_, token) = pilots::add(&store, &format!("Pilot {number}"), "load", Micros::now()).await?;
        tokens.push(token.reveal().to_owned());
    }
    store.close().await;
    Ok(tokens)
}

/// What became of a run: status and time of every request.
type Answers = Vec<(u16, Duration)>;

/// As many connections, each asking again when it has its answer; or `rate` a second in all, whatever comes back.
async fn run(
    address: &str,
    requests: &Arc<Requests>,
    connections: usize,
    seconds: u64,
    rate: Option<f64>,
) -> Result<Answers, Failed> {
    let begun = Instant::now();
    let end = begun + Duration::from_secs(seconds);
    let turn = Arc::new(AtomicU64::new(0));
    let mut tasks = Vec::new();
    for _ in 0..connections {
        let (requests, turn, mut connection) =
            (requests.clone(), turn.clone(), Connection::open(address).await?);
        tasks.push(tokio::spawn(async move {
            let mut answers = Answers::new();
            loop {
                if let Some(rate) = rate {
                    let at = turn.fetch_add(1, Ordering::Relaxed) as f64 / rate;
                    tokio::time::sleep_until((begun + Duration::from_secs_f64(at)).into()).await;
                }
                if Instant::now() >= end {
                    return Ok::<_, Failed>(answers);
                }
                let request = requests.next();
                let sent = Instant::now();
                let (status, _) = connection.ask(&request).await?;
                answers.push((status, sent.elapsed()));
            }
        }));
    }
    let mut all = Answers::new();
    for task in tasks {
        all.extend(task.await??);
    }
    Ok(all)
}

/// How many were answered with a verdict.
fn served(answers: &Answers) -> usize {
    answers.iter().filter(|(status, _)| matches!(status, 200 | 201)).count()
}

fn percentile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default()
}

async fn overload(what: &str, seconds: u64) -> Result<(), Failed> {
    let is_verify = what == "verify";
    let postgres = (!is_verify).then(|| PrivatePostgres::start(&[("max_wal_size", "4GB")]));
    let database = postgres.as_ref().map(|it| it.url("postgres"));
    let running = Running::start(database.as_deref())?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    println!("memory idle: {:.0} MiB", running.memory("VmRSS:"));
    let replay = include_str!("../../../examples/long-victory.json");
    let requests = match &database {
        None => Requests {
            path: "/v1/verify",
            tokens: vec![running.service.token.clone().unwrap_or_default()],
            replay: replay.to_owned(),
            seed: AtomicU64::new(1),
        },
        Some(database) => {
            let mut replay: serde_json::Value = serde_json::from_str(replay)?;
            replay["seed"] = "SEED".into();
            replay["calls"] = serde_json::json!([{"do": "concede"}]);
            replay.as_object_mut().ok_or("no replay")?.remove("checkpoints");
            Requests {
                path: "/v1/fights",
                tokens: pilots(database, 256).await?,
                replay: replay.to_string(),
                seed: AtomicU64::new(1),
            }
        }
    };
    let requests = Arc::new(requests);
    run(&running.service.address, &requests, 64, 2, None).await?;
    let mut capacity = 0.0_f64;
    for connections in [32, 128, 512] {
        let answers = run(&running.service.address, &requests, connections, seconds, None).await?;
        let rate = served(&answers) as f64 / seconds as f64;
        if rate == 0.0 {
            return Err(format!("nothing is answered 200 or 201 but {:?}", answers.first()).into());
        }
        let mut times: Vec<_> = answers.iter().map(|(_, time)| *time).collect();
        println!(
            "{connections} connections: {rate:.0} /s, p99 {:.1?}, memory {:.0} MiB",
            percentile(&mut times, 0.99),
            running.memory("VmRSS:")
        );
        capacity = capacity.max(rate);
    }
    let health = tokio::spawn(watch_health(running.service.address.clone(), seconds));
    // More than wait in the service at most, so that there are always some to refuse.
    let connections = if is_verify { 768 } else { 2048 };
    let answers =
        run(&running.service.address, &requests, connections, seconds, Some(2.0 * capacity)).await?;
    let mut health = health.await??;
    let offered = answers.len() as f64 / seconds as f64;
    let goodput = served(&answers) as f64 / seconds as f64;
    let refused = |(status, _): &&(u16, Duration)| matches!(status, 429 | 503);
    let mut refusals: Vec<_> = answers.iter().filter(refused).map(|(_, time)| *time).collect();
    let others = answers.len() - served(&answers) - refusals.len();
    println!(
        "offered {offered:.0} /s = {:.2} of capacity: goodput {goodput:.0} /s = {:.1} %; refused {} (p50 {:.1?}, p99 {:.1?}); \
         other answers {others}",
        offered / capacity,
        100.0 * goodput / capacity,
        refusals.len(),
        percentile(&mut refusals, 0.5),
        percentile(&mut refusals, 0.99),
    );
    println!(
        "/healthz meanwhile: {} asked, p50 {:.1?}, p99 {:.1?}",
        health.len(),
        percentile(&mut health, 0.5),
        percentile(&mut health, 0.99)
    );
    println!(
        "memory full: {:.0} MiB now, {:.0} MiB at most",
        running.memory("VmRSS:"),
        running.memory("VmHWM:")
    );
    Ok(())
}

/// Asks for the health every twenty milliseconds.
async fn watch_health(address: String, seconds: u64) -> Result<Vec<Duration>, Failed> {
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut times = Vec::new();
    while Instant::now() < end {
        let begun = Instant::now();
        let mut connection = Connection::open(&address).await?;
        let (status, _) = connection.ask(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await?;
        times.push(begun.elapsed());
        if status != 200 {
            return Err(format!("/healthz: {status}").into());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(times)
}

/// Milliseconds from the start of the process until `/readyz` is green.
async fn time_to_ready(database: Option<&str>) -> Result<f64, Failed> {
    let begun = Instant::now();
    let running = Running::start(database)?;
    loop {
        let mut connection = Connection::open(&running.service.address).await?;
        let (status, _) = connection.ask(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n").await?;
        if status == 200 {
            return Ok(begun.elapsed().as_secs_f64() * 1e3);
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

async fn start(fights: usize) -> Result<(), Failed> {
    println!("SQLite, empty: ready after {:.0} ms", time_to_ready(None).await?);
    let postgres = PrivatePostgres::start(&[("shared_buffers", "512MB"), ("max_wal_size", "4GB")]);
    let url = postgres.url("postgres");
    println!("Postgres, empty: ready after {:.0} ms", time_to_ready(Some(&url)).await?);
    let digest = "sha256(int8send(n))";
    let fill = format!(
        "SET synchronous_commit = off; \
         INSERT INTO pilots (id, name, name_key, created_at) \
         SELECT gen_random_uuid(), 'Pilot ' || n, 'pilot ' || n, 0 FROM generate_series(1, 1000) n; \
         INSERT INTO fights (id, day, pilot, kind, engine, ruleset, build, replay_digest, setup_digest, play_digest, \
         outcome_digest, score, rounds, finished, calls, checkpoint, rng_words, submitted_at, verified_at, verify_micros, \
         archive, received) \
         SELECT gen_random_uuid(), (SELECT min(day) FROM days) - n % 100, ids[1 + n % 1000], 'ranked', 'ongrid-8', {digest}, \
         'measure', {digest}, {digest}, {digest}, {digest}, n % 3000, 9, TRUE, 50, 1, 900, 1, n, 30, \
         decode(repeat('a7', 300), 'hex'), decode(repeat('a7', 100), 'hex') \
         FROM generate_series(1, {fights}) n, (SELECT array_agg(id) AS ids FROM pilots) p"
    );
    let begun = Instant::now();
    for statement in fill.split("; ") {
        postgres.run("postgres", statement);
    }
    println!("{fights} fights loaded in {:.0?}", begun.elapsed());
    for _ in 0..3 {
        println!("Postgres, {fights} fights: ready after {:.0} ms", time_to_ready(Some(&url)).await?);
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Failed> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |default: usize| arguments.get(1).and_then(|it| it.parse().ok()).unwrap_or(default);
    match arguments.first().map(String::as_str) {
        Some(what @ ("verify" | "fights")) => overload(what, number(10) as u64).await,
        Some("start") => start(number(1_000_000)).await,
        _ => Err("overload verify|fights [seconds] | overload start [fights]".into()),
    }
}
