//! Direct debit mandates and customers' accounts under the SEPA secret (DOMAIN §3.2, §4.8 `sepa`, `encrypt-iban`).
//!
//! `service` is for the other rooms. *Invariants:* a company has at most one mandate in force per account; a new account
//! needs a new mandate; the secret is never stored, only what proves it.

mod document;
pub(crate) mod entity;
pub(crate) mod http;
pub mod model;
pub mod secret;
pub mod service;
mod signing;
pub(crate) mod store;
