//! What staff see of a case from the waiting room to the end of its call: opening, details, the event stream, closing.
//!
//! Called by the web app's video form, waiting room and call screen. It puts together what `conferences`, `calls` and `media`
//! know of one conference, and changes nothing by itself.

pub mod http;
pub mod positions;
mod service;

pub use service::{Opened, open, opened};
