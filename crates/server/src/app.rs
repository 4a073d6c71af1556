//! What every handler needs, put together once.

use std::sync::Arc;

use anyhow::{Context, Result};
use ongrid_store::Store;
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::config::Config;
use crate::fitting::Bay;
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
    /// The fitting bay.
    pub bay: Bay,
    /// The build that decides: part of every record.
    pub build: &'static str,
    /// Cancelled when the service is to end.
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
    /// Where an engine's data are not those of its tag, here or in what the store remembers of it.
    pub async fn new(config: Config, store: Store, clock: Clock) -> Result<Shared> {
        let registry = Arc::new(engines::registry()?);
        for referee in registry.iter() {
            store
                .register_ruleset(referee.tag(), referee.ruleset().digest(), BUILD)
                .await
                .with_context(|| format!("the store refuses the engine {}", referee.tag()))?;
        }
        let verifier = Verifier::start(registry, config.verify.workers, config.verify.queue)
            .context("verifier threads")?;
        let openapi = openapi::document();
        Ok(Arc::new(Self {
            docs: docs_page::render(&openapi),
            openapi,
            bay: Bay::new()?,
            config,
            clock,
            store,
            verifier,
            build: BUILD,
            stop: CancellationToken::new(),
        }))
    }
}
