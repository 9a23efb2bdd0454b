//! Insurance companies and which customers work for them.
//!
//! Called by `companies` (a customer's set) and by the video-call requests. *Invariant:* insurance companies are no
//! tenants; administrators keep them.

mod entity;
mod error;
mod http;
pub mod model;
pub mod service;
mod store;

use crate::Identity;
use utoipa_axum::router::OpenApiRouter;

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    http::routes().with_state(identity)
}
