//! `prelogin`, `login`, `renewToken`, `verify-token`, `logout`.

use super::cookies;
use super::device::{self, Devices};
use super::service::{self, Choice, Issued, LoggedIn, Opened};
use crate::directory::{Banner, Company, Missing, User};
use crate::links::{self, LinkKind};
use crate::menu::{self, MenuItem};
use crate::{Identity, Origin, sessions};
use atalaya_kernel::{CompanyId, Language, UserId};
use atalaya_rest::tokens::TokenKind;
use atalaya_rest::xsrf::{self, Xsrf};
use atalaya_rest::{ApiResult, Caller, ClientAddress, Json, NoContent, Problem};
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;

impl<S: Send + Sync> FromRequestParts<S> for Origin {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let ClientAddress(address) = ClientAddress::from_request_parts(parts, state).await?;
        let agent = parts.headers.get(header::USER_AGENT).and_then(|v| v.to_str().ok()).map(str::to_owned);
        Ok(Self { address, user_agent: agent })
    }
}

/// A user, with the company's facts that the shell shows.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = User)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserView {
    #[serde(rename = "_id")]
    id: UserId,
    #[schema(value_type = i16, minimum = 0, maximum = 8)]
    role: atalaya_kernel::Role,
    #[schema(value_type = i16, minimum = 0, maximum = 5)]
    status: atalaya_kernel::Status,
    /// The company's id.
    parent: CompanyId,
    support: bool,
    name: String,
    surname: String,
    /// Expiry of the session in seconds since 1970; null outside a log-in.
    exp: Option<i64>,
    user_name: String,
    email: Option<String>,
    phone: Option<String>,
    legal: bool,
    has2fa: bool,
    language: Language,
    company: CompanyView,
}

/// The company of a user.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = UserCompany)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompanyView {
    #[serde(rename = "_id")]
    id: CompanyId,
    company: String,
    /// `1` platform, `2` customer, `4` repairer, `6` workshop.
    company_type: String,
    #[schema(value_type = i16, minimum = 0, maximum = 5)]
    status: atalaya_kernel::Status,
    legal: bool,
    has_iban: bool,
    #[serde(rename = "pay_startAt")]
    pay_start_at: Option<DateTime<Utc>>,
    /// The video-call guard (CASE-25).
    may_call: bool,
    /// Whether video-call requests are blocked, and what the company lacks (REQUEST-9).
    blocked: bool,
    missing: Vec<Missing>,
    /// What the header tells this user, if anything.
    banner: Option<Banner>,
}

impl UserView {
    pub(crate) fn new(user: &User, company: &Company, exp: Option<i64>, now: DateTime<Utc>) -> Self {
        Self {
            id: user.id,
            role: user.role,
            status: user.status,
            parent: user.parent,
            support: user.support,
            name: user.name.clone(),
            surname: user.surname.clone(),
            exp,
            user_name: user.user_name.clone(),
            email: user.email.clone(),
            phone: user.phone.clone(),
            legal: user.legal,
            has2fa: user.has2fa,
            language: user.language,
            company: CompanyView {
                id: company.id,
                company: company.name.clone(),
                company_type: i16::from(company.kind).to_string(),
                status: company.status,
                legal: company.billing.legal,
                has_iban: company.billing.has_iban,
                pay_start_at: company.billing.pay_start_at,
                may_call: company.billing.may_call(now),
                blocked: company.billing.is_blocked(true, now),
                missing: company.billing.missing(now),
                banner: company.billing.banner(user.role, now),
            },
        }
    }
}

/// Length of what people type into the log-in fields, at most.
pub(crate) const FIELD_MAX: usize = 1000;

pub(crate) fn check_length(field: &'static str, text: &str) -> Result<(), Problem> {
    if text.chars().count() <= FIELD_MAX {
        return Ok(());
    }
    Err(Problem::invalid([atalaya_rest::FieldError::new(field, "TOO_LONG").param("max", FIELD_MAX)]))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PreLogInBody {
    user_name: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct PreLogInAnswer {
    users: Vec<OfferView>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = LoginChoice)]
pub(crate) struct OfferView {
    /// Opaque and short-lived; goes back as `login`.
    #[serde(rename = "_id")]
    id: String,
    /// Null when there is just one account.
    company: Option<String>,
    /// Whether this one of several logged in last.
    last: bool,
}

/// The accounts of a user name, before the password.
///
/// Errors: `LOGIN_INCORRECT` (422), `LOGIN_LOCKED` (429). Source: AUTH-1, AUTH-5.
#[utoipa::path(post, path = "/api/v1/prelogin", tag = "auth", request_body = PreLogInBody, security(()),
    responses((status = 200, body = PreLogInAnswer), (status = 422), (status = 429)))]
pub(crate) async fn pre_log_in(
    State(d): State<Identity>,
    origin: Origin,
    devices: Devices,
    Json(body): Json<PreLogInBody>,
) -> ApiResult<Json<PreLogInAnswer>> {
    check_length("userName", &body.user_name)?;
    let offers = service::offer_accounts(&d, &body.user_name, &devices, &origin).await?;
    let users = offers.into_iter().map(|offer| OfferView { id: offer.id, company: offer.company, last: offer.last }).collect();
    Ok(Json(PreLogInAnswer { users }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LogInBody {
    user_name: String,
    password: String,
    /// `true` for the only account, else the `_id` that `prelogin` answered.
    login: LoginField,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(untagged)]
pub(crate) enum LoginField {
    Only(bool),
    Offered(String),
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(untagged)]
pub(crate) enum LogInAnswer {
    Session(Box<SessionAnswer>),
    SecondFactor(SecondFactorAnswer),
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct SessionAnswer {
    /// Always true.
    login: bool,
    token: String,
    /// Seconds since 1970.
    exp: i64,
    user: UserView,
    menu: Vec<MenuItem>,
}

impl SessionAnswer {
    pub(crate) fn new(d: &Identity, Opened { issued, user, company }: &Opened) -> Self {
        let exp = issued.expires_at.timestamp();
        Self {
            login: true,
            token: issued.token.clone(),
            exp,
            user: UserView::new(user, company, Some(exp), d.sources.now()),
            menu: menu::for_user(user),
        }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct SecondFactorAnswer {
    /// Always false.
    login: bool,
    user: SecondFactorUser,
    /// Opens `verify2fa` for five minutes, nothing else.
    token: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct SecondFactorUser {
    #[serde(rename = "_id")]
    id: UserId,
    has2fa: bool,
}

/// Opens a session, or asks for the second factor.
///
/// Errors: `LOGIN_INCORRECT` (422), `ACCOUNT_INACTIVE` (403), `LOGIN_LOCKED` (429), `LOGIN_BUSY` (503).
/// Source: AUTH-3, AUTH-4, AUTH-5, AUTH-9.
#[utoipa::path(post, path = "/api/v1/login", tag = "auth", request_body = LogInBody, security(()),
    responses((status = 200, body = LogInAnswer), (status = 403), (status = 422), (status = 429), (status = 503)))]
pub(crate) async fn log_in(
    State(d): State<Identity>,
    origin: Origin,
    devices: Devices,
    Json(body): Json<LogInBody>,
) -> ApiResult<Response> {
    check_length("userName", &body.user_name)?;
    check_length("password", &body.password)?;
    let choice = match body.login {
        LoginField::Offered(id) => Choice::Offered(id),
        LoginField::Only(true) => Choice::Only,
        LoginField::Only(false) => return Err(Problem::invalid([]).field("login", "INVALID")),
    };
    match service::log_in(&d, &body.user_name, &body.password, &choice, &devices, &origin).await? {
        LoggedIn::SecondFactor { token, user } => {
            let user = SecondFactorUser { id: user, has2fa: true };
            Ok(no_store(Json(LogInAnswer::SecondFactor(SecondFactorAnswer { login: false, user, token }))))
        }
        LoggedIn::Session(opened) => Ok(session_response(&d, &opened)),
    }
}

/// The answer of every way in: token, user and menu, with the cookies of the session.
pub(crate) fn session_response(d: &Identity, opened: &Opened) -> Response {
    let mut response = no_store(Json(LogInAnswer::Session(Box::new(SessionAnswer::new(d, opened)))));
    set_cookies(d, response.headers_mut(), &opened.issued);
    device::remember(d, response.headers_mut(), &opened.user);
    response
}

pub(crate) fn no_store(body: impl IntoResponse) -> Response {
    let mut response = body.into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

pub(crate) fn set_cookies(d: &Identity, headers: &mut HeaderMap, issued: &Issued) {
    cookies::set(headers, &issued.media_token, d.secure_cookies());
    headers.append(header::SET_COOKIE, xsrf::set_cookie(&Xsrf { sources: d.sources.clone(), secure: d.secure_cookies() }));
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct RenewAnswer {
    token: String,
    /// Seconds since 1970.
    exp: i64,
}

/// Swaps the session's token for a fresh one; the old one lives on for 60 s. Needs `X-Renew-Token: true`.
///
/// Errors: `RENEWAL_HEADER_REQUIRED` (400), 401. Source: SESSION-1, SESSION-2.
#[utoipa::path(get, path = "/api/v1/renewToken", tag = "auth",
    params(("X-Renew-Token" = String, Header, description = "`true`")),
    responses((status = 200, body = RenewAnswer), (status = 400), (status = 401)))]
pub(crate) async fn renew_token(
    State(d): State<Identity>,
    caller: Caller,
    origin: Origin,
    headers: HeaderMap,
) -> ApiResult<Response> {
    if headers.get("x-renew-token").is_none_or(|value| value != "true") {
        return Err(Problem::malformed("RENEWAL_HEADER_REQUIRED"));
    }
    let issued = sessions::renew(&d, caller.session, &origin).await?;
    let answer = RenewAnswer { token: issued.token.clone(), exp: issued.expires_at.timestamp() };
    let mut response = no_store(Json(answer));
    cookies::set(response.headers_mut(), &issued.media_token, d.secure_cookies());
    Ok(response)
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VerifyTokenBody {
    activation_token: String,
}

/// What a token is good for (SESSION-6).
#[derive(Clone, Copy, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum VerifiedKind {
    Session,
    Pending2fa,
    Activation,
    AdminEnable,
    Reset,
    UserName,
    Marketing,
}

impl From<LinkKind> for VerifiedKind {
    fn from(kind: LinkKind) -> Self {
        match kind {
            LinkKind::Activation => Self::Activation,
            LinkKind::AdminEnable => Self::AdminEnable,
            LinkKind::Reset => Self::Reset,
            LinkKind::NameOld | LinkKind::NameNew => Self::UserName,
        }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct VerifyTokenAnswer {
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    kind: Option<VerifiedKind>,
    /// Seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    exp: Option<i64>,
}

/// What a token is good for; nothing personal.
///
/// Source: SESSION-6.
#[utoipa::path(post, path = "/api/v1/verify-token", tag = "auth", request_body = VerifyTokenBody, security(()),
    responses((status = 200, body = VerifyTokenAnswer)))]
pub(crate) async fn verify_token(
    State(d): State<Identity>,
    Json(body): Json<VerifyTokenBody>,
) -> ApiResult<Json<VerifyTokenAnswer>> {
    let token = &body.activation_token;
    let found = match service::inspect(&d, token).await? {
        Some((TokenKind::Pending2fa, exp)) => Some((VerifiedKind::Pending2fa, exp)),
        Some((_, exp)) => Some((VerifiedKind::Session, exp)),
        None => match links::service::inspect(&d, token).await? {
            Some((kind, exp)) => Some((kind.into(), exp)),
            None => match d.marketing_tokens.get() {
                Some(tokens) => tokens.inspect(token).await?.map(|exp| (VerifiedKind::Marketing, exp)),
                None => None,
            },
        },
    };
    let (kind, exp) = found.unzip();
    Ok(Json(VerifyTokenAnswer { valid: kind.is_some(), kind, exp }))
}

/// Ends the session at once, with every token it was renewed to, and clears its cookies.
#[utoipa::path(post, path = "/api/v1/logout", tag = "auth", responses((status = 204), (status = 401)))]
pub(crate) async fn log_out(State(d): State<Identity>, caller: Caller) -> ApiResult<Response> {
    service::log_out(&d, caller.session).await?;
    let mut response = NoContent.into_response();
    cookies::clear(response.headers_mut(), d.secure_cookies());
    Ok(response)
}
