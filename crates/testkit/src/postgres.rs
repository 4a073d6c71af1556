//! The server that all test processes share, and a database for each test on it.
//!
//! Two locked files keep the processes apart. Who joins holds `setup` while it looks and starts, and `holders`, shared,
//! for as long as it lives. A guardian, a shell script that outlives every test process, waits until nobody holds
//! `holders`, gives a late comer some seconds, and then removes the server under `setup`.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::server::{Binaries, Server};

/// Names a running server (`postgres://…`, a user who may create databases) to be used in place of a throw-away one.
pub const SERVER_VARIABLE: &str = "ONGRID_TEST_POSTGRES";

/// A test server does not outlive its machine, so it need not write anything down.
const SETTINGS: &[(&str, &str)] = &[
    ("fsync", "off"),
    ("synchronous_commit", "off"),
    ("full_page_writes", "off"),
    ("max_connections", "300"),
    ("shared_buffers", "64MB"),
    ("autovacuum_naptime", "5s"),
    ("deadlock_timeout", "200ms"),
];

/// The server that the tests share.
#[derive(Debug)]
pub struct Postgres {
    server: Server,
    /// Address of another server, named by [`SERVER_VARIABLE`].
    other: Option<String>,
    /// Held until the process ends.
    _holders: Option<File>,
}

/// A fresh, empty database; dropped with this value.
#[derive(Debug)]
pub struct Database {
    postgres: &'static Postgres,
    name: String,
}

impl Postgres {
    /// The server, started where it does not run yet.
    ///
    /// # Panics
    /// With a sentence that says what to install, where no server binaries are found.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(Self::join)
    }

    /// A fresh database.
    pub fn database() -> Database {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let postgres = Self::shared();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("ongrid_test_{}_{number}", std::process::id());
        postgres.run(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        postgres.run(&format!("CREATE DATABASE {name} STRATEGY FILE_COPY"));
        Database { postgres, name }
    }

    fn run(&self, statement: &str) {
        self.server.psql(&self.url("postgres"), statement);
    }

    fn url(&self, database: &str) -> String {
        match &self.other {
            None => self.server.url(database),
            Some(url) => {
                let (address, options) =
                    url.split_once('?').map_or((&**url, None), |(url, rest)| (url, Some(rest)));
                let server = address.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
                options
                    .map_or_else(|| format!("{server}/{database}"), |it| format!("{server}/{database}?{it}"))
            }
        }
    }

    fn join() -> Self {
        let binaries = Binaries::find();
        let user = fs::metadata("/proc/self").map_or(0, |it| it.uid());
        let home = std::env::temp_dir().join(format!("ongrid-postgres-shared-{user}"));
        let server = Server { binaries, directory: home.join("server") };
        if let Ok(url) = std::env::var(SERVER_VARIABLE) {
            return Self { server, other: Some(url), _holders: None };
        }
        fs::create_dir_all(&home).expect("the directory for temporary files can be written to");
        let owner = fs::symlink_metadata(&home).expect("it was just made");
        assert!(owner.is_dir() && owner.uid() == user, "{} is somebody else's", home.display());

        let setup = lock_file(&home.join("setup"));
        setup.lock().expect("a lock can be had");
        let holders = lock_file(&home.join("holders"));
        holders.lock_shared().expect("a lock can be had");
        if !server.answers() {
            server.stop("immediate");
            let _ = fs::remove_dir_all(&server.directory);
            server.initialise();
            server.start(SETTINGS);
        }
        let guardian = lock_file(&home.join("guardian"));
        if guardian.try_lock().is_ok() {
            drop(guardian);
            spawn_guardian(&server, &home);
        }
        drop(setup);
        Self { server, other: None, _holders: Some(holders) }
    }
}

fn lock_file(path: &Path) -> File {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
    file.unwrap_or_else(|fault| panic!("cannot open {}: {fault}", path.display()))
}

/// How the guardian waits and cleans up; `$1` is the directory, the rest is the command that stops the server.
const GUARDIAN: &str = r#"
home=$1; shift
(
exec 7>"$home/guardian"; flock -n 7 || exit 0
while :; do
    ( flock -x 9 ) 9>"$home/holders"
    sleep 5
    exec 8>"$home/setup"; flock -x 8
    exec 9>"$home/holders"
    if flock -n -x 9; then
        "$@" >/dev/null 2>&1
        rm -rf "$home/server"
        exit 0
    fi
    exec 8>&- 9>&-
done
) &
"#;

fn spawn_guardian(server: &Server, home: &Path) {
    let stop = server.binaries.command("pg_ctl");
    let mut guardian = Command::new("sh");
    guardian.args(["-c", GUARDIAN, "ongrid-testkit"]).arg(home);
    // As root the script stays root, to remove what it made, and stops the server as the server's user.
    if server.binaries.runs_as_other() {
        guardian.args(["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]);
    }
    guardian.arg(stop.get_program()).arg("-D").arg(server.directory.join("data"));
    guardian.args(["-m", "immediate", "-w", "stop"]);
    guardian.current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // A group of its own: the interrupt that ends a test run is not for it.
    let started = guardian.process_group(0).status();
    assert!(started.is_ok_and(|status| status.success()), "a shell cannot be started");
}

impl Database {
    /// Its address.
    pub fn url(&self) -> String {
        self.postgres.url(&self.name)
    }

    /// Runs a statement in it, past the service.
    ///
    /// # Panics
    /// Where it fails.
    pub fn run(&self, statement: &str) -> String {
        self.postgres.server.psql(&self.url(), statement)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.postgres.run(&format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_fresh_and_its_own() {
        let (one, other) = (Postgres::database(), Postgres::database());
        one.run("CREATE TABLE fleets (ships BIGINT)");
        assert_eq!(one.run("SELECT COUNT(*) FROM fleets").trim(), "0");
        assert_eq!(other.run("SELECT to_regclass('fleets') IS NULL").trim(), "t");
    }

    #[test]
    fn another_server_keeps_its_options() {
        let server = Server { binaries: Binaries::find(), directory: "/nowhere".into() };
        let url = |named: &str| {
            Postgres { server: server.clone(), other: Some(named.into()), _holders: None }.url("x")
        };
        assert_eq!(
            url("postgres://u:p@host:5433/postgres?sslmode=disable"),
            "postgres://u:p@host:5433/x?sslmode=disable"
        );
        assert_eq!(url("postgres://u@host"), "postgres://u@host/x");
    }
}
