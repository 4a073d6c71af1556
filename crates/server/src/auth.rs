//! Who asks: opaque random tokens, kept only as hashes, and the roles they stand for.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use ongrid_engine::{Digest, canonical};
use ongrid_store::{Principal, Role};

use crate::app::{App, Shared};
use crate::problem::Problem;

/// What every token begins with, so that a leaked one is found by a scan.
const PREFIX: &str = "ongrid_";

/// A token as its holder has it; shown once, never stored or logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new random token: 32 bytes from the system.
    ///
    /// # Errors
    /// Where the system gives no randomness.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(format!("{PREFIX}{}", canonical::hex(&bytes))))
    }

    /// The token that a text is, if it has a token's form.
    pub fn read(text: &str) -> Option<Self> {
        let rest = text.strip_prefix(PREFIX)?;
        let hex = rest.len() == 64 && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
        hex.then(|| Self(text.to_owned()))
    }

    /// The token's text, to be shown once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored of it.
    pub fn hash(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }

    /// The token of an `Authorization: Bearer` header; `None` without one.
    fn of(headers: &HeaderMap) -> Option<Result<Self, Problem>> {
        let value = headers.get(header::AUTHORIZATION)?;
        let text = value.to_str().ok().and_then(|text| {
            let (scheme, token) = text.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
        });
        Some(match text {
            Some(text) if text.starts_with(PREFIX) && text.len() == PREFIX.len() + 64 => {
                Ok(Self(text.to_owned()))
            }
            _ => Err(Problem::unauthorized("the Authorization header holds no token of this service")),
        })
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// The holder of a valid token, whatever the role.
#[derive(Clone, Debug)]
pub struct Caller(pub Arc<Principal>);

/// The holder of a pilot's token.
#[derive(Clone, Debug)]
pub struct Pilot {
    /// The pilot.
    pub id: uuid::Uuid,
    /// The pilot's name.
    pub name: String,
    /// The registered skills, JSON.
    pub skills: Option<String>,
    /// The token used.
    pub token: uuid::Uuid,
}

/// The holder of a backend's token (an operator may do what a backend may).
#[derive(Clone, Debug)]
pub struct Backend(pub Arc<Principal>);

/// The holder of an operator's token.
#[derive(Clone, Debug)]
pub struct Operator(pub Arc<Principal>);

/// What is known of a request's token without asking the store.
#[derive(Debug)]
pub enum Known {
    /// There is no token, or what stands there is none.
    Nobody,
    /// It was looked up a moment ago.
    As(Arc<Principal>),
    /// It must be looked up.
    Not(Digest),
}

/// Tokens that were looked up a moment ago. A token revoked at another replica is refused within two seconds.
#[derive(Debug, Default)]
pub struct RecentTokens(Mutex<HashMap<Digest, (Instant, Arc<Principal>)>>);

/// How long a looked-up token is taken for valid.
const TRUST: Duration = Duration::from_secs(2);

/// When the table is tidied.
const MOST_RECENT: usize = 10_000;

impl RecentTokens {
    /// What is known of the token in these headers.
    pub fn known(&self, headers: &HeaderMap) -> Known {
        let Some(Ok(token)) = Token::of(headers) else { return Known::Nobody };
        let hash = token.hash();
        let recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match recent.get(&hash) {
            Some((since, principal)) if since.elapsed() < TRUST => Known::As(principal.clone()),
            _ => Known::Not(hash),
        }
    }

    /// Forgets everything: whatever was revoked or banned here is so at once.
    pub fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn keep(&self, hash: Digest, principal: &Arc<Principal>) {
        let mut recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.len() >= MOST_RECENT {
            recent.retain(|_, (since, _)| since.elapsed() < TRUST);
        }
        recent.insert(hash, (Instant::now(), principal.clone()));
    }
}

/// Asks the store whom a token speaks for.
///
/// # Errors
/// 503 where the database cannot say.
pub async fn look_up(app: &App, hash: Digest) -> Result<Option<Arc<Principal>>, Problem> {
    let principal = app.store.principal(&hash).await?.map(Arc::new);
    if let Some(principal) = &principal {
        app.recent_tokens.keep(hash, principal);
    }
    Ok(principal)
}

impl FromRequestParts<Shared> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        <Self as OptionalFromRequestParts<Shared>>::from_request_parts(parts, app)
            .await?
            .ok_or_else(|| Problem::unauthorized("this needs a token: Authorization: Bearer …"))
    }
}

/// Without a header there is no caller; a wrong token is a fault, not a stranger. The middleware of
/// [`crate::limits`] has looked the token up.
impl OptionalFromRequestParts<Shared> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _app: &Shared) -> Result<Option<Self>, Problem> {
        if let Some(principal) = parts.extensions.get::<Arc<Principal>>() {
            return Ok(Some(Self(principal.clone())));
        }
        match Token::of(&parts.headers) {
            None => Ok(None),
            Some(Err(problem)) => Err(problem),
            Some(Ok(_)) => Err(Problem::unauthorized("this token is unknown or revoked")),
        }
    }
}

impl FromRequestParts<Shared> for Pilot {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        let Caller(principal) = <Caller as FromRequestParts<Shared>>::from_request_parts(parts, app).await?;
        match (principal.role, principal.pilot) {
            (Role::Pilot, Some(_)) if principal.banned_at.is_some() => {
                Err(Problem::forbidden("banned", "this pilot is banned"))
            }
            (Role::Pilot, Some(id)) => Ok(Self {
                id,
                name: principal.name.clone().unwrap_or_default(),
                skills: principal.skills.clone(),
                token: principal.token,
            }),
            _ => Err(Problem::forbidden("forbidden", "only a pilot's token may do this")),
        }
    }
}

impl FromRequestParts<Shared> for Backend {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        let Caller(principal) = <Caller as FromRequestParts<Shared>>::from_request_parts(parts, app).await?;
        match principal.role {
            Role::Backend | Role::Operator => Ok(Self(principal)),
            Role::Pilot => Err(Problem::forbidden("forbidden", "only a backend's token may do this")),
        }
    }
}

impl FromRequestParts<Shared> for Operator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        let Caller(principal) = <Caller as FromRequestParts<Shared>>::from_request_parts(parts, app).await?;
        match principal.role {
            Role::Operator => Ok(Self(principal)),
            _ => Err(Problem::forbidden("forbidden", "only an operator's token may do this")),
        }
    }
}
