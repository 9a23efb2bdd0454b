//! Conferences: opening one, sending its link, following its client, closing it. Rules: docs/rules/conferences.md.
//!
//! Called by the web app's video form and waiting room, by `calls` and `client_page`.
//! *Invariants:* every query is scoped by the caller's tenant in `store`; whatever changes a conference appends a track in
//! the same transaction.

pub(crate) mod entity;
pub(crate) mod fallback;
pub mod http;
pub mod lists;
pub mod model;
pub mod positions;
pub mod progress;
pub mod service;
pub(crate) mod store;
pub mod view;

pub use model::{ConferenceError, ConferenceType, OpenConference};
pub use store::Scope;
