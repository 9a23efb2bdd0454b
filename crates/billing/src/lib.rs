//! Billing: what customers used, the invoices about it, what the tax office and the bank are told.
//!
//! Called by `server`. Looks down on assistance (connections), identity (companies), content (terms and price tables).
//! *Invariants:* amounts are whole cents; an issued invoice never changes; numbers have no gaps. Source: DOMAIN §3, §4.

pub mod consumption;
pub mod demo;
mod deps;
pub mod documents;
mod error;
pub mod invoices;
pub mod mandates;
pub mod processes;
pub mod remittances;
mod tasks;
pub mod terms;
pub mod verifactu;

pub use deps::{Billing, BillingSettings, Parts};
pub use error::{BillingError, BillingResult};
pub use tasks::{records_worker, recover, worker};

use utoipa_axum::router::OpenApiRouter;

/// Every route of this context, under its full path.
pub fn routes(deps: Billing) -> OpenApiRouter {
    let sepa = mandates::http::Room::new(deps.clone());
    OpenApiRouter::new()
        .merge(consumption::http::routes(deps.clone()))
        .merge(documents::http::routes(deps.clone()))
        .merge(invoices::http::routes(deps.clone()))
        .merge(mandates::http::routes(sepa.clone()))
        .merge(processes::http::routes(deps.clone()))
        .merge(remittances::http::routes(sepa))
        .merge(terms::http::routes(deps.clone()))
        .merge(verifactu::http::routes(deps))
}
