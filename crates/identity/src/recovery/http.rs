//! `remember-email`, `change-password`, `change-password-perfil`, `password-users`, `password-reset`.

use super::service;
use crate::auth::http::check_length;
use crate::directory::{Account, normalise_user_name};
use crate::{Identity, Origin};
use atalaya_kernel::UserId;
use atalaya_rest::address::subscriber;
use atalaya_rest::caller::PasswordDesk;
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::{ApiResult, Caller, Json, NoContent, Path, Problem};
use axum::extract::State;
use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// Every answer of `remember-email` takes this long, which is more than sending takes: how long one waits tells nothing.
pub(crate) const ASKING_TAKES: Duration = Duration::from_millis(250);
/// Requests for a reset from one address, and about one user name, within [`WINDOW`].
const PER_ADDRESS: usize = 20;
const PER_NAME: usize = 5;
const WINDOW: TimeDelta = TimeDelta::minutes(15);

/// The state of `remember-email`.
#[derive(Clone)]
pub(crate) struct Asking {
    identity: Identity,
    by_address: RateLimiter<IpAddr>,
    by_name: RateLimiter<String>,
}

impl Asking {
    pub(crate) fn new(identity: Identity) -> Self {
        let clock = identity.sources.clock();
        Self {
            by_address: RateLimiter::new(clock.clone(), PER_ADDRESS, WINDOW),
            by_name: RateLimiter::new(clock, PER_NAME, WINDOW),
            identity,
        }
    }
}

#[derive(Deserialize, utoipa::ToSchema)]
pub(crate) struct RememberBody {
    /// The user name: an e-mail or a phone.
    email: String,
}

/// Sends a link to set a new password to every account of this user name.
///
/// Answers the same in the same time whether there is one or not.
/// Errors: `REQUIRED` on `email` (422), `TOO_MANY_REQUESTS` (429). Source: RECOVER-1, RECOVER-2, RECOVER-8.
#[utoipa::path(post, path = "/api/v1/remember-email", tag = "passwords", request_body = RememberBody, security(()),
    responses((status = 204), (status = 422), (status = 429)))]
pub(crate) async fn remember_email(
    State(room): State<Asking>,
    origin: Origin,
    Json(body): Json<RememberBody>,
) -> ApiResult<NoContent> {
    check_length("email", &body.email)?;
    if body.email.trim().is_empty() {
        return Err(Problem::invalid([]).field("email", "REQUIRED"));
    }
    let too_many = |seconds| Problem::too_many("TOO_MANY_REQUESTS", seconds);
    room.by_address.hit(subscriber(origin.address)).map_err(too_many)?;
    room.by_name.hit(normalise_user_name(&body.email)).map_err(too_many)?;
    let until = Instant::now() + ASKING_TAKES;
    let sent = service::ask(&room.identity, &body.email, &origin).await;
    sleep_until(until).await;
    sent?;
    Ok(NoContent)
}

#[derive(Deserialize, utoipa::ToSchema)]
pub(crate) struct ChangeBody {
    change: Change,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[schema(as = PasswordChange)]
pub(crate) struct Change {
    /// Of the link.
    token: String,
    password: String,
}

/// Sets a new password with the token of a link; ends every session of the account.
///
/// Errors: `TOKEN_INVALID`, `TOKEN_EXPIRED`, `TOKEN_USED`, `PASSWORD_WEAK` on `password` (422). Source: RECOVER-3, RECOVER-4, RECOVER-7.
#[utoipa::path(put, path = "/api/v1/change-password", tag = "passwords", request_body = ChangeBody, security(()),
    responses((status = 204), (status = 422)))]
pub(crate) async fn change_password(
    State(d): State<Identity>,
    origin: Origin,
    Json(ChangeBody { change }): Json<ChangeBody>,
) -> ApiResult<NoContent> {
    service::reset(&d, &change.token, &change.password, &origin).await?;
    Ok(NoContent)
}

#[derive(Deserialize, utoipa::ToSchema)]
pub(crate) struct OwnChangeBody {
    params: OwnChange,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[schema(as = OwnPasswordChange)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnChange {
    old_password: String,
    password: String,
    /// Forgets the account's passkeys as well.
    #[serde(default)]
    #[schema(required = false)]
    remove_passkeys: bool,
}

/// Changes one's own password; other sessions end, this one stays.
///
/// Errors: `PASSWORD_WRONG` on `oldPassword`, `PASSWORD_WEAK` on `password` (422), `OWN_ID_REQUIRED` (403),
/// `LOGIN_LOCKED` (429). Source: RECOVER-5, RECOVER-6.
#[utoipa::path(put, path = "/api/v1/change-password-perfil/{id}", tag = "passwords", request_body = OwnChangeBody,
    params(("id" = String, Path)), responses((status = 204), (status = 401), (status = 403), (status = 422), (status = 429)))]
pub(crate) async fn change_own_password(
    State(d): State<Identity>,
    caller: Caller,
    Path(id): Path<UserId>,
    origin: Origin,
    Json(OwnChangeBody { params }): Json<OwnChangeBody>,
) -> ApiResult<NoContent> {
    check_length("oldPassword", &params.old_password)?;
    let OwnChange { old_password, password, remove_passkeys } = &params;
    let change = service::OwnPassword { old: old_password, new: password, remove_passkeys: *remove_passkeys };
    service::change(&d, &caller, id, change, &origin).await?;
    Ok(NoContent)
}

#[derive(Deserialize, utoipa::ToSchema)]
#[schema(as = DeskAccountSearch)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AccountsBody {
    /// The whole user name.
    user_name: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct AccountsAnswer {
    users: Vec<AccountView>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = DeskAccount)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AccountView {
    #[serde(rename = "_id")]
    id: UserId,
    user_name: String,
    /// The company's name.
    company: String,
    #[schema(value_type = i16, minimum = 0, maximum = 8)]
    role: atalaya_kernel::Role,
    #[schema(value_type = i16, minimum = 0, maximum = 5)]
    status: atalaya_kernel::Status,
}

/// The accounts of exactly this user name, for the password operator and administrators.
///
/// By POST, because a user name in an address would stand in logs and histories. Source: RECOVER-6, EDGE-8.
#[utoipa::path(post, path = "/api/v1/password-users", tag = "passwords", request_body = AccountsBody,
    responses((status = 200, body = AccountsAnswer), (status = 401), (status = 403), (status = 422)))]
pub(crate) async fn find_password_users(
    State(d): State<Identity>,
    _desk: PasswordDesk,
    Json(body): Json<AccountsBody>,
) -> ApiResult<Json<AccountsAnswer>> {
    check_length("userName", &body.user_name)?;
    let found = service::find_accounts(&d, &body.user_name).await?;
    let view = |account: Account| AccountView {
        id: account.user.id,
        user_name: account.user.user_name,
        company: account.company.name,
        role: account.user.role,
        status: account.user.status,
    };
    Ok(Json(AccountsAnswer { users: found.into_iter().map(view).collect() }))
}

/// Sends a reset link to the account's own address, for somebody who asks at the desk.
///
/// Errors: `USER_NOT_FOUND` (404). Source: RECOVER-6.
#[utoipa::path(post, path = "/api/v1/password-reset/{id}", tag = "passwords", params(("id" = String, Path)),
    responses((status = 204), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn start_password_reset(
    State(d): State<Identity>,
    desk: PasswordDesk,
    Path(id): Path<UserId>,
    origin: Origin,
) -> ApiResult<NoContent> {
    service::start_for(&d, &desk, id, &origin).await?;
    Ok(NoContent)
}
