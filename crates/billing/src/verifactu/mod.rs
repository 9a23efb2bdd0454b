//! Records for the tax office: chain, sending, check.
//!
//! *Invariants:* a record is written in the transaction of its invoice and never changed (the database refuses); each names
//! the hash of the one before; they are sent in the order of the chain. Rules: `docs/rules/verifactu.md`.

mod entity;
mod error;
mod export;
mod history;
pub(crate) mod http;
pub mod model;
pub mod queue;
pub mod service;
mod store;
mod suspects;

pub use crate::tax_office::{BINDING_FROM, Certificate, Mode, Person, VerifactuSettings};
pub use error::VerifactuError;
pub use history::History;
