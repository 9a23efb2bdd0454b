//! The caller of `/ext-api/v1/*`: a program with a customer's API key.

use super::super::model::{ApiKey, PREFIX};
use super::super::service;
use crate::Integrations;
use atalaya_identity::auth::middleware::bearer;
use atalaya_identity::directory::Company;
use atalaya_kernel::{ApiKeyId, Sources};
use atalaya_rest::address::subscriber;
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::{ClientAddress, Problem};
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use chrono::TimeDelta;
use std::net::IpAddr;

/// Calls of one key within a minute.
pub const CALLS_PER_MINUTE: usize = 300;
/// Calls without a good key from one address within a minute.
pub const STRANGERS_PER_MINUTE: usize = 30;

/// How often keys may call, per process. Cheap to clone; clones share their counts.
#[derive(Clone)]
pub struct ApiLimits {
    keys: RateLimiter<ApiKeyId>,
    strangers: RateLimiter<IpAddr>,
}

impl ApiLimits {
    pub fn new(sources: &Sources) -> Self {
        let minute = TimeDelta::minutes(1);
        Self {
            keys: RateLimiter::new(sources.clock(), CALLS_PER_MINUTE, minute),
            strangers: RateLimiter::new(sources.clock(), STRANGERS_PER_MINUTE, minute),
        }
    }
}

/// A recognised key and the customer it acts as (KEY-3).
///
/// Errors: 401 `API_KEY_REQUIRED` without a key, `API_KEY_INVALID` with an unknown or revoked one, 403
/// `ACCOUNT_INACTIVE`, 429 `TOO_MANY_REQUESTS`.
#[derive(Clone, Debug)]
pub struct ApiCaller {
    pub key: ApiKey,
    pub company: Company,
}

impl FromRequestParts<Integrations> for ApiCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, d: &Integrations) -> Result<Self, Problem> {
        let ClientAddress(address) = match ClientAddress::from_request_parts(parts, d).await {
            Ok(address) => address,
            Err(never) => match never {},
        };
        let limited = |seconds| Problem::too_many("TOO_MANY_REQUESTS", seconds);
        let Some(clear) = key_of(&parts.headers) else {
            d.api_limits.strangers.hit(subscriber(address)).map_err(limited)?;
            return Err(Problem::unauthenticated("API_KEY_REQUIRED"));
        };
        match service::recognise(&d.identity, clear).await {
            Ok((key, company)) => {
                d.api_limits.keys.hit(key.id).map_err(limited)?;
                Ok(Self { key, company })
            }
            Err(error) => {
                d.api_limits.strangers.hit(subscriber(address)).map_err(limited)?;
                Err(error.into())
            }
        }
    }
}

/// `X-API-Key`, or a bearer token that is one of our keys; a session's token is none.
fn key_of(headers: &HeaderMap) -> Option<&str> {
    let header = headers.get("x-api-key").and_then(|value| value.to_str().ok()).map(str::trim);
    header.filter(|text| !text.is_empty()).or_else(|| bearer(headers).filter(|token| token.starts_with(PREFIX)))
}
