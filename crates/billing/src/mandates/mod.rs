//! Direct debit mandates and customers' accounts under the SEPA secret.
//!
//! `service` is for the other rooms. *Invariants:* a company has at most one mandate in force per account; a new account
//! needs a new mandate; the secret is never stored, only what proves it. Rules: `docs/rules/mandates.md`.

mod document;
mod entity;
mod error;
pub(crate) mod http;
pub mod secret;
pub mod service;
mod signature;
mod store;
mod watch;

pub(crate) use atalaya_sepa::mandate as model;
pub use error::MandateError;
