//! Stored documents: rendered once, the same bytes ever after. `atalaya_documents` renders them.
//!
//! Knows no other room: callers bring the rendered bytes. *Invariant:* a stored document is checked against its hash
//! whenever it is read. Rules: `docs/rules/documents.md`.

mod entity;
mod model;
mod service;
mod store;

pub use model::StoredPdf;
pub(crate) use service::{keep, keep_in, kept, prepare, set};
