//! The command line beside a running service, on one embedded store.

mod common;

use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{TestApp, golden};
use ongrid::app::BUILD;
use ongrid::translog;
use ongrid_store::{Day, Micros, Role, Scope};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

/// `ongrid` over the store of a service.
fn command(app: &TestApp, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ongrid"));
    command.env_clear().arg("--data").arg(&app.app.config.data);
    command.args(["--database-url", &app.app.config.database_url()]).args(arguments);
    command
}

fn ongrid(app: &TestApp, arguments: &[&str]) -> Output {
    command(app, arguments).output().unwrap()
}

/// The exit code, and what was printed.
fn code(app: &TestApp, arguments: &[&str]) -> (i32, String) {
    let output = ongrid(app, arguments);
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

/// What a command printed; it must have succeeded.
#[track_caller]
fn printed(app: &TestApp, arguments: &[&str]) -> String {
    let output = ongrid(app, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What a command says where it fails.
#[track_caller]
fn refused(app: &TestApp, arguments: &[&str]) -> String {
    let output = ongrid(app, arguments);
    assert!(!output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

fn after<'a>(text: &'a str, label: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.strip_prefix(label));
    line.unwrap_or_else(|| panic!("no {label:?} in {text:?}"))
}

const TOKEN: &str = "token, shown only now: ";

#[test]
fn tokens_of_every_role_are_issued_listed_and_revoked() {
    let app = TestApp::sqlite(&[]);
    let added = printed(&app, &["pilot", "add", "Ada"]);
    let pilot = after(&added, "pilot ").to_owned();
    assert_eq!(app.post("/v1/attempts", after(&added, TOKEN), b"{}").status, 201);

    let issued = printed(&app, &["token", "issue", "operator", "--label", "on call"]);
    let (id, operator) = (after(&issued, "id "), after(&issued, TOKEN));
    assert_eq!(app.get_as("/v1/audit", operator).status, 200);
    let backend = printed(&app, &["token", "issue", "backend"]);
    let body = json!({"name": "Ada L."}).to_string();
    let path = format!("/v1/pilots/{pilot}");
    assert_eq!(app.send("PUT", &path, after(&backend, TOKEN), body.as_bytes()).status, 204);
    let second = printed(&app, &["token", "issue", "pilot", "--pilot", "ada l."]);
    assert_eq!(app.post("/v1/attempts", after(&second, TOKEN), b"{}").status, 200);

    let listed = printed(&app, &["token", "list"]);
    assert_eq!(listed.lines().count(), 4);
    assert!(listed.contains(&format!("{id}  operator  valid  -  on call")), "{listed}");
    assert!(!listed.contains("ongrid_"), "no token's text is listed");
    assert_eq!(printed(&app, &["token", "list", "--pilot", &pilot]).lines().count(), 2);

    printed(&app, &["token", "revoke", id]);
    assert!(printed(&app, &["token", "list"]).contains(&format!("{id}  operator  revoked")));
    app.app.recent_tokens.forget();
    app.get_as("/v1/audit", operator).is_problem(401, "unauthorized");
    assert!(refused(&app, &["token", "revoke", id]).contains("no such token"));
    assert!(refused(&app, &["token", "issue", "pilot"]).contains("--pilot"));
    assert!(refused(&app, &["token", "issue", "backend", "--pilot", &pilot]).contains("none"));
}

#[test]
fn pilots_are_renamed_skilled_banned_and_erased() {
    let app = TestApp::sqlite(&[]);
    let (pilot, token) = app.pilot("Ada");
    app.pilot("Bob");
    printed(&app, &["pilot", "skills", "Ada", r#"{"gunnery": 5}"#]);
    printed(&app, &["pilot", "rename", "Ada", "Ada L."]);
    let listed = printed(&app, &["pilot", "list"]);
    assert!(listed.contains(&format!("{pilot}  active  {{\"gunnery\":5}}  Ada L.\n")), "{listed}");
    assert_eq!(listed.lines().count(), 2);
    assert!(refused(&app, &["pilot", "rename", "Bob", "ADA L."]).contains("another pilot has this name"));
    assert!(refused(&app, &["pilot", "skills", "Bob", r#"{"gunnery": 6}"#]).contains("level 6"));
    assert!(refused(&app, &["pilot", "rename", "Cyd", "Dan"]).contains("no pilot \"Cyd\""));

    app.app.recent_tokens.forget();
    let attempt = app.post("/v1/attempts", &token, b"{}").is(201);
    assert_eq!(attempt["setup"]["skills"]["gunnery"], 5);
    let replay = json!({"engine": attempt["engine"], "seed": attempt["seed"], "setup": attempt["setup"],
        "calls": [{"do": "concede"}]});
    let path = format!("/v1/attempts/{}/replay", attempt["attempt"].as_str().unwrap());
    app.post(&path, &token, replay.to_string().as_bytes()).is(201);
    let total =
        || app.get(&format!("/v1/boards/days/{}", attempt["day"].as_str().unwrap())).is(200)["total"].clone();

    assert!(refused(&app, &["pilot", "ban", "Ada L."]).contains("--reason"));
    printed(&app, &["pilot", "ban", "Ada L.", "--reason", "a bot"]);
    assert_eq!(total(), 0);
    assert!(printed(&app, &["pilot", "list"]).contains("banned"));
    assert!(refused(&app, &["pilot", "ban", "Ada L.", "--reason", "again"]).contains("so already"));
    printed(&app, &["pilot", "unban", "Ada L.", "--reason", "no bot"]);
    assert_eq!(total(), 1);
    printed(&app, &["pilot", "erase", "Ada L.", "--reason", "asked for it"]);
    assert_eq!(total(), 1, "fights stay");
    let shown = app.get(&format!("/v1/pilots/{pilot}")).is(200);
    assert_eq!((&shown["name"], &shown["state"]), (&json!(""), &json!("erased")));
    app.app.recent_tokens.forget();
    app.post("/v1/attempts", &token, b"{}").is_problem(401, "unauthorized");

    let audit = app.get_as("/v1/audit", &app.token(Role::Operator)).is(200);
    let acts: Vec<_> = audit["items"].as_array().unwrap().iter().map(|act| act["action"].clone()).collect();
    assert_eq!(acts, ["erase", "unban", "ban"]);
    assert_eq!(audit["items"][2]["reason"], "a bot");
    assert!(audit["items"][2]["actor"].is_null(), "the command line has no token");
}

#[test]
fn days_are_shown_and_set_ahead() {
    let app = TestApp::sqlite(&[]);
    let shown = printed(&app, &["day", "show"]);
    assert_eq!(shown.lines().count(), 8);
    let today = app.get("/v1/days/current").is(200);
    let (today, commitment) = (today["day"].as_str().unwrap(), today["commitment"].as_str().unwrap());
    assert!(shown.starts_with(today) && shown.lines().next().unwrap().ends_with(commitment));
    let ahead = shown.lines().nth(3).unwrap().split("  ").next().unwrap();
    let set = ["day", "set", ahead, "--doctrine", "minmatar-line", "--reason", "a feast"];
    assert!(printed(&app, &set).contains("minmatar-line (set)"));
    assert_eq!(app.get(&format!("/v1/days/{ahead}")).is(200)["doctrine"]["id"], "minmatar-line");
    let begun = ["day", "set", today, "--doctrine", "minmatar-line", "--reason", "too late"];
    assert!(refused(&app, &begun).contains("has begun"));
    let unknown = ["day", "set", ahead, "--doctrine", "tourists", "--reason", "none"];
    assert!(refused(&app, &unknown).contains("minmatar-skirmish"));
}

/// Submits golden replays as free fights of today and the days after; answers their ids.
fn fly(app: &TestApp, days: usize, fights: usize) -> Vec<Uuid> {
    let (_, token) = app.pilot("Ada");
    let begun = app.app.clock.now();
    let mut ids = Vec::new();
    for index in 0..days * fights {
        let ahead = i64::try_from(index / fights).unwrap() * 86_400_000_000;
        app.app.clock.set(Micros(begun.0 + ahead));
        let stored = app.post("/v1/fights", &token, golden(index).as_bytes()).is(201);
        ids.push(stored["fight"].as_str().unwrap().parse().unwrap());
    }
    ids
}

/// Changes a row behind the service's back.
fn edit(app: &TestApp, statement: &str) {
    let url = app.app.config.database_url();
    app.runtime.block_on(async {
        let statement = AssertSqlSafe(statement.to_owned());
        if url.starts_with("sqlite") {
            let pool = sqlx::SqlitePool::connect(&url).await.unwrap();
            assert_eq!(sqlx::query(statement).execute(&pool).await.unwrap().rows_affected(), 1);
            pool.close().await;
        } else {
            let pool = sqlx::PgPool::connect(&url).await.unwrap();
            assert_eq!(sqlx::query(statement).execute(&pool).await.unwrap().rows_affected(), 1);
            pool.close().await;
        }
    });
}

#[test]
fn reverify_tells_by_its_exit_code_what_it_found() {
    let app = TestApp::sqlite(&[]);
    let fights = fly(&app, 2, 20);
    let (exit, said) = code(&app, &["reverify"]);
    assert_eq!(exit, 0, "{said}");
    assert!(
        said.contains("40 as recorded, 0 different, 0 unreadable by this build; 40 judged here"),
        "{said}"
    );
    let one = fights[3].to_string();
    let (exit, said) = code(&app, &["reverify", "--fight", &one]);
    assert!(exit == 0 && said.contains("1 as recorded"), "{said}");
    let day = Day::of(Micros::now()).to_string();
    let (exit, said) = code(&app, &["reverify", "--from", &day, "--to", &day]);
    assert!(exit == 0 && said.contains("20 as recorded"), "{said}");
    let (exit, said) = code(&app, &["reverify", "--sample", "2", "--json"]);
    let sampled: Value = serde_json::from_str(&said).unwrap();
    let same = sampled["progress"]["same"].as_i64().unwrap();
    assert!(exit == 0 && (5..=35).contains(&same), "{said}");
    assert_eq!(sampled["here"]["fights"], same, "what is not in the sample is not counted");
    let (_, again) = code(&app, &["reverify", "--sample", "2", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&again).unwrap()["progress"], sampled["progress"]);
    let none = Uuid::now_v7().to_string();
    assert!(refused(&app, &["reverify", "--fight", &none]).contains("there is no fight"));
    let turned = ["reverify", "--from", "2026-12-01", "--to", "2026-11-01"];
    assert!(refused(&app, &turned).contains("is after"));
    let (exit, said) = code(&app, &["reverify", "--to", "2000-01-01"]);
    assert!(exit == 3 && said.contains("nothing was judged"), "{said}");
    let nowhere = app.app.config.data.join("nowhere");
    let mut slip = Command::new(env!("CARGO_BIN_EXE_ongrid"));
    let slip = slip.env_clear().arg("--data").arg(&nowhere).arg("reverify").output().unwrap();
    assert!(String::from_utf8_lossy(&slip.stderr).contains("there is no database"), "{slip:?}");
    assert!(!slip.status.success() && !nowhere.exists());
    code(&app, &["reverify", "--sample", "2"]);
    assert!(refused(&app, &["reverify", "--join", "last"]).contains("--sample 2"), "another sample");
    assert!(refused(&app, &["reverify", "--join", "soon"]).contains("is no run"));

    let row =
        |index: usize| format!("WHERE hex(id) = '{}'", fights[index].simple().to_string().to_uppercase());
    edit(&app, &format!("UPDATE fights SET engine = 'ongrid-7' {}", row(3)));
    let (exit, said) = code(&app, &["reverify"]);
    assert_eq!(exit, 3, "{said}");
    assert!(
        said.contains(&format!("unreadable {one}: /engine: this build has no engine ongrid-7")),
        "{said}"
    );
    edit(&app, &format!("UPDATE fights SET rng_words = rng_words + 1 {}", row(30)));
    let (exit, said) = code(&app, &["reverify"]);
    assert_eq!(exit, 2, "{said}");
    assert!(said.contains(&format!("different {}: /rng_words", fights[30])), "{said}");
    assert!(said.contains("38 as recorded, 1 different, 1 unreadable"), "{said}");
}

#[test]
fn boards_are_held_against_the_records_and_mended() {
    for app in TestApp::both(&[]) {
        let day = app.get("/v1/days/current").is(200)["day"].as_str().unwrap().to_owned();
        let (mut fights, board) = (Vec::new(), format!("days/{day}"));
        for name in ["Ada", "Bob", "Cyd"] {
            let (pilot, token) = app.pilot(name);
            let attempt = app.post("/v1/attempts", &token, b"{}").is(201);
            let replay = json!({"engine": attempt["engine"], "seed": attempt["seed"], "setup": attempt["setup"],
                "calls": [{"do": "concede"}]});
            let path = format!("/v1/attempts/{}/replay", attempt["attempt"].as_str().unwrap());
            let verdict = app.post(&path, &token, replay.to_string().as_bytes()).is(201);
            fights.push((pilot, verdict["fight"].as_str().unwrap().to_owned()));
        }
        let shown = || app.get(&format!("/v1/boards/{board}")).is(200);
        let (whole, all) = (shown()["items"].clone(), ["board", "recount", "--all"]);
        let equal = format!("{board}  equal: 3 entries, 0 differences\n");
        assert_eq!(code(&app, &["board", "recount", &board]), (0, equal.clone()));
        let (exit, said) = code(&app, &[&all[..], &["--check"]].concat());
        assert_eq!((exit, said.lines().count()), (0, 3), "day, season, doctrine: {said}");

        // An entry is lost, one has other figures, one is nobody's any more, and the ranks are counted wrong.
        let of_day = "board = (SELECT board FROM boards WHERE kind = 'day')";
        let of = |index: usize| match app.store() {
            "sqlite" => format!("hex(pilot) = '{}'", fights[index].0.simple().to_string().to_uppercase()),
            _ => format!("pilot = '{}'", fights[index].0),
        };
        edit(&app, &format!("DELETE FROM entries WHERE {of_day} AND {}", of(0)));
        edit(&app, &format!("UPDATE entries SET elapsed = 1 WHERE {of_day} AND {}", of(1)));
        edit(&app, &format!("UPDATE buckets SET entries = 7 WHERE {of_day} AND length(low) > 0"));
        let void =
            if app.store() == "sqlite" { "hex(id) =" } else { "replace(upper(CAST(id AS TEXT)), '-', '') =" };
        let third = fights[2].1.replace('-', "").to_uppercase();
        edit(&app, &format!("UPDATE fights SET voided_at = 1, void_reason = 'x' WHERE {void} '{third}'"));

        let (exit, checked) = code(&app, &["board", "recount", &board, "--check"]);
        assert_eq!(exit, 2, "{checked}");
        for line in [
            format!("pilot {}: none stands, {} should", fights[0].0, fights[0].1),
            format!("pilot {}: {} stands with other figures", fights[1].0, fights[1].1),
            format!("pilot {}: {} stands, none should", fights[2].0, fights[2].1),
            "different: 2 entries, 3 differences, ranks were counted wrong".to_owned(),
        ] {
            assert!(checked.contains(&format!("{board}  {line}\n")), "{line:?} in {checked}");
        }
        assert_eq!(code(&app, &["board", "recount", &board, "--check"]).0, 2, "a check mends nothing");
        let (exit, mended) = code(&app, &["board", "recount", &board]);
        assert_eq!(exit, 0, "{mended}");
        assert!(
            mended
                .ends_with(&format!("{board}  mended: 2 entries, 3 differences, ranks were counted wrong\n"))
        );
        assert_eq!(code(&app, &["board", "recount", &board, "--check"]).0, 0);
        assert_eq!(shown()["total"], 2, "the service sees it at once");

        edit(&app, &format!("UPDATE fights SET voided_at = NULL, void_reason = NULL WHERE {void} '{third}'"));
        let (exit, said) = code(&app, &all);
        assert_eq!(exit, 0, "{said}");
        assert_eq!(
            said.lines().filter(|line| line.contains("  mended: ")).count(),
            1,
            "only the day: {said}"
        );
        assert_eq!(shown()["items"], whole, "as if nothing had been");

        edit(&app, &format!("UPDATE buckets SET entries = 7 WHERE {of_day} AND length(low) > 0"));
        assert_eq!(code(&app, &["board", "recount", &board, "--check"]).0, 2);
        let said = printed(&app, &["board", "rebuild", &board]);
        assert_eq!(said, format!("{board}  ranks are counted anew, of 3\n"));
        assert_eq!(code(&app, &["board", "recount", &board, "--check"]), (0, equal));

        // What the standing of a banned pilot is to be again is held against the records, too.
        let (first, why) = (fights[0].0.to_string(), "a trial");
        printed(&app, &["pilot", "ban", &first, "--reason", why]);
        edit(&app, &format!("DELETE FROM entries WHERE {of_day} AND {}", of(0)));
        let (exit, said) = code(&app, &["board", "recount", &board, "--check"]);
        assert!(exit == 2 && said.contains(&format!("pilot {first}: none stands, ")), "{said}");
        assert_eq!(code(&app, &["board", "recount", &board]).0, 0);
        printed(&app, &["pilot", "unban", &first, "--reason", why]);
        assert_eq!(shown()["items"], whole);

        // A board whose own row is lost takes nothing from the others, and gets it back.
        edit(&app, "DELETE FROM boards WHERE kind = 'day'");
        assert_eq!(code(&app, &all).0, 0);
        let (exit, said) = code(&app, &[&all[..], &["--check"]].concat());
        assert_eq!((exit, said.matches("  equal: 3 entries, 0 differences").count()), (0, 3), "{said}");
        edit(&app, "UPDATE boards SET revision = revision WHERE kind = 'day'");

        let none = ["board", "recount", "years/2026"];
        assert!(refused(&app, &none).contains("no board is named so"));
        assert!(refused(&app, &["board", "recount"]).contains("<BOARD>"));
    }
}

#[test]
fn two_processes_share_a_run() {
    let app = TestApp::postgres(&[]);
    fly(&app, 6, 5);
    let scope = Scope::Days(Day(0), Day(i32::MAX));
    let begin = app.app.store.begin_reverify(BUILD, "1", scope, Micros::now());
    let run = app.runtime.block_on(begin).unwrap().to_string();
    let pair = [run.as_str(), "last"].map(|join| {
        let mut command = command(&app, &["reverify", "--join", join, "--threads", "2", "--json"]);
        command.stdout(Stdio::piped()).spawn().unwrap()
    });
    let told = pair.map(|child| {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    });
    for it in &told {
        let whole = json!({"fights": 30, "parts_left": 0, "same": 30, "different": 0, "unreadable": 0});
        assert_eq!((&it["progress"], &it["run"]), (&whole, &json!(run)), "both end when all is done");
    }
    let judged: i64 = told.iter().map(|it| it["here"]["fights"].as_i64().unwrap()).sum();
    assert_eq!(judged, 30, "nothing twice");
}

#[test]
fn a_run_goes_on_after_a_kill() {
    let app = TestApp::postgres(&[]);
    let fights = fly(&app, 1, 4);
    edit(&app, &format!("UPDATE fights SET score = score + 1 WHERE id = '{}'", fights[2]));
    let url = app.app.config.database_url();
    let killed: Child = app.runtime.block_on(async {
        let pool = sqlx::PgPool::connect(&url).await.unwrap();
        // Nothing can be handed in for as long as this holds: it dies in the middle.
        let mut hold = pool.begin().await.unwrap();
        let lock = "LOCK TABLE reverify_findings IN ACCESS EXCLUSIVE MODE";
        sqlx::query(lock).execute(&mut *hold).await.unwrap();
        let mut child = command(&app, &["reverify", "--lease", "1", "--threads", "1"]).spawn().unwrap();
        let end = Instant::now() + Duration::from_secs(60);
        let taken = "SELECT count(*) FROM reverify_parts WHERE holder IS NOT NULL";
        while sqlx::query_scalar::<_, i64>(taken).fetch_one(&pool).await.unwrap() == 0 {
            assert!(Instant::now() < end, "no part is taken");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        child.kill().unwrap();
        hold.commit().await.unwrap();
        child
    });
    assert!(!{ killed }.wait().unwrap().success());
    let (exit, said) = code(&app, &["reverify", "--join", "last", "--lease", "1", "--json"]);
    let report: Value = serde_json::from_str(&said).unwrap();
    let whole = json!({"fights": 4, "parts_left": 0, "same": 3, "different": 1, "unreadable": 0});
    assert_eq!((exit, &report["progress"], &report["here"]["fights"]), (2, &whole, &json!(4)), "{said}");
    assert_eq!(report["findings"][0]["fight"], json!(fights[2]));
    assert_eq!(report["findings"].as_array().unwrap().len(), 1);
}

#[test]
fn receipts_are_verified_keys_rotated_and_the_log_checked() {
    let app = TestApp::sqlite(&[]);
    let (_, token) = app.pilot("Ada");
    let stored = app.post("/v1/fights", &token, golden(0).as_bytes()).is(201);
    let (inner, now) = (app.app.clone(), app.app.clock.now());
    let day = inner.calendar.day_of(now);
    let append = translog::append(&inner.store, &inner.receipts, Uuid::nil(), (now, now), day);
    assert_eq!(app.runtime.block_on(append).unwrap(), 1);
    let fight = stored["fight"].as_str().unwrap();
    let file = |name: &str, text: &str| {
        let path = app.app.config.data.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let verdict = file("verdict.json", &stored.to_string());
    let proof = file("proof.json", &app.get(&format!("/v1/fights/{fight}/proof")).text);
    let keys = file("keys.json", &app.get("/.well-known/ongrid-keys.json").text);
    let sound = ["receipt", "verify", &verdict, "--proof", &proof, "--keys", &keys, "--fight", fight];
    let (exit, said) = code(&app, &sound);
    assert!(exit == 0 && said.starts_with(&format!("sound: fight {fight} of ongrid-8 ")), "{said}");
    assert!(said.ends_with(", leaf 0 of 1\n"), "{said}");
    assert_eq!(code(&app, &["receipt", "verify", &verdict]).0, 0, "with the keys of the data directory");

    let mut forged = stored["receipt"].clone();
    forged["body"]["outcome_digest"] = json!("0".repeat(64));
    let forged = file("forged.json", &forged.to_string());
    let no_keys = file("none.json", "[]");
    let lies =
        [("/outcome/score", json!(1)), ("/standing/score", json!(999_999)), ("/fight", json!(Uuid::nil()))];
    let lies = lies.map(|(place, lie)| {
        let mut said = stored.clone();
        *said.pointer_mut(place).unwrap() = lie;
        file(&format!("lie{}.json", place.replace('/', "-")), &said.to_string())
    });
    let other = "00000000-0000-7000-8000-000000000000";
    for (arguments, why) in [
        (vec![forged.as_str()], "changed or forged"),
        (vec![&verdict, "--keys", &no_keys], "not among the keys"),
        (vec![&verdict, "--fight", other], "not of 00000000"),
        (vec![&keys], "there is no receipt in it"),
        (vec![&lies[0]], "the outcome in the answer is not the one"),
        (vec![&lies[1]], "standing/score 999999"),
        (vec![&lies[2]], "the answer says fight"),
        (vec![&verdict, "--proof", &keys], "is not what it should be"),
    ] {
        let (exit, said) = code(&app, &[&["receipt", "verify"], &arguments[..]].concat());
        assert!(exit == 2 && said.starts_with("not sound: ") && said.contains(why), "{said}");
    }

    let text = file("no.json", "{");
    assert!(refused(&app, &["receipt", "verify", &text]).contains("no.json"), "a file that cannot be read");
    assert_eq!(ongrid(&app, &["receipt", "verify", &text]).status.code(), Some(1));

    assert!(printed(&app, &["receipt", "rotate"]).starts_with("2 keys in "));
    assert!(printed(&app, &["receipt", "rotate", "--forget"]).starts_with("3 keys in "));
    assert_eq!(
        code(&app, &["receipt", "verify", &verdict, "--proof", &proof]).0,
        0,
        "retired keys still check"
    );
    let (exit, said) = code(&app, &["receipt", "check-log"]);
    assert_eq!((exit, said.as_str()), (0, "1 leaves, 0 faults\n"));
    edit(&app, "UPDATE fights SET outcome_digest = zeroblob(32)");
    let (exit, said) = code(&app, &["receipt", "check-log"]);
    assert_eq!(exit, 2, "{said}");
    assert!(said.contains(&format!("leaf 0: the record of fight {fight}")), "{said}");
    let nowhere = ["--set", "receipts.keys=/nowhere/keys.json", "receipt", "check-log"];
    assert!(refused(&app, &nowhere).contains("there are no keys in /nowhere/keys.json"));
}

#[test]
fn replays_and_states_are_compared() {
    let app = TestApp::sqlite(&[]);
    let file = |name: &str, text: &str| {
        let path = app.app.config.data.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (a, same) = (file("a.json", &golden(3)), file("same.json", &golden(3)));
    assert_eq!(code(&app, &["diff", &a, &same]), (0, String::new()));
    let mut other: Value = serde_json::from_str(&golden(3)).unwrap();
    other["seed"] = json!("12345");
    let b = file("b.json", &other.to_string());
    let (exit, said) = code(&app, &["diff", &a, &b]);
    assert_eq!(exit, 2);
    assert!(said.starts_with("replay /seed: ") && said.contains("the states part at call "), "{said}");
    let (exit, said) = code(&app, &["diff", &a, &file("dump.json", r#"{"call": 0, "state": {}}"#)]);
    assert_eq!(exit, 2);
    assert!(said.contains("state after call 0 /round: 1 / nothing"), "{said}");
    assert!(refused(&app, &["diff", &a, &file("cut.json", &golden(3)[..99])]).contains("B is no JSON"));
    assert!(refused(&app, &["diff", &a, "/nowhere"]).contains("cannot read /nowhere"));
}

#[test]
fn settings_are_checked_as_a_start_would_and_shown_without_secrets() {
    let check = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ongrid"));
        let output = command.env_clear().args(["config", "check"]).args(arguments).output().unwrap();
        let said = if output.status.success() { output.stdout } else { output.stderr };
        (output.status.success(), String::from_utf8(said).unwrap())
    };
    for (key, value) in [
        ("day.secret_key", "ab"),
        ("database_url", "mysql://x"),
        ("log.filter", "a=b=c"),
        ("verify.queue", "0"),
    ] {
        let (sound, said) = check(&["--set", &format!("{key}={value}")]);
        assert!(!sound && said.contains(key), "{key}: {said}");
    }
    let secret = "5e".repeat(32);
    let key = format!("day.secret_key={secret}");
    let (sound, said) = check(&["--set", &key, "--database-url", "postgres://me:hush@host/ongrid"]);
    assert!(sound && !said.contains(&secret) && !said.contains("hush"), "{said}");
    let shown: toml::Table = toml::from_str(&said).unwrap();
    assert_eq!(shown["day"]["secret_key"].as_str(), Some("(secret)"));
    assert_eq!(shown["listen"].as_str(), Some("127.0.0.1:8080"));
}
