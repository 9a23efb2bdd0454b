//! Fresh proofs of identity: a session alone does not change how somebody gets in, or where the money goes
//! (docs/rules/proofs.md).
//!
//! Called by the web app's dialog; the rooms whose changes need a proof ask [`crate::sessions`]. A log-in is a proof; so is a
//! password, a code or a passkey given to a session that is open already.

mod http;
mod service;

use crate::Identity;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(http::prove)).with_state(identity)
}
