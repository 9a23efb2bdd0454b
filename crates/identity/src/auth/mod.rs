//! Log-in, renewal, logout, and the middleware that turns a token into a [`atalaya_rest::Caller`].
//!
//! Called by `server` (middleware, sweep) and by the web app. *Invariant:* a session is as good as its row: a token
//! whose row has ended or expired is refused whatever it says.

mod cookies;
pub(crate) mod entity;
pub(crate) mod http;
pub mod middleware;
pub mod model;
pub mod service;
pub(crate) mod store;

use crate::Identity;
pub use middleware::authenticate;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(http::pre_log_in))
        .routes(routes!(http::log_in))
        .routes(routes!(http::renew_token))
        .routes(routes!(http::verify_token))
        .routes(routes!(http::log_out))
        .with_state(identity)
}
