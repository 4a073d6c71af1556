//! Fights long after: their engine retired, their day archived. What is stored answers, what is gone says so.

mod common;

use common::{TestApp, golden};
use ongrid::translog;
use ongrid_engine::Registry;
use ongrid_engine_ongrid::OnGrid;
use ongrid_store::{Micros, Order};
use ongrid_testkit::Postgres;
use serde_json::{Value, json};
use uuid::Uuid;

const MINDS: &str = include_str!("../../engine-minds/tests/cases/golden.jsonl");

fn id(verdict: &Value) -> &str {
    verdict["fight"].as_str().unwrap()
}

/// A registry without the engine that judged.
fn without_minds() -> Registry {
    Registry::new(vec![Box::new(OnGrid::new().unwrap())])
}

#[test]
fn a_retired_engines_fights_stay_readable() {
    let database = Postgres::database();
    let before = TestApp::retired(ongrid::engines::registry().unwrap(), &database.url());
    let (pilot, token) = before.pilot("Ada");
    let case: Value = serde_json::from_str(MINDS.lines().next().unwrap()).unwrap();
    let replay = case["replay"].to_string();
    let stored = before.post("/v1/fights", &token, replay.as_bytes()).is(201);
    let kept = before.post("/v1/fights", &token, golden(0).as_bytes()).is(201);
    let fight = id(&stored);
    let timeline = format!("/v1/fights/{fight}/timeline");
    before.get(&timeline).is(200);
    let paths = |fight: &str| ["", "/report", "/replay"].map(|part| format!("/v1/fights/{fight}{part}"));
    let known = paths(fight).map(|path| before.get(&path).is(200));
    let history = before.get(&format!("/v1/pilots/{pilot}/fights")).is(200);
    let board = database.run("SELECT name FROM boards WHERE kind = 'scenario' ORDER BY name");
    let board = board.trim();
    assert!(board.starts_with("mind-combat-1/"), "{board}");

    let after = TestApp::retired(without_minds(), &database.url());
    let told = paths(fight).map(|path| after.get(&path).is(200));
    assert_eq!((&told[0], &told[2]), (&known[0], &known[2]));
    for field in ["outcome", "snapshot", "standing", "engine"] {
        assert_eq!(told[1][field], known[1][field], "{field}");
    }
    assert!(known[1]["summary"].is_object() && told[1]["summary"].is_null(), "a summary is made by running");
    after.get(&timeline).is_problem(410, "engine_retired");
    let page = after.get(&format!("/fights/{fight}"));
    assert_eq!(page.status, 200, "{}", page.text);
    assert!(page.text.contains("mind-combat") && page.text.contains("Ada"));
    assert_eq!(after.get(&format!("/v1/pilots/{pilot}/fights")).is(200), history);
    assert_eq!(
        after.get(&format!("/v1/fights/{fight}")).is(200)["links"]["board"],
        format!("/v1/boards/scenarios/{board}")
    );
    assert_eq!(after.get(&format!("/v1/boards/scenarios/{board}")).is(200)["items"][0]["fight"], fight);
    let never = board.replace("mind-combat-1", "mind-combat-0");
    after.get(&format!("/v1/boards/scenarios/{never}")).is_problem(404, "not_found");
    // Nothing is judged by another engine in its place, and what stays, runs.
    let known =
        after.post("/v1/fights", &token, replay.as_bytes()).is_problem(409, "engine")["known"].clone();
    assert_eq!(known, json!(["ongrid-8"]));
    after.post("/v1/verify", "", replay.as_bytes()).is_problem(409, "engine");
    after.get(&format!("/v1/fights/{}/timeline", id(&kept))).is(200);
    let again = after.post("/v1/fights", &token, golden(0).as_bytes()).is(200);
    assert_eq!(again["fight"], kept["fight"]);
}

#[test]
fn an_archived_days_fights_say_so() {
    let app = TestApp::postgres(&[]);
    let (_, token) = app.pilot("Ada");
    let stored = app.post("/v1/fights", &token, golden(0).as_bytes()).is(201);
    let (inner, now) = (app.app.clone(), app.app.clock.now());
    let today = inner.calendar.day_of(now);
    let append = translog::append(&inner.store, &inner.receipts, Uuid::nil(), (now, now), today);
    assert_eq!(app.runtime.block_on(append).unwrap(), 1);
    let proof = format!("/v1/fights/{}/proof", id(&stored));
    assert!(app.get(&proof).is(200)["receipt"].is_object());
    let later = Micros(now.0 + 3 * 86_400_000_000);
    let order = Order { actor: None, reason: "room".into(), at: later };
    app.runtime.block_on(inner.store.archive_day(today, order)).unwrap();
    app.app.clock.set(later);

    for part in ["", "/report", "/replay", "/timeline"] {
        let path = format!("/v1/fights/{}{part}", id(&stored));
        app.get(&path).is_problem(410, "archived");
        // An id of that time that never was a fight's is not archived.
        let other = Uuid::from_u128(id(&stored).parse::<Uuid>().unwrap().as_u128() ^ 1);
        app.get(&format!("/v1/fights/{other}{part}")).is_problem(404, "not_found");
    }
    for page in ["/fights/{}", "/fights/{}/preview.png", "/fights/{}/rounds/1", "/fitting?fight={}"] {
        let answer = app.get(&page.replace("{}", id(&stored)));
        assert_eq!(answer.status, 410, "{page}");
        assert!(answer.text.contains("archived"), "{page}: {}", answer.text);
    }
    let kept = app.get(&proof).is(200);
    assert!(kept["receipt"].is_null() && kept["index"] == 0, "its leaf outlives it");
}
