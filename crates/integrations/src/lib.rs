//! Integrations: what customers' own programs use: their keys, the public API and webhooks.
//!
//! Called by `server`. Uses records, assistance and cases.

pub mod api_keys;
mod deps;
pub mod public_api;
pub mod webhooks;

pub use deps::Integrations;

use utoipa_axum::router::OpenApiRouter;

/// Every route of this context, under its full path.
pub fn routes(deps: Integrations) -> OpenApiRouter {
    OpenApiRouter::new()
        .merge(api_keys::routes(deps.clone()))
        .merge(public_api::http::routes(deps.clone()))
        .merge(webhooks::http::routes(deps))
}
