//! Cases: conferences with end clients, their chain of evidence, and what open screens are told of them.
//!
//! Called by `assistance` and everything above. Uses identity (callers, companies) and messaging (outbox). *Invariant:*
//! whatever happens in a conference is appended to its chain in the same transaction as the change.

pub mod appointments;
mod casebook;
pub mod conferences;
pub mod connections;
mod deps;
pub mod dictated_code;
pub mod evidence;
pub mod evidence_keys;
pub mod fallback;
pub mod lifetimes;
pub mod lists;
pub mod live;
mod messages;
pub mod usage;

pub use deps::{Cases, Parts};

use utoipa_axum::router::OpenApiRouter;

/// Every route of this context, under its full path.
pub fn routes(deps: Cases) -> OpenApiRouter {
    let appointments = appointments::http::routes(deps.clone());
    let lists = lists::http::routes(deps.clone());
    conferences::http::routes(deps.clone()).merge(lists).merge(appointments).merge(evidence_keys::http::routes(deps))
}
