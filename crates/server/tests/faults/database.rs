//! A database that is away, slow, frozen, locked by somebody else.

use std::process::Stdio;
use std::time::Duration;

use ongrid_testkit::PrivatePostgres;

use crate::audit::audit;
use crate::clients::hang_up;
use crate::dose;
use crate::kill::nothing_is_stuck;
use crate::load::{Load, agent, await_ready, free_fight, post, register, status};
use crate::proxy::Proxy;
use crate::service::{Place, Service, free_address};

#[test]
fn postgres_is_stopped_for_a_while() {
    let postgres = PrivatePostgres::start(&[]);
    let place = Place::postgres(&postgres);
    let players = register(&place, 4);
    let service = Service::start(&place, &free_address(), &[]);
    let load = Load::start(&players, std::slice::from_ref(&service.url));
    load.await_more(20);
    postgres.stop("fast");
    let (code, problem) =
        post(&agent(), &format!("{}/v1/fights", service.url), &players[0].token, &free_fight(1));
    assert_eq!((code, &problem["code"]), (503, &"unavailable".into()), "{problem}");
    assert_eq!(status(&format!("{}/healthz", service.url)), 200);
    assert_eq!(status(&format!("{}/readyz", service.url)), 503);
    std::thread::sleep(Duration::from_secs(dose(1, 20).into()));
    postgres.restart();
    await_ready(&service.url);
    load.await_more(20);
    audit(&place.database, &players, &load.end());
    nothing_is_stuck(&postgres);
}

#[test]
fn the_database_is_slow_while_clients_hang_up() {
    let postgres = PrivatePostgres::start(&[]);
    let proxy = Proxy::start(postgres.socket_directory());
    let place = Place { database: proxy.url(), ..Place::postgres(&postgres) };
    let players = register(&place, 8);
    let service = Service::start(&place, &free_address(), &[]);
    let load = Load::start(&players[..4], std::slice::from_ref(&service.url));
    load.await_more(10);
    proxy.delay(10);
    hang_up(&service, &players, dose(60, 500));
    load.await_more(10);
    proxy.delay(0);
    load.await_more(40);
    audit(&place.database, &players, &load.end());
    nothing_is_stuck(&postgres);
}

#[test]
fn the_network_to_the_database_freezes() {
    let postgres = PrivatePostgres::start(&[]);
    let proxy = Proxy::start(postgres.socket_directory());
    let place = Place { database: proxy.url(), ..Place::postgres(&postgres) };
    let players = register(&place, 4);
    let service = Service::start(&place, &free_address(), &[]);
    let load = Load::start(&players, std::slice::from_ref(&service.url));
    load.await_more(20);
    proxy.freeze(true);
    for _ in 0..dose(2, 20) {
        assert_eq!(status(&format!("{}/healthz", service.url)), 200);
        std::thread::sleep(Duration::from_secs(1));
    }
    proxy.freeze(false);
    await_ready(&service.url);
    load.await_more(20);
    audit(&place.database, &players, &load.end());
    nothing_is_stuck(&postgres);
}

/// The connections to the database go nowhere any more, without a word; new ones would do.
#[test]
fn the_network_loses_every_connection() {
    let postgres = PrivatePostgres::start(&[]);
    let proxy = Proxy::start(postgres.socket_directory());
    let place = Place { database: proxy.url(), ..Place::postgres(&postgres) };
    let players = register(&place, 4);
    let settings = ["store.acquire_timeout=1", "store.statement_timeout=2", "http.request_timeout=5"];
    let service = Service::start(&place, &free_address(), &settings);
    let load = Load::start(&players, std::slice::from_ref(&service.url));
    load.await_more(20);
    proxy.abandon();
    load.await_more(20);
    await_ready(&service.url);
    audit(&place.database, &players, &load.end());
}

#[test]
fn somebody_else_holds_a_lock() {
    let postgres = PrivatePostgres::start(&[]);
    let place = Place::postgres(&postgres);
    let players = register(&place, 4);
    let service = Service::start(&place, &free_address(), &[]);
    let load = Load::start(&players, std::slice::from_ref(&service.url));
    load.await_more(20);
    let hold = format!(
        "BEGIN; LOCK TABLE fights, boards, attempts IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep({}); COMMIT",
        dose(2, 15)
    );
    let mut session = postgres.command("psql");
    session.args(["-X", "-q", "-c", &hold]).arg(postgres.url("postgres")).stdout(Stdio::null());
    let mut session = session.spawn().unwrap();
    while session.try_wait().unwrap().is_none() {
        assert_eq!(status(&format!("{}/healthz", service.url)), 200);
        std::thread::sleep(Duration::from_millis(100));
    }
    await_ready(&service.url);
    load.await_more(20);
    audit(&place.database, &players, &load.end());
    nothing_is_stuck(&postgres);
}
