//! `passkey-options`, `passkeys`, `passkey-delete`, `passkey-login-options`, `passkey-login`.

use super::model::{NAME_MAX, Passkey};
use super::service;
use crate::auth::http::{SessionAnswer, no_store, session_response};
use crate::{Identity, Origin};
use atalaya_rest::address::subscriber;
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::{ApiResult, Caller, FieldError, Json, NoContent, Path, Problem};
use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, TimeDelta, Utc};
use passki::{AuthenticationCredential, RegistrationCredential};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::net::IpAddr;
use uuid::Uuid;

/// Questions to one address within [`WINDOW`]: each is a row, and an office shares an address.
const PER_ADDRESS: usize = 300;
const WINDOW: TimeDelta = TimeDelta::minutes(15);

/// The state of `passkey-login-options`.
#[derive(Clone)]
pub(crate) struct Asking {
    identity: Identity,
    by_address: RateLimiter<IpAddr>,
}

impl Asking {
    pub(crate) fn new(identity: Identity) -> Self {
        Self { by_address: RateLimiter::new(identity.sources.clock(), PER_ADDRESS, WINDOW), identity }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Passkey)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PasskeyView {
    #[serde(rename = "_id")]
    id: Uuid,
    name: String,
    created_at: DateTime<Utc>,
    last_used_at: Option<DateTime<Utc>>,
}

impl From<Passkey> for PasskeyView {
    fn from(Passkey { id, name, created_at, last_used_at }: Passkey) -> Self {
        Self { id, name, created_at, last_used_at }
    }
}

/// What a device is asked to make a passkey for: `PublicKeyCredentialCreationOptionsJSON`.
///
/// Errors: `PASSKEYS_UNAVAILABLE`, `PASSKEY_LIMIT` (409), `FRESH_PROOF_REQUIRED` (403).
/// Source: WebAuthn level 3 §5.4, PASSKEY-1, PASSKEY-2, PROOF-3.
#[utoipa::path(post, path = "/api/v1/passkey-options", tag = "passkeys",
    responses((status = 200, body = Object), (status = 401), (status = 403), (status = 409)))]
pub(crate) async fn begin_passkey(State(d): State<Identity>, caller: Caller) -> ApiResult<Response> {
    Ok(no_store(Json(service::begin(&d, &caller).await?)))
}

#[derive(Deserialize, utoipa::ToSchema)]
pub(crate) struct AddBody {
    /// `RegistrationResponseJSON`.
    #[schema(value_type = Object)]
    credential: RegistrationCredential,
    /// What its owner calls it, 60 characters at most; browser and system when empty.
    #[serde(default)]
    #[schema(required = false)]
    name: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct AddAnswer {
    passkey: PasskeyView,
}

/// Adds the passkey that a device has made; its holder is told by a message.
///
/// Errors: `PASSKEY_INVALID`, `TOO_LONG` on `name` (422), `PASSKEY_EXISTS`, `PASSKEY_LIMIT` (409),
/// `FRESH_PROOF_REQUIRED` (403). Source: PASSKEY-3, PASSKEY-4, PROOF-3.
#[utoipa::path(post, path = "/api/v1/passkeys", tag = "passkeys", request_body = AddBody,
    responses((status = 200, body = AddAnswer), (status = 401), (status = 403), (status = 409), (status = 422)))]
pub(crate) async fn add_passkey(
    State(d): State<Identity>,
    caller: Caller,
    origin: Origin,
    Json(body): Json<AddBody>,
) -> ApiResult<Json<AddAnswer>> {
    if body.name.chars().count() > NAME_MAX {
        return Err(Problem::invalid([FieldError::new("name", "TOO_LONG").param("max", NAME_MAX)]));
    }
    let passkey = service::add(&d, &caller, &body.credential, &body.name, &origin).await?;
    Ok(Json(AddAnswer { passkey: passkey.into() }))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListAnswer {
    passkeys: Vec<PasskeyView>,
}

/// One's own passkeys.
#[utoipa::path(get, path = "/api/v1/passkeys", tag = "passkeys", responses((status = 200, body = ListAnswer), (status = 401)))]
pub(crate) async fn list_passkeys(State(d): State<Identity>, caller: Caller) -> ApiResult<Json<ListAnswer>> {
    let passkeys = service::list(&d, &caller).await?;
    Ok(Json(ListAnswer { passkeys: passkeys.into_iter().map(Into::into).collect() }))
}

/// Forgets one of one's own passkeys.
///
/// Errors: `PASSKEY_NOT_FOUND` (404), `FRESH_PROOF_REQUIRED` (403). Source: PASSKEY-5, PROOF-3.
#[utoipa::path(post, path = "/api/v1/passkey-delete/{id}", tag = "passkeys", params(("id" = String, Path)),
    responses((status = 204), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn remove_passkey(
    State(d): State<Identity>,
    caller: Caller,
    Path(id): Path<Uuid>,
    origin: Origin,
) -> ApiResult<NoContent> {
    service::remove(&d, &caller, id, &origin).await?;
    Ok(NoContent)
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LogInQuestion {
    /// Goes back to `passkey-login`; good for five minutes, once.
    ceremony: Uuid,
    /// `PublicKeyCredentialRequestOptionsJSON`, for any passkey of this site.
    #[schema(value_type = Object)]
    public_key: Value,
}

/// What a device is asked to prove a passkey with, before anybody knows whose.
///
/// Errors: `PASSKEYS_UNAVAILABLE` (409), `TOO_MANY_REQUESTS` (429). Source: WebAuthn level 3 §5.5, PASSKEY-2.
#[utoipa::path(post, path = "/api/v1/passkey-login-options", tag = "passkeys", security(()),
    responses((status = 200, body = LogInQuestion), (status = 409), (status = 429)))]
pub(crate) async fn begin_passkey_log_in(State(room): State<Asking>, origin: Origin) -> ApiResult<Response> {
    room.by_address.hit(subscriber(origin.address)).map_err(|seconds| Problem::too_many("TOO_MANY_REQUESTS", seconds))?;
    let (ceremony, public_key) = service::begin_log_in(&room.identity).await?;
    Ok(no_store(Json(LogInQuestion { ceremony, public_key })))
}

#[derive(Deserialize, utoipa::ToSchema)]
pub(crate) struct PasskeyLogInBody {
    ceremony: Uuid,
    /// `AuthenticationResponseJSON`.
    #[schema(value_type = Object)]
    credential: AuthenticationCredential,
}

/// Logs in with a passkey, in the place of password and code.
///
/// Errors: `PASSKEY_INVALID` (422), `ACCOUNT_INACTIVE` (403), `LOGIN_LOCKED` (429). Source: PASSKEY-1, PASSKEY-3, PASSKEY-6.
#[utoipa::path(post, path = "/api/v1/passkey-login", tag = "passkeys", request_body = PasskeyLogInBody, security(()),
    responses((status = 200, body = SessionAnswer), (status = 403), (status = 422), (status = 429)))]
pub(crate) async fn passkey_log_in(
    State(d): State<Identity>,
    origin: Origin,
    Json(body): Json<PasskeyLogInBody>,
) -> ApiResult<Response> {
    let opened = service::log_in(&d, body.ceremony, &body.credential, &origin).await?;
    Ok(session_response(&d, &opened))
}
