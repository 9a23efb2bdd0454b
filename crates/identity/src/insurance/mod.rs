//! Insurance companies and which customers work for them (SPEC §7 Insurance, DESIGN §3).
//!
//! Called by `companies` (a customer's set) and by the video-call requests. *Invariant:* insurance companies are no
//! tenants; administrators keep them.

pub(crate) mod entity;
mod http;
pub mod model;
pub mod service;
pub(crate) mod store;

use crate::Identity;
use utoipa_axum::router::OpenApiRouter;

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    http::routes().with_state(identity)
}
