//! Assistance: conferences with end clients, their calls, media, chat and evidence.
//!
//! Called by `server`. Uses identity (callers), content (legal texts), messaging (outbox), blobs (media at rest) and the
//! media engine. *Invariant:* whatever happens in a conference is appended to its chain in the same transaction as the
//! change.

pub mod calls;
pub mod certificates;
pub mod chat;
pub mod client_files;
pub mod client_page;
pub mod conferences;
pub mod demo;
mod deps;
pub mod evidence;
pub mod expedients;
pub mod incidences;
pub mod live;
pub mod media;
pub mod public_api;
pub mod reports;
pub mod retention;
pub mod shots;
pub mod tasks;
pub mod video_call_requests;
pub mod webhooks;

pub use deps::{Assistance, Parts};

use utoipa_axum::router::OpenApiRouter;

/// Every route of this context, under its full path.
pub fn routes(deps: Assistance) -> OpenApiRouter {
    OpenApiRouter::new()
        .merge(conferences::http::routes(deps.clone()))
        .merge(calls::http::routes(deps.clone()))
        .merge(chat::http::routes(deps.clone()))
        .merge(client_page::http::routes(deps.clone()))
        .merge(client_files::http::routes(deps.clone()))
        .merge(certificates::http::routes(deps.clone()))
        .merge(retention::http::routes(deps.clone()))
        .merge(shots::http::routes(deps.clone()))
        .merge(reports::http::routes(deps.clone()))
        .merge(expedients::http::routes(deps.clone()))
        .merge(incidences::http::routes(deps.clone()))
        .merge(video_call_requests::http::routes(deps.clone()))
        .merge(public_api::http::routes(deps.clone()))
        .merge(webhooks::http::routes(deps.clone()))
        .merge(media::http::routes(deps))
}
