//! Lengths and areas on pictures, by something of known size that is in them: data beside the picture, never in it. Rules:
//! docs/rules/measures.md.
//!
//! Called by the media view, the call screen, reports and the public API. *Invariants:* every value is computed here from checked
//! places (MEASURE-2); each change is an event of the chain with the digest of the layer, in the same transaction (MEASURE-6); the
//! picture's own bytes are not touched.

mod entity;
mod geometry;
pub mod http;
mod marker;
mod model;
mod service;
mod store;
mod svg;

pub use model::{MeasuredPlane, MeasuredShape, Reference, ShapeKind, shown};
pub use service::{Layer, MeasureView, layers, of_conference};
pub use store::forget;
