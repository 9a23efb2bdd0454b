//! Conferences: opening one, sending its link, following its client. Rules: docs/rules/conferences.md.
//!
//! Called by the web app's video form and waiting room, by `calls` and `client_page`. Other crates reach the conferences that
//! are stored (`casebook`) by way of this room too.
//! *Invariants:* every query is scoped by the caller's tenant in `casebook`; whatever changes a conference appends a track in
//! the same transaction.

pub mod http;
pub mod progress;
pub mod service;
pub mod vault;
pub mod view;

pub use crate::casebook::*;
pub use service::{append, spans};
