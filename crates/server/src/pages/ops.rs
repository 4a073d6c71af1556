//! Operators: the login, what the service does right now, and acts on fights.

use std::convert::Infallible;
use std::fmt::Write;
use std::time::Duration;

use askama::Template;
use axum::body::{Body, Bytes};
use axum::extract::rejection::FormRejection;
use axum::extract::{Form, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use http_body_util::channel::Channel;
use ongrid_store::{Order, Role};
use serde::Deserialize;

use crate::app::Shared;
use crate::pages::format::{minute, span, whole};
use crate::pages::visitor::{self, Session, Visitor, same_site};
use crate::pages::{Page, PageId, PageResult, html};
use crate::problem::Problem;
use crate::pulse::{Reading, SECONDS};
use crate::routes::days::reason;

/// How often the figures are sent.
const TICK: Duration = Duration::from_secs(2);
/// After how many of them the token is looked up again.
const RECHECK: u32 = 15;
/// Acts shown.
const ACTS: u32 = 12;

#[derive(Template)]
#[template(path = "login.html")]
struct LoginPage {
    page: Page,
    failed: bool,
    next: String,
}

#[derive(Template)]
#[template(path = "ops.html")]
struct OpsPage {
    page: Page,
    form_code: String,
    pulse: PulseView,
}

#[derive(Template)]
#[template(path = "ops_body.html")]
struct OpsPart {
    pulse: PulseView,
}

/// What the service does right now, as shown.
#[derive(Debug)]
struct PulseView {
    at: String,
    figures: Vec<(&'static str, String)>,
    /// Path of the requests of the last minute.
    line: String,
    busiest: u32,
    codes: Vec<(String, String)>,
    acts: Vec<ActView>,
}

/// An act of an operator.
#[derive(Debug)]
struct ActView {
    at: String,
    action: String,
    fight: Option<uuid::Uuid>,
    pilot: Option<uuid::Uuid>,
    day: Option<String>,
    reason: String,
}

/// What the login sends.
#[derive(Debug, Deserialize)]
pub struct LoginForm {
    token: String,
    #[serde(default)]
    next: String,
}

/// What an act sends.
#[derive(Debug, Deserialize)]
pub struct ActForm {
    code: String,
    reason: String,
    return_attempt: Option<String>,
}

/// What the end of a session sends.
#[derive(Debug, Deserialize)]
pub struct CodeForm {
    code: String,
}

/// The login.
pub async fn login_page(visitor: Visitor) -> PageResult {
    match &visitor.0 {
        Some(session) => Ok(Redirect::to(&home_of(session)).into_response()),
        None => login(false, String::new()),
    }
}

fn login(failed: bool, next: String) -> PageResult {
    let page = Page::new("", "Login", "Log in with a token of this service");
    let mut response = html(&LoginPage { page, failed, next })?;
    if failed {
        *response.status_mut() = StatusCode::UNAUTHORIZED;
    }
    Ok(response)
}

fn home_of(session: &Session) -> String {
    match (session.principal.role, session.principal.pilot) {
        (Role::Operator, _) => "/ops".to_owned(),
        (_, Some(pilot)) => format!("/pilots/{pilot}"),
        _ => "/".to_owned(),
    }
}

/// Begins a session.
pub async fn log_in(
    State(app): State<Shared>,
    headers: HeaderMap,
    form: Result<Form<LoginForm>, FormRejection>,
) -> PageResult {
    same_site(&headers)?;
    let Form(form) = form.map_err(bad_form)?;
    let session = match visitor::log_in(&app, &form.token).await {
        Ok(session) => session,
        Err(problem) if problem.status() == StatusCode::UNAUTHORIZED => return login(true, form.next),
        Err(problem) => return Err(problem.into()),
    };
    // Only places on this site.
    let local = form.next.starts_with('/') && !form.next.starts_with("//") && !form.next.contains('\\');
    let next = if local { form.next } else { home_of(&session) };
    let mut response = Redirect::to(&next).into_response();
    response
        .headers_mut()
        .insert(header::SET_COOKIE, session.cookie(&headers).ok_or_else(Problem::internal)?);
    Ok(response)
}

/// Ends a session.
pub async fn log_out(
    headers: HeaderMap,
    visitor: Visitor,
    form: Result<Form<CodeForm>, FormRejection>,
) -> PageResult {
    same_site(&headers)?;
    let Form(form) = form.map_err(bad_form)?;
    if let Some(session) = &visitor.0 {
        session.check_form(&form.code)?;
    }
    let mut response = Redirect::to("/").into_response();
    let cookie = visitor::log_out(&headers).ok_or_else(Problem::internal)?;
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

fn bad_form(error: FormRejection) -> Problem {
    Problem::new(error.status(), "format", error.body_text())
}

/// What the service does right now.
pub async fn page(State(app): State<Shared>, visitor: Visitor) -> PageResult {
    let Some(session) = visitor.operator() else {
        return match visitor.0 {
            None => login(false, "/ops".to_owned()),
            Some(_) => Err(Problem::forbidden("forbidden", "only an operator's token may see this").into()),
        };
    };
    let form_code = session.form_code.clone();
    let page = Page::new("", "Operations", "Rates, latencies, refusals, queue, pool and the last acts");
    html(&OpsPage { page, form_code, pulse: PulseView::new(&app).await? })
}

/// The same, sent again and again (server-sent events).
pub async fn events(State(app): State<Shared>, visitor: Visitor) -> PageResult {
    let session = visitor.operator().cloned();
    let session =
        session.ok_or_else(|| Problem::forbidden("forbidden", "only an operator's token may see this"))?;
    let (mut sender, body) = Channel::<Bytes, Infallible>::new(1);
    tokio::spawn(async move {
        for tick in 0_u32.. {
            let over = tick % RECHECK == RECHECK - 1 && !session.holds(&app).await;
            let Ok(pulse) = PulseView::new(&app).await else { break };
            let Ok(part) = (OpsPart { pulse }).render() else { break };
            if over || sender.send_data(Bytes::from(event(&part))).await.is_err() {
                break;
            }
            tokio::select! {
                () = tokio::time::sleep(TICK) => {}
                () = app.stop.cancelled() => break,
            }
        }
    });
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, Body::new(body)).into_response())
}

/// A text as the data of an event: line by line.
fn event(text: &str) -> String {
    let mut event = String::with_capacity(text.len() + 64);
    for line in text.lines().filter(|line| !line.is_empty()) {
        let _ = writeln!(event, "data: {line}");
    }
    event.push('\n');
    event
}

/// Voids a fight.
pub async fn void(
    State(app): State<Shared>,
    PageId(id): PageId,
    headers: HeaderMap,
    visitor: Visitor,
    form: Result<Form<ActForm>, FormRejection>,
) -> PageResult {
    let (form, order) = act(&app, &headers, &visitor, form)?;
    app.store.void(id, order, form.return_attempt.is_some()).await?;
    Ok(back_to(id))
}

/// Lets a voided fight count again.
pub async fn restore(
    State(app): State<Shared>,
    PageId(id): PageId,
    headers: HeaderMap,
    visitor: Visitor,
    form: Result<Form<ActForm>, FormRejection>,
) -> PageResult {
    let (_, order) = act(&app, &headers, &visitor, form)?;
    app.store.restore(id, order).await?;
    Ok(back_to(id))
}

fn back_to(fight: uuid::Uuid) -> Response {
    Redirect::to(&format!("/fights/{fight}")).into_response()
}

/// An act's form and order, where an operator sent it from a page of this session.
fn act(
    app: &Shared,
    headers: &HeaderMap,
    visitor: &Visitor,
    form: Result<Form<ActForm>, FormRejection>,
) -> Result<(ActForm, Order), Problem> {
    same_site(headers)?;
    let Form(form) = form.map_err(bad_form)?;
    let session = visitor.operator();
    let session = session.ok_or_else(|| Problem::forbidden("forbidden", "only an operator may do this"))?;
    session.check_form(&form.code)?;
    let order =
        Order { actor: Some(session.principal.token), reason: reason(&form.reason)?, at: app.clock.now() };
    Ok((form, order))
}

impl PulseView {
    async fn new(app: &Shared) -> Result<Self, Problem> {
        let reading = app.pulse.read();
        let (open, idle) = app.store.connections();
        let acts = app.store.audit(None, ACTS).await?;
        let seconds = reading.requests.len().max(1) as f64;
        let now = reading.requests.last().copied().unwrap_or_default();
        let [half, most, nearly_all] = reading.latencies.map(span_short);
        let figures = vec![
            ("Requests a second", format!("{now}, {:.1} on average", f64::from(reading.minute) / seconds)),
            ("Latency 50 / 95 / 99 %", format!("{half} / {most} / {nearly_all}")),
            ("Refused, last minute", whole(f64::from(reading.refused))),
            ("Failed, last minute", whole(f64::from(reading.failed))),
            ("Replays waiting", format!("{} of {}", app.verifier.waiting(), app.config.verify.queue)),
            ("Connections", format!("{open} open, {idle} idle, {} at most", app.config.store.connections)),
            ("Requests since start", whole(reading.total as f64)),
            ("Up", span(reading.uptime)),
        ];
        Ok(Self {
            at: minute(app.clock.now()),
            figures,
            busiest: reading.requests.iter().copied().max().unwrap_or_default(),
            line: line(&reading),
            codes: reading
                .codes
                .iter()
                .take(16)
                .map(|(code, count)| (code.clone(), whole(*count as f64)))
                .collect(),
            acts: acts
                .into_iter()
                .map(|act| ActView {
                    at: minute(act.at),
                    action: act.action,
                    fight: act.fight,
                    pilot: act.pilot,
                    day: act.day.map(|day| day.to_string()),
                    reason: act.reason,
                })
                .collect(),
        })
    }
}

/// A short latency: `0.9 ms`, `34 ms`.
fn span_short(latency: Duration) -> String {
    let millis = latency.as_secs_f64() * 1000.0;
    if millis < 10.0 { format!("{millis:.1} ms") } else { format!("{millis:.0} ms") }
}

/// Requests of the last minute as a path in a box of 600 by 80.
fn line(reading: &Reading) -> String {
    let most = reading.requests.iter().copied().max().unwrap_or_default().max(1);
    let mut path = String::new();
    let first = (SECONDS - 1).saturating_sub(reading.requests.len());
    for (index, requests) in reading.requests.iter().enumerate() {
        let x = (first + index) as f64 * 600.0 / (SECONDS - 2) as f64;
        let y = 78.0 - 76.0 * f64::from(*requests) / f64::from(most);
        let _ = write!(path, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' });
    }
    path
}
