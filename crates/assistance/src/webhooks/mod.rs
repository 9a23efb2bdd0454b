//! Webhooks: events of a customer's conferences, sent to the customer's own programs (`docs/rules/webhooks.md`).
//!
//! Called by `evidence`, which queues in the transaction that appends a track, by the customer's programs and by the page
//! `/api`. *Invariants:* an event is queued if and only if its change is committed (HOOK-1); it goes to public addresses
//! only, checked when a webhook is registered and again at every connection (HOOK-8); bodies name things by id and hold
//! nothing personal but the case number (HOOK-2); a secret is shown once and stored sealed (HOOK-3).

mod delivery;
mod entity;
mod error;
mod events;
mod gateway;
pub mod http;
mod model;
pub mod queue;
mod service;
mod store;
mod view;

pub use delivery::{DeliverWebhooks, TidyWebhooks};
pub use events::Event;
pub(crate) use gateway::Gateway;
