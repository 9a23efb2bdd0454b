//! Frozen pictures and what is drawn on them: marks beside the picture, never in it. Rules: docs/rules/drawings.md.
//!
//! Called by the call screen, the client's page and the media view. *Invariants:* a drawing is a list of checked marks, of
//! which the server alone makes the SVG (DRAW-5); each change is an event of the chain with the digest of that SVG, in the
//! same transaction (DRAW-7); the picture's own bytes are not touched.

mod entity;
pub mod http;
mod model;
mod service;
mod store;
mod svg;

pub use service::{Layer, layers};
pub use store::forget;
