//! The second factor: authenticator codes and recovery codes.
//!
//! Called by the log-in after the password, and by the account's security page. *Invariants:* a code, of either kind, is
//! accepted once; the secret lies sealed; every wrong code counts towards the account's lockout.

mod entity;
mod error;
mod http;
pub(crate) mod model;
pub(crate) mod service;
mod store;

use crate::Identity;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(http::begin_second_factor))
        .routes(routes!(http::verify_second_factor))
        .routes(routes!(http::disable_second_factor))
        .routes(routes!(http::renew_recovery_codes))
        .with_state(identity)
}
