//! Integrations: what customers' own programs use: the public API and webhooks.
//!
//! Called by `server`. Uses records, assistance and cases.

mod deps;
pub mod public_api;
pub mod webhooks;

pub use deps::Integrations;

use utoipa_axum::router::OpenApiRouter;

/// Every route of this context, under its full path.
pub fn routes(deps: Integrations) -> OpenApiRouter {
    OpenApiRouter::new().merge(public_api::http::routes(deps.clone())).merge(webhooks::http::routes(deps))
}
