//! Conferences: opening one, sending its link, following its client. Rules: docs/rules/conferences.md.
//!
//! Called by the web app's video form and waiting room, by `calls` and `client_page`.
//! *Invariants:* every query is scoped by the caller's tenant in `store`; whatever changes a conference appends a track in
//! the same transaction.

pub mod entity;
pub mod http;
pub mod model;
pub mod progress;
pub mod service;
mod store;
pub mod vault;
pub mod view;

pub use entity::{Column as ConferenceColumn, Entity as ConferenceTable, Model as Conference};
pub use model::{ConferenceError, ConferenceType, OpenConference};
pub use store::{
    Opener, Scope, find, find_by_hash, find_by_short_code, get, list_by_ids, list_participations, list_rooms, list_to_close,
    lock_living, open_ids, reload, request_became_conference, spans, update,
};
