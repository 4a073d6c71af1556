//! How much one caller may ask: requests a minute by token or address, replays under way at once.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use uuid::Uuid;

use crate::app::{App, Shared};
use crate::auth::{self, Known};
use crate::body::discard;
use crate::config::Config;
use crate::problem::Problem;

type Keyed<K> = RateLimiter<K, DashMapStateStore<K>, DefaultClock, StateInformationMiddleware>;

/// The limits and who has used what of them.
#[derive(Debug)]
pub struct Limits {
    addresses: Option<Keyed<IpAddr>>,
    tokens: Option<Keyed<Uuid>>,
    under_way: Arc<Mutex<HashMap<Caller, usize>>>,
    most_under_way: usize,
    trusted_proxies: Vec<IpAddr>,
}

/// Whom a request is counted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// The holder of a valid token.
    Token(Uuid),
    /// Anybody else, by address; of IPv6 the /64 that one customer has.
    Address(IpAddr),
}

/// A replay under way; ends with this value.
#[derive(Debug)]
pub struct UnderWay {
    caller: Caller,
    counts: Arc<Mutex<HashMap<Caller, usize>>>,
}

impl Limits {
    /// The limits of the settings.
    pub fn new(config: &Config) -> Self {
        Self {
            addresses: limiter(config.rate.per_address),
            tokens: limiter(config.rate.per_token),
            under_way: Arc::default(),
            most_under_way: config.verify.per_token,
            trusted_proxies: config.http.trusted_proxies.clone(),
        }
    }

    /// Takes a place for a replay.
    ///
    /// # Errors
    /// 429 `too_many_at_once` where the caller has all its places.
    pub fn begin(&self, caller: Caller) -> Result<UnderWay, Problem> {
        let mut counts = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(caller).or_default();
        if *count >= self.most_under_way {
            let detail = format!("{} of your replays are under way; wait for an answer", self.most_under_way);
            return Err(
                Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_at_once", detail).retry_after(1)
            );
        }
        *count += 1;
        Ok(UnderWay { caller, counts: self.under_way.clone() })
    }

    /// Forgets who has not asked for a while, so that the tables stay small.
    pub fn tidy(&self) {
        if let Some(addresses) = &self.addresses {
            addresses.retain_recent();
        }
        if let Some(tokens) = &self.tokens {
            tokens.retain_recent();
        }
    }

    fn count(&self, caller: Caller) -> Result<Option<Headers>, Box<Response>> {
        match caller {
            Caller::Token(token) => self.tokens.as_ref().map(|limiter| take(limiter, &token)).transpose(),
            Caller::Address(address) => {
                self.addresses.as_ref().map(|limiter| take(limiter, &address)).transpose()
            }
        }
    }

    /// The caller's address: the peer's, or what a trusted proxy says of it.
    fn address(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut address = peer;
        let forwarded = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
        let hops: Vec<&str> = forwarded.flat_map(|value| value.split(',')).map(str::trim).collect();
        // From the nearest hop outwards, as far as each is one of ours.
        for hop in hops.iter().rev() {
            if !self.trusted_proxies.contains(&address) {
                break;
            }
            match hop.parse() {
                Ok(next) => address = next,
                Err(_) => break,
            }
        }
        match address.to_canonical() {
            IpAddr::V6(v6) => {
                let [a, b, c, d, ..] = v6.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
            v4 => v4,
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.caller) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.caller);
            }
        }
    }
}

fn limiter<K: Hash + Eq + Clone>(per_minute: u32) -> Option<Keyed<K>> {
    let quota = Quota::per_minute(NonZeroU32::new(per_minute)?);
    Some(RateLimiter::dashmap(quota).with_middleware())
}

/// The rate-limit headers: the quota, what is left of it, and the seconds until all of it is back.
pub const HEADERS: [HeaderName; 3] = [
    HeaderName::from_static("ratelimit-limit"),
    HeaderName::from_static("ratelimit-remaining"),
    HeaderName::from_static("ratelimit-reset"),
];

/// Rate-limit headers of an answer.
struct Headers {
    limit: u32,
    remaining: u32,
}

fn take<K: Hash + Eq + Clone>(limiter: &Keyed<K>, key: &K) -> Result<Headers, Box<Response>> {
    match limiter.check_key(key) {
        Ok(state) => Ok(Headers {
            limit: state.quota().burst_size().get(),
            remaining: state.remaining_burst_capacity(),
        }),
        Err(not_until) => {
            let wait = not_until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
            let limit = not_until.quota().burst_size().get();
            let detail = format!("{limit} requests a minute are allowed");
            let problem =
                Problem::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", detail).retry_after(wait);
            let mut response = problem.into_response();
            add_headers(&mut response, &Headers { limit, remaining: 0 });
            Err(Box::new(response))
        }
    }
}

fn add_headers(response: &mut Response, headers: &Headers) {
    // When the whole allowance is back: the quota refills evenly over a minute.
    let used = u64::from(headers.limit - headers.remaining);
    let reset = (used * 60).div_ceil(u64::from(headers.limit.max(1)));
    let values = [headers.limit.into(), headers.remaining.into(), reset.into()];
    response.headers_mut().extend(HEADERS.into_iter().zip(values));
}

/// Finds out who asks, counts the request, and lets it through or not. Health checks are never counted.
pub async fn limit(State(app): State<Shared>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if matches!(path, "/healthz" | "/readyz") {
        return next.run(request).await;
    }
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip());
    let peer = peer.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED));
    let address = Caller::Address(app.limits.address(peer, request.headers()));
    let known = app.known(request.headers());
    let (caller, principal) = match known {
        // A token that is not known yet costs its address a request, whatever it turns out to be.
        Known::Not(hash) => match app.limits.count(address) {
            Err(refused) => return refuse(request, *refused, &app).await,
            Ok(_) => match auth::look_up(&app, hash).await {
                Err(problem) => return problem.into_response(),
                Ok(Some(principal)) => (Caller::Token(principal.token), Some(principal)),
                Ok(None) => (address, None),
            },
        },
        Known::As(principal) => (Caller::Token(principal.token), Some(principal)),
        Known::Nobody => (address, None),
    };
    let headers = match app.limits.count(caller) {
        Err(refused) => return refuse(request, *refused, &app).await,
        Ok(headers) => headers,
    };
    request.extensions_mut().insert(caller);
    if let Some(principal) = principal {
        if let Some(pilot) = principal.pilot {
            tracing::Span::current().record("pilot", tracing::field::display(pilot));
        }
        request.extensions_mut().insert(principal);
    }
    let mut response = next.run(request).await;
    if let Some(headers) = headers {
        add_headers(&mut response, &headers);
    }
    response
}

/// Answers once the client has sent what it is sending, so that it hears the refusal.
async fn refuse(request: Request, refusal: Response, app: &App) -> Response {
    discard(request.into_body(), app.config.http.body_limit).await;
    refusal
}
