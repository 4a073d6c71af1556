//! How many verified, ranked, durable submissions a second: clients, service and a Postgres of its own on this machine.
//!
//! `cargo run --release -p ongrid --example load -- [clients] [submissions of each client] [processes] [key=value settings…]`
//!
//! Starts a private Postgres with its durable defaults (synchronous_commit on) and the service on a loopback port; with a
//! number of processes, so many of the built `ongrid` (`cargo build --release`), among which the clients divide.
//! Every submission has a pilot, an attempt and a replay of its own, made before the measured part. In the same run
//! pgbench inserts one such row at a time with as many clients: the ratio is what can be compared between machines.

#![allow(missing_docs)]

mod drive;
#[path = "../tests/common/wingman.rs"]
mod wingman;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use drive::{Connection, Service};
use ongrid::app::{App, Shared};
use ongrid::clock::Clock;
use ongrid::config::{Config, Sources};
use ongrid::{cli, pilots, router, serve, telemetry};
use ongrid_engine_ongrid::OnGrid;
use ongrid_testkit::PrivatePostgres;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Of the server beyond its defaults: room for the clients, and no checkpoint in the middle of a short run.
const POSTGRES: &[(&str, &str)] = &[
    ("max_connections", "300"),
    ("shared_buffers", "512MB"),
    ("max_wal_size", "8GB"),
    ("checkpoint_timeout", "30min"),
];

#[tokio::main]
async fn main() -> Result<()> {
    let mut numbers = Vec::new();
    let mut flags = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some((key, value)) => flags.push((key.to_owned(), value.to_owned())),
            None => numbers.push(argument.parse::<usize>().context("a number of clients or submissions")?),
        }
    }
    let (clients, each) = (
        numbers.first().copied().unwrap_or(32).clamp(1, 256),
        numbers.get(1).copied().unwrap_or(500).clamp(1, 5000),
    );

    let postgres = PrivatePostgres::start(POSTGRES);
    let directory = postgres.socket_directory().join("ongrid");
    let processes = numbers.get(2).copied().unwrap_or(0).min(16);
    let mut settings = vec![
        ("database_url".to_owned(), postgres.url("postgres")),
        ("data".to_owned(), directory.display().to_string()),
        // All come from one address, each with a token that nobody has seen yet.
        ("rate.per_address".to_owned(), "0".to_owned()),
    ];
    settings.extend(flags);
    let config = Config::load(&Sources { file: None, environment: Vec::new(), flags: settings })?;
    let _telemetry = telemetry::start(&config)?;
    let store = cli::serve::open_store(&config).await?;
    let app = App::new(config, store, Clock::default()).await?;
    let url = postgres.url("postgres");
    let start = |_| {
        Service::start(|command| {
            command.args(["--database-url", &url, "--data"]).arg(&app.config.data);
        })
    };
    let replicas: Vec<Service> = (0..processes).map(start).collect::<Result<_>>()?;
    let mut addresses: Vec<String> = replicas.iter().map(|it| it.address.clone()).collect();
    if addresses.is_empty() {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        addresses.push(listener.local_addr()?.to_string());
        let served = app.clone();
        tokio::spawn(async move {
            let limits = served.config.http.clone();
            let router = router::router(served.clone());
            serve::serve(listener, router, &limits, served.stop.clone(), Duration::from_secs(5)).await;
        });
    }
    let addresses: Arc<[String]> = addresses.into();

    let begun = Instant::now();
    let requests = prepare(&app, &addresses, clients, clients * each).await?;
    println!("{} attempts issued and flown in {:.1?}", requests.len(), begun.elapsed());
    postgres.run("postgres", "VACUUM ANALYZE");

    let begun = Instant::now();
    let mut times =
        in_parallel(clients, &addresses, requests, |mut client, request: Arc<Vec<u8>>| async move {
            let begun = Instant::now();
            let (status, body) = client.ask(&request).await?;
            if status != 201 {
                bail!("{status}: {}", String::from_utf8_lossy(&body));
            }
            Ok((client, begun.elapsed()))
        })
        .await?;
    let rate = times.len() as f64 / begun.elapsed().as_secs_f64();
    let board = app.store.recount(&ongrid_store::Board::Day(app.calendar.day_of(app.clock.now()))).await?;
    if !board.agrees() || board.entries != times.len() {
        bail!("the board is not what the records say: {board:?}");
    }
    let plain = pgbench(&postgres, clients)?;
    println!(
        "{clients} clients: {rate:.0} submits/s, {}; plain insert {plain:.0}/s; ratio {:.2}",
        percentiles(&mut times),
        rate / plain
    );
    app.stop.cancel();
    app.store.close().await;
    Ok(())
}

/// A connection, made when it is first needed.
struct Client {
    address: String,
    connection: Option<Connection>,
}

impl Client {
    /// Sends a request's bytes; answers status and body.
    async fn ask(&mut self, request: &[u8]) -> Result<(u16, Vec<u8>)> {
        if self.connection.is_none() {
            self.connection = Some(Connection::open(&self.address).await?);
        }
        self.connection.as_mut().context("it was just made")?.ask(request).await
    }
}

fn request(path: &str, token: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// Works through a list with so many clients at once; answers what each piece of work gave.
async fn in_parallel<T, R, F, Fut>(
    clients: usize,
    addresses: &[String],
    work: Vec<T>,
    run: F,
) -> Result<Vec<R>>
where
    T: Clone + Send + Sync + 'static,
    R: Send + 'static,
    F: Fn(Client, T) -> Fut + Clone + Send + 'static,
    Fut: Future<Output = Result<(Client, R)>> + Send,
{
    let (next, work) = (Arc::new(AtomicUsize::new(0)), Arc::new(work));
    let tasks: Vec<_> = (addresses.iter().cycle().take(clients))
        .map(|address| {
            let (next, work, run) = (next.clone(), work.clone(), run.clone());
            let mut client = Client { address: address.clone(), connection: None };
            tokio::spawn(async move {
                let mut results = Vec::new();
                while let Some(piece) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (again, result) = run(client, piece.clone()).await?;
                    client = again;
                    results.push(result);
                }
                Ok::<_, anyhow::Error>(results)
            })
        })
        .collect();
    let mut all = Vec::new();
    for task in tasks {
        all.extend(task.await??);
    }
    Ok(all)
}

/// Pilots with an attempt each and the request that submits its replay.
async fn prepare(
    app: &Shared,
    addresses: &[String],
    clients: usize,
    count: usize,
) -> Result<Vec<Arc<Vec<u8>>>> {
    let engine = Arc::new(OnGrid::new()?);
    let app = app.clone();
    in_parallel(clients, addresses, (0..count).collect(), move |mut client, number| {
        let (app, engine) = (app.clone(), engine.clone());
        async move {
            let (_, token) =
                pilots::add(&app.store, &format!("Pilot {number}"), "load", app.clock.now()).await?;
            let (status, body) = client.ask(&request("/v1/attempts", token.reveal(), b"{}")).await?;
            if status != 201 {
                bail!("{status}: {}", String::from_utf8_lossy(&body));
            }
            let attempt: Value = serde_json::from_slice(&body)?;
            let (id, seed) = (attempt["attempt"].as_str(), attempt["seed"].as_str());
            let (id, seed) = id.zip(seed).context("an attempt has id and seed")?;
            let calls = wingman::fly(&engine, &attempt["setup"], seed, number % 7);
            let replay =
                json!({"engine": attempt["engine"], "seed": seed, "setup": attempt["setup"], "calls": calls});
            let path = format!("/v1/attempts/{id}/replay");
            let request = request(&path, token.reveal(), replay.to_string().as_bytes());
            Ok((client, Arc::new(request)))
        }
    })
    .await
}

/// Rows a second that pgbench inserts one by one: columns and indexes of a fight, documents as long as the service's.
fn pgbench(postgres: &PrivatePostgres, clients: usize) -> Result<f64> {
    postgres
        .run("postgres", "CREATE TABLE plain (LIKE fights INCLUDING ALL) WITH (toast_tuple_target = 8160)");
    let lengths = "SELECT avg(length(archive))::int || ' ' || avg(length(received))::int FROM fights";
    let lengths = postgres.run("postgres", lengths);
    let (archive, received) = lengths.trim().split_once(' ').context("two lengths")?;
    let digest = "sha256(uuid_send(gen_random_uuid()))";
    let script = format!(
        "INSERT INTO plain (id, day, pilot, kind, engine, ruleset, build, replay_digest, setup_digest, play_digest, \
         outcome_digest, score, rounds, finished, calls, checkpoint, rng_words, submitted_at, verified_at, verify_micros, \
         archive, received) VALUES (gen_random_uuid(), 20000, gen_random_uuid(), 'ranked', 'ongrid-8', {digest}, 'load', \
         {digest}, {digest}, {digest}, {digest}, 500, 9, TRUE, 50, 1, 900, 1, 1, 30, \
         decode(repeat('a7', {archive}), 'hex'), decode(repeat('a7', {received}), 'hex'));"
    );
    let file = postgres.socket_directory().join("insert.sql");
    std::fs::write(&file, script)?;
    let mut command = postgres.command("pgbench");
    command
        .arg("-h")
        .arg(postgres.socket_directory())
        .args(["-U", "postgres", "-n", "-M", "prepared", "-j", "2"]);
    command.args(["-T", "8", "-c", &clients.to_string(), "-f"]).arg(&file).arg("postgres");
    let text = String::from_utf8_lossy(&command.output()?.stdout).into_owned();
    println!("a row has {archive} bytes of archive and {received} as received");
    let rate = text.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
    rate.with_context(|| format!("pgbench says no rate: {text}"))
}

fn percentiles(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    format!("p50 {:.2?} p99 {:.2?}", at(0.5), at(0.99))
}
