//! Single-use links that are sent to an address: invitations, activations by an administrator, resets.
//!
//! Called by `invitations` and `recovery`. *Invariant:* the token itself is never stored, only its SHA-256; reading a
//! token changes nothing but `opened_at`; spending it happens once, in the transaction of what it allows.

mod entity;
pub mod model;
pub mod service;
mod store;

pub use model::{InvitationFilter, InvitationState, Link, LinkKind, LinkState, NewLink};
pub(crate) use store::{
    delete_expired, delete_unused_like, find_invitation, find_made_with, list_invitations, spend_all_of, users_created_since,
    was_accepted_since,
};
