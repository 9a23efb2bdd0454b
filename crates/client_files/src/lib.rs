//! Requests for files by a link, and the client's uploads into them. Rules: docs/rules/client_files.md.
//!
//! Called by `records` (expedients), `integrations` (the public API) and `server`. Uses `assistance`: an arrived file becomes a
//! media item of its conference. *Invariants:* bytes under way are sealed with the conference's key; an upload's offset in the
//! database never exceeds what is stored.
//!
//! `POST /api/v1/client-files/new` writes the request, its items, a track and the message in one transaction (`requests`).
//! The client's page (`pages`; `/f/{code}` redirects to `/external/files/{token}`) uploads each file by tus (`uploads`): every
//! PATCH first stores a sealed segment, then moves the offset. The last PATCH joins the segments, detects the type, hashes the
//! file, and writes media item, item state and track in one transaction. A job notifies the requester once the client has
//! paused; `media-review` approves a file or asks for it again with a reason, by the channel of the request.

pub mod demo;
mod error;
mod http;
pub mod jobs;
mod pages;
pub mod requests;
pub mod uploads;

pub use error::{FilesError, Refusal};
pub use requests::call_back;
pub use requests::view::FileRequest;

use atalaya_assistance::Assistance;
use utoipa_axum::router::OpenApiRouter;

/// Every route of this context, under its full path.
pub fn routes(deps: Assistance) -> OpenApiRouter {
    OpenApiRouter::new()
        .merge(requests::http::routes(deps.clone()))
        .merge(pages::http::routes(deps.clone()))
        .merge(uploads::http::routes(deps))
}
