//! Requests for a video call: the repair side asks, the customer's people answer (SPEC §3, §7 Video calls, DESIGN §5).
//!
//! Called by the pages `/videocall-request` and `/active-videocall-request/{parent}`, and by the server's job every ten
//! seconds. *Invariants:* a starter has one open request at most, a request is accepted once at most (both held by the
//! database); whether it is open follows from its state and the clock, not from whether the job has run; screens are told
//! after the commit, each company of what concerns it.

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
