//! What a position means: its address, and how far it is from the insured place. Rules: docs/rules/places.md.
//!
//! Called by the details of a conference, its media and its certificate. With a geocoder (setting `geocoder_url`) addresses
//! are looked up in the background and kept with the case; without one the provinces are compared, offline.
//! *Invariant:* nothing waits for the geocoder, and what it once answered about a case stays as it was.

mod entity;
mod geocoder;
pub mod model;
mod positions;
pub mod service;
mod store;

pub use geocoder::Geocoder;
pub use model::{Known, PlaceView, Verdict};
pub use positions::{PositionView, positions};
