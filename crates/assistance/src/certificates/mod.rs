//! Seals, time stamps, the certificate of a case and its public verification (DOMAIN §5).
//!
//! *Invariants:* a certificate that was issued never changes, only its state does; a new one is issued only when something
//! happened since the last.

mod document;
mod entity;
pub mod http;
mod model;
pub mod service;
mod store;

pub use model::{CertificateError, CertificateState};
