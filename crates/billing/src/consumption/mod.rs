//! What a company used in a month and what it costs: the one calculation behind screens, drafts and invoices.
//!
//! Called by `issuing`, `invoice_processes` and `invoice_statistics`. *Invariant:* the rows of connections add up to the
//! subtotal. Rules: `docs/rules/consumption.md`.

pub mod http;
mod model;
pub mod service;

pub use model::{CompanyMonth, ConnectionRow};
