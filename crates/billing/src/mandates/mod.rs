//! Direct debit mandates and customers' accounts under the SEPA secret.
//!
//! `service` is for the other rooms. *Invariants:* a company has at most one mandate in force per account; a new account
//! needs a new mandate; the secret is never stored, only what proves it. Rules: `docs/rules/mandates.md`.

mod document;
mod entity;
mod error;
pub(crate) mod http;
pub mod model;
pub mod secret;
pub mod service;
mod signature;
mod store;

pub use error::MandateError;
