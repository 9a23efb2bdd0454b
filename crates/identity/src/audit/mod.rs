//! Who did what to which account. Append-only, in a chain of hashes (`atalaya_ledger`).
//!
//! Called by every room that changes an account, and read by administrators and principals. *Invariant:* an entry is
//! written in the transaction of its change; no secret and no full address of a person is in `detail`.

mod http;
pub mod model;
pub mod service;
mod view;

pub(crate) use atalaya_ledger::{companies_since, forget_addresses, forget_reads, last};
pub use model::{Action, Entry};

use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes(identity: crate::Identity) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(http::list_audit))
        .routes(routes!(http::user_logs))
        .routes(routes!(http::audit_chain))
        .with_state(identity)
}
