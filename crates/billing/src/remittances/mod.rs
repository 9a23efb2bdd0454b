//! Remittances to the bank: what is due, the file that asks for it, and the state of each debit.
//!
//! `service` is for the other rooms. *Invariants:* an invoice is in one live debit at most; nothing is debited whose customer
//! was not notified before. Rules: `docs/rules/remittances.md`.

mod archive;
mod due;
mod entity;
mod error;
pub(crate) mod http;
mod message;
pub(crate) mod notices;
pub(crate) mod prenotification;
mod selection;
pub mod service;
mod store;

pub(crate) use atalaya_sepa::ledger as model;
pub use atalaya_sepa::ledger::SepaSettings;
pub(crate) use due::due_for_remittance;
pub use due::open_of;
pub use error::RemittanceError;
pub use http::{AttemptView, names};
pub use notices::to_administration;
