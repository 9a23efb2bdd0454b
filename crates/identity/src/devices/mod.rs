//! Where somebody is logged in: one device per log-in, with every token it was renewed to (DEVICE-1).

mod error;
mod http;
pub(crate) mod model;
pub mod service;

use crate::Identity;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(http::list_sessions))
        .routes(routes!(http::end_session))
        .routes(routes!(http::end_other_sessions))
        .with_state(identity)
}
