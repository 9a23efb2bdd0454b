//! The frame of the API description; rooms add their paths to it.

use crate::problem::{FieldDocument, ProblemDocument};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::{Modify, OpenApi};

/// Title, errors and the ways to prove a session or a customer. An operation without a session says `security(())`.
#[derive(OpenApi)]
#[openapi(
    info(title = "Atalaya", description = "Remote assistance with end clients. Errors are RFC 9457 problems with a stable `code`."),
    components(schemas(ProblemDocument, FieldDocument)),
    security(("session" = [])),
    modifiers(&Session)
)]
pub struct Base;

struct Session;

impl Modify for Session {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let scheme = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        let cookie = ApiKeyValue::with_description("atalaya_media", "Set by the log-in; reads files only.");
        let components = api.components.get_or_insert_with(Default::default);
        components.add_security_scheme("session", scheme);
        components.add_security_scheme("media_cookie", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
        let key = ApiKeyValue::with_description("X-API-Key", "A customer's API key, `atl_…`.");
        components.add_security_scheme("api_key", SecurityScheme::ApiKey(ApiKey::Header(key)));
        let bearer = Http::builder().scheme(HttpAuthScheme::Bearer).description(Some("A customer's API key, `atl_…`.")).build();
        components.add_security_scheme("api_key_bearer", SecurityScheme::Http(bearer));
    }
}

/// The description before any room has added to it.
pub fn base() -> utoipa::openapi::OpenApi {
    Base::openapi()
}
