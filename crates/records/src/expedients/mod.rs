//! One case number with everything about it: conferences, files, requests, notes (`docs/rules/expedients.md`).
//!
//! Called by the page of an expedient. *Invariants:* two numbers are one case when they differ only in white space and letter
//! case (EXPED-1); who sees no conference of a case sees nothing of it (EXPED-2); notes belong to a company (EXPED-3).

mod entity;
mod error;
pub mod http;
mod model;
mod service;
mod store;

pub use store::delete_notes;
