//! Calls of the check of a phone: the relay to try, the result to keep, the list for administrators.

use super::model::PhoneCheckOutcome;
use super::service;
use crate::Assistance;
use crate::calls::{CheckRelay, RelayToTry};
use crate::client_page::http::From;
use atalaya_cases::conferences::ConferenceError;
use atalaya_rest::address::subscriber;
use atalaya_rest::caller::AdminOnly;
use atalaya_rest::extract::{Json, Query};
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::response::ApiResult;
use axum::extract::{DefaultBodyLimit, State};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// A result has some 800 bytes.
const BODY_MAX: usize = 8 * 1024;

#[derive(Clone)]
struct Desk {
    deps: Assistance,
    results: RateLimiter<IpAddr>,
    relays: RateLimiter<IpAddr>,
}

pub fn routes(deps: Assistance) -> OpenApiRouter {
    let limiter = |max| RateLimiter::new(deps.sources.clock(), max, TimeDelta::minutes(10));
    let desk = Desk { results: limiter(5), relays: limiter(10), deps: deps.clone() };
    OpenApiRouter::new()
        .routes(routes!(keep_phone_check, list_phone_checks))
        .routes(routes!(relay_to_try))
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .with_state(desk)
}

fn limit(limiter: &RateLimiter<IpAddr>, address: IpAddr) -> Result<(), ConferenceError> {
    limiter.hit(subscriber(address)).map_err(|retry_after_s| ConferenceError::TooManyTries { retry_after_s })
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PhoneCheckRequest {
    outcomes: Vec<PhoneCheckOutcome>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PhoneCheckCode {
    /// Eight digits, by which support finds the result.
    code: String,
    kept_until: DateTime<Utc>,
}

/// Keeps what a phone could do, under a code that its page shows.
///
/// Errors: `INVALID_FIELDS` (422), `TOO_MANY_TRIES` (429).
#[utoipa::path(post, path = "/api/v1/phone-checks", tag = "client", security(()), operation_id = "keep_phone_check",
    request_body = PhoneCheckRequest, responses((status = 200, body = PhoneCheckCode)))]
async fn keep_phone_check(
    State(desk): State<Desk>,
    From(origin): From,
    Json(request): Json<PhoneCheckRequest>,
) -> ApiResult<Json<PhoneCheckCode>> {
    limit(&desk.results, origin.address)?;
    let kept = service::keep(&desk.deps, &request.outcomes, &origin.user_agent).await?;
    Ok(Json(PhoneCheckCode { code: kept.code, kept_until: kept.until }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PhoneChecksQuery {
    /// As the person reads it out; without it, the newest hundred.
    code: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PhoneCheckView {
    #[serde(rename = "_id")]
    id: Uuid,
    code: String,
    browser: String,
    os: String,
    outcomes: Vec<PhoneCheckOutcome>,
    at: DateTime<Utc>,
    kept_until: DateTime<Utc>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PhoneChecksBody {
    phone_checks: Vec<PhoneCheckView>,
}

/// The results of checks, newest first, or the one of a code.
#[utoipa::path(get, path = "/api/v1/phone-checks", tag = "client", operation_id = "list_phone_checks",
    params(PhoneChecksQuery), responses((status = 200, body = PhoneChecksBody)), security(("session" = [])))]
async fn list_phone_checks(
    State(desk): State<Desk>,
    _: AdminOnly,
    Query(query): Query<PhoneChecksQuery>,
) -> ApiResult<Json<PhoneChecksBody>> {
    let rows = service::list(&desk.deps, query.code.as_deref()).await?;
    let phone_checks = rows
        .into_iter()
        .map(|(row, kept_until)| PhoneCheckView {
            id: row.id,
            code: row.code,
            browser: row.browser,
            os: row.os,
            outcomes: serde_json::from_value(row.outcomes).unwrap_or_default(),
            at: row.at,
            kept_until,
        })
        .collect();
    Ok(Json(PhoneChecksBody { phone_checks }))
}

#[derive(Serialize, ToSchema)]
struct RelayBody {
    /// Null where there is none that can be tried without a call.
    relay: Option<RelayToTry>,
    /// Why not: `off`, or `elsewhere` for a relay that is not this server's.
    reason: Option<&'static str>,
}

/// The relay, for a minute, so that a phone can try whether it is reached. It leads to the media engine and nowhere else.
///
/// Errors: `TOO_MANY_TRIES` (429).
#[utoipa::path(get, path = "/api/v1/phone-checks/relay", tag = "client", security(()), operation_id = "relay_to_try",
    responses((status = 200, body = RelayBody)))]
async fn relay_to_try(State(desk): State<Desk>, From(origin): From) -> ApiResult<Json<RelayBody>> {
    limit(&desk.relays, origin.address)?;
    let (relay, reason) = match desk.deps.engine.relay_to_try() {
        CheckRelay::Try(relay) => (Some(relay), None),
        CheckRelay::Off => (None, Some("off")),
        CheckRelay::Elsewhere => (None, Some("elsewhere")),
    };
    Ok(Json(RelayBody { relay, reason }))
}
