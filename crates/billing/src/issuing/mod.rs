//! Issuing: a calculated month becomes an invoice with its number, its record for the tax office and its printed form.
//!
//! *Invariant:* number, invoice, connections and record are written in one transaction. Rules: `docs/rules/issuing.md`.

pub(crate) mod compose;
mod error;
pub(crate) mod http;
pub(crate) mod issue;
pub(crate) mod issuer;
pub mod prints;

pub use compose::IssuerFacts;
pub use error::IssuingError;
