//! Starting together and ending in time.

use std::io::{Read, Write};
use std::process::Command;
use std::time::Duration;

use ongrid_testkit::PrivatePostgres;

use crate::audit::audit;
use crate::clients::{connect, request};
use crate::load::{Load, await_ready, register, status};
use crate::proxy::Proxy;
use crate::service::{Place, Service, free_address};

/// Four replicas start at once over an empty database: one brings it up to date, the others wait.
fn replicas_start_at_once(place: &Place) {
    let binary = || Command::new(env!("CARGO_BIN_EXE_ongrid"));
    let replicas: Vec<_> = (0..4).map(|_| Service::spawn(binary(), place, &free_address(), &[])).collect();
    for replica in &replicas {
        replica.await_listening();
        await_ready(&replica.url);
    }
    let players = register(place, 2);
    let urls: Vec<_> = replicas.iter().map(|it| it.url.clone()).collect();
    let load = Load::start(&players, &urls);
    load.await_more(20);
    audit(&place.database, &players, &load.end());
}

#[test]
fn replicas_start_at_once_on_postgres() {
    replicas_start_at_once(&Place::postgres(&PrivatePostgres::start(&[])));
}

#[test]
fn replicas_start_at_once_on_sqlite() {
    replicas_start_at_once(&Place::sqlite());
}

/// SIGTERM while the database is slow: who has sent a submission is answered, and then it is stored.
#[test]
fn submissions_in_flight_are_answered_and_stored() {
    let postgres = PrivatePostgres::start(&[]);
    let proxy = Proxy::start(postgres.socket_directory());
    let place = Place { database: proxy.url(), ..Place::postgres(&postgres) };
    let players = register(&place, 8);
    let mut service = Service::start(&place, &free_address(), &["shutdown.grace=20"]);
    let load = Load::start(&players, std::slice::from_ref(&service.url));
    load.await_more(20);
    let told = load.end();
    proxy.delay(30);
    let mut sockets: Vec<_> = players.iter().map(|_| connect(&service)).collect();
    for (index, (player, socket)) in players.iter().zip(&mut sockets).enumerate() {
        socket.write_all(&request(player, 900_000 + index as u64)).unwrap();
    }
    // They are read, and wait for the slow database.
    std::thread::sleep(Duration::from_millis(100));
    service.terminate();
    for socket in &mut sockets {
        socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut answer = [0; 12];
        socket.read_exact(&mut answer).expect("a submission in flight is answered");
        assert_eq!(&answer, b"HTTP/1.1 201");
    }
    assert!(service.await_end(Duration::from_secs(30)).success());
    proxy.delay(0);
    let stored = audit(&place.database, &players, &told);
    assert!(stored >= told.len() + players.len(), "{stored} fights of {} and {}", told.len(), players.len());
}

/// Sockets that are idle, silent or slow, and a database that does not answer, do not keep it from ending in time.
#[test]
fn it_ends_in_time_whatever_others_do() {
    let postgres = PrivatePostgres::start(&[]);
    let proxy = Proxy::start(postgres.socket_directory());
    let place = Place { database: proxy.url(), ..Place::postgres(&postgres) };
    let players = register(&place, 4);
    let mut service =
        Service::start(&place, &free_address(), &["shutdown.grace=2", "shutdown.drain=2", "log.format=json"]);
    let load = Load::start(&players, std::slice::from_ref(&service.url));
    load.await_more(20);
    let told = load.end();
    let whole = request(&players[0], 5);
    let mut sockets = Vec::new();
    for number in 0..40 {
        let mut socket = connect(&service);
        let part = [0, 1, 40, whole.len() - 9][number % 4];
        socket.write_all(&whole[..part]).unwrap();
        sockets.push(socket);
    }
    let mut kept = connect(&service);
    kept.write_all(b"GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n").unwrap();
    kept.read_exact(&mut [0; 12]).unwrap();
    service.terminate();
    while status(&format!("{}/readyz", service.url)) == 200 {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(status(&format!("{}/readyz", service.url)), 503, "red, and still answering while it drains");
    proxy.freeze(true);
    for player in &players {
        let mut socket = connect(&service);
        socket.write_all(&request(player, 6)).unwrap();
        sockets.push(socket);
    }
    // Drain and grace are two seconds each; the rest is for a busy machine.
    service.await_end(Duration::from_secs(10));
    proxy.freeze(false);
    audit(&place.database, &players, &told);
}
