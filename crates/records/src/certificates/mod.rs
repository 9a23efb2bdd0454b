//! Seals, time stamps, the certificate of a case and its public verification (`docs/rules/certificates.md`).
//!
//! *Invariants:* an issued certificate never changes, only its state does; a new one is issued only when something happened
//! since the last (CERT-8).
//!
//! A certificate. `GET /api/v1/print-cert/{id}` answers the stored PDF if nothing has happened since the last one. Otherwise
//! one transaction seals the chain as it is and writes number, code and track; `pdf` then sets the document from the events up
//! to that seal, and it is kept under the conference's key. The QR code leads to `/verificar/{code}`; the zip carries
//! everything needed to check it without us.

mod document;
mod entity;
pub mod http;
pub mod manifest;
mod model;
pub mod service;
pub mod stamping;
mod store;

pub use model::{CertificateError, CertificateState};
