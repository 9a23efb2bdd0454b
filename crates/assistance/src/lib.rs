//! Assistance: the work on a case while it is open: its call, chat, media, shot lists, the client's page, and the requests of
//! the repair side for video calls.
//!
//! Called by `client_files`, `records`, `integrations` and `server`. Uses cases, content (legal texts), outreach (notifications), blobs (media at
//! rest) and the media engine.

pub mod availability;
pub mod call_page;
pub mod calls;
pub mod chat;
pub mod client_devices;
pub mod client_page;
pub mod demo;
mod deps;
pub mod media;
pub mod media_items;
pub mod path_reports;
pub mod phone_checks;
pub mod places;
mod sharpness;
pub mod shots;
pub mod tasks;
pub mod video_call_requests;

pub use deps::{Assistance, Parts};

use utoipa_axum::router::OpenApiRouter;

/// Every route of this context, under its full path.
pub fn routes(deps: Assistance) -> OpenApiRouter {
    OpenApiRouter::new()
        .merge(call_page::http::routes(deps.clone()))
        .merge(calls::http::routes(deps.clone()))
        .merge(chat::http::routes(deps.clone()))
        .merge(client_page::http::routes(deps.clone()))
        .merge(phone_checks::http::routes(deps.clone()))
        .merge(path_reports::http::routes(deps.clone()))
        .merge(shots::http::routes(deps.clone()))
        .merge(video_call_requests::http::routes(deps.clone()))
        .merge(availability::http::routes(deps.clone()))
        .merge(media::http::routes(deps))
}
