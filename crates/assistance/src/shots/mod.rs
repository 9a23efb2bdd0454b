//! Shot lists: what a case of a type should show, ticked in the call and asked for afterwards.
//!
//! Called by the call screen, the request for files and the page where a company edits its lists. *Invariants:* a company
//! without a list of its own has the platform's, in the request's language; a list never decides what may be taken, so
//! pictures whose key is in no list any more stay.

pub(crate) mod entity;
pub mod http;
pub mod model;
pub mod service;
mod store;

pub use model::{Shot, TickState, TickedShot};
