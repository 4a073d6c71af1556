//! Receipts, the log and re-verification, and what those do who would cheat them: each attack is found and named.

mod common;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use common::{GOLDEN, TestApp, golden};
use ongrid::app::{App, BUILD};
use ongrid::clock::Clock;
use ongrid::receipts::{KeyRing, PublishedKey, Receipt};
use ongrid::reverify::Worker;
use ongrid::routes::proof::{ConsistencyBody, ProofBody};
use ongrid::{cli, config, engines, merkle, receipts, translog};
use ongrid_engine::{Chain, Referee, Registry};
use ongrid_engine_ongrid::OnGrid;
use ongrid_store::{Day, Finding, Micros, Role, Scope};
use serde_json::{Value, json};
use uuid::Uuid;

const RULES: &str = include_str!("../../engine-ongrid/ruleset/rules.toml");

/// Has the sequencer append what is there.
fn append(app: &TestApp) -> usize {
    let (inner, now) = (app.app.clone(), app.app.clock.now());
    app.runtime
        .block_on(translog::append(
            &inner.store,
            &inner.receipts,
            Uuid::nil(),
            (now, now),
            inner.calendar.day_of(now),
        ))
        .unwrap()
}

fn check_log(app: &TestApp) -> Vec<String> {
    app.runtime.block_on(translog::check(&app.app.store, &app.app.receipts)).unwrap().1
}

fn submit(app: &TestApp, token: &str, index: usize) -> Value {
    app.post("/v1/fights", token, golden(index).as_bytes()).is(201)
}

fn published(app: &TestApp) -> KeyRing {
    let keys: Vec<PublishedKey> =
        serde_json::from_value(app.get("/.well-known/ongrid-keys.json").is(200)).unwrap();
    KeyRing::published(keys).unwrap()
}

fn receipt(verdict: &Value) -> Receipt {
    serde_json::from_value(verdict["receipt"].clone()).unwrap()
}

fn proof(app: &TestApp, verdict: &Value) -> ProofBody {
    let path = format!("/v1/fights/{}/proof", verdict["fight"].as_str().unwrap());
    serde_json::from_value(app.get(&path).is(200)).unwrap()
}

/// Runs a statement behind the service's back.
fn edit(app: &TestApp, statement: &'static str) {
    let path = app.app.config.data.join("ongrid.db");
    app.runtime.block_on(async {
        let pool = sqlx::SqlitePool::connect(&format!("sqlite://{}", path.display())).await.unwrap();
        let touched = sqlx::query(statement).execute(&pool).await.unwrap().rows_affected();
        assert_eq!(touched, 1, "{statement}");
        pool.close().await;
    });
}

fn reverify(app: &TestApp, registry: &Registry) -> (i64, Vec<Finding>) {
    reverify_with(app, registry, false)
}

/// Whether the texts as they were received are held against the replays is the caller's choice.
fn reverify_with(app: &TestApp, registry: &Registry, received: bool) -> (i64, Vec<Finding>) {
    let store = &app.app.store;
    app.runtime.block_on(async {
        let scope = Scope::Days(Day(0), Day(i32::MAX));
        let run = store.begin_reverify(BUILD, "1", scope, Micros::now()).await.unwrap();
        let (lease, stop) = (Duration::from_secs(60), AtomicBool::new(false));
        let worker = Worker { store, registry, run, sample: 1, received, lease, stop: &stop, tick: &|_| {} };
        worker.work().await.unwrap();
        let progress = store.reverify_progress(run).await.unwrap();
        assert_eq!(progress.parts_left, 0);
        (progress.same, store.findings(run, 1_000).await.unwrap())
    })
}

#[test]
fn every_stored_verdict_has_a_receipt_that_anybody_can_check() {
    for app in TestApp::both(&[]) {
        let (pilot, token) = app.pilot("Ada");
        let stored = submit(&app, &token, 0);
        let signed = receipt(&stored);
        assert_eq!(
            (signed.body.fight.to_string(), signed.body.pilot),
            (stored["fight"].as_str().unwrap().to_owned(), pilot)
        );
        for key in ["engine", "ruleset", "build", "replay_digest", "outcome_digest", "kind"] {
            assert_eq!(json!(signed.body)[key], stored[key]);
        }
        published(&app).check(&signed).unwrap();
        let again = app.post("/v1/fights", &token, golden(0).as_bytes()).is(200);
        assert_eq!(receipt(&again), signed, "the same receipt for a repeat");
        assert!(app.post("/v1/verify", "", golden(0).as_bytes()).is(200).get("receipt").is_none());

        let path = format!("/v1/fights/{}/proof", stored["fight"].as_str().unwrap());
        app.get(&path).is_problem(503, "not_logged");
        assert_eq!(append(&app), 1);
        assert_eq!(append(&app), 0, "nothing twice");
        let found = proof(&app, &stored);
        found.check(&published(&app), &signed).unwrap();
        assert_eq!(found.receipt.as_ref(), Some(&signed));
        app.get("/v1/fights/00000000-0000-7000-8000-000000000000/proof").is_problem(404, "not_found");
    }
}

#[test]
fn receipts_and_proofs_that_were_cut_swapped_replayed_or_forged() {
    let app = TestApp::sqlite(&[]);
    let (_, token) = app.pilot("Ada");
    let stored: Vec<Value> = (0..9).map(|index| submit(&app, &token, index)).collect();
    append(&app);
    let keys = published(&app);
    let (one, other) = (receipt(&stored[2]), receipt(&stored[5]));
    let sound = || proof(&app, &stored[2]);
    sound().check(&keys, &one).unwrap();
    let refused = |proof: ProofBody, receipt: &Receipt| proof.check(&keys, receipt).unwrap_err().to_string();
    assert!(refused(sound(), &other).contains("of another"), "replayed for another receipt");
    assert!(refused(proof(&app, &stored[5]), &one).contains("of another"), "swapped");
    assert!(refused(ProofBody { hashes: sound().hashes[1..].to_vec(), ..sound() }, &one).contains("cut"));
    assert!(refused(ProofBody { index: sound().index ^ 1, ..sound() }, &one).contains("does not lead"));
    assert!(refused(ProofBody { size: 8, ..sound() }, &one).contains("its checkpoint signed 9"));
    let mut forged = one.clone();
    forged.body.outcome_digest = other.body.outcome_digest.clone();
    assert!(refused(sound(), &forged).contains("changed or forged"));
    let mut forged = sound();
    forged.checkpoint = forged.checkpoint.replacen("\n9\n", "\n10\n", 1);
    assert!(refused(forged, &one).contains("changed or forged"));
    // A whole service of the forger's own, with its own keys.
    let forger = TestApp::sqlite(&[]);
    let (_, token) = forger.pilot("Ada");
    let forged = submit(&forger, &token, 2);
    append(&forger);
    assert!(refused(proof(&forger, &forged), &receipt(&forged)).contains("not among the keys"));
    assert!(refused(proof(&forger, &forged), &one).contains("changed or forged"));
}

#[test]
fn the_log_only_grows_and_moderation_is_an_entry() {
    for app in TestApp::both(&[]) {
        let (_, token) = app.pilot("Ada");
        let operator = app.token(Role::Operator);
        let first = submit(&app, &token, 0);
        append(&app);
        let today = app.app.calendar.day_of(app.app.clock.now());
        let early = app.get(&format!("/v1/log/checkpoint?day={today}")).text;
        let void = format!("/v1/fights/{}/void", first["fight"].as_str().unwrap());
        assert_eq!(app.post(&void, &operator, b"{\"reason\":\"why\"}").status, 204);
        assert_eq!(append(&app), 1, "an entry for the act");
        proof(&app, &first).check(&published(&app), &receipt(&first)).unwrap();
        app.app.clock.set(Micros(app.app.clock.now().0 + 24 * 3_600_000_000));
        for index in 1..20 {
            submit(&app, &token, index);
        }
        assert_eq!(append(&app), 19);
        let path = format!("/v1/log/consistency?from={today}&to={}", today.plus(1));
        let found: ConsistencyBody = serde_json::from_value(app.get(&path).is(200)).unwrap();
        let keys = published(&app);
        let ((old, old_root), (new, new_root)) =
            (keys.check_note(&found.from).unwrap(), keys.check_note(&found.to).unwrap());
        assert_eq!((old, new), (2, 21));
        let hashes: Vec<_> = found.hashes.iter().map(|hash| receipts::unhex(hash).unwrap()).collect();
        assert!(merkle::proves_consistency(old, new, &old_root, &new_root, &hashes));
        // Whoever kept the checkpoint of one leaf sees it continued as well.
        assert_eq!(keys.check_note(&early).unwrap().0, 1);
        let leaves = app.get("/v1/log/leaves?from=20").is(200);
        assert_eq!(leaves["items"].as_array().unwrap().len(), 1);
        app.get(&format!("/v1/log/consistency?from={}&to={today}", today.plus(1))).is_problem(400, "format");
        app.get("/v1/log/checkpoint?day=nonsense").is_problem(400, "format");
        assert_eq!(check_log(&app), Vec::<String>::new());
    }
}

#[test]
fn a_changed_leaf_and_an_edited_row_are_named() {
    let app = TestApp::sqlite(&[]);
    let (_, token) = app.pilot("Ada");
    let stored: Vec<Value> = (0..5).map(|index| submit(&app, &token, index)).collect();
    append(&app);
    assert_eq!(check_log(&app), Vec::<String>::new());
    let registry = engines::registry().unwrap();
    assert_eq!(reverify(&app, &registry), (5, vec![]));

    edit(
        &app,
        "UPDATE fights SET score = score + 1 WHERE id = (SELECT subject FROM log_leaves WHERE position = 1)",
    );
    edit(
        &app,
        "UPDATE fights SET outcome_digest = zeroblob(32) WHERE id = (SELECT subject FROM log_leaves WHERE position = 2)",
    );
    edit(
        &app,
        "UPDATE fights SET archive = substr(archive, 1, length(archive) - 9) WHERE id = (SELECT subject FROM log_leaves WHERE position = 3)",
    );
    edit(
        &app,
        "UPDATE fights SET rng_words = 7 WHERE id = (SELECT subject FROM log_leaves WHERE position = 4)",
    );
    let (same, found) = reverify(&app, &registry);
    let mut fields: Vec<&str> = found.iter().map(|it| it.field.as_str()).collect();
    fields.sort_unstable();
    assert_eq!((same, fields), (1, vec!["/archive", "/outcome", "/rng_words", "/standing/score"]));
    assert!(found.iter().all(|it| stored.iter().any(|stored| stored["fight"] == json!(it.fight))));
    let faults = check_log(&app);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].contains("leaf 2: the record of fight"), "{faults:?}");

    edit(&app, "UPDATE log_leaves SET leaf = zeroblob(32) WHERE position = 0");
    let faults = check_log(&app).join("\n");
    for said in ["a leaf between 0 and 5 is not the one", "leaf 0: the record of fight", "tile 0 of level 0"]
    {
        assert!(faults.contains(said), "{faults}");
    }
    // A tile that is not what was signed stops the sequencer.
    edit(&app, "UPDATE log_tiles SET hashes = zeroblob(160)");
    submit(&app, &token, 6);
    let (inner, now) = (app.app.clone(), app.app.clock.now());
    let refused =
        translog::append(&inner.store, &inner.receipts, Uuid::nil(), (now, now), inner.calendar.day_of(now));
    assert!(app.runtime.block_on(refused).unwrap_err().to_string().contains("nothing is appended"));
}

#[test]
fn figures_that_cannot_be_are_findings_and_hide_no_others() {
    let app = TestApp::sqlite(&[]);
    let (_, token) = app.pilot("Ada");
    for index in 0..5 {
        submit(&app, &token, index * 8);
    }
    let nth = |number: u32| format!("WHERE id = (SELECT id FROM fights ORDER BY id LIMIT 1 OFFSET {number})");
    edit(&app, format!("UPDATE fights SET rounds = -1 {}", nth(0)).leak());
    edit(&app, format!("UPDATE fights SET outcome_digest = x'00' {}", nth(1)).leak());
    edit(&app, format!("UPDATE fights SET calls = 4294967296 {}", nth(2)).leak());
    edit(&app, format!("UPDATE fights SET ruleset = x'' {}", nth(3)).leak());
    let (same, found) = reverify(&app, &engines::registry().unwrap());
    let mut fields: Vec<&str> = found.iter().map(|it| it.field.as_str()).collect();
    fields.sort_unstable();
    assert_eq!((same, fields), (1, vec!["/calls", "/outcome", "/ruleset", "/standing/rounds"]));
}

#[test]
fn a_received_text_of_another_replay_is_found() {
    let app = TestApp::sqlite(&[]);
    let (_, token) = app.pilot("Ada");
    for index in 0..4 {
        submit(&app, &token, index * 8);
    }
    let registry = engines::registry().unwrap();
    assert_eq!(reverify_with(&app, &registry, true), (4, vec![]));
    let nth = |number: u32| format!("(SELECT id FROM fights ORDER BY id LIMIT 1 OFFSET {number})");
    // A block of no text, and one of eight bytes that is damaged.
    edit(&app, format!("UPDATE fights SET received = x'0000000000' WHERE id = {}", nth(1)).leak());
    edit(&app, format!("UPDATE fights SET received = x'08000000ffff' WHERE id = {}", nth(2)).leak());
    assert_eq!(reverify(&app, &registry), (4, vec![]));
    let (same, found) = reverify_with(&app, &registry, true);
    let fields: Vec<&str> = found.iter().map(|it| it.field.as_str()).collect();
    assert_eq!((same, fields), (2, vec!["/received", "/received"]));
    assert!(found[0].detail.contains("not that of the replay"), "{found:?}");
    assert!(found[1].detail.contains("does not unpack"), "{found:?}");
}

#[test]
fn an_engine_with_one_figure_altered_is_found() {
    let app = TestApp::sqlite(&[]);
    let (_, token) = app.pilot("Ada");
    let count = 40;
    for index in 0..count {
        submit(&app, &token, index * 8);
    }
    for (figure, altered) in [
        ("max_hit = 0.95 ", "max_hit = 0.9 "),
        ("wrecking = 3.0 ", "wrecking = 3.0000001 "),
        ("shed_per_round = 15 ", "shed_per_round = 14 "),
        ("overtime_from = 18 ", "overtime_from = 3 "),
    ] {
        let rules: &'static str = RULES.replacen(figure, altered, 1).leak();
        assert_ne!(rules, RULES);
        let registry = Registry::new(vec![Box::new(OnGrid::altered(rules).unwrap())]);
        let (same, found) = reverify(&app, &registry);
        assert_eq!(same + found.len() as i64, count as i64, "{figure}");
        assert!(!found.is_empty(), "{figure}");
        assert!(found.iter().any(|it| it.call.is_some()), "{figure}");
        for it in found {
            assert_eq!(it.verdict, "different");
            // A sum of the outcome that is no part of the state is named by its field alone.
            let placed = it.call.is_some() || it.field.starts_with("/outcome/ships/");
            assert!(placed && it.field.starts_with('/'), "{figure}: {it:?}");
        }
    }
    // A build without the engine says so and judges nothing by another.
    let (same, found) = reverify(&app, &Registry::default());
    assert_eq!((same, found.len()), (0, count));
    assert!(found.iter().all(|it| it.verdict == "unreadable" && it.field == "/engine"));
}

#[test]
fn a_replica_with_other_keys_neither_starts_nor_appends() {
    let app = TestApp::sqlite(&[]);
    let (_, token) = app.pilot("Ada");
    submit(&app, &token, 0);
    append(&app);
    let elsewhere = tempfile::tempdir().unwrap();
    let start = |keys: &str| {
        let mut config = app.app.config.clone();
        config.receipts.keys = keys.to_owned();
        app.runtime.block_on(async {
            let store = cli::serve::open_store(&config).await.unwrap();
            App::new(config, store, Clock::default()).await.map(drop)
        })
    };
    start("").unwrap();
    let other = elsewhere.path().join("keys.json");
    let refused = format!("{:#}", start(other.to_str().unwrap()).unwrap_err());
    assert!(refused.contains("keys.json did not sign the log"), "{refused}");
    // One that was started before there was a log.
    let settings = config::Receipts { keys: other.display().to_string(), ..app.app.config.receipts.clone() };
    let (now, ring) = (app.app.clock.now(), KeyRing::load(&settings, elsewhere.path(), Micros(0)).unwrap());
    submit(&app, &token, 1);
    let day = app.app.calendar.day_of(now);
    let appended = translog::append(&app.app.store, &ring, Uuid::nil(), (now, now), day);
    let refused = format!("{:#}", app.runtime.block_on(appended).unwrap_err());
    assert!(refused.contains("other keys signed the log"), "{refused}");
    assert_eq!(append(&app), 1);
}

#[test]
fn a_desync_is_placed_with_the_state_on_both_sides() {
    let app = TestApp::sqlite(&[]);
    let engine = OnGrid::new().unwrap();
    for index in [0, 7, 20] {
        let mut replay: Value = serde_json::from_str(&golden(index)).unwrap();
        let honest = engine.trace(golden(index).as_bytes(), &[]).unwrap();
        let at = honest.links.len() / 2;
        let links =
            honest.links.iter().enumerate().map(|(call, link)| Chain::hex(link ^ u64::from(call >= at)));
        replay["checkpoints"] = links.collect();
        let verdict = app.post("/v1/verify", "", replay.to_string().as_bytes()).is(200);
        let desync = &verdict["desync"];
        assert_eq!(desync["call"], at);
        let call = &replay["calls"][at];
        if call["do"] != "concede" {
            assert_eq!(desync["ship"], call["ship"], "{desync}");
        }
        assert_eq!(desync["round"], desync["before"]["round"]);
        assert_ne!(desync["before"], desync["after"]);
        let ships = desync["before"]["ships"].as_array().unwrap();
        assert!(ships.iter().all(|ship| ship["capacitor"].is_number() && ship["hull"].is_string()));

        // The client's own dump of that state, one figure off, is compared field by field.
        let mut state = desync["after"].clone();
        state["ships"][0]["heat"] = json!(77);
        let dump = json!({"call": at, "state": state}).to_string();
        let said = cli::diff::compare(golden(index).as_bytes(), dump.as_bytes()).unwrap();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains(&format!("state after call {at} /ships/0/heat")), "{said:?}");
    }
}

#[test]
fn two_replays_are_compared_call_by_call() {
    let case: Value = serde_json::from_str(GOLDEN.lines().nth(3).unwrap()).unwrap();
    let a = &case["replay"];
    assert!(cli::diff::compare(a.to_string().as_bytes(), a.to_string().as_bytes()).unwrap().is_empty());
    let mut b = a.clone();
    let calls = b["calls"].as_array_mut().unwrap();
    let at = calls.len() / 2;
    let ship = calls[at]["ship"].clone();
    calls[at] = json!({"do": "hold", "ship": ship, "stance": "evasive"});
    let said = cli::diff::compare(a.to_string().as_bytes(), b.to_string().as_bytes()).unwrap();
    assert!(said.iter().any(|line| line.starts_with(&format!("replay /calls/{at}/"))), "{said:?}");
    assert!(said.contains(&format!("the states part at call {at}")), "{said:?}");
}
