//! TURN (RFC 8656) for the media engine of the same process, without sockets and without a clock.
//!
//! A [`Server`] takes what clients sent and what the engine sends to relayed addresses, and answers with bytes for
//! either side. The relayed addresses are no sockets: what is relayed goes from here to the engine by a function call.
//!
//! *Invariant:* nothing is relayed to any address but the engine's own (TURN-2); before a client has proved its
//! credentials an answer has at most 128 bytes and their number is limited by source (TURN-4); every table is bounded.
//!
//! Rules: docs/rules/turn.md.

mod allocation;
mod budget;
mod classify;
mod credentials;
mod messages;
mod nonce;
mod server;
mod stream;

pub use classify::{begins_stream, is_for_relay};
pub use credentials::{Credentials, SharedSecret};
pub use server::{Client, Limits, Moment, Output, Relayed, Server, Stats, TurnConfig, Via};
pub use stream::{Deframer, FramingError, pad};
