//! Whom tokens speak for, asked for many at once.
//!
//! Nearly every request begins with this question. Those that come while it is asked for others are asked together next,
//! in one statement. That a token was used is nobody's answer: it is written down later, for many at once.

use std::collections::HashMap;
use std::time::Duration;

use ongrid_engine::Digest;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout, timeout_at};
use uuid::Uuid;

use crate::db::{Database, Record, Row, Value};
use crate::{Error, Micros, Principal, Result, sql};

/// Most questions that wait; one more is [`Error::Busy`].
const QUEUE: usize = 4096;

/// Most tokens in one statement.
const MOST: usize = 128;

/// A token's last use is written down no more often than this.
const USE_STEP: Duration = Duration::from_secs(3600);

/// How long uses gather before they are written down.
const GATHERING: Duration = Duration::from_secs(1);

enum Ask {
    Who(Digest, oneshot::Sender<Result<Option<Principal>>>),
    Stop(oneshot::Sender<()>),
}

/// Where questions are put in.
#[derive(Clone, Debug)]
pub(crate) struct Callers(mpsc::Sender<Ask>);

impl Callers {
    /// Starts the task that asks; it ends when the last of these is dropped.
    pub(crate) fn start(db: Database) -> Self {
        let (sender, receiver) = mpsc::channel(QUEUE);
        let desk = Desk { db, receiver, uses: HashMap::new(), due: Instant::now() + GATHERING };
        tokio::spawn(desk.run());
        Self(sender)
    }

    /// Whom the token with this hash speaks for.
    pub(crate) async fn ask(&self, hash: Digest) -> Result<Option<Principal>> {
        let (answer, answered) = oneshot::channel();
        self.0.try_send(Ask::Who(hash, answer)).map_err(|_| Error::Busy)?;
        answered.await.map_err(|_| Error::Busy)?
    }

    /// Writes down the uses, and asks nothing more.
    pub(crate) async fn stop(&self) {
        let (answer, answered) = oneshot::channel();
        if self.0.send(Ask::Stop(answer)).await.is_ok() {
            let _ = answered.await;
        }
    }
}

struct Desk {
    db: Database,
    receiver: mpsc::Receiver<Ask>,
    /// Tokens used since uses were written down.
    uses: HashMap<Uuid, Micros>,
    /// When they are written down again.
    due: Instant,
}

impl Desk {
    async fn run(mut self) {
        loop {
            let mut next = match timeout_at(self.due, self.receiver.recv()).await {
                Ok(Some(ask)) => Some(ask),
                Ok(None) => return self.uses().await,
                Err(_) => None,
            };
            let mut waiting = Vec::new();
            while let Some(ask) = next {
                match ask {
                    Ask::Who(hash, answer) => waiting.push((hash, answer)),
                    Ask::Stop(answer) => {
                        self.answer(waiting).await;
                        self.uses().await;
                        let _ = answer.send(());
                        return;
                    }
                }
                next = if waiting.len() < MOST { self.receiver.try_recv().ok() } else { None };
            }
            if !waiting.is_empty() {
                self.answer(waiting).await;
            }
            if Instant::now() >= self.due {
                self.due = Instant::now() + GATHERING;
                // A commit, which nobody who asks has to wait for.
                tokio::spawn(self.uses());
            }
        }
    }

    async fn answer(&mut self, waiting: Vec<(Digest, oneshot::Sender<Result<Option<Principal>>>)>) {
        let hashes: Vec<_> = waiting.iter().map(|(hash, _)| Value::from(hash)).collect();
        let asked =
            timeout(self.db.patience(), self.db.all_many::<(Digest, Principal)>(&sql::PRINCIPALS, &hashes));
        let found = asked.await.unwrap_or_else(|_| Err(Error::silent()));
        let found = found.map(|found| found.into_iter().collect::<HashMap<_, _>>());
        let now = Micros::now();
        if let Ok(found) = &found {
            let old = |it: &&Principal| it.last_used_at.is_none_or(|last| now.since(last) >= USE_STEP);
            self.uses.extend(found.values().filter(old).map(|it| (it.token, now)));
        }
        for (hash, answer) in waiting {
            // Nobody waits any more where the client hung up.
            let _ = answer.send(match &found {
                Ok(found) => Ok(found.get(&hash).cloned()),
                Err(fault) => Err(fault.clone()),
            });
        }
    }

    /// Writes down the uses that have gathered. Where it fails they are forgotten: the next use is written down as well
    /// as this one.
    fn uses(&mut self) -> impl Future<Output = ()> + Send + use<> {
        let (db, mut uses) = (self.db.clone(), self.uses.drain().collect::<Vec<_>>());
        async move {
            uses.sort_unstable();
            let rows: Vec<Value<'_>> =
                uses.iter().flat_map(|(token, at)| [(*token).into(), (*at).into()]).collect();
            let written = timeout(db.patience(), db.execute_many(&sql::USE_TOKENS, &rows)).await;
            if let Err(fault) = written.unwrap_or_else(|_| Err(Error::silent())) {
                tracing::warn!(%fault, tokens = uses.len(), "the last use of tokens was not written down");
            }
        }
    }
}

impl Record for (Digest, Principal) {
    fn read(row: &mut Row) -> Result<Self> {
        Ok((row.next()?, Principal::read(row)?))
    }
}
