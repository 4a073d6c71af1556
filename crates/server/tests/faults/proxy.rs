//! Between the service and Postgres: a socket that delays, freezes, cuts, and can be turned to another server.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const SOCKET: &str = ".s.PGSQL.5432";

pub struct Proxy {
    pub directory: tempfile::TempDir,
    inner: Arc<Inner>,
}

struct Inner {
    target: Mutex<PathBuf>,
    delay: AtomicU64,
    frozen: AtomicBool,
    /// How many times all connections were abandoned.
    abandoned: AtomicU64,
    open: Mutex<Vec<UnixStream>>,
}

impl Proxy {
    /// Listens in a directory of its own, for the server whose socket is in `target`.
    pub fn start(target: &Path) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(directory.path().join(SOCKET)).unwrap();
        let inner = Arc::new(Inner {
            target: Mutex::new(target.join(SOCKET)),
            delay: AtomicU64::new(0),
            frozen: AtomicBool::new(false),
            abandoned: AtomicU64::new(0),
            open: Mutex::default(),
        });
        let accepting = inner.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let target = accepting.target.lock().unwrap().clone();
                let Ok(server) = UnixStream::connect(target) else { continue };
                let both = [client.try_clone().unwrap(), server.try_clone().unwrap()];
                accepting.open.lock().unwrap().extend(both);
                pass(accepting.clone(), client.try_clone().unwrap(), server.try_clone().unwrap());
                pass(accepting.clone(), server, client);
            }
        });
        Self { directory, inner }
    }

    pub fn url(&self) -> String {
        format!("postgres://postgres@localhost/postgres?host={}", self.directory.path().display())
    }

    /// Every piece of data waits so long, either way.
    pub fn delay(&self, milliseconds: u64) {
        self.inner.delay.store(milliseconds, Ordering::Relaxed);
    }

    /// Nothing goes through any more, and nothing is closed: a network that is gone.
    pub fn freeze(&self, frozen: bool) {
        self.inner.frozen.store(frozen, Ordering::Relaxed);
    }

    /// The connections that there are never pass anything again, and never close; new ones do.
    pub fn abandon(&self) {
        self.inner.abandoned.fetch_add(1, Ordering::Relaxed);
    }

    /// Cuts all connections; new ones go to another server.
    pub fn turn_to(&self, target: &Path) {
        *self.inner.target.lock().unwrap() = target.join(SOCKET);
        for socket in self.inner.open.lock().unwrap().drain(..) {
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}

fn pass(inner: Arc<Inner>, mut from: UnixStream, mut to: UnixStream) {
    let era = inner.abandoned.load(Ordering::Relaxed);
    let gone = move |inner: &Inner| {
        inner.frozen.load(Ordering::Relaxed) || inner.abandoned.load(Ordering::Relaxed) != era
    };
    std::thread::spawn(move || {
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(length @ 1..) = from.read(&mut buffer) {
            std::thread::sleep(Duration::from_millis(inner.delay.load(Ordering::Relaxed)));
            while gone(&inner) {
                std::thread::sleep(Duration::from_millis(10));
            }
            if to.write_all(&buffer[..length]).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
        let _ = from.shutdown(Shutdown::Both);
    });
}
