//! Records: what stays of a case, and what is told about it: certificates, retention and erasure, incidences, reports,
//! expedients, and what is drawn and measured on pictures.
//!
//! Called by `integrations` and `server`. Uses assistance and cases.

pub mod certificates;
pub mod demo;
mod deps;
mod diagnostics;
pub mod drawings;
pub mod evidence_days;
pub mod expedients;
pub mod incidences;
pub mod keeping;
pub mod measures;
pub mod papers;
pub mod photo_reports;
pub mod privacy;
pub mod reports;
pub mod tasks;
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
        .merge(privacy::http::routes(deps.clone()))
        .merge(keeping::http::routes(deps.clone()))
        .merge(papers::http::routes(deps.clone()))
        .merge(reports::http::routes(deps.clone()))
        .merge(expedients::http::routes(deps.clone()))
        .merge(photo_reports::http::routes(deps.clone()))
        .merge(drawings::http::routes(deps.clone()))
        .merge(measures::http::routes(deps.clone()))
        .merge(incidences::http::routes(deps))
}
