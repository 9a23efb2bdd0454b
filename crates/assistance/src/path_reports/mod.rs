//! How the media of each participant come, and what fails on the way: told by the pages of both sides when it changes, kept with
//! the conference for whoever looks for the cause of a bad call. Rules: docs/rules/calls.md.
//!
//! Called by both pages of a call, and read by incidences and the export of a person. *Invariants:* an entry holds words and
//! numbers of a fixed list, never an address (CALL-62); entries are erased with the conference.

mod entity;
pub mod http;
mod model;
mod service;
mod store;

pub use model::{PathEntry, PathReport};
pub use store::list_entries;
