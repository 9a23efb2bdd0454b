//! Language bundles for the web app, the list of languages, and phone prefixes (`docs/rules/languages.md`).
//!
//! *Invariant:* every language has every key; a missing one fails a test, and Spanish replaces it at run time (LANG-1).

pub mod format;
pub mod headings;
mod http;
pub mod model;

pub use model::{find, text};
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(http::platform_language))
        .routes(routes!(http::platform_language_root))
        .routes(routes!(http::available_languages))
        .routes(routes!(http::available_languages_root))
        .routes(routes!(http::phone_prefixes))
        .routes(routes!(http::phone_prefixes_root))
}
