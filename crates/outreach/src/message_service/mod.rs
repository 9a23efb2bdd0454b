//! The messaging service as administrators see it: whether messages are sent, how they look, who sends them
//! (`docs/rules/messaging.md`).
//!
//! Called by the screen of the same name, and by providers with their receipts. *Invariants:* a stopped service sends
//! nothing on any node and loses nothing (MSG-14); an unsigned receipt changes nothing (MSG-12).

mod error;
pub(crate) mod http;
mod service;

pub use error::MessageServiceError;
