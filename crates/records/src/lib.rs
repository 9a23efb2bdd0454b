//! Records: what stays of a case, and what is told about it: certificates, incidences, reports, expedients, and what is
//! drawn and measured on pictures.
//!
//! Called by `privacy`, `integrations` and `server`. Uses assistance and cases.

pub mod certificates;
pub mod demo;
mod deps;
mod diagnostics;
pub mod drawings;
pub mod evidence_days;
pub mod expedients;
pub mod incidence_lists;
pub mod incidences;
pub mod measures;
pub mod photo_reports;
pub mod reports;
mod tickets;
mod timestamps;
pub mod verifier;

pub use deps::{Parts, Records};

use utoipa_axum::router::OpenApiRouter;

/// Every route of this context, under its full path.
pub fn routes(deps: Records) -> OpenApiRouter {
    OpenApiRouter::new()
        .merge(certificates::http::routes(deps.clone()))
        .merge(evidence_days::http::routes(deps.clone()))
        .merge(reports::http::routes(deps.clone()))
        .merge(expedients::http::routes(deps.clone()))
        .merge(photo_reports::http::routes(deps.clone()))
        .merge(drawings::http::routes(deps.clone()))
        .merge(measures::http::routes(deps.clone()))
        .merge(incidence_lists::http::routes(deps.clone()))
        .merge(incidences::http::routes(deps))
}
