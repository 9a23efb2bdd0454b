//! Passwords: forgotten, reset, changed; and the desk that starts resets for others.
//!
//! *Invariants:* neither an answer nor its time reveals whether an address has an account; a link is used up in the
//! transaction that sets the password; a changed password ends the sessions.

mod http;
pub(crate) mod service;

use crate::Identity;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(http::remember_email)).with_state(http::Asking::new(identity.clone())).merge(
        OpenApiRouter::new()
            .routes(routes!(http::change_password))
            .routes(routes!(http::change_own_password))
            .routes(routes!(http::find_password_users))
            .routes(routes!(http::start_password_reset))
            .with_state(identity),
    )
}
