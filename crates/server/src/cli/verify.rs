//! `ongrid verify FILE…`: the referee without a service.

use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ongrid_engine::{Registry, Rejection, Verdict};

use crate::engines;

/// What became of one file.
enum Result {
    Verified(Box<Verdict>),
    Rejected(Rejection),
    Unreadable(String),
}

/// Verifies files on all cores and prints one line each, in their order. Exit code 0: all verified, 2: some
/// rejected, 1: one cannot be read.
pub fn run(files: &[String], json: bool) -> anyhow::Result<ExitCode> {
    let registry = engines::registry()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let printer = Mutex::new(Printer { json, next: 0, waiting: Vec::new(), worst: 0 });
    std::thread::scope(|scope| {
        for _ in 0..cores.min(files.len()) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = files.get(index) else { return };
                    let result = verify(&registry, file);
                    printer.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take(index, file, result);
                }
            });
        }
    });
    let worst = printer.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).worst;
    Ok(ExitCode::from(worst))
}

fn verify(registry: &Registry, file: &str) -> Result {
    let bytes = if file == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(Path::new(file))
    };
    match bytes {
        Err(error) => Result::Unreadable(error.to_string()),
        Ok(bytes) => match registry.verify(&bytes) {
            Ok(verdict) => Result::Verified(Box::new(verdict)),
            Err(no) => Result::Rejected(no),
        },
    }
}

/// Prints results in the order of the files, whatever order they come in.
struct Printer {
    json: bool,
    next: usize,
    waiting: Vec<(usize, String)>,
    worst: u8,
}

impl Printer {
    fn take(&mut self, index: usize, file: &str, result: Result) {
        // 1 (cannot read) weighs more than 2 (rejected).
        self.worst = match (&result, self.worst) {
            (Result::Unreadable(_), _) | (_, 1) => 1,
            (Result::Rejected(_), _) => 2,
            (Result::Verified(_), worst) => worst,
        };
        let line = if self.json { json_line(file, &result) } else { text_line(file, &result) };
        self.waiting.push((index, line));
        while let Some(ready) = self.waiting.iter().position(|(index, _)| *index == self.next) {
            let (_, line) = self.waiting.swap_remove(ready);
            // A closed pipe is the reader's wish to hear no more.
            let _ = writeln!(std::io::stdout(), "{line}");
            self.next += 1;
        }
    }
}

fn json_line(file: &str, result: &Result) -> String {
    let line = match result {
        Result::Verified(verdict) => serde_json::to_string(verdict),
        Result::Rejected(no) => serde_json::to_string(no),
        Result::Unreadable(why) => serde_json::to_string(&serde_json::json!({
            "status": "unreadable", "file": file, "message": why,
        })),
    };
    line.unwrap_or_else(|error| error.to_string())
}

fn text_line(file: &str, result: &Result) -> String {
    let paint = |color: &str, text: &str| {
        if std::io::stdout().is_terminal() { format!("\x1b[{color}m{text}\x1b[0m") } else { text.to_owned() }
    };
    match result {
        Result::Verified(verdict) => {
            let outcome: serde_json::Value = serde_json::from_slice(&verdict.outcome).unwrap_or_default();
            let told = outcome["result"].as_str().map(str::to_owned);
            let told = told.or_else(|| outcome["winner"].as_str().map(|winner| format!("{winner} wins")));
            let standing = &verdict.standing;
            let desync = verdict.desync.map(|call| format!(", desync after call {call}")).unwrap_or_default();
            format!(
                "{} {file}: {}{}, score {}, {} rounds, {} calls{desync}",
                paint("32", "verified"),
                told.unwrap_or_else(|| "no winner".to_owned()),
                if standing.finished { "" } else { " (unfinished)" },
                standing.score,
                standing.rounds,
                verdict.calls,
            )
        }
        Result::Rejected(no) => format!("{} {file}: {no}", paint("31", "rejected")),
        Result::Unreadable(why) => format!("{} {file}: {why}", paint("31", "unreadable")),
    }
}
