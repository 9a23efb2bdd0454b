//! Requests for a video call: the repair side asks, the customer's people answer. Rules:
//! docs/rules/video_call_requests.md.
//!
//! Called by the pages `/videocall-request` and `/active-videocall-request/{parent}`, and by the server's job every ten
//! seconds. *Invariants:* a starter has at most one request that rings, a request is accepted at most once (both enforced
//! in the database); whether it is open follows from its state and the clock, not from whether the job has run
//! (REQUEST-3); screens are notified after the commit, each company of what concerns it (REQUEST-24).
//!
//! A request. `POST /api/v1/video-call-request` checks that both companies are active and that the customer works for the
//! insurance company; one transaction writes the request and queues the pushes to the customer's people; after the commit
//! `videocallIn_{customer}` rings on their screens. `video-call-respond` claims the request with an `UPDATE` that finds it open
//! for one caller only, opens the conference and notifies the starter in the same transaction; after the commit both companies
//! hear `videocallOut_{parent}`. A job closes expired requests every ten seconds and rings call-backs. The starter enters by
//! the client's page (decision 0022).

mod claim;
mod entity;
pub mod http;
pub mod jobs;
pub mod model;
mod notices;
mod refusal;
mod service;
mod starters;
mod store;
mod view;

pub use model::RequestError;
pub(crate) use service::{ANSWERING, require_unblocked};
pub use starters::StarterRequests;
pub(crate) use store::{average_wait, count_ringing, ringing_of};
