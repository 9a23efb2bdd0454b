//! Media of a conference: pictures, videos, documents; stored sealed, shown one by one, with a thumbnail, and as a zip.
//! Rules: docs/rules/media.md.
//!
//! Called by the client's page (stills), the call screen (uploads), the recorder (videos) and the media view.
//! *Invariants:* originals are kept byte for byte and hashed before any processing (STORE-3); every file at rest is
//! sealed with its conference's key (STORE-1); a file is served only to those who may see its conference.

pub mod announcements;
pub mod exif;
pub mod http;
mod labels;
pub mod previews;
pub mod printable;
pub mod recordings;
pub mod reencoding;
pub mod service;
pub mod signatures;
mod stored;
pub mod thumbnails;
pub mod videos;
mod view;

pub use service::{MediaError, MediaView, NewMedia};
