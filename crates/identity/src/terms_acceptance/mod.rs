//! What a company accepted and when (`legalHistory`): the one way to write it.
//!
//! Called by `invitations` (registration), by the company's profile and by `billing`. *Invariant:* an acceptance is the whole
//! contract: a row per text that was read, each with the price table beside it. Rows are added; what is later written of
//! one is only when it ended, which is when the next was accepted.

mod entity;
mod pending;
mod service;
mod store;

pub use pending::{Decision, Pending, PendingPrice, PendingText, accept_pending, decline, pending};
pub use service::{Accepted, Actor, Counted, LegalHistory, Proof, accept, count_by, end, histories, history, price_of, texts};
pub(crate) use store::list_histories;
