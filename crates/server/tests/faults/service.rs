//! The service as a process of its own, and what it stores in.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use ongrid_testkit::PrivatePostgres;

/// Settings of every service here: nobody is limited, any number of fights rank.
const SETTINGS: &[&str] = &[
    "rate.per_address=0",
    "rate.per_token=0",
    "day.ranked_attempts=1000000",
    "verify.per_token=1000",
    "shutdown.drain=0",
    "store.acquire_timeout=2",
    "log.filter=info,ongrid=debug",
];

/// Where a story happens: a directory, and the database's address.
pub struct Place {
    pub directory: tempfile::TempDir,
    pub database: String,
}

impl Place {
    pub fn sqlite() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let database = format!("sqlite://{}", directory.path().join("ongrid.db").display());
        Self { directory, database }
    }

    pub fn postgres(postgres: &PrivatePostgres) -> Self {
        Self { directory: tempfile::tempdir().unwrap(), database: postgres.url("postgres") }
    }
}

/// A service; killed when dropped.
pub struct Service {
    pub child: Child,
    pub url: String,
    log: PathBuf,
}

/// An address that nobody listens on; the service comes back to it after each of its deaths.
pub fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

impl Service {
    /// Starts one and waits until it listens.
    pub fn start(place: &Place, address: &str, settings: &[&str]) -> Self {
        let this = Self::spawn(Command::new(env!("CARGO_BIN_EXE_ongrid")), place, address, settings);
        this.await_listening();
        this
    }

    /// Starts one by way of a command that runs the binary's path and arguments.
    pub fn spawn(mut command: Command, place: &Place, address: &str, settings: &[&str]) -> Self {
        let log = place.directory.path().join(format!("log-{}", address.replace(':', "-")));
        let out = File::create(log.with_extension("out")).unwrap();
        let errors = File::options().create(true).append(true).open(&log).unwrap();
        command.args(["serve", "--listen", address, "--database-url", &place.database, "--data"]);
        command.arg(place.directory.path());
        for setting in SETTINGS.iter().chain(settings) {
            command.args(["--set", setting]);
        }
        let child = command.stdin(Stdio::null()).stdout(out).stderr(errors).spawn().unwrap();
        Self { child, url: format!("http://{address}"), log }
    }

    #[track_caller]
    pub fn await_listening(&self) {
        let end = Instant::now() + Duration::from_secs(60);
        while !self.said("listening on") {
            assert!(Instant::now() < end, "it does not start:\n{}", self.log());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn said(&self, text: &str) -> bool {
        fs::read_to_string(self.log.with_extension("out")).unwrap_or_default().contains(text)
    }

    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// SIGKILL.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// SIGTERM.
    pub fn terminate(&self) {
        signal(self.child.id(), "TERM");
    }

    /// Waits for its end, so long at most.
    #[track_caller]
    pub fn await_end(&mut self, most: Duration) -> ExitStatus {
        let end = Instant::now() + most;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < end, "it does not end within {most:?}:\n{}", self.log());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// A figure of /proc/…/status, in KiB.
    pub fn memory(&self, name: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            let log = self.log();
            let from = log.char_indices().rev().nth(4_000).map_or(0, |(index, _)| index);
            eprintln!("the end of the log of {}:\n{}", self.url, &log[from..]);
        }
    }
}

pub fn signal(process: u32, name: &str) {
    Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status().unwrap();
}
