//! The end client's side: from the link to the call, without an account (DESIGN §4, DOMAIN §6.2).
//!
//! Called by the client's page under `/external`. *Invariants:* reading a link consumes nothing, so that a preview robot
//! does no harm; the secret of the link opens the notice, and only a device that accepted it may enter, write and send.

pub(crate) mod entity;
pub mod http;
pub mod model;
pub mod service;
mod store;

/// How dictated codes and client keys are stored: SHA-256 in hex.
pub(crate) fn code_hash(code: &str) -> String {
    crate::evidence::chain::sha256_hex(format!("atalaya:{code}").as_bytes())
}
