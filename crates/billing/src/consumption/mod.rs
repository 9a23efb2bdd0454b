//! What a company used in a month and what it costs: the one calculation behind screens, drafts and invoices.
//!
//! Called by `invoices` and `processes`. *Invariant:* the rows of connections add up to the subtotal.

pub mod http;
mod model;
pub mod service;

pub use model::{CompanyMonth, ConnectionRow};
