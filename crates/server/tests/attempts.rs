//! Attempts: frozen setups, seeds shown after, one verdict; on both stores.

mod common;

use common::{Answer, TestApp};
use ongrid_store::{Micros, Role};
use serde_json::{Value, json};

const HOUR: i64 = 3_600_000_000;

/// The shortest legal replay of an attempt: the pilot gives up, or flies until the fight is over anyway.
fn conceded(attempt: &Value) -> Value {
    json!({
        "engine": attempt["engine"], "seed": attempt["seed"], "setup": attempt["setup"], "calls": [{"do": "concede"}],
    })
}

fn submit(app: &TestApp, attempt: &Value, token: &str, replay: &Value) -> Answer {
    let path = format!("/v1/attempts/{}/replay", attempt["attempt"].as_str().unwrap());
    app.post(&path, token, replay.to_string().as_bytes())
}

#[test]
fn an_attempt_is_issued_once_and_has_one_verdict() {
    for app in TestApp::both(&[]) {
        let (pilot, token) = app.pilot("Ada");
        let first = app.post("/v1/attempts", &token, b"{}").is(201);
        assert_eq!(
            (&first["kind"], &first["number"], &first["state"]),
            (&json!("ranked"), &json!(1), &json!("open"))
        );
        assert_eq!(app.post("/v1/attempts", &token, b"{\"setup\":{}}").is(200)["attempt"], first["attempt"]);
        let other = json!({"skills": {"gunnery": 2, "motion-prediction": 3, "missiles": 3, "tank": 3, "navigation": 3, "electronics": 3}});
        app.post("/v1/attempts", &token, other.to_string().as_bytes()).is_problem(409, "attempt_open");

        let replay = conceded(&first);
        let mut wrong = replay.clone();
        wrong["seed"] = json!("7");
        assert_eq!(submit(&app, &first, &token, &wrong).is_problem(409, "setup_differs")["path"], "/seed");
        let mut wrong = replay.clone();
        wrong["setup"]["fleet"].as_array_mut().unwrap().pop();
        assert_eq!(submit(&app, &first, &token, &wrong).is_problem(409, "setup_differs")["path"], "/setup");
        let (_, stranger) = app.pilot("Eve");
        submit(&app, &first, &stranger, &replay).is_problem(404, "not_found");

        let verdict = submit(&app, &first, &token, &replay).is(201);
        assert_eq!((&verdict["kind"], &verdict["attempt"]), (&json!("ranked"), &first["attempt"]));
        assert_eq!(verdict["rank"], json!({"rank": 1, "of": 1, "percentile": 100.0}));
        let again = submit(&app, &first, &token, &replay).is(200);
        assert_eq!((&again["fight"], &again["rank"]), (&verdict["fight"], &verdict["rank"]));
        let mut labelled = replay.clone();
        labelled["setup"]["fleet"][0]["name"] = json!("Flagship");
        assert_eq!(submit(&app, &first, &token, &labelled).is(200)["fight"], verdict["fight"]);

        let second = app.post("/v1/attempts", &token, b"{}").is(201);
        assert_eq!((&second["kind"], &second["number"]), (&json!("practice"), &json!(2)));
        assert_ne!(second["seed"], first["seed"], "own dice for every attempt");
        submit(&app, &second, &token, &conceded(&second)).is(201);
        let page = app.get(&format!("/v1/boards/days/{}", first["day"].as_str().unwrap())).is(200);
        assert_eq!(
            (&page["total"], &page["items"][0]["fight"]),
            (&json!(1), &verdict["fight"]),
            "practice never ranks"
        );
        let shown = app.get(&format!("/v1/pilots/{pilot}")).is(200);
        assert_eq!((&shown["days"], &shown["ranks"]["day"]["rank"]), (&json!(1), &json!(1)));
    }
}

#[test]
fn a_free_fight_becomes_the_attempts() {
    for app in TestApp::both(&[]) {
        let (_, token) = app.pilot("Ada");
        let attempt = app.post("/v1/attempts", &token, b"{}").is(201);
        let replay = conceded(&attempt);
        let free = app.post("/v1/fights", &token, replay.to_string().as_bytes()).is(201);
        assert_eq!((&free["kind"], free.get("rank")), (&json!("free"), None));

        let answer = submit(&app, &attempt, &token, &replay);
        assert_eq!(answer.status, 200, "{}: the record was there", app.store());
        let location = format!("/v1/fights/{}", free["fight"].as_str().unwrap());
        assert_eq!(answer.headers["location"], location);
        let verdict = answer.json();
        assert_eq!(
            (&verdict["fight"], &verdict["kind"], &verdict["attempt"]),
            (&free["fight"], &json!("ranked"), &attempt["attempt"])
        );
        assert_eq!(verdict["rank"], json!({"rank": 1, "of": 1, "percentile": 100.0}));
        assert_eq!(verdict["receipt"]["body"]["kind"], "ranked", "{verdict}");
        assert_eq!(app.get(&location).is(200)["kind"], "ranked");
        assert_eq!(submit(&app, &attempt, &token, &replay).is(200)["fight"], free["fight"]);
        let again = app.post("/v1/fights", &token, replay.to_string().as_bytes()).is(200);
        assert_eq!((&again["fight"], &again["kind"]), (&free["fight"], &json!("ranked")));
        let page = app.get(&format!("/v1/boards/days/{}", attempt["day"].as_str().unwrap())).is(200);
        assert_eq!((&page["total"], &page["items"][0]["fight"]), (&json!(1), &free["fight"]));
    }
}

#[test]
fn refused_replays_leave_it_open_ten_times() {
    for app in TestApp::both(&[]) {
        let (_, token) = app.pilot("Ada");
        let attempt = app.post("/v1/attempts", &token, b"{}").is(201);
        let path = format!("/v1/attempts/{}", attempt["attempt"].as_str().unwrap());
        let bad = |number: usize| {
            let mut replay = conceded(&attempt);
            replay["calls"] = json!([{"ship": number + 1_000, "do": "hold"}]);
            replay
        };
        for number in 0..9 {
            for _ in 0..2 {
                submit(&app, &attempt, &token, &bad(number)).is_problem(422, "wrong_ship");
            }
            assert_eq!(app.get_as(&path, &token).is(200)["rejected_left"], 9 - number);
        }
        submit(&app, &attempt, &token, &bad(9)).is_problem(422, "wrong_ship");
        let spent = app.get_as(&path, &token).is(200);
        assert_eq!((&spent["state"], &spent["rejected_left"]), (&json!("spent"), &json!(0)));
        submit(&app, &attempt, &token, &conceded(&attempt)).is_problem(409, "attempt_spent");
        assert_eq!(app.post("/v1/attempts", &token, b"{}").is(201)["kind"], "practice");
    }
}

#[test]
fn time_ends_attempts_and_days() {
    for app in TestApp::both(&[]) {
        let (_, token) = app.pilot("Ada");
        let today = app.get("/v1/days/current").is(200);
        let opens: jiff::Timestamp = today["opens_at"].as_str().unwrap().parse().unwrap();
        let opens = Micros::from(opens).0;
        app.app.clock.set(Micros(opens + HOUR));
        let first = app.post("/v1/attempts", &token, b"{}").is(201);
        app.app.clock.set(Micros(opens + 3 * HOUR + HOUR / 60));
        submit(&app, &first, &token, &conceded(&first)).is_problem(410, "attempt_expired");
        assert_eq!(app.post("/v1/attempts", &token, b"{}").is(201)["kind"], "practice", "expired is spent");

        let (_, token) = app.pilot("Bob");
        app.app.clock.set(Micros(opens + 23 * HOUR + HOUR / 2));
        let late = app.post("/v1/attempts", &token, b"{}").is(201);
        app.app.clock.set(Micros(opens + 24 * HOUR + HOUR / 12));
        let verdict = submit(&app, &late, &token, &conceded(&late)).is(201);
        let fight = verdict["fight"].as_str().unwrap();
        assert_eq!(
            app.get(&format!("/v1/fights/{fight}")).is(200)["day"],
            today["day"],
            "grace counts for the seed's day"
        );
        assert_eq!(app.get(&format!("/v1/fights/{fight}/report")).is(200)["state"], "sealed");
        let (_, token) = app.pilot("Cyd");
        app.app.clock.set(Micros(opens + 23 * HOUR + HOUR / 2));
        let later = app.post("/v1/attempts", &token, b"{}").is(201);
        app.app.clock.set(Micros(opens + 24 * HOUR + HOUR / 6 + HOUR / 60));
        submit(&app, &later, &token, &conceded(&later)).is_problem(410, "day_closed");
        assert_eq!(app.get(&format!("/v1/fights/{fight}/report")).is(200)["state"], "public");
        assert!(app.get("/v1/days/current").is(200)["day"] != today["day"]);
    }
}

#[test]
fn an_open_day_tells_others_nothing() {
    let app = TestApp::sqlite(&[]);
    let (_, token) = app.pilot("Ada");
    let (_, other) = app.pilot("Eve");
    let operator = app.token(Role::Operator);
    let attempt = app.post("/v1/attempts", &token, b"{}").is(201);
    let verdict = submit(&app, &attempt, &token, &conceded(&attempt)).is(201);
    let path = format!("/v1/fights/{}", verdict["fight"].as_str().unwrap());
    for (token, seen) in [("", false), (&other, false), (&token, true), (&operator, true)] {
        let report = app.get_as(&format!("{path}/report"), token).is(200);
        assert_eq!(report["state"], if seen { "public" } else { "sealed" });
        assert_eq!(report.get("snapshot").is_some() && report.get("outcome").is_some(), seen);
        for part in ["replay", "timeline"] {
            let answer = app.get_as(&format!("{path}/{part}"), token);
            if seen { assert_eq!(answer.status, 200) } else { drop(answer.is_problem(403, "sealed")) }
        }
    }
    let day = app.get("/v1/days/current").is(200);
    assert!(day.get("secret").is_none());
    app.get_as(&format!("/v1/attempts/{}", attempt["attempt"].as_str().unwrap()), &other)
        .is_problem(404, "not_found");
}

#[test]
fn setups_are_held_to_the_day_and_the_register() {
    let app = TestApp::sqlite(&[]);
    let (pilot, token) = app.pilot("Ada");
    let backend = app.token(Role::Backend);
    let skills = |level: u32| json!({"gunnery": level, "motion-prediction": 3, "missiles": 3, "tank": 3, "navigation": 3, "electronics": 3});
    let ask = |body: Value| app.post("/v1/attempts", &token, body.to_string().as_bytes());
    assert_eq!(ask(json!({"doctrine": "nonsense"})).is_problem(422, "wrong_doctrine")["path"], "/doctrine");
    let no = ask(json!({"setup": {"skills": skills(4)}})).is_problem(422, "skills_not_registered");
    assert_eq!(no["path"], "/setup/skills/gunnery");
    ask(json!({"fleet": []})).is_problem(422, "fleet_size");
    assert_eq!(ask(json!({"fleet": [{"hull": "rifter"}]})).is_problem(400, "format")["path"], "/fleet/0/fit");
    ask(json!({"captain": 1})).is_problem(400, "format");
    let body = json!({"name": "Ada L.", "skills": {"gunnery": 5}}).to_string();
    assert_eq!(app.send("PUT", &format!("/v1/pilots/{pilot}"), &backend, body.as_bytes()).status, 204);
    let attempt = ask(json!({"setup": {"skills": skills(4)}})).is(201);
    assert_eq!(attempt["setup"]["skills"]["gunnery"], 4);
    let bad = json!({"name": "Ada", "skills": {"gunnery": 6}}).to_string();
    app.send("PUT", &format!("/v1/pilots/{pilot}"), &backend, bad.as_bytes()).is_problem(422, "skill_level");
    app.send("PUT", &format!("/v1/pilots/{pilot}"), &token, body.as_bytes()).is_problem(403, "forbidden");
}

#[test]
fn a_pilots_id_is_any_uuid_but_nil_and_max() {
    for app in TestApp::both(&[]) {
        let backend = app.token(Role::Backend);
        let put = |id: &str, name: &str| {
            app.send(
                "PUT",
                &format!("/v1/pilots/{id}"),
                &backend,
                json!({ "name": name }).to_string().as_bytes(),
            )
        };
        for id in ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"] {
            let no = put(id, "Nobody").is_problem(422, "pilot_id");
            assert!(no["detail"].as_str().unwrap().starts_with(id), "{no}");
            app.get(&format!("/v1/pilots/{id}")).is_problem(404, "not_found");
        }
        for (index, id) in [
            "00000000-0000-0000-0000-000000000001",
            "ffffffff-ffff-ffff-ffff-fffffffffffe",
            "c232ab00-9414-11ec-b3c8-9f68deced846",
            "919108f7-52d1-4320-9bac-f847db4148a8",
            "01932c07-209c-7000-8000-000000000000",
            "320c3d4d-cc00-875b-8ec9-32d5f69181c0",
        ]
        .into_iter()
        .enumerate()
        {
            assert_eq!(put(id, &format!("Pilot {index}")).status, 201, "{id}");
            assert_eq!(app.get(&format!("/v1/pilots/{id}")).is(200)["id"], id);
        }
    }
}

/// The board of a day links to the boards beside it, of days that were drawn: none before the first start's.
#[test]
fn boards_of_days_lead_to_boards_of_days() {
    let app = TestApp::sqlite(&[]);
    let today = app.get("/v1/days/current").is(200)["day"].as_str().unwrap().to_owned();
    let link = |page: &str, rel: &str| {
        let end = page.find(&format!("\" rel=\"{rel}\""))?;
        Some(page[page[..end].rfind("href=\"")? + 6..end].to_owned())
    };
    let (mut path, mut days) = (format!("/boards/days/{today}"), 0);
    loop {
        let page = app.get(&path);
        assert_eq!(page.status, 200, "{path}");
        assert_eq!(link(&page.text, "prev").is_some(), days > 0, "{path}");
        match link(&page.text, "next") {
            Some(next) => (path, days) = (next, days + 1),
            None => break,
        }
    }
    assert_eq!(days, 7, "a week is drawn ahead");
    let no = app.get(&format!("/v1/boards/days/{today}?limit=many")).is_problem(400, "format");
    assert_eq!(no["detail"], "in the query: limit: invalid digit found in string");
}
