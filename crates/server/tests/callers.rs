//! Who asks comes first: over every route of the OpenAPI document.

mod common;

use common::TestApp;
use ongrid_store::Role;
use serde_json::Value;

/// A route of the document.
struct Route {
    method: String,
    /// With something in the place of its parameters that names nothing here.
    path: String,
    tag: String,
    /// What the document says of tokens: `None` where the route does not look at who asks, else whether it needs one.
    token: Option<bool>,
    has_body: bool,
}

impl Route {
    fn all() -> Vec<Self> {
        let document: Value = serde_json::from_str(&ongrid::openapi::document()).unwrap();
        let mut routes = Vec::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            let filled = path.split('/').map(|part| match part {
                "{id}" | "{token}" => "00000000-0000-7000-8000-000000000000",
                "{day}" => "2001-01-01",
                "{month}" => "2001-01",
                part => part.trim_matches(['{', '}']),
            });
            let path = filled.collect::<Vec<_>>().join("/");
            for (method, operation) in item.as_object().unwrap() {
                let ways = operation["security"].as_array();
                let free = |ways: &Vec<Value>| ways.iter().any(|way| way.as_object().unwrap().is_empty());
                routes.push(Self {
                    method: method.to_uppercase(),
                    path: path.clone(),
                    tag: operation["tags"][0].as_str().unwrap().to_owned(),
                    token: ways.map(|ways| !free(ways)),
                    has_body: operation["requestBody"].is_object(),
                });
            }
        }
        assert!(routes.len() > 30);
        routes
    }

    fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}

const JSON: &str = "application/json";

#[test]
fn whoever_may_not_ask_hears_that_before_anything_of_the_body() {
    let app = TestApp::sqlite(&[]);
    let (_, pilot) = app.pilot("Ada");
    let (backend, operator) = (app.token(Role::Backend), app.token(Role::Operator));
    let long = vec![b' '; app.app.config.http.body_limit + 1];
    let bodies: [(&str, &[u8]); 6] = [
        (JSON, b"{"),
        (JSON, b"[]"),
        (JSON, br#"{"x": 1}"#),
        (JSON, &long),
        (JSON, b""),
        ("text/plain", b"{}"),
    ];
    let mut asked = 0;
    for route in Route::all().iter().filter(|route| route.has_body && route.token == Some(true)) {
        let (right, wrong) = match &*route.tag {
            "operators" => (&operator, &backend),
            "backend" => (&backend, &pilot),
            _ => (&pilot, &operator),
        };
        for path in [&route.path, &route.path.replace("00000000", "xxx"), &route.path.replace("2001", "%ff")]
        {
            let send = |token: &str, kind: &str, body: &[u8]| {
                let bearer = format!("Bearer {token}");
                let token = (!token.is_empty()).then_some(("authorization", &*bearer));
                app.send_with(&route.method, path, token.into_iter().chain([("content-type", kind)]), body)
            };
            for (kind, body) in bodies {
                send("", kind, body).is_problem(401, "unauthorized");
                send(wrong, kind, body).is_problem(403, "forbidden");
                asked += 1;
            }
            if *path == route.path {
                // Of an attempt that is nobody's there is nothing to say but that.
                let none = route.path.ends_with("/replay");
                assert_eq!(send(right, JSON, b"{").status, if none { 404 } else { 400 }, "{}", route.name());
                assert_eq!(send(right, JSON, &long).status, 413, "{}", route.name());
                assert_eq!(send(right, "text/plain", b"{}").status, 415, "{}", route.name());
            }
        }
    }
    assert!(asked > 10 * 3 * bodies.len(), "{asked}");
}

#[test]
fn a_token_that_is_not_valid_is_401_wherever_it_is_looked_at() {
    let app = TestApp::sqlite(&[]);
    let (ada, revoked) = app.pilot("Ada");
    let (_, pilot) = app.pilot("Bob");
    app.runtime.block_on(async {
        let token = app.app.store.tokens(Some(ada)).await.unwrap().remove(0);
        app.app.store.revoke_token(token.id).await.unwrap();
    });
    let unknown = format!("ongrid_{}", "0".repeat(64));
    let wrong = [
        format!("Bearer {revoked}"),
        format!("Bearer {unknown}"),
        format!("Bearer {}", &pilot[1..]),
        format!("Basic {pilot}"),
        "Bearer".to_owned(),
        String::new(),
    ];
    let mut looking = [0; 3];
    for route in Route::all() {
        let what = route.name();
        let send = |token: Option<&str>| {
            let token = token.map(|token| ("authorization", token));
            let body: &[u8] = if route.has_body { b"{" } else { b"" };
            app.send_with(&route.method, &route.path, token.into_iter().chain([("content-type", JSON)]), body)
        };
        let stranger = send(None);
        assert_eq!(stranger.status == 401, route.token == Some(true), "{what}");
        for token in &wrong {
            let answer = send(Some(token));
            match route.token {
                Some(_) => drop(answer.is_problem(401, "unauthorized")),
                None => {
                    let same = (answer.status, answer.headers["content-type"].clone());
                    assert_eq!(same, (stranger.status, stranger.headers["content-type"].clone()), "{what}");
                }
            }
        }
        // A valid one is nowhere 401, whatever else the route says.
        assert_ne!(send(Some(&format!("bearer {pilot}"))).status, 401, "{what}");
        looking[route.token.map_or(0, |needs| 1 + usize::from(needs))] += 1;
    }
    assert!(looking.iter().all(|routes| *routes > 3), "{looking:?}");
}

#[test]
fn what_is_wrong_with_a_body_is_named_with_its_place() {
    let app = TestApp::sqlite(&[]);
    let (pilot, _) = app.pilot("Ada");
    let (backend, operator) = (app.token(Role::Backend), app.token(Role::Operator));
    let pilot = format!("/v1/pilots/{pilot}");
    for (method, path, body, place) in [
        ("POST", format!("{pilot}/tokens"), r#"{"label": 1}"#, "/label"),
        ("POST", format!("{pilot}/tokens"), r#"{"role": "operator"}"#, "/role"),
        ("POST", format!("{pilot}/tokens"), r#"["x"]"#, ""),
        ("PUT", pilot.clone(), "{}", "/name"),
        ("PUT", pilot.clone(), r#"{"name": "Ada", "name": "Bob"}"#, "/name"),
        ("PUT", pilot.clone(), r#"{"name": "Ada", "skills": {"gunnery": "5"}}"#, "/skills/gunnery"),
        ("POST", format!("{pilot}/ban"), "{}", "/reason"),
        ("DELETE", pilot.clone(), r#"{"reason": null}"#, "/reason"),
        ("PUT", "/v1/days/2001-01-01".to_owned(), r#"{"reason": "x", "seed": "dice"}"#, "/seed"),
        (
            "PUT",
            "/v1/days/2001-01-01".to_owned(),
            r#"{"reason": "x", "ranked_attempts": -1}"#,
            "/ranked_attempts",
        ),
        ("POST", "/v1/fits/check".to_owned(), r#"{"eft": "", "doctrine": []}"#, "/doctrine"),
    ] {
        let token =
            if path == pilot && method == "PUT" || path.ends_with("tokens") { &backend } else { &operator };
        let no = app.send(method, &path, token, body.as_bytes()).is_problem(400, "format");
        assert_eq!(no["path"], place, "{method} {path} {body}: {no}");
    }
}
