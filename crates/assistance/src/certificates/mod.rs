//! Seals, time stamps, the certificate of a case and its public verification (DOMAIN §5).
//!
//! *Invariants:* a certificate that was issued never changes, only its state does; a new one is issued only when something
//! happened since the last.

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
