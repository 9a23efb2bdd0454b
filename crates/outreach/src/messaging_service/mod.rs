//! The messaging service as its administrators see it: whether messages go out, how they look, what carries them (SPEC §7).
//!
//! Called by the screen of the same name, and by providers that tell what became of messages. *Invariants:* a stopped
//! service sends nothing on any node and loses nothing; nothing of an unsigned receipt is believed.

mod error;
pub(crate) mod http;
mod service;

pub use error::MessagingServiceError;
