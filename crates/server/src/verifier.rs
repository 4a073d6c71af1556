//! Replays run here, on threads of their own: bounded in number, with a bounded queue before them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ongrid_engine::{Registry, Rejection, Verdict};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tracing::error;
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::telemetry::Trail;

/// The queue and the threads behind it.
#[derive(Clone, Debug)]
pub struct Verifier {
    registry: Arc<Registry>,
    queue: mpsc::Sender<Job>,
}

/// A replay's verdict and what it took.
#[derive(Debug)]
pub struct Verified {
    /// What the engine says.
    pub verdict: Verdict,
    /// Where the client's checkpoints part from the referee's.
    pub placed: Option<Placed>,
    /// Time in the engine.
    pub took: Duration,
}

/// The first call after which the client's checkpoint differs; the outcome is the referee's all the same.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = DesyncBody)]
pub struct Placed {
    /// Index of the call, from 0.
    pub call: u32,
    /// The round that it was called in, where the engine has rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// The ship whose turn it was, where the engine has ships.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ship: Option<u32>,
    /// The referee's state before the call, in the engine's own terms.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub before: Option<Value>,
    /// The referee's state after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub after: Option<Value>,
}

impl Placed {
    /// Looks at both sides of a call of a replay.
    pub fn new(registry: &Registry, replay: &[u8], call: u32) -> Self {
        let at = call as usize;
        let trace = registry.referee_of(replay).and_then(|referee| referee.trace(replay, &[at, at + 1]));
        let state = |calls| trace.as_ref().ok().and_then(|trace| trace.state(calls)).cloned();
        let (before, after) = (state(at), state(at + 1));
        let figure = |name: &str| {
            let figure = before.as_ref()?.get(name)?.as_u64()?;
            u32::try_from(figure).ok()
        };
        Self { call, round: figure("round"), ship: figure("turn"), before, after }
    }
}

type Work = Box<dyn FnOnce(&Registry) + Send>;

struct Job {
    work: Work,
}

impl Verifier {
    /// Starts `workers` threads (0: one per core) with room for `queue` waiting replays.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub fn start(registry: Arc<Registry>, workers: usize, queue: usize) -> std::io::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (sender, receiver) = mpsc::channel::<Job>(queue);
        let receiver = Arc::new(Mutex::new(receiver));
        for number in 0..if workers == 0 { cores } else { workers } {
            let (registry, receiver) = (registry.clone(), receiver.clone());
            std::thread::Builder::new().name(format!("verify-{number}")).spawn(move || {
                loop {
                    // The lock is held only while waiting: whoever gets a job lets the next one wait.
                    let job =
                        receiver.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).blocking_recv();
                    let Some(job) = job else { return };
                    (job.work)(&registry);
                }
            })?;
        }
        Ok(Self { registry, queue: sender })
    }

    /// The engines.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// How many replays wait.
    pub fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    /// Verifies a replay, and tells its trail.
    ///
    /// # Errors
    /// The rejection as a problem; 503 `busy` where the queue is full.
    pub async fn verify(
        &self,
        replay: impl AsRef<[u8]> + Send + 'static,
        trail: &Trail,
    ) -> Result<Verified, Problem> {
        let asked = Instant::now();
        let judged = self.run(move |registry| {
            let (waited, begun) = (asked.elapsed(), Instant::now());
            let judged = registry.verify(replay.as_ref());
            let took = begun.elapsed();
            let engine = judged.is_err().then(|| registry.leading_tag(replay.as_ref())).flatten();
            let desync = judged.as_ref().ok().and_then(|verdict| verdict.desync);
            let placed = desync.map(|call| Placed::new(registry, replay.as_ref(), call));
            Ok((judged, placed, engine, waited, took))
        });
        let (judged, placed, engine, waited, took) =
            judged.await.inspect_err(|problem| trail.refused(None, problem))?;
        trail.took(waited, took);
        match judged {
            Ok(verdict) => {
                trail.verified(&verdict);
                Ok(Verified { verdict, placed, took })
            }
            Err(no) => {
                let problem = Problem::from(no);
                trail.refused(engine, &problem);
                Err(problem)
            }
        }
    }

    /// Runs some other work of the engines on these threads.
    ///
    /// # Errors
    /// As [`Verifier::verify`].
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Registry) -> Result<T, Rejection> + Send + 'static,
    ) -> Result<T, Problem> {
        let (answer, answered) = oneshot::channel();
        let work: Work = Box::new(move |registry| {
            let result = catch_unwind(AssertUnwindSafe(|| work(registry)));
            // Nobody waits any more where the client hung up.
            let _ = answer.send(result);
        });
        if self.queue.try_send(Job { work }).is_err() {
            return Err(Problem::busy("busy", "too many replays are waiting; try again in a moment"));
        }
        match answered.await {
            Ok(Ok(result)) => result.map_err(Problem::from),
            Ok(Err(_)) | Err(_) => {
                error!("an engine panicked");
                Err(Problem::internal())
            }
        }
    }
}
