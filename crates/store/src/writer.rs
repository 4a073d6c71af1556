//! The one task of a process that writes fights and changes boards.
//!
//! Submissions wait in a bounded queue; what has gathered while a batch was written is the next batch: one transaction,
//! one commit, and each submission answered after its own. Acts of moderation come through the same queue, each alone.
//! A caller that goes away changes nothing: what is in the queue is written.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use crate::db::Database;
use crate::ladder::Ladders;
use crate::moderation::{self, Act};
use crate::store::{Work, transact};
use crate::writing::{self, Prepared};
use crate::{Error, Kind, Recorded, Result, Store, Submission};

/// How submissions are gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batching {
    /// Most submissions that wait; one more is [`Error::Busy`].
    pub queue: usize,
    /// Most submissions in one transaction.
    pub most: usize,
    /// How long a batch waits for those who got their answers with the one before: they come again together, and who
    /// waited meanwhile must not set out without them.
    pub wait: Duration,
    /// How many transactions may be under way. With more than one the next is prepared while one is flushed to disk, but
    /// all wait for the same boards: one large batch is mostly better than two small ones.
    pub in_flight: usize,
}

impl Default for Batching {
    fn default() -> Self {
        Self { queue: 1024, most: 128, wait: Duration::from_millis(3), in_flight: 1 }
    }
}

/// Something to be written, and where its answer goes.
enum Job {
    Submit(Box<Prepared>, oneshot::Sender<Result<Recorded>>),
    Act(Act, oneshot::Sender<Result<()>>),
    Stop(oneshot::Sender<()>),
}

/// The queue's end at which jobs are put in.
#[derive(Clone, Debug)]
pub(crate) struct Queue(mpsc::Sender<Job>);

impl Queue {
    /// Starts the writer; it ends when the last queue is dropped.
    pub(crate) fn start(db: Database, ladders: Arc<Ladders>, batching: Batching) -> Self {
        let (sender, receiver) = mpsc::channel(batching.queue.max(1));
        let most = batching.most.max(1);
        // SQLite has one writer: a second transaction would only wait.
        let in_flight = if matches!(db, Database::Sqlite(_)) { 1 } else { batching.in_flight.clamp(1, 16) };
        let permits = Arc::new(Semaphore::new(in_flight));
        let writer = Writer {
            db,
            ladders,
            receiver,
            held: VecDeque::new(),
            most,
            wait: batching.wait,
            last: 1,
            permits,
        };
        tokio::spawn(writer.run(in_flight));
        Self(sender)
    }

    /// How many jobs are in it.
    pub(crate) fn waiting(&self) -> usize {
        self.0.max_capacity() - self.0.capacity()
    }

    fn put(&self, job: Job) -> Result<()> {
        self.0.try_send(job).map_err(|_| Error::Busy)
    }

    /// Whether it takes no more.
    pub(crate) fn is_full(&self) -> bool {
        self.0.capacity() == 0
    }

    /// Writes what is in the queue, and takes nothing more.
    pub(crate) async fn stop(&self) {
        let (answer, answered) = oneshot::channel();
        if self.0.send(Job::Stop(answer)).await.is_ok() {
            let _ = answered.await;
        }
    }
}

struct Writer {
    db: Database,
    ladders: Arc<Ladders>,
    receiver: mpsc::Receiver<Job>,
    /// Jobs that were taken from the queue and have to wait for the next batch.
    held: VecDeque<Job>,
    most: usize,
    wait: Duration,
    /// How many submissions the batch before had.
    last: usize,
    permits: Arc<Semaphore>,
}

/// A submission in a batch, and all who wait for its answer.
struct Waiting {
    prepared: Prepared,
    answers: Vec<oneshot::Sender<Result<Recorded>>>,
}

impl Writer {
    async fn run(mut self, in_flight: usize) {
        loop {
            // What comes while no transaction can begin gathers in the queue.
            let Ok(permit) = self.permits.clone().acquire_owned().await else { return };
            let waited = self.held.len() + self.receiver.len();
            let job = match self.held.pop_front() {
                Some(job) => Some(job),
                None => self.receiver.recv().await,
            };
            match job {
                None => return,
                Some(Job::Submit(prepared, answer)) => {
                    let first = Waiting { prepared: *prepared, answers: vec![answer] };
                    let batch = self.gather(first, waited).await;
                    self.spawn(permit, |db, ladders| Box::pin(write_batch(db, ladders, batch)));
                }
                Some(Job::Act(act, answer)) => {
                    self.spawn(permit, |db, ladders| {
                        Box::pin(async move {
                            let _ = answer.send(moderation::perform(&db, &ladders, act).await);
                            Ok(())
                        })
                    });
                }
                Some(Job::Stop(answer)) => {
                    self.receiver.close();
                    while let Ok(job) = self.receiver.try_recv() {
                        self.held.push_back(job);
                    }
                    drop(permit);
                    if self.held.is_empty() {
                        // Until the transactions under way are over.
                        let all = u32::try_from(in_flight).unwrap_or(1);
                        let _ = self.permits.acquire_many(all).await;
                        let _ = answer.send(());
                        return;
                    }
                    self.held.push_back(Job::Stop(answer));
                }
            }
        }
    }

    /// Gathers a batch in which no pilot occurs twice: of one who sends several, the others wait for the next batch,
    /// unless they send the same. `waited` is how many were there before it could begin.
    async fn gather(&mut self, first: Waiting, waited: usize) -> Vec<Waiting> {
        let mut batch = vec![first];
        let mut passed = VecDeque::new();
        let until = Instant::now() + self.wait;
        let expected = (self.last + waited).min(self.most);
        // What is passed over must not let the queue grow behind its bound.
        while batch.len() < self.most && passed.len() < self.most {
            let job = match self.held.pop_front() {
                Some(job) => job,
                None => match self.receiver.try_recv() {
                    Ok(job) => job,
                    Err(_) if batch.len() >= expected => break,
                    Err(_) => match timeout_at(until, self.receiver.recv()).await {
                        Ok(Some(job)) => job,
                        Ok(None) | Err(_) => break,
                    },
                },
            };
            match job {
                Job::Submit(prepared, answer) => {
                    let pilot = prepared.submission.pilot;
                    match batch.iter_mut().find(|it| it.prepared.submission.pilot == pilot) {
                        None => batch.push(Waiting { prepared: *prepared, answers: vec![answer] }),
                        Some(it) if it.prepared.repeats(&prepared) => it.answers.push(answer),
                        Some(_) => passed.push_back(Job::Submit(prepared, answer)),
                    }
                }
                // Acts keep their turn among the submissions.
                other => {
                    passed.push_back(other);
                    break;
                }
            }
        }
        passed.append(&mut self.held);
        self.held = passed;
        self.last = batch.len();
        batch
    }

    /// Runs a transaction in a task of its own: were it to panic, its callers would be told and the writer go on.
    fn spawn(
        &self,
        permit: OwnedSemaphorePermit,
        work: impl FnOnce(Database, Arc<Ladders>) -> Work<'static, ()>,
    ) {
        let work = work(self.db.clone(), self.ladders.clone());
        tokio::spawn(async move {
            let _ = work.await;
            drop(permit);
        });
    }
}

/// Writes a batch; where one of it makes the whole fail, each of it alone.
async fn write_batch(db: Database, ladders: Arc<Ladders>, batch: Vec<Waiting>) -> Result<()> {
    let (prepared, waiting): (Vec<_>, Vec<_>) = batch.into_iter().map(|it| (it.prepared, it.answers)).unzip();
    let prepared: Arc<[Prepared]> = prepared.into();
    let answers = match write(&db, &ladders, &prepared, 0..prepared.len()).await {
        Err(fault) if prepared.len() > 1 && !fault.is_retryable() => {
            tracing::warn!(%fault, submissions = prepared.len(), "a batch failed; its submissions are written one by one");
            let mut answers = Vec::with_capacity(prepared.len());
            for index in 0..prepared.len() {
                let alone = write(&db, &ladders, &prepared, index..index + 1).await;
                answers.extend(alone.unwrap_or_else(|fault| vec![Err(fault)]));
            }
            answers
        }
        Err(fault) => prepared.iter().map(|_| Err(fault.clone())).collect(),
        Ok(answers) => answers,
    };
    for (answer, waiting) in answers.into_iter().zip(waiting) {
        for (index, waiting) in waiting.into_iter().enumerate() {
            let again = |recorded: Recorded| Recorded { new: recorded.new && index == 0, ..recorded };
            let _ = waiting.send(answer.clone().map(again));
        }
    }
    Ok(())
}

async fn write(
    db: &Database,
    ladders: &Arc<Ladders>,
    prepared: &Arc<[Prepared]>,
    range: std::ops::Range<usize>,
) -> Result<Vec<Result<Recorded>>> {
    let (prepared, shared) = (prepared.clone(), ladders.clone());
    let (answers, kept) = transact(db, &move |tx| {
        let (prepared, ladders, range) = (prepared.clone(), shared.clone(), range.clone());
        Box::pin(async move { writing::write(tx, &ladders, prepared.get(range).unwrap_or_default()).await })
    })
    .await?;
    for (board, revision, ladder) in kept {
        ladders.put(board, revision, ladder);
    }
    Ok(answers)
}

impl Store {
    /// Stores a verified fight, durably. The same canonical replay of the same pilot and day is one record: every later
    /// submission of it answers the first one's id. It is whole or absent, whatever becomes of the caller, and the
    /// answer comes after its commit, with the rank that it has in it.
    ///
    /// # Errors
    /// [`Conflict::UnknownPilot`](crate::Conflict::UnknownPilot), the attempt's conflicts, [`Error::Busy`] and
    /// [`Error::Unavailable`]: after the latter it may or may not be stored, and may be submitted again.
    pub async fn submit(&self, submission: Submission) -> Result<Recorded> {
        let pilot = submission.pilot;
        let (answer, answered) = oneshot::channel();
        self.queue.put(Job::Submit(Box::new(Prepared::new(submission)), answer))?;
        let mut recorded = answered.await.map_err(|_| lost())??;
        if recorded.rank.is_none() && recorded.kind == Kind::Ranked && !recorded.void {
            recorded.rank = self.rank(&crate::Board::Day(recorded.day), pilot).await?;
        }
        Ok(recorded)
    }

    /// Has the writer perform an act of moderation.
    pub(crate) async fn act(&self, act: Act) -> Result<()> {
        let (answer, answered) = oneshot::channel();
        self.queue.put(Job::Act(act, answer))?;
        answered.await.map_err(|_| lost())?
    }
}

/// The writer panicked on it, or the runtime is going down.
fn lost() -> Error {
    Error::Corrupt("the write was given up".into())
}
