//! Passkeys: a key on a device that proves presence and verifies its holder, in the place of password and code.
//!
//! The WebAuthn checks are passki's (docs/decisions/0011); this room keeps the ceremonies, the keys and the rules about
//! accounts. *Invariants:* a ceremony is valid for five minutes and once; a key logs in only the account it was made for, and
//! only when its device has verified the holder.

mod entity;
mod error;
mod http;
mod model;
mod service;
mod store;

use crate::Identity;
pub(crate) use service::{check_own, list};
pub(crate) use store::{delete_all_of, delete_expired_ceremonies};
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(http::begin_passkey_log_in)).with_state(http::Asking::new(identity.clone())).merge(
        OpenApiRouter::new()
            .routes(routes!(http::begin_passkey))
            .routes(routes!(http::add_passkey, http::list_passkeys))
            .routes(routes!(http::remove_passkey))
            .routes(routes!(http::passkey_log_in))
            .with_state(identity),
    )
}
