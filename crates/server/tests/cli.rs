//! The command line beside a running service, on one embedded store.

mod common;

use std::process::{Command, Output};

use common::TestApp;
use ongrid_store::Role;
use serde_json::json;

/// Runs `ongrid` over the store of a service.
fn ongrid(app: &TestApp, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ongrid"));
    command.env_clear().arg("--data").arg(&app.app.config.data).args(arguments);
    command.output().unwrap()
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
