//! One case number with everything of it: conferences, files, requests, notes (issue 4, "one page per expedient").
//!
//! Called by the page of an expedient. *Invariants:* two numbers are one case when they differ in white space and case only
//! (DOMAIN §4.7); who sees no conference of a case sees nothing of it; notes belong to a company.

pub(crate) mod entity;
pub mod http;
mod service;
mod store;

pub use store::delete_notes;
