//! `2fa`, `verify2fa`, `disable2fa`, `recovery-codes`.

use super::service;
use crate::auth::http::{SessionAnswer, check_length, no_store, session_response};
use crate::auth::middleware::bearer;
use crate::{Identity, IdentityError, Origin};
use atalaya_kernel::UserId;
use atalaya_rest::{ApiResult, Caller, Json, NoContent, Problem};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EnrolmentAnswer {
    /// Base32, to be typed into an app.
    secret: String,
    otpauth_url: String,
    /// The text of the QR code: the same address; the browser draws it.
    qr: String,
}

/// A secret for an authenticator app; it counts for nothing until `verify2fa`.
///
/// The same for one log-in until it is verified, so that a page may ask twice.
/// Errors: `SECOND_FACTOR_ACTIVE` (409), `FRESH_PROOF_REQUIRED` (403). Source: FACTOR-1, PROOF-3.
#[utoipa::path(get, path = "/api/v1/2fa", tag = "second factor",
    responses((status = 200, body = EnrolmentAnswer), (status = 401), (status = 403), (status = 409)))]
pub(crate) async fn begin_second_factor(State(d): State<Identity>, caller: Caller) -> ApiResult<Response> {
    let enrolment = service::begin(&d, &caller).await?;
    let qr = enrolment.url.clone();
    Ok(no_store(Json(EnrolmentAnswer { secret: enrolment.secret, otpauth_url: enrolment.url, qr })))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VerifyBody {
    user_id: UserId,
    /// The code: six digits, or while logging in a recovery code.
    token: String,
    /// Ignored: the server knows the secret it gave.
    #[serde(default)]
    #[schema(required = false)]
    #[expect(dead_code, reason = "part of the wire, and ignored")]
    secret: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "one half is written by `session_response`; both are in the API description")]
pub(crate) enum VerifyAnswer {
    Session(Box<SessionAnswer>),
    Enabled(RecoveryCodesAnswer),
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecoveryCodesAnswer {
    /// Ten, each good once; never shown again.
    recovery_codes: Vec<String>,
}

/// Ends a log-in with its code, or turns the second factor on with the first one.
///
/// The bearer tells which: the token of `login`, which serves for one try, or a session's.
/// Errors: `CODE_INVALID` (422), `LOGIN_EXPIRED` (422: used or older than five minutes), `LOGIN_LOCKED` (429),
/// `ACCOUNT_INACTIVE`, `OWN_ID_REQUIRED`, `FRESH_PROOF_REQUIRED` (403), `SECOND_FACTOR_ACTIVE` (409), `SECOND_FACTOR_INACTIVE` (409).
/// Source: FACTOR-1 to FACTOR-5.
#[utoipa::path(post, path = "/api/v1/verify2fa", tag = "second factor", request_body = VerifyBody,
    responses((status = 200, body = VerifyAnswer), (status = 401), (status = 403), (status = 409), (status = 422), (status = 429)))]
pub(crate) async fn verify_second_factor(
    State(d): State<Identity>,
    caller: Result<Caller, Problem>,
    origin: Origin,
    headers: HeaderMap,
    Json(body): Json<VerifyBody>,
) -> ApiResult<Response> {
    check_length("token", &body.token)?;
    match caller {
        Ok(caller) => {
            if caller.user != body.user_id {
                return Err(IdentityError::OwnIdRequired.into());
            }
            let recovery_codes = service::confirm(&d, &caller, &body.token, &origin).await?;
            Ok(no_store(Json(RecoveryCodesAnswer { recovery_codes })))
        }
        Err(no_caller) => {
            let claims = match bearer(&headers).map(|token| service::read_pending(&d, token)) {
                None | Some(Err(IdentityError::TokenInvalid)) => return Err(no_caller),
                Some(claims) => claims?,
            };
            if claims.sub != body.user_id {
                return Err(IdentityError::OwnIdRequired.into());
            }
            let opened = service::finish_log_in(&d, &claims, &body.token, &origin).await?;
            Ok(session_response(&d, &opened))
        }
    }
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DisableBody {
    user_id: UserId,
    /// A code or recovery code, needed for one's own account.
    #[serde(default)]
    #[schema(required = false)]
    token: String,
}

/// Turns a second factor off: one's own with a code, anybody's as an administrator, a member's as the principal.
///
/// Errors: `CODE_INVALID` (422), `SECOND_FACTOR_INACTIVE` (409), `OWN_ID_REQUIRED`, `FRESH_PROOF_REQUIRED` (403), `USER_NOT_FOUND` (404),
/// `LOGIN_LOCKED` (429). Source: FACTOR-6.
#[utoipa::path(post, path = "/api/v1/disable2fa", tag = "second factor", request_body = DisableBody,
    responses((status = 204), (status = 401), (status = 403), (status = 404), (status = 409), (status = 422), (status = 429)))]
pub(crate) async fn disable_second_factor(
    State(d): State<Identity>,
    caller: Caller,
    origin: Origin,
    Json(body): Json<DisableBody>,
) -> ApiResult<NoContent> {
    check_length("token", &body.token)?;
    service::disable(&d, &caller, body.user_id, &body.token, &origin).await?;
    Ok(NoContent)
}

#[derive(Deserialize, utoipa::ToSchema)]
pub(crate) struct RenewCodesBody {
    /// A code or one of the old recovery codes.
    token: String,
}

/// Ten new recovery codes; the old ones stop working.
///
/// Errors: `CODE_INVALID` (422), `SECOND_FACTOR_INACTIVE` (409), `LOGIN_LOCKED` (429). Source: FACTOR-5.
#[utoipa::path(post, path = "/api/v1/recovery-codes", tag = "second factor", request_body = RenewCodesBody,
    responses((status = 200, body = RecoveryCodesAnswer), (status = 401), (status = 409), (status = 422), (status = 429)))]
pub(crate) async fn renew_recovery_codes(
    State(d): State<Identity>,
    caller: Caller,
    origin: Origin,
    Json(body): Json<RenewCodesBody>,
) -> ApiResult<Response> {
    check_length("token", &body.token)?;
    let recovery_codes = service::renew_codes(&d, &caller, &body.token, &origin).await?;
    Ok(no_store(Json(RecoveryCodesAnswer { recovery_codes })))
}
