//! `ongrid serve`: the service, until it is told to end.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use ongrid_store::{Batching, Options, Store};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing::{info, warn};

use crate::app::{App, Shared};
use crate::clock::Clock;
use crate::config::Config;
use crate::{pilots, router, serve, telemetry};

/// Opens the store and brings it up to date; makes the data directory where the database is embedded.
pub async fn open_store(config: &Config) -> Result<Store> {
    let url = config.database_url();
    if config.database_url.0.is_empty() {
        std::fs::create_dir_all(&config.data)
            .with_context(|| format!("cannot make {}", config.data.display()))?;
    }
    let options = Options {
        connections: config.store.connections,
        acquire_timeout: Duration::from_secs(config.store.acquire_timeout),
        statement_timeout: Duration::from_secs(config.store.statement_timeout),
        batching: Batching { queue: config.store.queue, most: config.store.batch, ..Batching::default() },
        ..Options::default()
    };
    let store = Store::open(&url, &options).await.context("cannot open the database")?;
    store.migrate().await.context("cannot bring the database up to date")?;
    Ok(store)
}

/// Runs the service.
pub async fn run(config: Config) -> Result<ExitCode> {
    telemetry::start(&config.log)?;
    let store = open_store(&config).await?;
    let embedded = config.database_url.0.is_empty();
    if embedded {
        println!("data in {}", config.data.canonicalize().unwrap_or_else(|_| config.data.clone()).display());
    }
    let clock = Clock::default();
    if embedded && store.is_new().await? {
        let (_, token) = pilots::add(&store, "Demo Pilot", "made at the first start", clock.now()).await?;
        println!("demo pilot's token, shown only now: {}", token.reveal());
    }
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on {}", config.listen))?;
    println!("listening on http://{}", listener.local_addr()?);
    let app = App::new(config, store, clock).await?;
    let stop = app.stop.clone();
    tokio::spawn(async move {
        let (mut terminate, mut interrupt) =
            match (signal(SignalKind::terminate()), signal(SignalKind::interrupt())) {
                (Ok(terminate), Ok(interrupt)) => (terminate, interrupt),
                _ => return,
            };
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        info!("stopping: requests in flight are answered first");
        stop.cancel();
    });
    tokio::spawn(keep_up(app.clone()));
    tokio::spawn(crate::translog::sequence(app.clone()));
    let grace = Duration::from_secs(app.config.shutdown.grace);
    serve::serve(listener, router::router(app.clone()), &app.config.http, app.stop.clone(), grace).await;
    app.store.close().await;
    info!("stopped");
    Ok(ExitCode::SUCCESS)
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
