//! Invitations and what they become: accounts and companies.
//!
//! Called by the web app's activation pages and lists. *Invariants:* reading a link never uses it up; whatever a link allows
//! (account, company, acceptance, audit, messages) is written in the transaction that marks it as used.

mod error;
mod http;
pub mod model;
pub mod service;

use crate::Identity;
use utoipa_axum::router::OpenApiRouter;

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    http::routes(identity)
}
