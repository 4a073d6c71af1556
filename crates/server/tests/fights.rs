//! Replays in, verdicts out, over HTTP and on both stores.

mod common;

use common::{GOLDEN, TestApp, golden};
use serde_json::{Value, json};

#[test]
fn the_same_replay_has_the_same_verdict_everywhere() {
    let apps = TestApp::both(&[]);
    let tokens = apps.each_ref().map(|app| app.pilot("Zoë").1);
    for line in GOLDEN.lines().step_by(23) {
        let case: Value = serde_json::from_str(line).unwrap();
        let replay = case["replay"].to_string();
        let mut verdicts = Vec::new();
        for (app, token) in apps.iter().zip(&tokens) {
            let checked = app.post("/v1/verify", "", replay.as_bytes()).is(200);
            let stored = app.post("/v1/fights", token, replay.as_bytes()).is(201);
            for key in
                ["engine", "ruleset", "replay_digest", "outcome_digest", "outcome", "snapshot", "standing"]
            {
                assert_eq!(checked[key], stored[key], "{key} on {}", app.store());
            }
            let fight = stored["fight"].as_str().unwrap();
            let report = app.get(&format!("/v1/fights/{fight}/report")).is(200);
            assert_eq!(report["outcome"], stored["outcome"]);
            assert_eq!(report["snapshot"], stored["snapshot"]);
            assert_eq!(app.get(&format!("/v1/fights/{fight}/replay")).text, replay, "byte for byte");
            let timeline = app.get(&format!("/v1/fights/{fight}/timeline")).is(200);
            let last = timeline["items"].as_array().unwrap().last().unwrap();
            assert_eq!((&last["event"], &last["result"]), (&json!("ended"), &stored["outcome"]["result"]));
            verdicts.push(checked);
        }
        assert_eq!(verdicts[0], verdicts[1]);
        // Numbers that are written with or without a fraction are equal as numbers, not as JSON values.
        assert_eq!(verdicts[0]["outcome"]["checkpoint"], case["outcome"]["checkpoint"]);
        assert_eq!(verdicts[0]["outcome"]["score"], case["outcome"]["score"]);
    }
}

#[test]
fn a_replay_is_stored_once_however_often_it_comes() {
    for app in TestApp::both(&[]) {
        let (_, token) = app.pilot("Ada");
        let replay = golden(3);
        let answers: Vec<_> = std::thread::scope(|scope| {
            let posts: Vec<_> =
                (0..50).map(|_| scope.spawn(|| app.post("/v1/fights", &token, replay.as_bytes()))).collect();
            posts.into_iter().map(|post| post.join().unwrap()).collect()
        });
        let new = answers.iter().filter(|answer| answer.status == 201).count();
        assert_eq!(new, 1, "on {}", app.store());
        let ids: Vec<Value> = answers
            .into_iter()
            .map(|answer| {
                assert!(answer.status < 300, "{answer:?}");
                answer.json()["fight"].clone()
            })
            .collect();
        assert!(ids.iter().all(|id| *id == ids[0]));
        // Labels and checkpoints are not part of what was fought.
        let mut labelled: Value = serde_json::from_str(&replay).unwrap();
        labelled["setup"]["fleet"][0]["name"] = json!("Flagship");
        labelled.as_object_mut().unwrap().remove("checkpoints");
        let again = app.post("/v1/fights", &token, labelled.to_string().as_bytes()).is(200);
        assert_eq!(again["fight"], ids[0]);
        // Another pilot's is another record.
        let (_, other) = app.pilot("Bob");
        assert_ne!(app.post("/v1/fights", &other, replay.as_bytes()).is(201)["fight"], ids[0]);
    }
}

#[test]
fn every_no_names_its_place_and_stores_nothing() {
    let app = TestApp::sqlite(&[]);
    let (_, token) = app.pilot("Eve");
    let sound: Value = serde_json::from_str(&golden(0)).unwrap();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut replay = sound.clone();
        change(&mut replay);
        replay.to_string()
    };
    let post = |body: &str| app.post("/v1/fights", &token, body.as_bytes());

    let no = post(&with(&|replay| replay["engine"] = json!("ongrid-7"))).is_problem(409, "engine");
    assert!(no["detail"].as_str().unwrap().contains("ongrid-7"));
    assert!(no["known"].as_array().unwrap().contains(&json!("ongrid-8")));
    for tag in [json!(null), json!(8), json!(["ongrid-8"])] {
        post(&with(&|replay| replay["engine"] = tag.clone())).is_problem(400, "format");
    }
    for tag in ["", "ongrid-08", "ongrid-80", "ONGRID-8", " ongrid-8", "ongrid-8\u{200b}"] {
        post(&with(&|replay| replay["engine"] = json!(tag))).is_problem(409, "engine");
    }
    let no = post(&with(&|replay| replay["ruleset"] = json!("00"))).is_problem(409, "ruleset");
    assert!(no["detail"].as_str().unwrap().contains(no["known"][0].as_str().unwrap()));
    for seed in [
        json!(""),
        json!("abc"),
        json!("-1"),
        json!("007"),
        json!("1e3"),
        json!("0x10"),
        json!("18446744073709551616"),
        json!(5),
        json!(null),
    ] {
        assert_eq!(
            post(&with(&|replay| replay["seed"] = seed.clone())).is_problem(400, "format")["path"],
            "/seed"
        );
    }
    let no = post(&with(&|replay| replay["calls"][2]["overheat"] = json!(1))).is_problem(400, "format");
    assert_eq!(no["path"], "/calls/2/overheat");
    let no = post(&with(&|replay| replay["calls"][1]["ship"] = json!(4_000_000_000_u32)))
        .is_problem(422, "wrong_ship");
    assert_eq!((&no["call"], &no["at"]["round"]), (&json!(1), &json!(1)));
    let no = post(&with(&|replay| drop(replay["calls"].as_array_mut().unwrap().pop())))
        .is_problem(422, "unfinished");
    assert_eq!(no["call"], sound["calls"].as_array().unwrap().len() - 1);
    let no = post(&with(&|replay| replay["calls"].as_array_mut().unwrap().push(json!({"do": "concede"}))))
        .is_problem(422, "trailing_calls");
    assert_eq!(no["call"], sound["calls"].as_array().unwrap().len());
    let no = post(&with(&|replay| replay["calls"] = json!(vec![json!({"do": "concede"}); 60_000]))).is(413);
    assert_eq!(no["code"], "too_large");
    let no = post(&with(&|replay| replay["calls"] = json!(vec![json!({"do": "concede"}); 513])))
        .is_problem(422, "too_many_calls");
    assert_eq!(no["call"], 512);
    for text in [
        "",
        "{",
        "[]",
        "null",
        "{}{}",
        "\u{feff}{}",
        "{\"engine\":\"ongrid-8\",\"engine\":\"ongrid-8\"}",
        &"[".repeat(200_000),
        "{\"a\":NaN}",
        "{\"a\":1e400}",
    ] {
        post(text).is_problem(400, "format");
    }
    app.post("/v1/fights", &token, &[b'"', 0xff, b'"']).is_problem(400, "format");
    post(&golden(0)).is(201);
}

#[test]
fn who_asks_matters() {
    let app = TestApp::sqlite(&[]);
    let replay = golden(0);
    app.post("/v1/fights", "", replay.as_bytes()).is_problem(401, "unauthorized");
    app.post("/v1/fights", "nonsense", replay.as_bytes()).is_problem(401, "unauthorized");
    app.post("/v1/fights", &format!("ongrid_{}", "0".repeat(64)), replay.as_bytes())
        .is_problem(401, "unauthorized");
    let operator = app.token(ongrid_store::Role::Operator);
    app.post("/v1/fights", &operator, replay.as_bytes()).is_problem(403, "forbidden");
    app.get("/v1/fights/00000000-0000-7000-8000-000000000000").is_problem(404, "not_found");
    app.get("/v1/fights/nonsense").is_problem(404, "not_found");
}
