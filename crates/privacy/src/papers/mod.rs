//! What a controller must have on paper: the register of breaches, the record of processing activities and the impact
//! assessment (GDPR arts. 30, 33 and 35). Rules: docs/rules/privacy.md.
//!
//! Called by the privacy page of administrators. *Invariant:* facts come from what is configured at that moment; entries of the
//! register are added and never changed.

mod breaches;
mod document;
mod entity;
pub mod http;
mod store;
