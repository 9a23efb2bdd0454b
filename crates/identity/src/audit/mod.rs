//! Who did what to which account. Append-only.
//!
//! Called by every room that changes an account, and read by administrators and principals. *Invariant:* an entry is
//! written in the transaction of its change; no secret and no full address of a person is in `detail`.

mod entity;
mod http;
pub mod model;
pub mod service;
mod store;
mod view;

pub use model::{Action, Entry};
pub(crate) use store::{companies_since, forget_addresses, last};

use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes(identity: crate::Identity) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(http::list_audit)).routes(routes!(http::user_logs)).with_state(identity)
}
