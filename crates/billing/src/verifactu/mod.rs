//! Records for the tax office: chain, sending, check.
//!
//! *Invariants:* a record is written in the transaction of its invoice and never changed (the database refuses); each names
//! the hash of the one before; they are sent in the order of the chain. Rules: `docs/rules/verifactu.md`.

mod certificate;
mod declaration;
mod entity;
mod error;
mod gateway;
pub(crate) mod http;
pub mod model;
pub mod queue;
pub mod service;
pub mod settings;
mod store;

pub use atalaya_einvoice::verifactu::Person;
pub use certificate::Certificate;
pub use error::VerifactuError;
pub use settings::{Mode, VerifactuSettings};
