//! What every handler needs, put together once.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use axum::http::{HeaderMap, StatusCode};
use ongrid_engine::{Registry, Verdict};
use ongrid_engine_ongrid::OnGrid;
use ongrid_store::{Board, Day, DayRecord, Fight, Kind, Micros, Receipted, Recorded, Store, Submission};
use tokio_util::sync::CancellationToken;
use tracing::info;
use uuid::Uuid;

use crate::auth::{Known, RecentTokens};
use crate::calendar::Calendar;
use crate::clock::Clock;
use crate::config::Config;
use crate::fitting::Bay;
use crate::fleets::Fleets;
use crate::limits::Limits;
use crate::problem::Problem;
use crate::pulse::Pulse;
use crate::receipts::{self, KeyRing, Receipt};
use crate::secrets::Sealer;
use crate::telemetry::{GAUGES, Trail};
use crate::verifier::Verifier;
use crate::{docs_page, engines, openapi};

/// The service's state, shared by all handlers.
pub type Shared = Arc<App>;

/// The parts of the service.
#[derive(Debug)]
pub struct App {
    /// The settings it runs with.
    pub config: Config,
    /// What time it is.
    pub clock: Clock,
    /// Where verdicts are kept.
    pub store: Store,
    /// Where replays run.
    pub verifier: Verifier,
    /// What it does right now.
    pub pulse: Pulse,
    /// How much one caller may ask.
    pub limits: Limits,
    /// Tokens looked up a moment ago.
    pub recent_tokens: RecentTokens,
    /// The days that are and those to come.
    pub calendar: Calendar,
    /// What receipts are signed with.
    pub receipts: Arc<KeyRing>,
    /// What ranked days need of their engine.
    pub fleets: Arc<Fleets>,
    /// The fitting bay.
    pub bay: Bay,
    /// The build that decides: part of every record.
    pub build: &'static str,
    /// Cancelled when the service is to end: it is not ready from then on.
    pub stop: CancellationToken,
    /// The OpenAPI document.
    pub openapi: String,
    /// The same as a page.
    pub docs: String,
}

/// The build's name in records and answers.
pub const BUILD: &str = concat!("ongrid ", env!("CARGO_PKG_VERSION"));

impl App {
    /// Puts the service together over an open store.
    ///
    /// # Errors
    /// Where an engine's data are not those of its tag, here or in what the store remembers of it; where the keys are not
    /// those of the log.
    pub async fn new(config: Config, store: Store, clock: Clock) -> anyhow::Result<Shared> {
        Self::with(engines::registry()?, config, store, clock).await
    }

    /// The same with some of the engines, as a build has them that retired the others.
    ///
    /// # Errors
    /// As [`App::new`].
    pub async fn with(
        registry: Registry,
        config: Config,
        store: Store,
        clock: Clock,
    ) -> anyhow::Result<Shared> {
        let registry = Arc::new(registry);
        for referee in registry.iter() {
            store
                .register_ruleset(referee.tag(), referee.ruleset().digest(), BUILD)
                .await
                .with_context(|| format!("the store refuses the engine {}", referee.tag()))?;
        }
        let verifier = Verifier::start(registry, config.verify.workers, config.verify.queue)
            .context("verifier threads")?;
        let openapi = openapi::document();
        let fleets = Arc::new(Fleets::new(OnGrid::new()?));
        let sealer = Sealer::load(&config.day.secret_key.0, &config.data)?;
        let receipts = Arc::new(KeyRing::load(&config.receipts, &config.data, clock.now())?);
        if let Some(last) = store.checkpoint(Day(i32::MAX)).await? {
            let file = receipts::path(&config.receipts, &config.data);
            receipts.check_note(&last.note).with_context(|| {
                format!(
                    "the keys in {} did not sign the log of this database, last on {}; all replicas have the same file",
                    file.display(),
                    last.day
                )
            })?;
        }
        let calendar = Calendar::new(config.day.clone(), sealer);
        calendar.draw_ahead(&store, &fleets, clock.now()).await.context("cannot draw the days ahead")?;
        Ok(Arc::new(Self {
            docs: docs_page::render(&openapi),
            openapi,
            pulse: Pulse::default(),
            calendar,
            receipts,
            fleets,
            limits: Limits::new(&config),
            recent_tokens: RecentTokens::default(),
            bay: Bay::new()?,
            config,
            clock,
            store,
            verifier,
            build: BUILD,
            stop: CancellationToken::new(),
        }))
    }

    /// The day that is open, drawn now where it was not (after a clock's leap, say).
    ///
    /// # Errors
    /// 503 where the database cannot say.
    pub async fn today(&self, now: Micros) -> Result<Arc<DayRecord>, Problem> {
        let day = self.calendar.day_of(now);
        if let Some(record) = self.calendar.find(&self.store, day, now).await? {
            return Ok(record);
        }
        if let Err(error) = self.calendar.draw_ahead(&self.store, &self.fleets, now).await {
            tracing::error!(error = format!("{error:#}"), "cannot draw the days ahead");
        }
        let found = self.calendar.find(&self.store, day, now).await?;
        found.ok_or_else(|| Problem::busy("unavailable", "the day is not drawn yet; try again in a moment"))
    }

    /// A day, where it was drawn.
    ///
    /// # Errors
    /// 503 where the database cannot say.
    pub async fn day(&self, day: Day, now: Micros) -> Result<Option<Arc<DayRecord>>, Problem> {
        self.calendar.find(&self.store, day, now).await
    }

    /// A fight.
    ///
    /// # Errors
    /// 404 where there was none; 410 `archived` where there was one, whose day was taken out of the database since.
    pub async fn fight(&self, id: Uuid) -> Result<Fight, Problem> {
        if let Some(fight) = self.store.fight(id).await? {
            return Ok(fight);
        }
        if self.store.is_archived(id).await? {
            let detail = "the fights of that day are archived; boards, receipt and proof are still here";
            return Err(Problem::new(StatusCode::GONE, "archived", detail));
        }
        Err(Problem::not_found("such fight"))
    }

    /// Until when a fight is sealed for others than its pilot; free fights never are.
    ///
    /// # Errors
    /// 503 where the database cannot say.
    pub async fn sealed_until(&self, fight: &Fight) -> Result<Option<Micros>, Problem> {
        if fight.kind == Kind::Free {
            return Ok(None);
        }
        let now = self.clock.now();
        let day = self.day(fight.day, now).await?;
        Ok(day.map(|day| day.final_at).filter(|until| *until > now))
    }

    /// The receipt of a stored verdict: signed after its commit, the same whenever it is asked for.
    ///
    /// # Errors
    /// Never, as long as there is a key.
    pub fn receipt(&self, pilot: Uuid, recorded: &Recorded, verdict: &Verdict) -> Result<Receipt, Problem> {
        let receipted = Receipted {
            fight: recorded.fight,
            kind: recorded.kind,
            engine: verdict.engine.to_owned(),
            ruleset: verdict.ruleset,
            build: recorded.build.clone(),
            replay_digest: verdict.replay_digest,
            outcome_digest: recorded.outcome_digest,
            pilot,
            day: recorded.day,
            at: recorded.verified_at,
        };
        self.receipts.sign(&receipted).map_err(|error| {
            tracing::error!(%error, "cannot sign a receipt");
            Problem::internal()
        })
    }

    /// Whether a submission can be stored: one that cannot is told at once, before its replay is verified for nothing.
    ///
    /// # Errors
    /// 503 `busy` where as many wait as may.
    pub fn admit(&self, trail: &Trail) -> Result<(), Problem> {
        if !self.store.is_full() {
            return Ok(());
        }
        let problem = Problem::from(ongrid_store::Error::Busy);
        trail.refused(None, &problem);
        Err(problem)
    }

    /// Stores a fight, and tells its trail.
    ///
    /// # Errors
    /// What the store says.
    pub async fn submit(&self, submission: Submission, trail: &Trail) -> Result<Recorded, Problem> {
        let begun = Instant::now();
        let recorded = self.store.submit(submission).await;
        trail.stored(recorded.as_ref().ok(), begun.elapsed());
        Ok(recorded?)
    }

    /// Tells how full everything is.
    pub async fn tell_gauges(&self) {
        let today = self.calendar.day_of(self.clock.now());
        let board = self.store.top(&Board::Day(today), 1, None).await;
        let (connections, idle) = self.store.connections();
        info!(
            target: GAUGES,
            pool_connections = u64::from(connections),
            pool_idle = idle as u64,
            verify_waiting = self.verifier.waiting() as u64,
            store_waiting = self.store.waiting() as u64,
            board_entries = board.as_ref().map_or(0, |board| board.total),
            ready = u64::from(board.is_ok() && !self.stop.is_cancelled()),
        );
    }

    /// What is known of a request's token without asking the store.
    pub fn known(&self, headers: &HeaderMap) -> Known {
        self.recent_tokens.known(headers)
    }
}
