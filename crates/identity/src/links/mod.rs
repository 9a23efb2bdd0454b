//! Single-use links that are sent to an address: invitations, activations by an administrator, resets (DESIGN §3).
//!
//! Called by `invitations` and `recovery`. *Invariant:* the token itself is never stored, only its SHA-256; reading a
//! token changes nothing but `opened_at`; spending it happens once, in the transaction of what it allows.

pub(crate) mod entity;
pub mod model;
pub mod service;
pub(crate) mod store;

pub use model::{Link, LinkKind, LinkState, NewLink};
