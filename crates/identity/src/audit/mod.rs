//! Who did what to which account. Append-only.
//!
//! Called by every room that changes an account. *Invariant:* an entry is written in the transaction of the change it
//! tells; no secret and no full address of a person is in `detail`.

pub(crate) mod entity;
pub mod model;
pub mod service;
pub(crate) mod store;

pub use model::{Action, Entry};

pub(crate) fn routes(identity: crate::Identity) -> utoipa_axum::router::OpenApiRouter {
    utoipa_axum::router::OpenApiRouter::new().with_state(identity)
}
