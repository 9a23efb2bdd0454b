//! Privacy: how long data are kept, what is erased and how that is proven, a person's rights, and what a controller must have on
//! paper. Rules: docs/rules/privacy.md.
//!
//! Called by `server`. Uses records, client_files, assistance and cases: an erasure reaches everything that a case has.
//!
//! The rooms from the ground up: `erasures`; `data_terms` and `papers`.

pub mod data_terms;
mod deps;
pub mod erasures;
pub mod papers;
pub mod tasks;

pub use deps::Privacy;

use utoipa_axum::router::OpenApiRouter;

/// Every route of this context, under its full path.
pub fn routes(deps: Privacy) -> OpenApiRouter {
    OpenApiRouter::new()
        .merge(erasures::http::routes(deps.clone()))
        .merge(data_terms::http::routes(deps.clone()))
        .merge(papers::http::routes(deps))
}
