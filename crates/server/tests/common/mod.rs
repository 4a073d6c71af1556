//! The running service, as its clients meet it: the real listener on a port of its own, over a real store.

// Every test file uses a part of it.
#![allow(dead_code)]
// `is(404)` and `is_problem(404, …)` read as the sentence they are.
#![allow(clippy::wrong_self_convention)]

pub mod wingman;

use std::io::Read;
use std::time::Duration;

use ongrid::app::{App, Shared};
use ongrid::auth::Token;
use ongrid::clock::Clock;
use ongrid::config::{Config, Sources};
use ongrid::{cli, engines, pilots, router, serve};
use ongrid_engine::Registry;
use ongrid_store::{NewToken, Role};
use ongrid_testkit::{Database, Postgres};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use uuid::Uuid;

/// Golden replays of ongrid-8, a JSON object a line with `replay` and `outcome`.
pub const GOLDEN: &str = include_str!("../../../engine-ongrid/tests/cases/replays.jsonl");

/// A service that runs until it is dropped.
pub struct TestApp {
    pub url: String,
    pub app: Shared,
    pub runtime: Runtime,
    agent: ureq::Agent,
    // The store's place lives as long as the service.
    _database: Option<Database>,
    _directory: tempfile::TempDir,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: ureq::http::HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// Asserts the status, and for problems that the shape is a problem's.
    #[track_caller]
    pub fn is(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        let body = self.json();
        if status >= 400 {
            assert_eq!(self.headers["content-type"], "application/problem+json");
            assert_eq!(body["status"], status);
        }
        body
    }

    /// Asserts a problem's status and code.
    #[track_caller]
    pub fn is_problem(&self, status: u16, code: &str) -> Value {
        let body = self.clone().is(status);
        assert_eq!(body["code"], code, "{body}");
        body
    }
}

impl TestApp {
    /// Over a SQLite file of its own.
    pub fn sqlite(settings: &[(&str, &str)]) -> Self {
        Self::start(None, settings)
    }

    /// Over a Postgres database of its own.
    pub fn postgres(settings: &[(&str, &str)]) -> Self {
        Self::start(Some(Postgres::database()), settings)
    }

    /// One of each: what a test says holds on both stores.
    pub fn both(settings: &[(&str, &str)]) -> [Self; 2] {
        [Self::sqlite(settings), Self::postgres(settings)]
    }

    /// Two over one Postgres database, started at the same time; they share the key of days' secrets.
    pub fn replicas(settings: &[(&str, &str)]) -> ([Self; 2], Database) {
        let database = Postgres::database();
        let url = database.url();
        let key = "5e".repeat(32);
        let shared = [("database_url", &*url), ("day.secret_key", &*key)];
        let settings: Vec<_> = shared.iter().chain(settings).copied().collect();
        let pair = std::thread::scope(|scope| {
            let starting = [0, 1].map(|_| scope.spawn(|| Self::start(None, &settings)));
            starting.map(|app| app.join().unwrap())
        });
        (pair, database)
    }

    /// Over a database that is there, with some of the engines: a build that retired the others.
    pub fn retired(registry: Registry, database_url: &str) -> Self {
        Self::launch(registry, None, &[("database_url", database_url)])
    }

    fn start(database: Option<Database>, settings: &[(&str, &str)]) -> Self {
        Self::launch(engines::registry().unwrap(), database, settings)
    }

    fn launch(registry: Registry, database: Option<Database>, settings: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mut flags: Vec<(String, String)> = vec![
            ("data".into(), directory.path().display().to_string()),
            ("rate.per_address".into(), "0".into()),
            ("rate.per_token".into(), "0".into()),
        ];
        flags.extend(database.iter().map(|database| ("database_url".into(), database.url())));
        flags.extend(settings.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
        let config = Config::load(&Sources { file: None, environment: Vec::new(), flags }).unwrap();
        let runtime = Runtime::new().unwrap();
        let (url, app) = runtime.block_on(async {
            let store = cli::serve::open_store(&config).await.unwrap();
            let app = App::with(registry, config, store, Clock::default()).await.unwrap();
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let url = format!("http://{}", listener.local_addr().unwrap());
            let (served, router) = (app.clone(), router::router(app.clone()));
            tokio::spawn(async move {
                let limits = served.config.http.clone();
                serve::serve(listener, router, &limits, served.stop.clone(), Duration::from_secs(5)).await;
            });
            (url, app)
        });
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(60)));
        Self { url, app, runtime, agent: agent.build().into(), _database: database, _directory: directory }
    }

    /// Which store it runs on, for messages.
    pub fn store(&self) -> &'static str {
        self.app.store.kind()
    }

    /// A new pilot's id and token.
    pub fn pilot(&self, name: &str) -> (Uuid, String) {
        let (id, token) =
            self.runtime.block_on(pilots::add(&self.app.store, name, "test", self.app.clock.now())).unwrap();
        (id, token.reveal().to_owned())
    }

    /// A token of another role.
    pub fn token(&self, role: Role) -> String {
        let token = Token::random().unwrap();
        let hash = token.hash();
        let new = NewToken { role, pilot: None, label: "test", secret_hash: &hash };
        self.runtime.block_on(self.app.store.issue_token(&new)).unwrap();
        token.reveal().to_owned()
    }

    pub fn get(&self, path: &str) -> Answer {
        self.get_as(path, "")
    }

    pub fn get_as(&self, path: &str, token: &str) -> Answer {
        let mut request = self.agent.get(format!("{}{path}", self.url));
        if !token.is_empty() {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        read(request.call().unwrap())
    }

    pub fn post(&self, path: &str, token: &str, body: &[u8]) -> Answer {
        self.send("POST", path, token, body)
    }

    /// Sends a JSON body with any method.
    pub fn send(&self, method: &str, path: &str, token: &str, body: &[u8]) -> Answer {
        let bearer = format!("Bearer {token}");
        let authorization = (!token.is_empty()).then_some(("authorization", &*bearer));
        let json = ("content-type", "application/json");
        self.send_with(method, path, authorization.into_iter().chain([json]), body)
    }

    /// Sends a body with these headers alone.
    pub fn send_with<'h>(
        &self,
        method: &str,
        path: &str,
        headers: impl IntoIterator<Item = (&'h str, &'h str)>,
        body: &[u8],
    ) -> Answer {
        let mut request = ureq::http::Request::builder().method(method).uri(format!("{}{path}", self.url));
        for (name, value) in headers {
            request = request.header(name, value);
        }
        read(self.agent.run(request.body(body).unwrap()).unwrap())
    }
}

fn read(mut response: ureq::http::Response<ureq::Body>) -> Answer {
    let mut text = String::new();
    response.body_mut().as_reader().read_to_string(&mut text).unwrap();
    Answer { status: response.status().as_u16(), headers: response.headers().clone(), text }
}

/// The replay of a golden case, as text.
pub fn golden(index: usize) -> String {
    let line: Value = serde_json::from_str(GOLDEN.lines().nth(index).unwrap()).unwrap();
    line["replay"].to_string()
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.app.stop.cancel();
    }
}
