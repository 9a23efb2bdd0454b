//! Media of a conference: pictures, videos, documents; stored sealed, shown one by one, with a thumbnail, and as a zip.
//! Rules: docs/rules/media.md.
//!
//! Called by the client's page (stills), the call screen (uploads), the recorder (videos) and the media view.
//! *Invariants:* originals are kept byte for byte and hashed before any processing (STORE-3); every file at rest is
//! sealed with its conference's key (STORE-1); a file is served only to those who may see its conference.

pub(crate) mod cleaned;
pub(crate) mod entity;
pub mod http;
pub(crate) mod kinds;
mod labels;
pub(crate) mod previews;
pub mod recordings;
pub mod service;
pub(crate) mod store;
pub mod thumbnails;
pub(crate) mod vault;
pub(crate) mod videos;
mod view;

pub use kinds::{FileKind, MediaType};
pub use service::{MediaError, MediaView, NewMedia, Origin};
