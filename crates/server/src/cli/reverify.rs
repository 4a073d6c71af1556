//! `ongrid reverify`: stored fights through the engines of this build again.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use ongrid_store::{Day, Micros, Progress, Scope, Store};
use uuid::Uuid;

use crate::app::BUILD;
use crate::cli::serve::open_existing;
use crate::config::Config;
use crate::engines;
use crate::reverify::Worker;

/// Which fights, and how.
#[derive(Debug, Args)]
pub struct Options {
    /// First day, YYYY-MM-DD; the first there is where it is left out
    #[arg(long)]
    from: Option<Day>,
    /// Last day
    #[arg(long)]
    to: Option<Day>,
    /// One fight
    #[arg(long, conflicts_with_all = ["from", "to"])]
    fight: Option<Uuid>,
    /// One fight in so many, the same ones on every machine
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "fight")]
    sample: u64,
    /// Hold the text as it was received against the replay, too
    #[arg(long)]
    received: bool,
    /// Go on with a run that another machine began or that was interrupted; "last" is the latest
    #[arg(long, conflicts_with_all = ["from", "to", "fight"])]
    join: Option<String>,
    /// Threads; one per core where it is left out
    #[arg(long)]
    threads: Option<usize>,
    /// Seconds after which a part goes to another machine when its own is not heard of
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    lease: u64,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

impl Options {
    /// What all who join a run must ask for, as it follows `--sample`.
    fn scope(&self) -> String {
        format!("{}{}", self.sample, if self.received { " --received" } else { "" })
    }
}

/// Runs it. Exit code 0: all as recorded, 2: differences, 3: some that this build cannot read, parts left, or nothing judged.
pub async fn run(config: Config, options: Options) -> Result<ExitCode> {
    let store = open_existing(&config).await?;
    let run = begin(&store, &options).await?;
    let registry = Arc::new(engines::registry()?);
    let (stop, judged) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let left = left(store.reverify_progress(run).await?, options.sample);
    let lease = Duration::from_secs(options.lease);
    let begun = Instant::now();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let runtime = tokio::runtime::Handle::current();
    let workers: Vec<_> = (0..options.threads.unwrap_or(cores).max(1))
        .map(|_| {
            let (store, registry, runtime) = (store.clone(), registry.clone(), runtime.clone());
            let (stop, judged) = (stop.clone(), judged.clone());
            let (sample, received) = (options.sample, options.received);
            // Engines run on threads of their own, never on those that the database is waited for on.
            tokio::task::spawn_blocking(move || {
                let tick = |fights| {
                    let done = judged.fetch_add(fights, Ordering::Relaxed) + fights;
                    show(done, left, begun);
                };
                let worker = Worker {
                    store: &store,
                    registry: &registry,
                    run,
                    sample,
                    received,
                    lease,
                    stop: &stop,
                    tick: &tick,
                };
                runtime.block_on(worker.work())
            })
        })
        .collect();
    let interrupted = stop.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            interrupted.store(true, Ordering::Relaxed);
        }
    });
    for worker in workers {
        worker.await.context("a worker panicked")??;
    }
    report(&store, run, &options, judged.load(Ordering::Relaxed), begun).await
}

async fn begin(store: &Store, options: &Options) -> Result<Uuid> {
    if let Some(join) = &options.join {
        let run = match join.as_str() {
            "last" => store.last_reverify().await?.context("there is no run to join")?,
            id => id.parse().with_context(|| format!("{id:?} is no run"))?,
        };
        let (build, scope) = store.reverify_run(run).await?.context("there is no such run")?;
        if build != BUILD || scope != options.scope() {
            bail!(
                "the run was begun by the build {build} with --sample {scope}: all who join must have the same"
            );
        }
        return Ok(run);
    }
    let scope = match options.fight {
        Some(fight) if store.fight(fight).await?.is_none() => bail!("there is no fight {fight}"),
        Some(fight) => Scope::Fight(fight),
        None => {
            let (first, last) = (options.from.unwrap_or(Day(i32::MIN)), options.to.unwrap_or(Day(i32::MAX)));
            if first > last {
                bail!("--from {first} is after --to {last}");
            }
            Scope::Days(first, last)
        }
    };
    Ok(store.begin_reverify(BUILD, &options.scope(), scope, Micros::now()).await?)
}

/// About how many fights are to be judged still: a sample is about as large as it says.
fn left(progress: Progress, sample: u64) -> i64 {
    let all = progress.fights / i64::try_from(sample).unwrap_or(i64::MAX);
    (all - progress.same - progress.different - progress.unreadable).max(0)
}

/// The progress, where somebody looks.
fn show(done: usize, left: i64, begun: Instant) {
    if !std::io::stderr().is_terminal() {
        return;
    }
    let share = done as f64 / (left.max(1) as f64);
    let bar = "#".repeat((share.min(1.0) * 40.0) as usize);
    let rate = done as f64 / begun.elapsed().as_secs_f64().max(1e-3);
    eprint!("\r[{bar:<40}] {done} of about {left}, {rate:.0}/s ");
}

async fn report(
    store: &Store,
    run: Uuid,
    options: &Options,
    judged: usize,
    begun: Instant,
) -> Result<ExitCode> {
    let progress = store.reverify_progress(run).await?;
    let findings = store.findings(run, 10_000).await?;
    let seconds = begun.elapsed().as_secs_f64();
    let nothing = progress.same + progress.different + progress.unreadable == 0;
    if std::io::stderr().is_terminal() {
        eprintln!();
    }
    let mut out = std::io::stdout().lock();
    if options.json {
        let report = serde_json::json!({
            "run": run, "build": BUILD, "progress": progress, "findings": findings,
            "here": {"fights": judged, "seconds": seconds},
        });
        writeln!(out, "{report}")?;
    } else {
        writeln!(out, "run {run} of {BUILD}")?;
        for it in &findings {
            let call = it.call.map(|call| format!(" call {call}")).unwrap_or_default();
            writeln!(out, "{} {}:{call} {}: {}", it.verdict, it.fight, it.field, it.detail)?;
        }
        if nothing && progress.parts_left == 0 {
            writeln!(
                out,
                "nothing was judged: there are no fights in this scope, or none of them is in the sample"
            )?;
        }
        writeln!(
            out,
            "{} as recorded, {} different, {} unreadable by this build; {judged} judged here in {seconds:.2} s",
            progress.same, progress.different, progress.unreadable
        )?;
        if progress.parts_left > 0 {
            writeln!(out, "{} parts are not done: ongrid reverify --join {run}", progress.parts_left)?;
        }
    }
    Ok(match (progress.different, progress.unreadable + progress.parts_left) {
        (0, 0) if !nothing => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(3),
        _ => ExitCode::from(2),
    })
}
