//! Shot lists: what a case of a type should show, ticked in the call and requested afterwards. Rules: docs/rules/shots.md.
//!
//! Called by the call screen, the request for files and the page where a company edits its lists. *Invariants:* a company
//! without a list of its own has the platform's, in the request's language (SHOT-3); a list never decides which pictures
//! may be taken, so pictures whose key has left the list stay.

mod entity;
pub mod http;
pub mod model;
pub mod service;
mod store;

pub use model::{Shot, TickState, TickedShot};
