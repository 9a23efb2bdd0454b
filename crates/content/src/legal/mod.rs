//! Legal texts by kind, version and language (SPEC §3 Legal): 1 general conditions, 2 particular conditions, 3 the
//! notice the end client accepts before a call (DOMAIN §6.2).
//!
//! Called by `server` (seed at start) and `assistance` (the client's page). *Invariant:* rows are added, never edited.

mod entity;
pub mod model;
pub mod service;
mod store;

pub use model::{LegalKind, Notice, NoticeParams};
