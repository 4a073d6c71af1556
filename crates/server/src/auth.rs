//! Who asks: opaque random tokens, kept only as hashes, and the roles they stand for.

use std::fmt;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use ongrid_engine::{Digest, canonical};
use ongrid_store::{Principal, Role};

use crate::app::Shared;
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

    /// The token's text, to be shown once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored of it.
    pub fn hash(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }

    /// The token of an `Authorization: Bearer` header.
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
pub struct Caller(pub Principal);

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
pub struct Backend(pub Principal);

/// The holder of an operator's token.
#[derive(Clone, Debug)]
pub struct Operator(pub Principal);

impl FromRequestParts<Shared> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        <Self as OptionalFromRequestParts<Shared>>::from_request_parts(parts, app)
            .await?
            .ok_or_else(|| Problem::unauthorized("this needs a token: Authorization: Bearer …"))
    }
}

/// Without a header there is no caller; a wrong token is a fault, not a stranger.
impl OptionalFromRequestParts<Shared> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Option<Self>, Problem> {
        let Some(token) = Token::of(&parts.headers) else { return Ok(None) };
        let principal = app.store.principal(&token?.hash()).await?;
        match principal {
            Some(principal) => Ok(Some(Self(principal))),
            None => Err(Problem::unauthorized("this token is unknown or revoked")),
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
                name: principal.name.unwrap_or_default(),
                skills: principal.skills,
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
