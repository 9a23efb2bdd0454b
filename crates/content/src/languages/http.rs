//! `platform-language`, `available-languages`, `phone-prefixes`: public, at the root and under `/api/v1` (LANG-2).

use super::model::{self, AvailableLanguage, Bundle, PhonePrefix};
use atalaya_kernel::Language;
use atalaya_rest::{ApiResult, Json, Problem, RequestLanguage};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LanguageBody {
    /// `es` or `en`; a tag such as `en-GB` will do.
    language_code: String,
}

fn bundle_of(body: &LanguageBody) -> ApiResult<Json<&'static Bundle>> {
    let language = Language::parse(&body.language_code);
    let language = language.ok_or_else(|| Problem::invalid([]).field("languageCode", "LANGUAGE_UNKNOWN"))?;
    Ok(Json(model::bundle(language)))
}

/// All texts of a language, Spanish where one is missing.
///
/// Errors: `INVALID_FIELDS` with `LANGUAGE_UNKNOWN` (422).
#[utoipa::path(post, path = "/api/v1/platform-language", tag = "languages", request_body = LanguageBody, security(()),
    responses((status = 200, body = Bundle), (status = 422)))]
pub(crate) async fn platform_language(Json(body): Json<LanguageBody>) -> ApiResult<Json<&'static Bundle>> {
    bundle_of(&body)
}

/// The same as `/api/v1/platform-language`.
#[utoipa::path(post, path = "/platform-language", tag = "languages", request_body = LanguageBody, security(()),
    responses((status = 200, body = Bundle), (status = 422)))]
pub(crate) async fn platform_language_root(Json(body): Json<LanguageBody>) -> ApiResult<Json<&'static Bundle>> {
    bundle_of(&body)
}

/// Languages with a complete bundle.
#[utoipa::path(get, path = "/api/v1/available-languages", tag = "languages", security(()),
    responses((status = 200, body = [AvailableLanguage])))]
pub(crate) async fn available_languages() -> Response {
    cached(Json(model::available()))
}

/// The same as `/api/v1/available-languages`.
#[utoipa::path(get, path = "/available-languages", tag = "languages", security(()),
    responses((status = 200, body = [AvailableLanguage])))]
pub(crate) async fn available_languages_root() -> Response {
    cached(Json(model::available()))
}

/// Countries with their phone prefixes, named in the request's language.
#[utoipa::path(get, path = "/api/v1/phone-prefixes", tag = "languages", security(()),
    responses((status = 200, body = [PhonePrefix])))]
pub(crate) async fn phone_prefixes(RequestLanguage(language): RequestLanguage) -> Response {
    cached(Json(model::phone_prefixes(language)))
}

/// The same as `/api/v1/phone-prefixes`.
#[utoipa::path(get, path = "/phone-prefixes", tag = "languages", security(()),
    responses((status = 200, body = [PhonePrefix])))]
pub(crate) async fn phone_prefixes_root(RequestLanguage(language): RequestLanguage) -> Response {
    cached(Json(model::phone_prefixes(language)))
}

/// These answers change only with a release.
fn cached(body: impl IntoResponse) -> Response {
    let mut response = body.into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-language"));
    response
}
