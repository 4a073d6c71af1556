//! Processes that are killed: the service, one of two, Postgres, a primary.

use std::process::Command;
use std::time::{Duration, Instant};

use ongrid_testkit::PrivatePostgres;

use crate::audit::audit;
use crate::dose;
use crate::load::{Load, await_ready, register, status};
use crate::proxy::Proxy;
use crate::service::{Place, Service, free_address};

/// Kills the service under load, again and again, each time at another moment.
fn killed_at_any_moment(place: &Place) {
    let (players, address) = (register(place, 6), free_address());
    let mut service = Service::start(place, &address, &[]);
    let load = Load::start(&players, std::slice::from_ref(&service.url));
    for time in 0..u64::from(dose(4, 24)) {
        load.await_more(5);
        std::thread::sleep(Duration::from_millis(time * 37 % 100));
        service.kill();
        service = Service::start(place, &address, &[]);
    }
    load.await_more(20);
    let told = load.end();
    service.terminate();
    assert!(service.await_end(Duration::from_secs(30)).success());
    audit(&place.database, &players, &told);
}

#[test]
fn killed_at_any_moment_on_sqlite() {
    killed_at_any_moment(&Place::sqlite());
}

#[test]
fn killed_at_any_moment_on_postgres() {
    let postgres = PrivatePostgres::start(&[]);
    killed_at_any_moment(&Place::postgres(&postgres));
    nothing_is_stuck(&postgres);
}

#[test]
fn one_of_two_replicas_is_killed() {
    let postgres = PrivatePostgres::start(&[]);
    let place = Place::postgres(&postgres);
    let players = register(&place, 6);
    let mut one = Service::start(&place, &free_address(), &[]);
    let other = Service::start(&place, &free_address(), &[]);
    let load = Load::start(&players, &[one.url.clone(), other.url.clone()]);
    load.await_more(30);
    one.kill();
    load.await_more(30);
    audit(&place.database, &players, &load.end());
    nothing_is_stuck(&postgres);
}

#[test]
fn postgres_is_killed_and_comes_back() {
    let postgres = PrivatePostgres::start(&[]);
    let place = Place::postgres(&postgres);
    let players = register(&place, 6);
    let service = Service::start(&place, &free_address(), &[]);
    let load = Load::start(&players, std::slice::from_ref(&service.url));
    for _ in 0..dose(1, 5) {
        load.await_more(20);
        postgres.kill();
        assert_eq!(status(&format!("{}/healthz", service.url)), 200);
        assert_eq!(status(&format!("{}/readyz", service.url)), 503);
        postgres.restart();
        await_ready(&service.url);
    }
    load.await_more(20);
    audit(&place.database, &players, &load.end());
    nothing_is_stuck(&postgres);
}

#[test]
fn a_primary_is_lost_and_its_standby_promoted() {
    let primary = PrivatePostgres::start(&[]);
    let standby = primary.synchronous_standby();
    let proxy = Proxy::start(primary.socket_directory());
    let place = Place { database: proxy.url(), ..Place::postgres(&primary) };
    let players = register(&place, 6);
    let service = Service::start(&place, &free_address(), &[]);
    let load = Load::start(&players, std::slice::from_ref(&service.url));
    load.await_more(40);
    primary.kill();
    standby.promote();
    proxy.turn_to(standby.socket_directory());
    await_ready(&service.url);
    load.await_more(40);
    audit(&place.database, &players, &load.end());
    nothing_is_stuck(&standby);
}

#[test]
fn another_goes_on_with_the_log_when_its_leader_is_killed() {
    let postgres = PrivatePostgres::start(&[]);
    let place = Place::postgres(&postgres);
    let (players, often) = (register(&place, 4), ["receipts.append_every=1"]);
    let leader = || postgres.run("postgres", "SELECT holder FROM log_head").trim().to_owned();
    let mut one = Service::start(&place, &free_address(), &often);
    within_a_minute(|| !leader().is_empty());
    let other = Service::start(&place, &free_address(), &often);
    let first = leader();
    let load = Load::start(&players, &[one.url.clone(), other.url.clone()]);
    load.await_more(20);
    assert_eq!(leader(), first, "it leads as long as it lives");
    one.kill();
    load.await_more(20);
    within_a_minute(|| ![first.as_str(), ""].contains(&leader().as_str()));
    let told = load.end();
    let fights = audit(&place.database, &players, &told);
    // What was answered is in the log within the time that is promised.
    let logged = "SELECT count(*) FROM log_leaves l JOIN fights f ON f.id = l.subject";
    within_a_minute(|| postgres.run("postgres", logged).trim() == fights.to_string());
    let mut check = Command::new(env!("CARGO_BIN_EXE_ongrid"));
    check.args(["receipt", "check-log", "--database-url", &place.database, "--data"]);
    let checked = check.arg(place.directory.path()).output().unwrap();
    let said = String::from_utf8(checked.stdout).unwrap();
    assert!(checked.status.success() && said.contains(" leaves, 0 faults"), "{said}");
}

#[track_caller]
fn within_a_minute(mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < end, "a minute has passed");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// No session of the service rests inside a transaction.
#[track_caller]
pub fn nothing_is_stuck(postgres: &PrivatePostgres) {
    let query = "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND xact_start IS NOT NULL \
                 AND backend_type = 'client backend' AND clock_timestamp() - state_change > interval '1 second'";
    assert_eq!(postgres.run("postgres", query).trim(), "0", "a transaction is stuck");
}
