//! Seals, time stamps, the certificate of a case and its public verification (`docs/rules/certificates.md`).
//!
//! *Invariants:* an issued certificate never changes, only its state does; a new one is issued only when something happened
//! since the last (CERT-8).

mod authority;
mod document;
mod entity;
pub mod http;
pub mod manifest;
mod model;
pub mod service;
mod signature;
pub mod stamping;
mod store;
pub mod verifier;

pub use model::{CertificateError, CertificateState};
