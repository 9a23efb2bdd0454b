//! Legal texts by kind, version and language: 1 general conditions, 2 particular conditions, 3 the notice the end client
//! accepts before a call (`docs/rules/legal.md`).
//!
//! Called by `server` (seed at start), `identity` (what a company accepts) and `assistance` (the client's page).
//! *Invariant:* rows are added, never edited.

pub mod diff;
mod entity;
mod http;
pub mod model;
pub mod plain;
pub mod service;
mod store;
pub mod terms;

use crate::Content;
pub use http::LegalView;
pub use model::{LegalKind, LegalText, NewLegal, Notice, NoticeParams};
pub use store::{Heading, headings};
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes(content: Content) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(http::get_legal))
        .routes(routes!(http::get_legal_by_language))
        .routes(routes!(http::get_legal_diff))
        .with_state(content)
}
