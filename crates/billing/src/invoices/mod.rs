//! Invoices: what they say, where they stand, how they are listed and paid.
//!
//! `service` is for the other rooms, `money` for those that move it. *Invariants:* an invoice's content never changes after its
//! issue (the database refuses); one invoice per customer and month. Rules: `docs/rules/invoices.md`.

mod delivery;
mod entity;
mod error;
pub(crate) mod http;
pub mod model;
pub mod money;
pub mod payments;
pub mod service;
mod store;

pub(crate) use delivery::{count_unsent, list_unsent, mark_delivered, mark_mailed};
pub use error::InvoiceError;
