//! What staff see of a case from the waiting room to the end of its call: opening, details, the event stream, closing.
//!
//! Called by the web app's video form, waiting room and call screen. It puts together what `conferences`, `calls` and `media`
//! know of one conference. By itself it changes nothing but that a conference is closed: the recording stops, everybody is
//! disconnected, the duration is final, and the hashes of pictures under way enter the chain.

pub mod closing;
pub mod http;
mod service;

pub use service::{Opened, open, opened};
