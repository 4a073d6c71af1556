//! A Postgres server from the installed binaries: initialise, start, stop.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Where the binaries are, and as whom they run.
#[derive(Clone, Debug)]
pub(crate) struct Binaries {
    directory: PathBuf,
    /// User and group of `postgres` where this process is root, which the server refuses to be.
    user: Option<(u32, u32)>,
}

impl Binaries {
    /// The newest installed server.
    ///
    /// # Panics
    /// Where there is none: tests never skip.
    pub(crate) fn find() -> Self {
        let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
        let newest = versions
            .filter_map(|entry| {
                Some((entry.file_name().to_str()?.parse::<u32>().ok()?, entry.path().join("bin")))
            })
            .filter(|(_, bin)| bin.join("initdb").exists() && bin.join("postgres").exists())
            .max();
        let on_path = || {
            let paths = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&paths)
                .find(|bin| bin.join("initdb").exists() && bin.join("postgres").exists())
        };
        let Some(directory) = newest.map(|(_, bin)| bin).or_else(on_path) else {
            panic!(
                "these tests need a Postgres server (15 or newer): install it (Debian: apt-get install postgresql) \
                 or name a running one in {}",
                crate::SERVER_VARIABLE
            );
        };
        Self { directory, user: is_root().then(postgres_user) }
    }

    /// A command of the server's, run as the user that the server runs as.
    pub(crate) fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.directory.join(name));
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command.current_dir("/").env_remove("PGOPTIONS").stdin(Stdio::null());
        command
    }

    pub(crate) fn runs_as_other(&self) -> bool {
        self.user.is_some()
    }

    /// Makes a directory that the server may use.
    pub(crate) fn directory(&self, path: &Path) {
        fs::create_dir_all(path).unwrap_or_else(|fault| panic!("cannot make {}: {fault}", path.display()));
        if let Some((user, group)) = self.user {
            chown(path, Some(user), Some(group)).expect("root may give a directory away");
        }
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).expect("the directory is ours");
    }
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0)
}

fn postgres_user() -> (u32, u32) {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let found = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        if fields.next()? != "postgres" {
            return None;
        }
        Some((fields.nth(1)?.parse().ok()?, fields.next()?.parse().ok()?))
    });
    found.expect("a Postgres server does not run as root, and there is no user named postgres to run it as")
}

/// Runs a command to its end; its output is shown where it fails.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|fault| panic!("cannot run {command:?}: {fault}"));
    assert!(
        output.status.success(),
        "{command:?} failed:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A server in a directory: `data`, the socket and the log beside it.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) binaries: Binaries,
    pub(crate) directory: PathBuf,
}

impl Server {
    fn data(&self) -> PathBuf {
        self.directory.join("data")
    }

    /// Makes an empty cluster in the directory.
    pub(crate) fn initialise(&self) {
        self.binaries.directory(&self.directory);
        let mut initdb = self.binaries.command("initdb");
        initdb.args([
            "--auth=trust",
            "--no-sync",
            "--encoding=UTF8",
            "--locale=C",
            "--username=postgres",
            "-D",
        ]);
        run(initdb.arg(self.data()));
    }

    /// Starts the server and waits until it answers.
    pub(crate) fn start(&self, settings: &[(&str, &str)]) {
        let mut options = format!("-k {} -c listen_addresses=", self.directory.display());
        for (name, value) in settings {
            options.push_str(&format!(" -c {name}={value}"));
        }
        let mut start = self.binaries.command("pg_ctl");
        start.arg("-D").arg(self.data()).arg("-l").arg(self.directory.join("log"));
        start.arg("-o").arg(options).args(["-w", "-t", "60", "start"]);
        // The server inherits what it is not refused: a pipe would keep the caller waiting for as long as it lives.
        let started = start.stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(
            started.is_ok_and(|status| status.success()),
            "the Postgres server does not start:\n{}",
            fs::read_to_string(self.directory.join("log")).unwrap_or_default()
        );
    }

    /// Stops the server (`smart`, `fast` or `immediate`); no matter if none runs.
    pub(crate) fn stop(&self, mode: &str) {
        let mut stop = self.binaries.command("pg_ctl");
        stop.arg("-D").arg(self.data()).args(["-m", mode, "-w", "-t", "60", "stop"]);
        let _ = stop.stdout(Stdio::null()).stderr(Stdio::null()).status();
    }

    pub(crate) fn answers(&self) -> bool {
        let mut ready = self.binaries.command("pg_isready");
        ready.arg("-q").arg("-h").arg(&self.directory);
        ready.status().is_ok_and(|status| status.success())
    }

    /// Process id of the running server.
    fn process(&self) -> Option<u32> {
        let file = fs::read_to_string(self.data().join("postmaster.pid")).ok()?;
        file.lines().next()?.trim().parse().ok()
    }

    /// Address of a database on it.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://postgres@localhost/{database}?host={}", self.directory.display())
    }

    /// Runs a statement.
    pub(crate) fn psql(&self, url: &str, statement: &str) -> String {
        let mut psql = self.binaries.command("psql");
        run(psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement, url]))
    }
}

/// A server of one's own, for tests that stop, kill or measure it. Dropped, it is gone.
#[derive(Debug)]
pub struct PrivatePostgres {
    server: Server,
    settings: Vec<(String, String)>,
}

impl PrivatePostgres {
    /// Starts one with these settings beside the defaults of the server: durable, as it would be in production.
    ///
    /// # Panics
    /// Where no binaries are installed or the server does not start.
    pub fn start(settings: &[(&str, &str)]) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("ongrid-postgres-{}-{number}", std::process::id());
        let server = Server { binaries: Binaries::find(), directory: std::env::temp_dir().join(name) };
        server.initialise();
        let settings = settings.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let this = Self { server, settings };
        this.restart();
        this
    }

    /// Address of the database `postgres`, which is there, or of another.
    pub fn url(&self, database: &str) -> String {
        self.server.url(database)
    }

    /// Directory of the socket.
    pub fn socket_directory(&self) -> &Path {
        &self.server.directory
    }

    /// Runs a statement in a database.
    ///
    /// # Panics
    /// Where it fails.
    pub fn run(&self, database: &str, statement: &str) -> String {
        self.server.psql(&self.url(database), statement)
    }

    /// A command of the installation, such as `pgbench`, run as the server's user.
    pub fn command(&self, name: impl AsRef<OsStr>) -> Command {
        self.server.binaries.command(&name.as_ref().to_string_lossy())
    }

    /// Stops the server: `fast` ends its sessions, `immediate` is a crash.
    pub fn stop(&self, mode: &str) {
        self.server.stop(mode);
    }

    /// Kills the server as a crash of the machine would: no process of it says goodbye.
    pub fn kill(&self) {
        let Some(process) = self.server.process() else { return };
        let _ = self.server.binaries.command_outside("kill").args(["-9", &process.to_string()]).status();
        // Its children notice and end; until then their socket and memory are in the way of a restart.
        let end = Instant::now() + Duration::from_secs(10);
        while Path::new("/proc").join(process.to_string()).exists() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// A standby that streams from this server, which from then on acknowledges a commit only when the standby has it on
    /// disk.
    ///
    /// # Panics
    /// Where it cannot be made; this server needs its defaults (`wal_level=replica`, `max_wal_senders` above 2).
    pub fn synchronous_standby(&self) -> Self {
        let directory = self.server.directory.with_extension("standby");
        let server = Server { binaries: self.server.binaries.clone(), directory };
        server.binaries.directory(&server.directory);
        let mut copy = server.binaries.command("pg_basebackup");
        copy.arg("-h")
            .arg(&self.server.directory)
            .args(["-U", "postgres", "-X", "stream", "-R", "-c", "fast", "-D"]);
        run(copy.arg(server.data()));
        let standby = Self { server, settings: self.settings.clone() };
        standby.restart();
        self.run("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'");
        self.run("postgres", "SELECT pg_reload_conf()");
        let end = Instant::now() + Duration::from_secs(30);
        while self
            .run("postgres", "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
            .trim()
            != "1"
        {
            assert!(Instant::now() < end, "the standby does not stream");
            std::thread::sleep(Duration::from_millis(50));
        }
        standby
    }

    /// Makes a standby a server of its own, which waits for no other.
    pub fn promote(&self) {
        let mut promote = self.server.binaries.command("pg_ctl");
        run(promote.arg("-D").arg(self.server.data()).args(["-w", "promote"]).stdout(Stdio::piped()));
        self.run("postgres", "ALTER SYSTEM RESET synchronous_standby_names");
        self.run("postgres", "SELECT pg_reload_conf()");
    }

    /// Starts it again, with the settings that it had.
    ///
    /// # Panics
    /// Where it does not start.
    pub fn restart(&self) {
        let settings: Vec<_> = self.settings.iter().map(|(name, value)| (&**name, &**value)).collect();
        self.server.start(&settings);
    }
}

impl Binaries {
    /// A command of the system, run as the server's user.
    fn command_outside(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }
}

impl Drop for PrivatePostgres {
    fn drop(&mut self) {
        self.server.stop("immediate");
        let _ = fs::remove_dir_all(&self.server.directory);
    }
}
