//! Which people of a customer are free to take a call, and how long its requests wait. Rules: docs/rules/video_call_requests.md
//! (REQUEST-17).
//!
//! Called by the repair side before it asks, and by the customer's own list of requests. It only reads: who has the app open,
//! who is in a call, and what rings.

pub mod http;
mod service;

pub use service::{Availability, CandidateView, PersonView, Presence};
