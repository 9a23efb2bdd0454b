//! `get-apiKey`, `generate-apiKey`, `revoke-apiKey/{id}`, and the first call of `/ext-api/v1`.

pub mod caller;

use self::caller::ApiCaller;
use super::model::ApiKey;
use super::service;
use crate::Integrations;
use atalaya_identity::{Identity, Origin, users};
use atalaya_kernel::{ApiKeyId, CompanyId, Status, UserId};
use atalaya_rest::{AdminOrCustomer, ApiResult, Json, NoContent, Path, Problem, Query};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Whose keys.
#[derive(Debug, Clone, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct OfCustomer {
    /// The customer, named by administrators; everybody else has his own.
    customer_id: Option<String>,
}

impl OfCustomer {
    fn id(&self) -> ApiResult<Option<CompanyId>> {
        let text = self.customer_id.as_deref().filter(|text| !text.is_empty());
        text.map(str::parse).transpose().map_err(|_| Problem::not_found("COMPANY_NOT_FOUND"))
    }
}

/// A key as lists show it: never the key itself.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = ApiKey)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeyView {
    #[serde(rename = "_id")]
    id: ApiKeyId,
    /// Its first characters.
    prefix: String,
    created_at: DateTime<Utc>,
    /// Written at most once a minute.
    last_used_at: Option<DateTime<Utc>>,
    created_by: CreatorView,
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = ApiKeyCreator)]
struct CreatorView {
    #[serde(rename = "_id")]
    id: UserId,
    name: String,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ApiKeysAnswer {
    api_keys: Vec<KeyView>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GeneratedAnswer {
    /// The key. It is shown now and never again.
    api_key: String,
    key: KeyView,
}

async fn views(d: &Identity, keys: Vec<ApiKey>) -> ApiResult<Vec<KeyView>> {
    let creators = users::service::list_by_ids(d, keys.iter().map(|key| key.created_by)).await?;
    let names: HashMap<UserId, String> = creators.into_iter().map(|user| (user.id, user.display_name())).collect();
    let view = |key: ApiKey| KeyView {
        id: key.id,
        prefix: key.prefix,
        created_at: key.created_at,
        last_used_at: key.last_used_at,
        created_by: CreatorView { id: key.created_by, name: names.get(&key.created_by).cloned().unwrap_or_default() },
    };
    Ok(keys.into_iter().map(view).collect())
}

/// The living keys of a customer: prefix, creation, last use.
///
/// Errors: `ROLE_NOT_ALLOWED` (403), `COMPANY_NOT_FOUND` (404), `INVALID_FIELDS` (422). Source: KEY-1, KEY-4.
#[utoipa::path(get, path = "/api/v1/get-apiKey", tag = "api-keys", params(OfCustomer),
    responses((status = 200, body = ApiKeysAnswer), (status = 403), (status = 404), (status = 422)))]
pub(crate) async fn get_api_key(
    State(d): State<Integrations>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Query(of): Query<OfCustomer>,
) -> ApiResult<Json<ApiKeysAnswer>> {
    let company = service::customer_of(&d.identity, &caller, of.id()?).await?;
    let keys = service::list(&d.identity, company).await?;
    Ok(Json(ApiKeysAnswer { api_keys: views(&d.identity, keys).await? }))
}

/// Generates a key, shown once. Two may live at once, so that a rotation has no gap.
///
/// Errors: `API_KEY_LIMIT` (409), `ROLE_NOT_ALLOWED`, `FRESH_PROOF_REQUIRED` (403), `COMPANY_NOT_FOUND` (404),
/// `INVALID_FIELDS` (422). Source: KEY-1, KEY-2, KEY-4, PROOF-3.
#[utoipa::path(get, path = "/api/v1/generate-apiKey", tag = "api-keys", params(OfCustomer),
    responses((status = 200, body = GeneratedAnswer), (status = 403), (status = 404), (status = 409), (status = 422)))]
pub(crate) async fn generate_api_key(
    State(d): State<Integrations>,
    AdminOrCustomer(caller): AdminOrCustomer,
    origin: Origin,
    Query(of): Query<OfCustomer>,
) -> ApiResult<Response> {
    let company = service::customer_of(&d.identity, &caller, of.id()?).await?;
    let (api_key, key) = service::generate(&d.identity, &caller, &origin, company).await?;
    let [key] =
        <[KeyView; 1]>::try_from(views(&d.identity, vec![key]).await?).map_err(|_| Problem::internal("one key, one view"))?;
    let mut response = Json(GeneratedAnswer { api_key, key }).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Generates a key, shown once; the same as with GET.
#[utoipa::path(post, path = "/api/v1/generate-apiKey", tag = "api-keys", params(OfCustomer),
    responses((status = 200, body = GeneratedAnswer), (status = 403), (status = 404), (status = 409), (status = 422)))]
pub(crate) async fn post_generate_api_key(
    state: State<Integrations>,
    caller: AdminOrCustomer,
    origin: Origin,
    of: Query<OfCustomer>,
) -> ApiResult<Response> {
    generate_api_key(state, caller, origin, of).await
}

/// Ends a key at once.
///
/// Errors: `API_KEY_NOT_FOUND` (404, also another tenant's), `ROLE_NOT_ALLOWED`, `FRESH_PROOF_REQUIRED` (403).
/// Source: KEY-2, PROOF-3.
#[utoipa::path(post, path = "/api/v1/revoke-apiKey/{id}", tag = "api-keys", params(("id" = ApiKeyId, Path)),
    responses((status = 204), (status = 403), (status = 404)))]
pub(crate) async fn revoke_api_key(
    State(d): State<Integrations>,
    AdminOrCustomer(caller): AdminOrCustomer,
    origin: Origin,
    Path(id): Path<ApiKeyId>,
) -> ApiResult<NoContent> {
    service::revoke(&d.identity, &caller, &origin, id).await?;
    Ok(NoContent)
}

/// The customer whose key this is.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = ExtAccount)]
pub(crate) struct AccountAnswer {
    company: AccountView,
    key: AccountKeyView,
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = ExtCompany)]
#[serde(rename_all = "camelCase")]
struct AccountView {
    #[serde(rename = "_id")]
    id: CompanyId,
    company: String,
    #[schema(value_type = i16, minimum = 0, maximum = 5)]
    status: Status,
    /// Whether it may open video calls now.
    may_call: bool,
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = ExtKey)]
#[serde(rename_all = "camelCase")]
struct AccountKeyView {
    prefix: String,
    /// Before this call; written at most once a minute.
    last_used_at: Option<DateTime<Utc>>,
}

/// The account behind the key: to try a key out.
///
/// Errors: `API_KEY_REQUIRED`, `API_KEY_INVALID` (401), `ACCOUNT_INACTIVE` (403), `TOO_MANY_REQUESTS` (429).
/// Source: KEY-3, KEY-6.
#[utoipa::path(get, path = "/ext-api/v1/account", tag = "ext-api", operation_id = "ext_account",
    responses((status = 200, body = AccountAnswer), (status = 401), (status = 403), (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
pub(crate) async fn account(State(d): State<Integrations>, ApiCaller { key, company }: ApiCaller) -> Json<AccountAnswer> {
    let may_call = company.billing.may_call(d.sources.now());
    let company = AccountView { id: company.id, company: company.name, status: company.status, may_call };
    Json(AccountAnswer { company, key: AccountKeyView { prefix: key.prefix, last_used_at: key.last_used_at } })
}
