//! The client's uploads into a request, from the first byte to the media item.
//!
//! Called by the client's page. `tus` receives the bytes, `arrival` turns a complete upload into a media item, `idle` ends or
//! abandons what nobody continues.

pub mod arrival;
mod entity;
pub mod http;
pub mod idle;
mod model;
pub mod pdf;
pub mod preview;
pub mod single_upload;
mod store;
pub mod tus;

pub use model::{Upload, UploadState};
pub use store::list_uploads;
