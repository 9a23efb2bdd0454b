//! What the platform tells about itself: its links, and the description of the calls that customers' programs may make.

use crate::api_page;
use crate::config::Config;
use atalaya_identity::Identity;
use atalaya_identity::invitations::service::register::admin_mailbox;
use atalaya_kernel::Language;
use atalaya_rest::{ApiResult, Json, Query};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use utoipa::IntoParams;
use utoipa::openapi::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

/// Paths that a customer's API key opens.
const EXT_API: &str = "/ext-api/v1/";

/// What these calls answer. Cheap to clone.
#[derive(Clone)]
pub struct About {
    links: Links,
    identity: Identity,
    /// Set once the description of all calls is known.
    api_doc: Arc<OnceLock<Value>>,
}

/// Where pages and messages lead. Null: there is no such page yet.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct Links {
    business_url: String,
    /// The administrators' mailbox: the setting `admin_mailbox`, else the first administrator's address.
    contact_email: String,
    /// The platform's legal notice, by the setting `legal_url`.
    legal_url: Option<String>,
    /// Its privacy policy, by the setting `privacy_url`.
    privacy_url: Option<String>,
    /// Its cookies policy, by the setting `cookies_url`; the page of the web app without one.
    cookies_url: Option<String>,
    /// Description of the calls for customers' programs.
    docs_url: String,
    /// Tiles of maps, with `{z}`, `{x}`, `{y}` and perhaps `{s}` and `{r}`. Null: maps are outlines.
    map_tiles_url: Option<String>,
    /// Whose map it is; shown on it.
    map_attribution: Option<String>,
}

impl About {
    pub fn new(config: &Config, identity: Identity) -> Self {
        let links = Links {
            business_url: config.links.business_url.clone(),
            contact_email: config.links.admin_mailbox.clone(),
            legal_url: config.links.legal_url.clone(),
            privacy_url: config.links.privacy_url.clone(),
            cookies_url: Some(config.links.cookies_url.clone().unwrap_or_else(|| format!("{}/cookies", config.public_url))),
            docs_url: format!("{}/ext-api/api-doc", config.public_url),
            map_tiles_url: config.links.map.as_ref().map(|map| map.url.clone()),
            map_attribution: config.links.map.as_ref().and_then(|map| map.attribution.clone()),
        };
        Self { links, identity, api_doc: Arc::default() }
    }

    fn document(&self) -> Value {
        self.api_doc.get().cloned().unwrap_or_default()
    }

    /// Tells the description of every call, once they are all registered.
    pub fn describe(&self, api: &OpenApi) {
        let whole = serde_json::to_value(api).expect("a description is plain data");
        let _ = self.api_doc.set(ext_part(whole));
    }
}

/// The routes of this room.
pub fn routes(about: About) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(get_links))
        .routes(routes!(api_doc_root))
        .routes(routes!(api_doc))
        .routes(routes!(ext_openapi))
        .with_state(about)
}

/// The platform's addresses, for anybody.
#[utoipa::path(get, path = "/api/v1/get-links", tag = "about", security(()), responses((status = 200, body = Links)))]
async fn get_links(State(about): State<About>) -> ApiResult<Json<Links>> {
    let contact_email = admin_mailbox(&about.identity).await?.unwrap_or_default();
    Ok(Json(Links { contact_email, ..about.links }))
}

/// The description of the calls that a customer's API key opens: a page for browsers, the OpenAPI document for programs.
#[utoipa::path(get, path = "/ext-api/api-doc", tag = "about", operation_id = "api_doc_root", security(()), params(DocQuery),
    responses((status = 200, content((Object = "application/json"), (String = "text/html")))))]
async fn api_doc_root(State(about): State<About>, Query(query): Query<DocQuery>, headers: HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let document = about.document();
    let mut response = if accepted.contains("text/html") {
        api_page::answer(&document, language_of(query.lang.as_deref(), &headers))
    } else {
        Json(document).into_response()
    };
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept, accept-language, cookie"));
    response
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct DocQuery {
    /// The page's language: `es`, `ca`, `eu`, `gl`, `en`, `fr` or `pt`. Without it, the one chosen before, else the browser's.
    lang: Option<String>,
}

/// The language that was chosen now, or before (the cookie of all pages), or that the browser speaks.
fn language_of(wished: Option<&str>, headers: &HeaderMap) -> Language {
    let texts = |name| headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    let cookies = texts(header::COOKIE).flat_map(|line| line.split(';'));
    let chosen = cookies.filter_map(|cookie| cookie.trim().strip_prefix("lang=")).find_map(Language::parse);
    let spoken = || texts(header::ACCEPT_LANGUAGE).find_map(Language::from_accept);
    wished.and_then(Language::parse).or(chosen).or_else(spoken).unwrap_or_default()
}

/// The OpenAPI document of the calls that a customer's API key opens.
#[utoipa::path(get, path = "/ext-api/openapi.json", tag = "about", operation_id = "ext_openapi", security(()),
    responses((status = 200, body = Object)))]
async fn ext_openapi(State(about): State<About>) -> Json<Value> {
    Json(about.document())
}

/// The same under the base path.
#[utoipa::path(get, path = "/api/v1/ext-api/api-doc", tag = "about", security(()), params(DocQuery),
    responses((status = 200, body = Object)))]
async fn api_doc(about: State<About>, query: Query<DocQuery>, headers: HeaderMap) -> Response {
    api_doc_root(about, query, headers).await
}

/// The part of a description that is about [`EXT_API`]: its paths, and of the components what they refer to.
fn ext_part(mut document: Value) -> Value {
    if let Some(paths) = document["paths"].as_object_mut() {
        paths.retain(|path, _| path.starts_with(EXT_API));
    }
    without_sources(&mut document["paths"]);
    let mut wanted = BTreeSet::from(["Problem".to_owned()]);
    let mut open: Vec<Value> = vec![document["paths"].clone(), document["components"]["schemas"]["Problem"].clone()];
    while let Some(part) = open.pop() {
        for name in referred(&part) {
            if wanted.insert(name.clone()) {
                open.push(document["components"]["schemas"][&name].clone());
            }
        }
    }
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        schemas.retain(|name, _| wanted.contains(name));
    }
    if let Some(schemes) = document["components"]["securitySchemes"].as_object_mut() {
        schemes.retain(|name, _| name.starts_with("api_key"));
    }
    document["security"] = serde_json::json!([{"api_key": []}, {"api_key_bearer": []}]);
    document["info"]["title"] = "Atalaya API".into();
    document["info"]["description"] = "Calls for a customer's programs, with an API key in `X-API-Key` or as bearer token. \
        Errors are RFC 9457 problems with a stable `code`."
        .into();
    document
}

/// Takes out which of our own documents a call comes from; nobody outside has them.
fn without_sources(paths: &mut Value) {
    let items = paths.as_object_mut().into_iter().flatten().flat_map(|(_, item)| item.as_object_mut().into_iter().flatten());
    for (_, operation) in items {
        if let Some(text) = operation["description"].as_str().and_then(|text| text.split_once("Source:")) {
            let text = text.0.trim_end().to_owned();
            operation["description"] = text.into();
        }
    }
}

/// Names of the schemas that a part of a document refers to.
fn referred(part: &Value) -> Vec<String> {
    match part {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(key, value)| match value.as_str().and_then(|text| text.strip_prefix("#/components/schemas/")) {
                Some(name) if key == "$ref" => vec![name.to_owned()],
                _ => referred(value),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(referred).collect(),
        _ => Vec::new(),
    }
}
