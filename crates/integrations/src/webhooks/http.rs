//! Calls of webhooks: by the customer's programs under `/ext-api/v1`, and by the page `/api` under `/api/v1`.

use super::error::WebhookError;
use super::events::Event;
use super::service;
use super::view::{DeliveryView, WebhookView};
use crate::Integrations;
use crate::api_keys;
use crate::public_api::ExtCaller;
use atalaya_kernel::CompanyId;
use atalaya_rest::caller::{AdminOrCustomer, Caller};
use atalaya_rest::extract::{Json, Path, Query};
use atalaya_rest::problem::Problem;
use atalaya_rest::response::{ApiResult, Created, NoContent};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// Deliveries of a page.
const PAGE_SIZE: u64 = 50;
/// The last page; keeps the offset from overflowing.
const PAGE_MAX: u64 = 1_000_000;

pub fn routes(deps: Integrations) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(list_webhooks, add_webhook))
        .routes(routes!(change_webhook, remove_webhook))
        .routes(routes!(webhook_deliveries))
        .routes(routes!(webhook_replay))
        .routes(routes!(webhook_test))
        .routes(routes!(ext_list_webhooks, ext_add_webhook))
        .routes(routes!(ext_change_webhook, ext_remove_webhook))
        .routes(routes!(ext_webhook_deliveries))
        .routes(routes!(ext_webhook_replay))
        .routes(routes!(ext_webhook_test))
        .with_state(deps)
}

/// Whose webhooks.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default, rename_all = "camelCase")]
struct OfCustomer {
    /// The customer, named by administrators; everybody else has his own.
    customer_id: Option<String>,
}

async fn customer_of(deps: &Integrations, caller: &Caller, of: &OfCustomer) -> ApiResult<CompanyId> {
    let text = of.customer_id.as_deref().filter(|text| !text.is_empty());
    let wished = text.map(str::parse).transpose().map_err(|_| Problem::not_found("COMPANY_NOT_FOUND"))?;
    Ok(api_keys::service::customer_of(&deps.identity, caller, wished).await?)
}

/// The company whose webhooks a caller may reach by id: their own, or any (`None`) for administrators.
fn reach(caller: &Caller) -> Option<CompanyId> {
    (!caller.is_admin()).then_some(caller.company)
}

#[derive(Serialize, ToSchema)]
struct WebhooksBody {
    webhooks: Vec<WebhookView>,
    /// What a webhook can be told.
    events: Vec<&'static str>,
}

async fn listed(deps: &Integrations, company: CompanyId) -> ApiResult<Json<WebhooksBody>> {
    let webhooks = service::list(deps, company).await?;
    let events = Event::ALL.iter().map(|event| event.name()).collect();
    Ok(Json(WebhooksBody { webhooks: webhooks.iter().map(WebhookView::from).collect(), events }))
}

/// A webhook as it shall be.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
struct WebhookWish {
    /// `https://…`, reachable from the Internet.
    url: String,
    /// Names of events; all when absent or empty.
    events: Option<Vec<String>>,
}

#[derive(Serialize, ToSchema)]
struct AddedWebhookBody {
    webhook: WebhookView,
    /// Signs every delivery. It is shown now and never again.
    secret: String,
}

async fn added(deps: &Integrations, caller: &Caller, company: CompanyId, new: &WebhookWish) -> ApiResult<Response> {
    let (webhook, secret) = service::create(deps, caller, company, &new.url, new.events.as_deref()).await?;
    let mut response = Created(AddedWebhookBody { webhook: WebhookView::from(&webhook), secret }).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

#[derive(Serialize, ToSchema)]
struct WebhookBody {
    webhook: WebhookView,
}

async fn changed(
    deps: &Integrations,
    caller: &Caller,
    company: Option<CompanyId>,
    id: Uuid,
    wish: &WebhookWish,
) -> ApiResult<Json<WebhookBody>> {
    let row = service::change(deps, caller, company, id, &wish.url, wish.events.as_deref()).await?;
    Ok(Json(WebhookBody { webhook: WebhookView::from(&row) }))
}

#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct PageQuery {
    /// 1 for the first 50.
    page: Option<u64>,
}

#[derive(Serialize, ToSchema)]
struct DeliveriesBody {
    deliveries: Vec<DeliveryView>,
    total: u64,
    page: u64,
    pages: u64,
}

async fn deliveries(
    deps: &Integrations,
    company: Option<CompanyId>,
    id: Uuid,
    query: PageQuery,
) -> ApiResult<Json<DeliveriesBody>> {
    let page = query.page.unwrap_or(1).clamp(1, PAGE_MAX);
    let (rows, total) = service::deliveries(deps, company, id, page, PAGE_SIZE).await?;
    let deliveries = rows.iter().map(DeliveryView::from).collect();
    Ok(Json(DeliveriesBody { deliveries, total, page, pages: total.div_ceil(PAGE_SIZE) }))
}

/// From when.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
struct ReplayBody {
    /// RFC 3339; deliveries are kept for 30 days.
    #[schema(value_type = String, format = DateTime)]
    from: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct ReplayedBody {
    replayed: u64,
}

async fn replayed(deps: &Integrations, company: Option<CompanyId>, id: Uuid, body: &ReplayBody) -> ApiResult<Json<ReplayedBody>> {
    // A missing webhook is reported before a wrong body.
    service::find(deps, company, id).await?;
    let from = body.from.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let from = from.ok_or(WebhookError::Field("from", "REQUIRED"))?;
    let from: DateTime<Utc> = from.parse().map_err(|_| WebhookError::Field("from", "INVALID"))?;
    Ok(Json(ReplayedBody { replayed: service::replay(deps, company, id, from).await? }))
}

#[derive(Serialize, ToSchema)]
#[schema(as = WebhookTestBody)]
struct TestBody {
    delivery: DeliveryView,
}

async fn tested(deps: &Integrations, company: Option<CompanyId>, id: Uuid) -> ApiResult<Json<TestBody>> {
    let row = service::test(deps, company, id).await?;
    Ok(Json(TestBody { delivery: DeliveryView::from(&row) }))
}

/// The customer's webhooks, and what they can be told.
///
/// Errors: `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(get, path = "/api/v1/webhooks", tag = "api-keys", operation_id = "list_webhooks", params(OfCustomer), 
    responses((status = 200, body = WebhooksBody), (status = 401), (status = 403)),
    security(("session" = [])))]
async fn list_webhooks(
    State(deps): State<Integrations>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Query(of): Query<OfCustomer>,
) -> ApiResult<Json<WebhooksBody>> {
    let company = customer_of(&deps, &caller, &of).await?;
    listed(&deps, company).await
}

/// The customer's webhooks, and what they can be told.
///
/// Errors: `API_KEY_REQUIRED`, `API_KEY_INVALID` (401), `ACCOUNT_INACTIVE` (403), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(get, path = "/ext-api/v1/webhooks", tag = "ext-api", operation_id = "ext_list_webhooks", 
    responses((status = 200, body = WebhooksBody), (status = 401), (status = 403), (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
async fn ext_list_webhooks(State(deps): State<Integrations>, by: ExtCaller) -> ApiResult<Json<WebhooksBody>> {
    listed(&deps, by.company.id).await
}

/// Registers an address for events; the secret that signs them is shown once. Five at most.
///
/// Errors: `INVALID_FIELDS` (422) with `url` (`REQUIRED`, `WEBHOOK_ADDRESS`) or `events`, `WEBHOOK_LIMIT` (409), `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(post, path = "/api/v1/webhooks", tag = "api-keys", operation_id = "add_webhook", params(OfCustomer), request_body = WebhookWish,
    responses((status = 201, body = AddedWebhookBody), (status = 409), (status = 422), (status = 401), (status = 403)),
    security(("session" = [])))]
async fn add_webhook(
    State(deps): State<Integrations>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Query(of): Query<OfCustomer>,
    Json(new): Json<WebhookWish>,
) -> ApiResult<Response> {
    let company = customer_of(&deps, &caller, &of).await?;
    added(&deps, &caller, company, &new).await
}

/// Registers an address for events; the secret that signs them is shown once. Five at most.
///
/// Errors: `INVALID_FIELDS` (422) with `url` (`REQUIRED`, `WEBHOOK_ADDRESS`) or `events`, `WEBHOOK_LIMIT` (409), `API_KEY_REQUIRED`, `API_KEY_INVALID` (401), `ACCOUNT_INACTIVE` (403), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(post, path = "/ext-api/v1/webhooks", tag = "ext-api", operation_id = "ext_add_webhook", request_body = WebhookWish,
    responses((status = 201, body = AddedWebhookBody), (status = 409), (status = 422), (status = 401), (status = 403), (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
async fn ext_add_webhook(State(deps): State<Integrations>, by: ExtCaller, Json(new): Json<WebhookWish>) -> ApiResult<Response> {
    added(&deps, &by.caller, by.company.id, &new).await
}

/// Gives a webhook this address and these events; its secret stays. Another address begins without failures, also where
/// the last one was given up.
///
/// Errors: `WEBHOOK_NOT_FOUND` (404), `INVALID_FIELDS` (422) with `url` (`REQUIRED`, `WEBHOOK_ADDRESS`) or `events`, `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(put, path = "/api/v1/webhooks/{id}", tag = "api-keys", operation_id = "change_webhook", params(("id" = String, Path)), request_body = WebhookWish,
    responses((status = 200, body = WebhookBody), (status = 404), (status = 422), (status = 401), (status = 403)),
    security(("session" = [])))]
async fn change_webhook(
    State(deps): State<Integrations>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<Uuid>,
    Json(wish): Json<WebhookWish>,
) -> ApiResult<Json<WebhookBody>> {
    changed(&deps, &caller, reach(&caller), id, &wish).await
}

/// Gives a webhook this address and these events; its secret stays. Another address begins without failures, also where
/// the last one was given up.
///
/// Errors: `WEBHOOK_NOT_FOUND` (404), `INVALID_FIELDS` (422) with `url` (`REQUIRED`, `WEBHOOK_ADDRESS`) or `events`, `API_KEY_REQUIRED`, `API_KEY_INVALID` (401), `ACCOUNT_INACTIVE` (403), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(put, path = "/ext-api/v1/webhooks/{id}", tag = "ext-api", operation_id = "ext_change_webhook", params(("id" = String, Path)), request_body = WebhookWish,
    responses((status = 200, body = WebhookBody), (status = 404), (status = 422), (status = 401), (status = 403), (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
async fn ext_change_webhook(
    State(deps): State<Integrations>,
    by: ExtCaller,
    Path(id): Path<Uuid>,
    Json(wish): Json<WebhookWish>,
) -> ApiResult<Json<WebhookBody>> {
    changed(&deps, &by.caller, Some(by.company.id), id, &wish).await
}

/// Takes a webhook away, with what was on its way.
///
/// Errors: `WEBHOOK_NOT_FOUND` (404), `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(delete, path = "/api/v1/webhooks/{id}", tag = "api-keys", operation_id = "remove_webhook", params(("id" = String, Path)), 
    responses((status = 204), (status = 404), (status = 401), (status = 403)),
    security(("session" = [])))]
async fn remove_webhook(
    State(deps): State<Integrations>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<Uuid>,
) -> ApiResult<NoContent> {
    service::remove(&deps, &caller, reach(&caller), id).await?;
    Ok(NoContent)
}

/// Takes a webhook away, with what was on its way.
///
/// Errors: `WEBHOOK_NOT_FOUND` (404), `API_KEY_REQUIRED`, `API_KEY_INVALID` (401), `ACCOUNT_INACTIVE` (403), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(delete, path = "/ext-api/v1/webhooks/{id}", tag = "ext-api", operation_id = "ext_remove_webhook", params(("id" = String, Path)), 
    responses((status = 204), (status = 404), (status = 401), (status = 403), (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
async fn ext_remove_webhook(State(deps): State<Integrations>, by: ExtCaller, Path(id): Path<Uuid>) -> ApiResult<NoContent> {
    service::remove(&deps, &by.caller, Some(by.company.id), id).await?;
    Ok(NoContent)
}

/// What was sent to a webhook, newest first, 50 a page, for 30 days.
///
/// Errors: `WEBHOOK_NOT_FOUND` (404), `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(get, path = "/api/v1/webhooks/{id}/deliveries", tag = "api-keys", operation_id = "webhook_deliveries", params(("id" = String, Path), PageQuery), 
    responses((status = 200, body = DeliveriesBody), (status = 400), (status = 404), (status = 401), (status = 403)),
    security(("session" = [])))]
async fn webhook_deliveries(
    State(deps): State<Integrations>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<DeliveriesBody>> {
    deliveries(&deps, reach(&caller), id, query).await
}

/// What was sent to a webhook, newest first, 50 a page, for 30 days.
///
/// Errors: `WEBHOOK_NOT_FOUND` (404), `API_KEY_REQUIRED`, `API_KEY_INVALID` (401), `ACCOUNT_INACTIVE` (403), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(get, path = "/ext-api/v1/webhooks/{id}/deliveries", tag = "ext-api", operation_id = "ext_webhook_deliveries", params(("id" = String, Path), PageQuery), 
    responses((status = 200, body = DeliveriesBody), (status = 400), (status = 404), (status = 401), (status = 403), (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
async fn ext_webhook_deliveries(
    State(deps): State<Integrations>,
    by: ExtCaller,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<DeliveriesBody>> {
    deliveries(&deps, Some(by.company.id), id, query).await
}

/// Sends everything since then once more, with the ids it had; a webhook that was given up is used again.
///
/// Errors: `WEBHOOK_NOT_FOUND` (404), `INVALID_FIELDS` (422) about `from`, `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/replay", tag = "api-keys", operation_id = "webhook_replay", params(("id" = String, Path)), request_body = ReplayBody,
    responses((status = 200, body = ReplayedBody), (status = 404), (status = 422), (status = 401), (status = 403)),
    security(("session" = [])))]
async fn webhook_replay(
    State(deps): State<Integrations>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<Uuid>,
    Json(body): Json<ReplayBody>,
) -> ApiResult<Json<ReplayedBody>> {
    replayed(&deps, reach(&caller), id, &body).await
}

/// Sends everything since then once more, with the ids it had; a webhook that was given up is used again.
///
/// Errors: `WEBHOOK_NOT_FOUND` (404), `INVALID_FIELDS` (422) about `from`, `API_KEY_REQUIRED`, `API_KEY_INVALID` (401), `ACCOUNT_INACTIVE` (403), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(post, path = "/ext-api/v1/webhooks/{id}/replay", tag = "ext-api", operation_id = "ext_webhook_replay", params(("id" = String, Path)), request_body = ReplayBody,
    responses((status = 200, body = ReplayedBody), (status = 404), (status = 422), (status = 401), (status = 403), (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
async fn ext_webhook_replay(
    State(deps): State<Integrations>,
    by: ExtCaller,
    Path(id): Path<Uuid>,
    Json(body): Json<ReplayBody>,
) -> ApiResult<Json<ReplayedBody>> {
    replayed(&deps, Some(by.company.id), id, &body).await
}

/// Queues an event of the type `webhook.test`, to see whether it arrives.
///
/// Errors: `WEBHOOK_NOT_FOUND` (404), `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/test", tag = "api-keys", operation_id = "webhook_test", params(("id" = String, Path)), 
    responses((status = 200, body = TestBody), (status = 404), (status = 401), (status = 403)),
    security(("session" = [])))]
async fn webhook_test(
    State(deps): State<Integrations>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<TestBody>> {
    tested(&deps, reach(&caller), id).await
}

/// Queues an event of the type `webhook.test`, to see whether it arrives.
///
/// Errors: `WEBHOOK_NOT_FOUND` (404), `API_KEY_REQUIRED`, `API_KEY_INVALID` (401), `ACCOUNT_INACTIVE` (403), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(post, path = "/ext-api/v1/webhooks/{id}/test", tag = "ext-api", operation_id = "ext_webhook_test", params(("id" = String, Path)), 
    responses((status = 200, body = TestBody), (status = 404), (status = 401), (status = 403), (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
async fn ext_webhook_test(State(deps): State<Integrations>, by: ExtCaller, Path(id): Path<Uuid>) -> ApiResult<Json<TestBody>> {
    tested(&deps, Some(by.company.id), id).await
}
