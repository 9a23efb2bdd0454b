//! Requests for files by a link, and the client's uploads into them. Rules: docs/rules/client_files.md.
//!
//! `service` asks, cancels, sends again and reviews; `link` is what the client's link still allows; `tus` receives the bytes;
//! `arrival` turns a complete upload into a media item; `jobs` is a job of every minute. *Invariants:* bytes under way are
//! sealed with the conference's key; an upload's offset in the database never exceeds what is stored.
//!
//! A request for files. `POST /api/v1/client-files/new` writes the request, its items, a track and the message in one
//! transaction. The client's page (`/f/{code}` redirects to `/external/files/{token}`) uploads each file by tus: every PATCH
//! first stores a sealed segment, then moves the offset. The last PATCH joins the segments, detects the type, hashes the file,
//! and writes media item, item state and track in one transaction. A job notifies the requester once the client has paused;
//! `media-review` approves a file or asks for it again with a reason, by the channel of the request.

pub mod arrival;
pub mod entity;
mod error;
pub mod http;
pub mod jobs;
pub mod link;
mod messages;
pub mod model;
mod pdf;
mod preview;
pub mod service;
pub mod single_upload;
mod store;
pub mod tus;
pub mod view;

pub use error::FilesError;
pub use link::call_back;
pub use view::FileRequest;
