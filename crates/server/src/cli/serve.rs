//! `ongrid serve`: the service, until it is told to end.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use metrics_exporter_prometheus::PrometheusHandle;
use ongrid_store::{Batching, Options, Store};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use crate::app::{App, Shared};
use crate::clock::Clock;
use crate::config::Config;
use crate::secrets::Sealer;
use crate::{pilots, router, serve, telemetry};

/// Opens the store and brings it up to date; makes the data directory where the database is embedded.
pub async fn open_store(config: &Config) -> Result<Store> {
    if config.database_url.0.is_empty() {
        std::fs::create_dir_all(&config.data)
            .with_context(|| format!("cannot make {}", config.data.display()))?;
    }
    open(config, options(config)).await
}

/// Opens a store whose database there must be: a slip in a path must not find everything in order in an empty one.
pub async fn open_existing(config: &Config) -> Result<Store> {
    open(config, Options { create: false, ..options(config) }).await
}

async fn open(config: &Config, options: Options) -> Result<Store> {
    let store = Store::open(&config.database_url(), &options).await.context("cannot open the database")?;
    store.migrate().await.context("cannot bring the database up to date")?;
    Ok(store)
}

fn options(config: &Config) -> Options {
    Options {
        connections: config.store.connections,
        acquire_timeout: Duration::from_secs(config.store.acquire_timeout),
        statement_timeout: Duration::from_secs(config.store.statement_timeout),
        batching: Batching {
            queue: config.store.queue,
            most: config.store.batch,
            wait: Duration::from_micros(config.store.batch_wait),
            in_flight: config.store.in_flight,
        },
        ..Options::default()
    }
}

/// Looks at settings as a start of the service would, as far as that can be without starting it.
pub fn check(config: &Config) -> Result<()> {
    if !config.day.secret_key.0.is_empty() {
        Sealer::from_hex(&config.day.secret_key.0).context("day.secret_key")?;
    }
    Store::check_address(&config.database_url(), &options(config)).context("database_url")?;
    telemetry::filter(&config.log).map(drop)
}

/// Runs the service.
pub async fn run(config: Config) -> Result<ExitCode> {
    let telemetry = telemetry::start(&config)?;
    let store = open_store(&config).await?;
    let embedded = config.database_url.0.is_empty();
    if embedded {
        println!("data in {}", config.data.canonicalize().unwrap_or_else(|_| config.data.clone()).display());
    }
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on {}", config.listen))?;
    let app = App::new(config, store, Clock::default()).await?;
    // Last of what can fail: the token is shown once.
    if embedded && app.store.is_new().await? {
        let now = app.clock.now();
        let (_, token) = pilots::add(&app.store, "Demo Pilot", "made at the first start", now).await?;
        println!("demo pilot's token, shown only now: {}", token.reveal());
    }
    println!("listening on http://{}", listener.local_addr()?);
    let ended = CancellationToken::new();
    if let (Some(address), Some(page)) = (app.config.metrics.listen.0, telemetry.prometheus.clone()) {
        serve_metrics(address, page, &app, ended.clone()).await?;
    }
    if telemetry.measures {
        tokio::spawn(tell_gauges(app.clone(), telemetry.prometheus.clone()));
    }
    let closing = CancellationToken::new();
    tokio::spawn(await_signal(app.clone(), closing.clone()));
    tokio::spawn(keep_up(app.clone()));
    tokio::spawn(crate::translog::sequence(app.clone()));
    let grace = Duration::from_secs(app.config.shutdown.grace);
    let deadline = {
        let closing = closing.clone();
        async move {
            closing.cancelled().await;
            tokio::time::sleep(grace).await;
        }
    };
    let work = async {
        serve::serve(listener, router::router(app.clone()), &app.config.http, closing, grace).await;
        app.store.close().await;
    };
    // Requests in flight, and then the writes in the queue: both within the one grace time.
    tokio::select! {
        () = work => info!("stopped"),
        () = deadline => warn!(?grace, "stopped before everything had ended"),
    }
    ended.cancel();
    // The exporters wait for their threads, which is nothing for a thread of the runtime.
    let _ = tokio::task::spawn_blocking(|| telemetry.end()).await;
    Ok(ExitCode::SUCCESS)
}

/// Waits for SIGTERM or SIGINT. From then on the service is not ready; after SIGTERM it still takes connections for a
/// while, so that whoever balances the load learns of it before it is refused.
async fn await_signal(app: Shared, closing: CancellationToken) {
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return warn!("no signals can be had: only a kill ends this service");
    };
    let drain = tokio::select! {
        _ = terminate.recv() => Duration::from_secs(app.config.shutdown.drain),
        _ = interrupt.recv() => Duration::ZERO,
    };
    info!("stopping: requests in flight are answered first");
    app.stop.cancel();
    tokio::time::sleep(drain).await;
    closing.cancel();
}

/// Serves `/metrics` on its own address: it is for operators, not for players.
async fn serve_metrics(
    address: SocketAddr,
    page: PrometheusHandle,
    app: &Shared,
    ended: CancellationToken,
) -> Result<()> {
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("metrics.listen: cannot listen on {address}"))?;
    println!("metrics on http://{}/metrics", listener.local_addr()?);
    let text =
        move || async move { ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page.render()) };
    let router = Router::new().route("/metrics", get(text));
    let limits = app.config.http.clone();
    tokio::spawn(async move { serve::serve(listener, router, &limits, ended, Duration::ZERO).await });
    Ok(())
}

/// Tells how full everything is, for as long as somebody measures.
async fn tell_gauges(app: Shared, page: Option<PrometheusHandle>) {
    let mut seconds = tokio::time::interval(Duration::from_secs(2));
    loop {
        seconds.tick().await;
        app.tell_gauges().await;
        if let Some(page) = &page {
            page.run_upkeep();
        }
    }
}

/// What the service does by itself: draws days ahead, forgets who has not asked for a while.
async fn keep_up(app: Shared) {
    let mut minutes = tokio::time::interval(Duration::from_secs(60));
    loop {
        tokio::select! { _ = minutes.tick() => {}, () = app.stop.cancelled() => return }
        app.limits.tidy();
        if let Err(error) = app.calendar.draw_ahead(&app.store, &app.fleets, app.clock.now()).await {
            warn!(error = format!("{error:#}"), "cannot draw the days ahead");
        }
    }
}
