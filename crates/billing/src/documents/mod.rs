//! Kept documents: made once, the same bytes for ever after. What they look like is `atalaya_documents`'.
//!
//! Knows no other room: whoever has a document made brings its bytes. *Invariant:* a kept document is checked against its hash
//! whenever it is read. Rules: `docs/rules/documents.md`.

mod entity;
mod model;
mod service;
mod store;

pub use model::StoredPdf;
pub(crate) use service::{keep, keep_in, kept, prepare, set};
