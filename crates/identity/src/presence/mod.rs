//! Presence: the sockets that are open now, on every node, with their users.
//!
//! The server's sockets write the rows; `video_call_requests` asks who of a company is online. *Invariant:* the rows of a
//! node without a heartbeat for [`model::NODE_DEAD_S`] are ignored.

mod entity;
mod error;
mod http;
pub mod model;
pub mod service;
mod store;

use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes(identity: crate::Identity) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(http::register_socket, http::socket_user))
        .routes(routes!(http::clean_socket_user, http::clean_socket_user_post))
        .with_state(identity)
}
