//! The way to the tax office: what the operator decided, the certificate, the connection, and what the producer declares.
//!
//! *Invariant:* nothing is called without the issuer's certificate. Rules: `docs/rules/verifactu.md`.

mod certificate;
mod declaration;
pub(crate) mod gateway;
pub(crate) mod http;
mod settings;

pub use atalaya_einvoice::verifactu::Person;
pub use certificate::Certificate;
pub use settings::{BINDING_FROM, Mode, VerifactuSettings};
pub(crate) use settings::{SYSTEM_ID, SYSTEM_NAME, SYSTEM_VERSION};
