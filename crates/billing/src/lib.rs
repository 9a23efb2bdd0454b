//! Billing: consumption of customers, their invoices, records to the tax office, debits by the bank.
//!
//! Called by `bank_files` and `server`. Looks down on cases (connections), identity (companies), content (terms and price tables).
//! *Invariants:* amounts are whole cents; an issued invoice never changes; numbers have no gaps.
//!
//! The rooms from the ground up, each knowing only those before it: `documents`, `consumption` and `tax_office`; `invoices`; `series`,
//! `verifactu` and `mandates`; `issuing`; `rectifications`, `accounting` and `remittances`; `invoice_processes` and
//! `invoice_statistics`.
//! `terms` stands beside them, `invoice_messages` above `invoices`. What banks answer is the crate above, `bank_files`.

mod accounting;
pub mod consumption;
pub mod demo;
mod deps;
pub mod documents;
mod error;
mod http;
mod invoice_messages;
pub mod invoice_processes;
mod invoice_statistics;
pub mod invoices;
pub mod issuing;
pub mod mandates;
pub mod rectifications;
pub mod remittances;
mod series;
mod tasks;
pub mod tax_office;
pub mod terms;
pub mod verifactu;
pub mod words;

pub use deps::{Billing, BillingSettings, Parts};
pub use error::{BillingError, BillingResult};
pub use tasks::{records_worker, recover, worker};

use utoipa_axum::router::OpenApiRouter;

/// Every route of this context, under its full path.
pub fn routes(deps: Billing) -> OpenApiRouter {
    let sepa = mandates::http::Room::new(deps.clone());
    OpenApiRouter::new()
        .merge(consumption::http::routes(deps.clone()))
        .merge(invoices::http::routes(deps.clone()))
        .merge(issuing::http::routes(deps.clone()))
        .merge(invoice_messages::http::routes(deps.clone()))
        .merge(rectifications::http::routes(deps.clone()))
        .merge(accounting::http::routes(deps.clone()))
        .merge(mandates::http::routes(sepa.clone()))
        .merge(invoice_processes::http::routes(deps.clone()))
        .merge(invoice_statistics::http::routes(deps.clone()))
        .merge(remittances::http::routes(sepa))
        .merge(terms::http::routes(deps.clone()))
        .merge(tax_office::http::routes(deps.clone()))
        .merge(verifactu::http::routes(deps))
}
