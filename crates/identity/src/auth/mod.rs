//! Log-in, renewal, logout, and the middleware that turns a token into a [`atalaya_rest::Caller`].
//!
//! Called by `server` (middleware), by the other ways to log in and by the web app. The sessions themselves are `sessions`'.
//! *Invariant:* wrong tries count against account and address, whichever way somebody tries to log in.

mod cookies;
pub(crate) mod device;
mod entity;
pub(crate) mod http;
pub mod middleware;
pub mod model;
mod other_tokens;
pub mod service;
mod store;

use crate::Identity;
pub use middleware::authenticate;
pub use other_tokens::MarketingTokens;
pub(crate) use store::{
    check_tries, count_wrong, delete_expired, delete_pending_of, delete_tickets_of, forgive_passwords, spend_pending,
};
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
