//! Who looks at a page: nobody in particular, or the holder of a token that was given at the login.
//!
//! The session is a cookie that scripts cannot read and that other sites cannot send along with a form. A form that
//! changes something carries, besides, a code that only this site's pages know.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use hmac::{Hmac, KeyInit, Mac};
use ongrid_engine::canonical;
use ongrid_store::{Principal, Role};
use sha2::Sha256;

use crate::app::Shared;
use crate::auth::{Caller, Token, look_up};
use crate::problem::Problem;

/// The cookie's name.
const COOKIE: &str = "ongrid_session";
/// How long a session lasts, in seconds.
const LASTS: u32 = 8 * 3600;

/// Who looks.
#[derive(Clone, Debug, Default)]
pub struct Visitor(pub Option<Session>);

/// A session.
#[derive(Clone, Debug)]
pub struct Session {
    /// Whom the token speaks for.
    pub principal: Arc<Principal>,
    /// What forms carry.
    pub form_code: String,
    token: Token,
}

impl Visitor {
    /// The visitor as the interface knows callers.
    pub fn caller(&self) -> Option<Caller> {
        self.0.as_ref().map(|session| Caller(session.principal.clone()))
    }

    /// The session of an operator.
    pub fn operator(&self) -> Option<&Session> {
        self.0.as_ref().filter(|session| session.principal.role == Role::Operator)
    }

    /// The pilot that looks.
    pub fn pilot(&self) -> Option<uuid::Uuid> {
        self.0.as_ref().filter(|session| session.principal.role == Role::Pilot)?.principal.pilot
    }
}

impl Session {
    fn new(token: Token, principal: Arc<Principal>) -> Self {
        let mut mac = Hmac::<Sha256>::new_from_slice(token.reveal().as_bytes())
            .expect("HMAC takes a key of any length");
        mac.update(b"ongrid-form-1");
        Self { form_code: canonical::hex(&mac.finalize().into_bytes()), principal, token }
    }

    /// Whether a form carries this session's code.
    ///
    /// # Errors
    /// 403 where it does not.
    pub fn check_form(&self, code: &str) -> Result<(), Problem> {
        // Compared whole, so that the time it takes tells nothing.
        let differs = code.len() != self.form_code.len();
        let bits = code.bytes().zip(self.form_code.bytes()).fold(0, |bits, (a, b)| bits | (a ^ b));
        match differs || bits != 0 {
            true => Err(Problem::forbidden("form", "this form is not of your session; load the page again")),
            false => Ok(()),
        }
    }

    /// Whether the token still holds.
    pub async fn holds(&self, app: &Shared) -> bool {
        matches!(look_up(app, self.token.hash()).await, Ok(Some(_)))
    }

    /// The header that begins the session in a browser.
    pub fn cookie(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        cookie(self.token.reveal(), LASTS, headers)
    }
}

/// Begins a session with a token.
///
/// # Errors
/// 401 where it is none, or revoked; 503 where the database cannot say.
pub async fn log_in(app: &Shared, text: &str) -> Result<Session, Problem> {
    let unknown = || Problem::unauthorized("this token is unknown or revoked");
    let token = Token::read(text.trim()).ok_or_else(unknown)?;
    let principal = look_up(app, token.hash()).await?.ok_or_else(unknown)?;
    Ok(Session::new(token, principal))
}

/// The header that ends the session in a browser.
pub fn log_out(headers: &HeaderMap) -> Option<HeaderValue> {
    cookie("", 0, headers)
}

fn cookie(value: &str, lasts: u32, headers: &HeaderMap) -> Option<HeaderValue> {
    let https = headers.get("x-forwarded-proto").is_some_and(|scheme| scheme == "https");
    let secure = if https { "; Secure" } else { "" };
    let text = format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={lasts}{secure}");
    HeaderValue::from_str(&text).ok()
}

/// Refuses a form that another site sent.
///
/// # Errors
/// 403 where the browser says so.
pub fn same_site(headers: &HeaderMap) -> Result<(), Problem> {
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(origin) = text(header::ORIGIN) else { return Ok(()) };
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    match text(header::HOST) == Some(host) {
        true => Ok(()),
        false => Err(Problem::forbidden("form", "this form comes from another site")),
    }
}

impl FromRequestParts<Shared> for Visitor {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Self::Rejection> {
        let Some(token) = token_of(&parts.headers) else { return Ok(Self(None)) };
        // A page is for everybody: a session that does not hold any more is nobody's.
        let principal = look_up(app, token.hash()).await.ok().flatten();
        Ok(Self(principal.map(|principal| Session::new(token, principal))))
    }
}

fn token_of(headers: &HeaderMap) -> Option<Token> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).and_then(|(_, value)| Token::read(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn cookies_are_read_and_written() {
        let token = format!("ongrid_{}", "a".repeat(64));
        let sent = headers(&[("cookie", &format!("x=1; ongrid_session={token}"))]);
        assert_eq!(token_of(&sent).unwrap().reveal(), token);
        for text in ["", "ongrid_session=", "ongrid_session=ongrid_1", "other=ongrid_"] {
            assert!(token_of(&headers(&[("cookie", text)])).is_none());
        }
        let plain = log_out(&headers(&[])).unwrap();
        assert_eq!(plain, "ongrid_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
        let tls = log_out(&headers(&[("x-forwarded-proto", "https")])).unwrap();
        assert!(tls.to_str().unwrap().ends_with("; Secure"));
    }

    #[test]
    fn forms_of_other_sites_are_refused() {
        for (pairs, allowed) in [
            (vec![], true),
            (vec![("host", "a.example"), ("origin", "https://a.example")], true),
            (vec![("host", "a.example"), ("origin", "https://b.example")], false),
            (vec![("host", "a.example"), ("origin", "null")], false),
        ] {
            assert_eq!(same_site(&headers(&pairs)).is_ok(), allowed, "{pairs:?}");
        }
    }
}
