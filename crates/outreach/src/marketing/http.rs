//! Calls about consent: the page of a link, the button of a mail program, the switch of a profile.

use super::MarketingError;
use super::model::{Permission, Source, Suppression, TEXT_VERSION, is_one_click, normal};
use super::{service, store};
use crate::Outreach;
use atalaya_checks::contact::is_email;
use atalaya_identity::auth::service::Origin;
use atalaya_kernel::Language;
use atalaya_rest::page::{ListQuery, PageQuery};
use atalaya_rest::{AdminOnly, ApiResult, Caller, Json, Path, Problem, Query, RequestLanguage};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes(deps: Outreach) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(read_token))
        .routes(routes!(respond))
        .routes(routes!(unsubscribe))
        .routes(routes!(open_link))
        .routes(routes!(get_consent))
        .routes(routes!(set_consent))
        .routes(routes!(list_suppressions))
        .routes(routes!(set_suppression))
        .with_state(deps)
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MarketingTokenInput {
    marketing_token: String,
}

/// What the page of a link shows.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MarketingTokenBody {
    /// Whole: whoever has the link reads this mailbox.
    email: String,
    /// What the link does: `YES` subscribes once it is confirmed, `NO` unsubscribes.
    permission: Permission,
    /// Who advertises.
    company: String,
    /// Where those who subscribe go next.
    business_url: String,
    /// Where those who leave go next.
    search_url: String,
    language: Language,
    /// Names the wording that is shown.
    text_version: &'static str,
    expires_at: DateTime<Utc>,
}

/// What a marketing link is for. Nothing is recorded: mail robots open links.
///
/// Errors: `TOKEN_INVALID`, `TOKEN_EXPIRED` (422).
#[utoipa::path(post, path = "/api/v1/marketing-token", tag = "marketing", operation_id = "marketing_token",
    request_body = MarketingTokenInput, responses((status = 200, body = MarketingTokenBody), (status = 422)), security(()))]
async fn read_token(State(d): State<Outreach>, Json(input): Json<MarketingTokenInput>) -> ApiResult<Json<MarketingTokenBody>> {
    let token = service::read(&d, &input.marketing_token).await?;
    Ok(Json(MarketingTokenBody {
        company: service::sender_name(&d).await?,
        business_url: d.marketing.business_url.clone(),
        search_url: d.marketing.search_url.clone(),
        email: token.email,
        permission: token.permission,
        language: token.language,
        text_version: TEXT_VERSION,
        expires_at: token.expires_at,
    }))
}

#[derive(Deserialize, ToSchema)]
struct MarketingResponseInput {
    email: String,
    /// `YES`, `NO`, true or false.
    #[schema(value_type = String)]
    allow: Value,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MarketingResponseBody {
    email: String,
    allow: Permission,
    at: DateTime<Utc>,
    /// Where to go next: the business site after a yes, a search engine after a no.
    redirect_url: String,
}

fn allow_of(value: &Value) -> ApiResult<Permission> {
    Permission::parse(value).ok_or_else(|| Problem::invalid([]).field("allow", "INVALID"))
}

/// Records an answer with its proof; the marketing token is the bearer. Answering twice adds a second proof.
///
/// Errors: `TOKEN_INVALID`, `TOKEN_EXPIRED`, `MARKETING_EMAIL` about `email`, `INVALID_FIELDS` about `allow` (422);
/// `MARKETING_PURPOSE` (403) for a yes by a link that unsubscribes. Never 401.
#[utoipa::path(post, path = "/api/v1/marketing-response", tag = "marketing", operation_id = "marketing_response",
    request_body = MarketingResponseInput,
    responses((status = 200, body = MarketingResponseBody), (status = 403), (status = 422)), security(()))]
async fn respond(
    State(d): State<Outreach>,
    RequestLanguage(language): RequestLanguage,
    origin: Origin,
    headers: HeaderMap,
    Json(input): Json<MarketingResponseInput>,
) -> ApiResult<Json<MarketingResponseBody>> {
    let token = service::read(&d, bearer(&headers).unwrap_or_default()).await?;
    let allow = allow_of(&input.allow)?;
    if normal(&input.email) != token.email {
        return Err(MarketingError::OtherAddress.into());
    }
    let at = service::answer(&d, &token, allow, Source::Page, language, &origin).await?;
    let settings = &d.marketing;
    let next = if allow.is_yes() { &settings.business_url } else { &settings.search_url };
    Ok(Json(MarketingResponseBody { email: token.email, allow, at, redirect_url: next.clone() }))
}

/// The token of `Authorization: Bearer …`.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The button of a mail program (RFC 8058): unsubscribes without a page. The body is the form
/// `List-Unsubscribe=One-Click`, so that a robot that merely tries addresses ends nothing.
///
/// Errors: `TOKEN_INVALID`, `TOKEN_EXPIRED`, `INVALID_FIELDS` about `List-Unsubscribe` (422).
#[utoipa::path(post, path = "/u/{token}", tag = "marketing", operation_id = "unsubscribe_one_click",
    params(("token" = String, Path)),
    request_body(content = String, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, description = "Unsubscribed"), (status = 422)), security(()))]
async fn unsubscribe(State(d): State<Outreach>, Path(token): Path<String>, origin: Origin, body: Bytes) -> ApiResult<StatusCode> {
    let token = service::read(&d, &token).await?;
    if !is_one_click(&body) {
        return Err(Problem::invalid([]).field("List-Unsubscribe", "REQUIRED"));
    }
    service::answer(&d, &token, Permission::No, Source::OneClick, token.language, &origin).await?;
    Ok(StatusCode::OK)
}

/// The link in a message: sends on to its page, whatever its state; the page tells. Only reads.
#[utoipa::path(get, path = "/u/{token}", tag = "marketing", operation_id = "open_marketing_link",
    params(("token" = String, Path)), responses((status = 302, description = "To the page of the link")), security(()))]
async fn open_link(Path(token): Path<String>) -> Response {
    let plausible = super::model::is_plausible(&token);
    let target = if plausible { format!("/marketing/{token}") } else { "/".to_owned() };
    let mut response = Redirect::to(&target).into_response();
    *response.status_mut() = StatusCode::FOUND;
    response
}

/// What holds for the address of one's own account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MarketingConsentBody {
    allow: Permission,
    /// The account's address; without one nothing can be allowed.
    email: Option<String>,
    /// Yes was said, and waits for its confirmation from the mailbox, because its holder had unsubscribed there.
    pending: bool,
    /// The address is on the suppression list.
    suppressed: bool,
    /// When and where the last answer was given: `page`, `one-click` or `profile`.
    at: Option<DateTime<Utc>>,
    source: Option<String>,
    text_version: &'static str,
}

impl From<service::Own> for MarketingConsentBody {
    fn from(own: service::Own) -> Self {
        let service::Own { email, allow, pending, suppressed, at, source } = own;
        Self { allow, email, pending, suppressed, at, source, text_version: TEXT_VERSION }
    }
}

/// Whether the caller's address receives advertising.
#[utoipa::path(get, path = "/api/v1/marketing-consent", tag = "marketing", operation_id = "get_marketing_consent",
    responses((status = 200, body = MarketingConsentBody), (status = 401)), security(("session" = [])))]
async fn get_consent(State(d): State<Outreach>, caller: Caller) -> ApiResult<Json<MarketingConsentBody>> {
    Ok(Json(service::own(&d, &caller).await?.into()))
}

#[derive(Deserialize, ToSchema)]
struct MarketingConsentInput {
    /// `YES`, `NO`, true or false.
    #[schema(value_type = String)]
    allow: Value,
}

/// Sets it, with proof; whoever left by a link confirms by a letter to that mailbox.
///
/// Errors: `MARKETING_NO_EMAIL`, `INVALID_FIELDS` about `allow` (422); `MARKETING_SUPPRESSED` (409) when an
/// administrator entered the address.
#[utoipa::path(post, path = "/api/v1/marketing-consent", tag = "marketing", operation_id = "set_marketing_consent",
    request_body = MarketingConsentInput,
    responses((status = 200, body = MarketingConsentBody), (status = 401), (status = 409), (status = 422)),
    security(("session" = [])))]
async fn set_consent(
    State(d): State<Outreach>,
    caller: Caller,
    RequestLanguage(language): RequestLanguage,
    origin: Origin,
    Json(input): Json<MarketingConsentInput>,
) -> ApiResult<Json<MarketingConsentBody>> {
    let allow = allow_of(&input.allow)?;
    Ok(Json(service::set_own(&d, &caller, allow, language, &origin).await?.into()))
}

/// An address that gets no advertising.
#[derive(Serialize, ToSchema)]
struct MarketingSuppression {
    email: String,
    /// `unsubscribed` by its holder, or `blocked` by an administrator.
    reason: String,
    at: DateTime<Utc>,
}

impl From<Suppression> for MarketingSuppression {
    fn from(of: Suppression) -> Self {
        Self { email: of.email, reason: of.reason.name().to_owned(), at: of.at }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SuppressionsBody {
    suppressions: Vec<MarketingSuppression>,
    total: u64,
    next_cursor: Option<String>,
}

/// The suppression list, newest first.
///
/// Errors: `INVALID_FIELDS` (422) about `cursor`.
#[utoipa::path(get, path = "/api/v1/marketing-suppressions", tag = "marketing", operation_id = "list_marketing_suppressions",
    params(("search" = Option<String>, Query), PageQuery),
    responses((status = 200, body = SuppressionsBody), (status = 401), (status = 403), (status = 422)),
    security(("session" = [])))]
async fn list_suppressions(
    State(d): State<Outreach>,
    _: AdminOnly,
    Query(query): Query<ListQuery>,
) -> ApiResult<Json<SuppressionsBody>> {
    let slice = ListQuery { format: None, ..query.clone() }.slice()?;
    let found = store::list_suppressed(d.db.read(), &normal(&query.search()), slice.offset, slice.limit).await;
    let (rows, total) = found.map_err(MarketingError::from)?;
    let suppressions = rows.into_iter().map(Into::into).collect();
    Ok(Json(SuppressionsBody { suppressions, total, next_cursor: slice.next_cursor(total) }))
}

#[derive(Deserialize, ToSchema)]
struct SuppressionInput {
    email: String,
    /// False takes it off the list.
    #[serde(default = "yes")]
    suppressed: bool,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, ToSchema)]
struct SuppressionBody {
    email: String,
    suppressed: bool,
}

/// Enters an address that objected by another way, or takes one off.
///
/// Errors: `INVALID_FIELDS` (422) about `email`.
#[utoipa::path(post, path = "/api/v1/marketing-suppression", tag = "marketing", operation_id = "set_marketing_suppression",
    request_body = SuppressionInput,
    responses((status = 200, body = SuppressionBody), (status = 401), (status = 403), (status = 422)),
    security(("session" = [])))]
async fn set_suppression(
    State(d): State<Outreach>,
    caller: AdminOnly,
    Json(input): Json<SuppressionInput>,
) -> ApiResult<Json<SuppressionBody>> {
    let email = normal(&input.email);
    if !is_email(&email) {
        return Err(Problem::invalid([]).field("email", "EMAIL_INVALID"));
    }
    service::set_suppressed(&d, &caller, &email, input.suppressed).await?;
    Ok(Json(SuppressionBody { email, suppressed: input.suppressed }))
}
