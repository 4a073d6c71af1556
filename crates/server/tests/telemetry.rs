//! What the real binary tells of itself: never a secret, whatever the filter; metrics on a listener of their own; export
//! to a collector where the environment names one.

#[path = "faults/service.rs"]
#[allow(dead_code)]
mod service;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ongrid_testkit::Postgres;
use service::{Place, Service, free_address};

const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Path and body of each.
type Posts = Vec<(String, Vec<u8>)>;

fn binary() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ongrid"))
}

/// Sends a request as it stands and answers what comes back.
fn ask(url: &str, head: &str, body: &str) -> String {
    let mut socket = TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
    let length = body.len();
    write!(socket, "{head}\r\nhost: test\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}")
        .unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn no_secret_is_ever_logged() {
    let database = Postgres::database();
    // A password that the server does not ask for, but that is part of the address.
    let url = database.url().replace("postgres://postgres@", "postgres://postgres:hunter2@");
    let place = Place { directory: tempfile::tempdir().unwrap(), database: url };
    let added = binary().args(["pilot", "add", "Ada", "--database-url", &place.database]).output().unwrap();
    let said = String::from_utf8_lossy(&added.stdout);
    let token = said.lines().find_map(|line| line.split_once(": ")).expect("a token").1;
    for format in ["json", "pretty"] {
        let mut command = binary();
        command.env("ONGRID_DAY_SECRET_KEY", KEY);
        let settings = ["log.filter=trace", &format!("log.format={format}"), "metrics.listen=127.0.0.1:0"];
        let mut service = Service::spawn(command, &place, &free_address(), &settings);
        service.await_listening();
        let bearer = format!("authorization: Bearer {token}");
        let replay = include_str!("../../../examples/victory.json");
        let json = "content-type: application/json";
        assert!(
            ask(&service.url, &format!("POST /v1/fights HTTP/1.1\r\n{bearer}\r\n{json}"), replay)
                .contains(" 20")
        );
        ask(&service.url, &format!("POST /v1/attempts HTTP/1.1\r\n{bearer}\r\n{json}"), "{}");
        ask(&service.url, &format!("GET /v1/days/current?token={token} HTTP/1.1\r\ncookie: {token}"), "");
        ask(&service.url, &format!("GET /{token} HTTP/1.1\r\n{bearer}0"), "");
        service.terminate();
        service.await_end(Duration::from_secs(30));
        let log = service.log();
        assert!(log.contains("answered") && log.contains("judged"), "{log}");
        for (what, secret) in [("token", token), ("password", "hunter2"), ("key", KEY)] {
            let line = log.lines().find(|line| line.contains(secret));
            assert!(line.is_none(), "the {what} is logged: {line:?}");
        }
    }
}

#[test]
fn a_line_for_each_replay_names_what_was_judged() {
    let place = Place::sqlite();
    let mut service = Service::start(&place, &free_address(), &["log.format=json"]);
    let replay = include_str!("../../../examples/victory.json");
    let head = "POST /v1/verify HTTP/1.1\r\ncontent-type: application/json\r\nx-request-id: my-own-id";
    assert!(ask(&service.url, head, replay).contains("x-request-id: my-own-id"));
    ask(&service.url, head, "{\"engine\":\"ongrid-8\"}");
    service.terminate();
    service.await_end(Duration::from_secs(30));
    let log = service.log();
    let lines: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let judged: Vec<_> = lines.iter().filter(|line| line["fields"]["message"] == "judged").collect();
    let [verified, rejected] = &judged[..] else { panic!("{log}") };
    let span = &verified["span"];
    assert_eq!((&span["engine"], &span["result"]), (&"ongrid-8".into(), &"verified".into()));
    for field in ["calls", "rounds", "queue_us", "verify_us"] {
        assert!(span[field].is_u64(), "{field} in {span}");
    }
    assert_eq!(
        (&rejected["span"]["engine"], &rejected["span"]["code"]),
        (&"ongrid-8".into(), &"format".into())
    );
    assert_eq!(verified["spans"][0]["id"], "my-own-id");
}

#[test]
fn a_collector_gets_traces_and_metrics() {
    let collector = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", collector.local_addr().unwrap());
    let got: Arc<Mutex<Posts>> = Arc::default();
    let keep = got.clone();
    std::thread::spawn(move || {
        for socket in collector.incoming().flatten() {
            let keep = keep.clone();
            std::thread::spawn(move || take_posts(socket, &keep));
        }
    });
    let place = Place::sqlite();
    let mut command = binary();
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint).env("OTEL_METRIC_EXPORT_INTERVAL", "200");
    command.env("OTEL_BSP_SCHEDULE_DELAY", "200");
    let mut service = Service::spawn(command, &place, &free_address(), &[]);
    service.await_listening();
    let replay = include_str!("../../../examples/victory.json");
    ask(&service.url, "POST /v1/verify HTTP/1.1\r\ncontent-type: application/json", replay);
    service.terminate();
    assert!(service.await_end(Duration::from_secs(30)).success());
    let holds = |path: &str, name: &str| {
        let got = got.lock().unwrap();
        got.iter().any(|(to, body)| to == path && body.windows(name.len()).any(|it| it == name.as_bytes()))
    };
    let end = Instant::now() + Duration::from_secs(10);
    for (path, name) in [
        ("/v1/traces", "verification"),
        ("/v1/traces", "ongrid-8"),
        ("/v1/metrics", "ongrid_verify_seconds"),
        ("/v1/metrics", "ongrid_pool_idle"),
        ("/v1/metrics", "service.name"),
    ] {
        while !holds(path, name) {
            assert!(Instant::now() < end, "{path} never had {name}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Answers every POST of a connection with 200, and keeps path and body.
fn take_posts(mut socket: TcpStream, keep: &Mutex<Posts>) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 64 * 1024];
    while let Ok(length @ 1..) = socket.read(&mut buffer) {
        bytes.extend_from_slice(&buffer[..length]);
        while let Some(end) = bytes.windows(4).position(|it| it == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let whole = end + 4 + length.and_then(|it| it.trim().parse::<usize>().ok()).unwrap_or(0);
            if bytes.len() < whole {
                break;
            }
            let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
            keep.lock().unwrap().push((path, bytes[end + 4..whole].to_vec()));
            bytes.drain(..whole);
            if socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").is_err() {
                return;
            }
        }
    }
}
