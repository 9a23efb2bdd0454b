//! API keys of a customer and the caller they make.
//!
//! Called by the web app and, through [`ApiCaller`], by every call of `/ext-api/v1`. *Invariant:* a key is shown once and
//! stored as its SHA-256 only: 256 random bits need no slow hash.

mod entity;
mod error;
mod http;
pub mod model;
pub mod service;
mod store;

use crate::Integrations;
pub use http::caller::{ApiCaller, ApiLimits, CALLS_PER_MINUTE, STRANGERS_PER_MINUTE};
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes(deps: Integrations) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(http::get_api_key))
        .routes(routes!(http::generate_api_key, http::post_generate_api_key))
        .routes(routes!(http::revoke_api_key))
        .routes(routes!(http::account))
        .with_state(deps)
}
