//! Invitations and what they become: accounts and companies.
//!
//! Called by the web app's activation pages and lists. *Invariant:* reading a link changes nothing that it allows; what
//! it allows happens in one transaction with the link's spending: account, company, acceptance, audit, messages.

mod http;
pub mod model;
pub mod service;

use crate::Identity;
use utoipa_axum::router::OpenApiRouter;

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    http::routes(identity)
}
