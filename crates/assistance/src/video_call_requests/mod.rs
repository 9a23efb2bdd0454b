//! Requests for a video call: the repair side asks, the customer's people answer. Rules:
//! docs/rules/video_call_requests.md.
//!
//! Called by the pages `/videocall-request` and `/active-videocall-request/{parent}`, and by the server's job every ten
//! seconds. *Invariants:* a starter has at most one request that rings, a request is accepted at most once (both enforced
//! in the database); whether it is open follows from its state and the clock, not from whether the job has run
//! (REQUEST-3); screens are notified after the commit, each company of what concerns it (REQUEST-24).

mod availability;
mod claim;
pub(crate) mod entity;
pub(crate) mod http;
pub mod model;
mod service;
mod starters;
mod store;
mod telling;
pub mod tending;
mod view;

pub use model::RequestError;
pub use starters::StarterRequests;
