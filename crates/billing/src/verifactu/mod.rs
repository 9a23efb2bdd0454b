//! Records for the tax office: chain, sending, check (DOMAIN §4.5).
//!
//! *Invariants:* a record is written in the transaction of its invoice and never changed (the database refuses); each names
//! the hash of the one before; they are sent in the order of the chain.

mod certificate;
mod declaration;
pub(crate) mod entity;
mod gateway;
pub(crate) mod http;
pub mod model;
pub mod sending;
pub mod service;
pub mod settings;
pub(crate) mod store;

pub use atalaya_einvoice::verifactu::Person;
pub use certificate::Certificate;
pub use settings::{Mode, VerifactuSettings};
