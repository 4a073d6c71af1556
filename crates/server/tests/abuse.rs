//! What the service does with those who ask too much, too often, too slowly or too large.

mod common;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use common::{TestApp, golden};
use serde_json::Value;

/// An answer to bytes that no client library would send.
struct Raw {
    status: u16,
    head: String,
    body: String,
}

impl Raw {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    #[track_caller]
    fn is_problem(&self, status: u16, code: &str) {
        assert_eq!(self.status, status, "{}{}", self.head, self.body);
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        let body: Value = serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{}", self.body));
        assert_eq!((&body["code"], &body["status"]), (&Value::from(code), &Value::from(status)));
    }
}

fn connect(app: &TestApp) -> TcpStream {
    let stream = TcpStream::connect(app.url.strip_prefix("http://").unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream
}

/// Sends bytes and reads until the service closes.
fn send(app: &TestApp, parts: &[&[u8]]) -> Raw {
    let mut stream = connect(app);
    for part in parts {
        // The service may have answered and closed while we are still sending.
        if stream.write_all(part).is_err() {
            break;
        }
    }
    read(stream)
}

fn read(mut stream: TcpStream) -> Raw {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    // A reset after the answer is no matter.
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        bytes.extend_from_slice(&buffer[..count]);
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.get(9..12).and_then(|status| status.parse().ok()).unwrap_or_default();
    Raw { status, head: head.to_owned(), body: body.to_owned() }
}

/// A POST of a body to /v1/verify with headers beside those it needs.
fn post(headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST /v1/verify HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n{headers}\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn get(path: &str, headers: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}\r\n").into_bytes()
}

/// Bytes as one gzip member.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::process::{Command, Stdio};
    let mut child =
        Command::new("gzip").arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(bytes).unwrap());
    });
    child.wait_with_output().unwrap().stdout
}

#[test]
fn too_often_is_429_with_the_time_to_wait() {
    let app = TestApp::sqlite(&[("rate.per_address", "5"), ("rate.per_token", "8")]);
    for left in (0..5).rev() {
        let answer = app.get("/v1/rulesets");
        assert_eq!(answer.status, 200);
        let header = |name: &str| answer.headers[name].to_str().unwrap().parse::<u64>().unwrap();
        assert_eq!((header("ratelimit-limit"), header("ratelimit-remaining")), (5, left));
        assert!((1..=60).contains(&header("ratelimit-reset")));
    }
    let refused = app.get("/v1/rulesets");
    refused.is_problem(429, "rate_limited");
    let wait: u64 = refused.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=13).contains(&wait), "{wait}");
    assert_eq!(refused.headers["ratelimit-remaining"], "0");
    // A made-up token is no way around the address, and the health checks are never counted.
    let made_up = format!("ongrid_{}", "0".repeat(64));
    app.get_as("/v1/rulesets", &made_up).is_problem(429, "rate_limited");
    assert_eq!(app.get("/healthz").status, 200);
    assert_eq!(app.get("/readyz").status, 200);
}

#[test]
fn a_token_has_an_allowance_of_its_own() {
    let app = TestApp::sqlite(&[("rate.per_address", "3"), ("rate.per_token", "6")]);
    let (_, ada) = app.pilot("Ada");
    let (_, bob) = app.pilot("Bob");
    for _ in 0..6 {
        assert_eq!(app.get_as("/v1/rulesets", &ada).status, 200);
    }
    app.get_as("/v1/rulesets", &ada).is_problem(429, "rate_limited");
    assert_eq!(app.get_as("/v1/rulesets", &bob).status, 200, "another token is another allowance");
}

#[test]
fn forwarded_addresses_count_only_from_trusted_proxies() {
    let ask = |app: &TestApp, from: &str| {
        send(app, &[&get("/v1/rulesets", &format!("x-forwarded-for: {from}\r\n"))]).status
    };
    let app = TestApp::sqlite(&[("rate.per_address", "2")]);
    assert_eq!([ask(&app, "192.0.2.1"), ask(&app, "192.0.2.2"), ask(&app, "192.0.2.3")], [200, 200, 429]);

    let trusting = [("rate.per_address", "2"), ("http.trusted_proxies", "127.0.0.1, 10.0.0.9")];
    let app = TestApp::sqlite(&trusting);
    assert_eq!([ask(&app, "192.0.2.1"), ask(&app, "192.0.2.1"), ask(&app, "192.0.2.1")], [200, 200, 429]);
    assert_eq!(ask(&app, "192.0.2.2"), 200, "another client behind the same proxy");
    assert_eq!(
        ask(&app, "192.0.2.7, 192.0.2.1"),
        429,
        "what a client claims before the proxy's own is ignored"
    );
    assert_eq!(ask(&app, "192.0.2.1, 10.0.0.9"), 429, "through two proxies of ours");
    assert_eq!(
        [ask(&app, "2001:db8::1"), ask(&app, "2001:db8::2"), ask(&app, "2001:db8::3")],
        [200, 200, 429]
    );
}

#[test]
fn bodies_are_bounded_after_decompression() {
    let app = TestApp::sqlite(&[]);
    let limit = app.app.config.http.body_limit;
    let (exact, over) = (vec![b' '; limit], vec![b' '; limit + 1]);
    send(&app, &[&post("", &exact)]).is_problem(400, "format");
    send(&app, &[&post("", &over)]).is_problem(413, "too_large");
    let zipped = "content-encoding: gzip\r\n";
    send(&app, &[&post(zipped, &gzip(&exact))]).is_problem(400, "format");
    let bomb = gzip(&vec![0; 64 << 20]);
    assert!(bomb.len() < limit, "it must look small");
    send(&app, &[&post(zipped, &bomb)]).is_problem(413, "too_large");
    let replay = golden(0);
    assert_eq!(send(&app, &[&post(zipped, &gzip(replay.as_bytes()))]).status, 200);
    send(&app, &[&post(zipped, replay.as_bytes())]).is_problem(400, "format");
    let twice = gzip(&gzip(replay.as_bytes()));
    send(&app, &[&post("content-encoding: gzip, gzip\r\n", &twice)]).is_problem(415, "content_encoding");
    send(&app, &[&post(zipped, &twice)]).is_problem(400, "format");
    send(&app, &[&post(&zipped.repeat(2), &twice)]).is_problem(415, "content_encoding");
    let refused = send(&app, &[&post("content-encoding: br\r\n", b"{}")]);
    refused.is_problem(415, "content_encoding");
    assert_eq!(refused.header("accept-encoding"), Some("gzip"));
    send(&app, &[&post(zipped, &gzip(replay.as_bytes())[..200])]).is_problem(400, "format");
}

#[test]
fn gzip_is_its_members_and_nothing_after_them() {
    let app = TestApp::sqlite(&[]);
    let limit = app.app.config.http.body_limit;
    let send = |body: &[u8]| send(&app, &[&post("content-encoding: GZIP\r\n", body)]);
    let replay = golden(0);
    let whole = gzip(replay.as_bytes());
    let (head, rest) = replay.as_bytes().split_at(100);
    assert_eq!(send(&[gzip(head), gzip(b""), gzip(rest)].concat()).status, 200, "one after the other");
    for after in
        [&b"\0"[..], b"\0\0\0\0", b"{}", b"\x1f", b"\x1f\x8b", &whole[..whole.len() - 1], replay.as_bytes()]
    {
        let answer = send(&[&whole, after].concat());
        answer.is_problem(400, "format");
        assert!(answer.body.contains("not what its headers say"), "{after:?}: {}", answer.body);
    }
    let mut damaged = whole.clone();
    let sum = damaged.len() - 8;
    damaged[sum] ^= 1;
    send(&damaged).is_problem(400, "format");
    send(b"").is_problem(400, "format");

    // The bounds are those of the whole: neither many members nor members that hold nothing get around them.
    let half = vec![b' '; limit / 2];
    let answer = send(&[gzip(&half), gzip(&half)].concat());
    answer.is_problem(400, "format");
    assert!(!answer.body.contains("headers"), "read, and no replay: {}", answer.body);
    send(&[gzip(&half), gzip(&half), gzip(b" ")].concat()).is_problem(413, "too_large");
    let nothing = gzip(b"");
    assert_eq!(send(&[&nothing.repeat(63), &*whole].concat()).status, 200, "64 members");
    send(&[&nothing.repeat(64), &*whole].concat()).is_problem(400, "format");
    send(&nothing.repeat(limit / nothing.len())).is_problem(400, "format");
    send(&nothing.repeat(limit / nothing.len() + 1)).is_problem(413, "too_large");
}

#[test]
fn chunks_without_end_are_cut_off() {
    let app = TestApp::sqlite(&[]);
    let head =
        b"POST /v1/verify HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
        transfer-encoding: chunked\r\n\r\n";
    let chunk = [b"4000\r\n".to_vec(), vec![b' '; 0x4000], b"\r\n".to_vec()].concat();
    let mut parts: Vec<&[u8]> = vec![head];
    parts.extend(std::iter::repeat_n(&*chunk, 17));
    send(&app, &parts).is_problem(413, "too_large");
}

#[test]
fn slow_headers_and_slow_bodies_meet_their_deadlines() {
    let app = TestApp::sqlite(&[("http.header_timeout", "1"), ("http.request_timeout", "1")]);
    let mut stream = connect(&app);
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ").unwrap();
    assert_eq!(read(stream).status, 0, "closed without an answer");
    let idle = connect(&app);
    assert_eq!(read(idle).status, 0);
    let mut stream = connect(&app);
    let request = post("", golden(0).as_bytes());
    stream.write_all(&request[..request.len() - 10]).unwrap();
    read(stream).is_problem(408, "timeout");
    assert_eq!(send(&app, &[&post("", golden(0).as_bytes())]).status, 200, "others are served all the while");
}

/// Keeps the one verifying thread busy until it is dropped.
struct Busy {
    _release: std::sync::mpsc::Sender<()>,
}

impl Busy {
    fn keep(app: &TestApp) -> Self {
        let (_release, released) = std::sync::mpsc::channel::<()>();
        let (began, begun) = std::sync::mpsc::channel::<()>();
        let verifier = app.app.verifier.clone();
        app.runtime.spawn(async move {
            let work = verifier.run(move |_| {
                let _ = began.send(());
                let _ = released.recv();
                Ok(())
            });
            let _ = work.await;
        });
        begun.recv().unwrap();
        Self { _release }
    }
}

#[test]
fn a_full_queue_is_503_at_once() {
    let app = TestApp::sqlite(&[("verify.workers", "1"), ("verify.queue", "2")]);
    let busy = Busy::keep(&app);
    std::thread::scope(|scope| {
        let waiting: Vec<_> =
            (0..2).map(|_| scope.spawn(|| app.post("/v1/verify", "", golden(0).as_bytes()))).collect();
        while app.app.verifier.waiting() < 2 {
            std::thread::yield_now();
        }
        let refused = app.post("/v1/verify", "", golden(0).as_bytes());
        refused.is_problem(503, "busy");
        assert!(refused.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
        assert_eq!(app.get("/readyz").status, 200, "health does not wait in that queue");
        drop(busy);
        for answer in waiting {
            assert_eq!(answer.join().unwrap().status, 200);
        }
    });
    assert_eq!(app.post("/v1/verify", "", golden(0).as_bytes()).status, 200);
}

#[test]
fn one_caller_has_only_so_many_replays_under_way() {
    let app = TestApp::sqlite(&[("verify.workers", "1"), ("verify.per_token", "1")]);
    let (_, ada) = app.pilot("Ada");
    let (_, bob) = app.pilot("Bob");
    let busy = Busy::keep(&app);
    std::thread::scope(|scope| {
        let first = scope.spawn(|| app.post("/v1/fights", &ada, golden(0).as_bytes()));
        while app.app.verifier.waiting() < 1 {
            std::thread::yield_now();
        }
        let refused = app.post("/v1/fights", &ada, golden(1).as_bytes());
        refused.is_problem(429, "too_many_at_once");
        assert!(refused.headers.contains_key("retry-after"));
        let other = scope.spawn(|| app.post("/v1/fights", &bob, golden(0).as_bytes()));
        while app.app.verifier.waiting() < 2 {
            std::thread::yield_now();
        }
        drop(busy);
        assert_eq!((first.join().unwrap().status, other.join().unwrap().status), (201, 201));
    });
    assert_eq!(app.post("/v1/fights", &ada, golden(1).as_bytes()).status, 201);
}

#[test]
fn every_answer_carries_the_headers_that_keep_it_harmless() {
    let app = TestApp::sqlite(&[("rate.per_address", "40"), ("verify.workers", "1")]);
    let huge = vec![b' '; app.app.config.http.body_limit + 1];
    let text = "host: x\r\nconnection: close\r\n";
    let mut answers = vec![
        (200, get("/v1/rulesets", "")),
        (200, get("/healthz", "")),
        (200, get("/openapi.json", "")),
        (200, get("/.well-known/ongrid-keys.json", "")),
        (200, post("", golden(0).as_bytes())),
        (400, post("", b"{")),
        (401, format!("POST /v1/attempts HTTP/1.1\r\n{text}content-length: 0\r\n\r\n").into_bytes()),
        (404, get("/v1/nothing", "")),
        (404, get("/v1/fights/00000000-0000-7000-8000-000000000000", "")),
        (404, get("/nothing", "accept: text/html\r\n")),
        (405, format!("DELETE /v1/rulesets HTTP/1.1\r\n{text}\r\n").into_bytes()),
        (413, post("", &huge)),
        (415, post("content-encoding: br\r\n", b"{}")),
    ];
    let pages = ["/", "/boards", "/fitting", "/rules", "/login", "/docs", "/assets/nothing.css"];
    answers.extend(pages.map(|page| (if page.contains("nothing") { 404 } else { 200 }, get(page, ""))));
    answers.push((404, get("/fights/00000000-0000-7000-8000-000000000000", "accept: text/html\r\n")));
    let check = |status: u16, request: &[u8]| {
        let answer = send(&app, &[request]);
        let what = String::from_utf8_lossy(&request[..request.len().min(80)]).into_owned();
        assert_eq!(answer.status, status, "{what}: {}", answer.body);
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{what}");
        assert_eq!(answer.header("referrer-policy"), Some("same-origin"), "{what}");
        assert!(answer.header("x-request-id").is_some_and(|id| id.len() == 36), "{what}");
        assert_eq!(answer.header("server"), None, "{what}");
        if answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
            let policy = answer.header("content-security-policy").unwrap_or_default();
            for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"] {
                assert!(policy.contains(part), "{what}: {policy:?}");
            }
            assert!(!policy.contains("unsafe-eval"), "{what}: {policy:?}");
        }
    };
    for (status, request) in &answers {
        check(*status, request);
    }
    while send(&app, &[&get("/v1/rulesets", "")]).status == 200 {}
    check(429, &get("/v1/rulesets", ""));
    check(429, &get("/", "accept: text/html\r\n"));
    app.runtime.block_on(app.app.store.close());
    check(503, &get("/readyz", ""));
}

#[test]
fn browsers_may_call_from_configured_origins_only() {
    let preflight = |app: &TestApp, origin: &str| {
        let ask = format!(
            "OPTIONS /v1/attempts HTTP/1.1\r\nhost: x\r\nconnection: close\r\norigin: {origin}\r\n\
             access-control-request-method: POST\r\naccess-control-request-headers: authorization\r\n\r\n"
        );
        send(app, &[ask.as_bytes()])
    };
    let closed = TestApp::sqlite(&[]);
    assert_eq!(preflight(&closed, "https://game.example").header("access-control-allow-origin"), None);

    let app = TestApp::sqlite(&[("http.cors_origins", "https://game.example"), ("rate.per_address", "9")]);
    let allowed = preflight(&app, "https://game.example");
    assert_eq!(allowed.header("access-control-allow-origin"), Some("https://game.example"));
    assert!(allowed.header("access-control-allow-methods").unwrap().contains("POST"));
    assert!(allowed.header("access-control-allow-headers").unwrap().contains("authorization"));
    assert_eq!(preflight(&app, "https://evil.example").header("access-control-allow-origin"), None);
    let origin = "origin: https://game.example\r\n";
    let asked = send(&app, &[&get("/v1/rulesets", origin)]);
    assert_eq!(asked.header("access-control-allow-origin"), Some("https://game.example"));
    let exposed = asked.header("access-control-expose-headers").unwrap().to_ascii_lowercase();
    for header in ["location", "retry-after", "etag", "ratelimit-remaining"] {
        assert!(exposed.contains(header), "{exposed}");
    }
    // A refusal must be readable too.
    while send(&app, &[&get("/v1/rulesets", origin)]).status == 200 {}
    let refused = send(&app, &[&get("/v1/rulesets", origin)]);
    assert_eq!((refused.status, refused.header("access-control-allow-origin").is_some()), (429, true));
}
