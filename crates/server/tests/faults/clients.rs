//! Clients that hang up, drip, say nothing, or send bombs.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::audit::audit;
use crate::dose;
use crate::load::{Load, Player, free_fight, register, status};
use crate::service::{Place, Service, free_address};

pub fn connect(service: &Service) -> TcpStream {
    TcpStream::connect(service.url.strip_prefix("http://").unwrap()).unwrap()
}

/// A submission as bytes.
pub fn request(player: &Player, seed: u64) -> Vec<u8> {
    let body = free_fight(seed).to_string();
    format!(
        "POST /v1/fights HTTP/1.1\r\nhost: test\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        player.token.reveal(),
        body.len()
    )
    .into_bytes()
}

/// So many clients that send a submission, all or some of it, and hang up a moment later.
pub fn hang_up(service: &Service, players: &[Player], count: u32) {
    for number in 0..count {
        let mut socket = connect(service);
        let request = request(&players[number as usize % players.len()], 10_000_000 + u64::from(number));
        let part = if number % 3 == 0 { request.len() * (number as usize % 11) / 11 } else { request.len() };
        let _ = socket.write_all(&request[..part]);
        std::thread::sleep(Duration::from_millis(u64::from(number) * 7 % 23));
    }
}

/// How long until the service closes each of these, writing to them a byte at a time or not at all.
#[track_caller]
fn await_closed(sockets: Vec<(TcpStream, bool)>, most: Duration) {
    let end = Instant::now() + most;
    for (mut socket, drips) in sockets {
        socket.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        loop {
            if drips && socket.write_all(b"a").is_err() {
                break;
            }
            match socket.read(&mut [0; 1024]) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => break,
            }
            assert!(Instant::now() < end, "a socket is still open after {most:?}");
        }
    }
}

#[test]
fn slow_and_silent_clients_are_closed_and_harm_nobody() {
    let place = Place::sqlite();
    let players = register(&place, 4);
    let settings = ["http.header_timeout=1", "http.request_timeout=2"];
    let service = Service::start(&place, &free_address(), &settings);
    let load = Load::start(&players, std::slice::from_ref(&service.url));
    let whole = request(&players[0], 77);
    let body = whole.windows(4).position(|it| it == b"\r\n\r\n").unwrap() + 4;
    let mut sockets = Vec::new();
    for number in 0..dose(60, 2_000) {
        let mut socket = connect(&service);
        let sent: &[u8] = match number % 4 {
            0 => b"",
            1 => b"P",
            2 => b"GET /v1/days/current HTTP/1.1\r\nx-slow: ",
            _ => &whole[..body + 10],
        };
        socket.write_all(sent).unwrap();
        sockets.push((socket, number % 4 > 1 && number < 8));
    }
    load.await_more(20);
    assert_eq!(status(&format!("{}/healthz", service.url)), 200);
    await_closed(sockets, Duration::from_secs(20));
    audit(&place.database, &players, &load.end());
}

#[test]
fn bombs_take_no_memory() {
    let place = Place::sqlite();
    let players = register(&place, 1);
    let service = Service::start(&place, &free_address(), &[]);
    let zeros = |count: u32, levels: &str| {
        let script = format!("head -c {count} /dev/zero | {levels}");
        Command::new("sh").args(["-c", &script]).stderr(Stdio::null()).output().unwrap().stdout
    };
    let (bomb, double) = (zeros(200_000_000, "gzip -9"), zeros(200_000_000, "gzip -9 | gzip -9"));
    assert!(bomb.len() < 250_000 && double.len() < 100_000);
    let send = |encoding: &str, bytes: &[u8], codes: &[u16]| {
        let mut socket = connect(&service);
        let head = format!(
            "POST /v1/verify HTTP/1.1\r\nhost: test\r\nauthorization: Bearer {}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-encoding: {encoding}\r\ncontent-length: {}\r\n\r\n",
            players[0].token.reveal(),
            bytes.len()
        );
        // The answer may come before all of it is read.
        let _ = socket.write_all(head.as_bytes()).and_then(|()| socket.write_all(bytes));
        let mut answer = Vec::new();
        let _ = socket.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        let code = text.split(' ').nth(1).and_then(|code| code.parse::<u16>().ok());
        assert!(code.is_some_and(|code| codes.contains(&code)), "{encoding}: {text}");
    };
    // What the longest bodies that are taken need anyway, on every thread.
    let longest = zeros(262_144, "gzip -9");
    for _ in 0..40 {
        send("gzip", &longest, &[400]);
    }
    let before = service.memory("VmRSS:");
    for (encoding, bytes, codes) in [
        ("gzip", &bomb[..], &[413][..]),
        ("gzip", &double, &[400, 413]),
        ("gzip", b"{}", &[400]),
        ("gzip, gzip", &double, &[400, 413, 415]),
    ] {
        for _ in 0..dose(3, 30) {
            send(encoding, bytes, codes);
        }
    }
    let more = service.memory("VmHWM:").saturating_sub(before);
    assert!(more < 32 * 1024, "bombs took {more} KiB");
}
