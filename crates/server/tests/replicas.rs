//! Two replicas of the service on one Postgres: whatever is asked of either, there is one truth.

mod common;

use std::collections::BTreeSet;

use common::{Answer, TestApp, golden};
use serde_json::{Value, json};

/// Asks both replicas at once, `times` each.
fn at_once(pair: &[TestApp; 2], times: usize, ask: impl Fn(&TestApp) -> Answer + Sync) -> Vec<Answer> {
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..times).flat_map(|_| pair).map(|app| scope.spawn(|| ask(app))).collect();
        asked.into_iter().map(|answer| answer.join().unwrap()).collect()
    })
}

fn statuses(answers: &[Answer], status: u16) -> usize {
    answers.iter().filter(|answer| answer.status == status).count()
}

fn distinct(answers: &[Answer], key: &str) -> BTreeSet<String> {
    answers.iter().map(|answer| answer.json()[key].to_string()).collect()
}

#[test]
fn fifty_identical_posts_at_once_are_one_fight() {
    let (pair, database) = TestApp::replicas(&[]);
    let (_, token) = pair[0].pilot("Ada");
    let replay = golden(0);
    let answers = at_once(&pair, 25, |app| app.post("/v1/fights", &token, replay.as_bytes()));
    assert_eq!((statuses(&answers, 201), statuses(&answers, 200)), (1, 49));
    assert_eq!(distinct(&answers, "fight").len(), 1);
    assert_eq!(database.run("SELECT count(*) FROM fights").trim(), "1");
}

#[test]
fn an_attempt_is_one_whichever_replica_is_asked() {
    let (pair, database) = TestApp::replicas(&[]);
    for name in ["Ada", "Bob", "Cyd", "Dan"] {
        let (_, token) = pair[0].pilot(name);
        let answers = at_once(&pair, 6, |app| app.post("/v1/attempts", &token, b"{}"));
        assert_eq!((statuses(&answers, 201), statuses(&answers, 200)), (1, 11), "{answers:?}");
        for same in ["attempt", "seed", "setup_digest"] {
            assert_eq!(distinct(&answers, same).len(), 1, "{same}");
        }
        let attempt = answers[0].json();
        let replay = conceded(&attempt);
        let path = format!("/v1/attempts/{}/replay", attempt["attempt"].as_str().unwrap());
        let answers = at_once(&pair, 25, |app| app.post(&path, &token, replay.as_bytes()));
        assert_eq!((statuses(&answers, 201), statuses(&answers, 200)), (1, 49));
        assert_eq!(distinct(&answers, "fight").len(), 1);
    }
    assert_eq!(database.run("SELECT count(*) FROM attempts").trim(), "4");
    assert_eq!(database.run("SELECT count(*) FROM fights").trim(), "4");
}

#[test]
fn ranks_are_the_same_on_both() {
    let (pair, _database) = TestApp::replicas(&[]);
    let pilots: Vec<_> = (0..24).map(|number| pair[0].pilot(&format!("Pilot {number}"))).collect();
    std::thread::scope(|scope| {
        for (number, (_, token)) in pilots.iter().enumerate() {
            let (first, second) = (&pair[number % 2], &pair[(number + 1) % 2]);
            scope.spawn(move || {
                let attempt = first.post("/v1/attempts", token, b"{}").is(201);
                let path = format!("/v1/attempts/{}/replay", attempt["attempt"].as_str().unwrap());
                second.post(&path, token, conceded(&attempt).as_bytes()).is(201);
            });
        }
    });
    let today = pair[0].get("/v1/days/current").is(200);
    let path = format!("/v1/boards/days/{}?limit=100", today["day"].as_str().unwrap());
    let boards = [0, 1].map(|replica| pair[replica].get(&path).is(200)["items"].clone());
    assert_eq!(boards[0], boards[1]);
    let ranks: Vec<Value> = boards[0].as_array().unwrap().iter().map(|row| row["rank"].clone()).collect();
    assert_eq!(json!(ranks), json!((1..=24).collect::<Vec<_>>()));
    for (pilot, _) in &pilots {
        let shown = [0, 1].map(|replica| pair[replica].get(&format!("/v1/pilots/{pilot}")).is(200));
        assert_eq!(shown[0], shown[1]);
        let row = boards[0].as_array().unwrap().iter().find(|row| row["pilot"]["id"] == pilot.to_string());
        assert_eq!(shown[0]["ranks"]["day"]["rank"], row.unwrap()["rank"]);
    }
}

#[test]
fn a_days_secret_is_drawn_once() {
    // Both start at the same time on an empty database, and draw the same days.
    let (pair, database) = TestApp::replicas(&[]);
    assert_eq!(database.run("SELECT count(*) FROM days").trim(), "8");
    let day = pair[0].get("/v1/days/current").is(200);
    let opens: jiff::Timestamp = day["opens_at"].as_str().unwrap().parse().unwrap();
    let later = ongrid_store::Micros(ongrid_store::Micros::from(opens).0 + 20 * 86_400_000_000);
    pair.iter().for_each(|app| app.app.clock.set(later));
    // A leap past all that was drawn: the first request draws, at both at once.
    let answers = at_once(&pair, 8, |app| app.get("/v1/days/current"));
    assert_eq!(statuses(&answers, 200), 16, "{answers:?}");
    assert_eq!((distinct(&answers, "commitment").len(), distinct(&answers, "doctrine").len()), (1, 1));
    assert_eq!(database.run("SELECT count(*) FROM days").trim(), "16");
    let (_, ada) = pair[0].pilot("Ada");
    let attempt = pair[0].post("/v1/attempts", &ada, b"{}").is(201);
    assert_eq!(pair[1].post("/v1/attempts", &ada, b"{}").is(200)["seed"], attempt["seed"]);
}

fn conceded(attempt: &Value) -> String {
    json!({
        "engine": attempt["engine"], "seed": attempt["seed"], "setup": attempt["setup"], "calls": [{"do": "concede"}],
    })
    .to_string()
}
