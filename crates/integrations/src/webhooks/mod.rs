//! Webhooks: events of a customer's conferences, sent to the customer's own programs (`docs/rules/webhooks.md`).
//!
//! Told by `evidence` and `incidences`, whose observer queues in the transaction of the change; called by the customer's programs and by the page
//! `/api`. *Invariants:* an event is queued if and only if its change is committed (HOOK-1); it goes to public addresses
//! only, checked when a webhook is registered and again at every connection (HOOK-8); bodies name things by id and hold
//! nothing personal but the case number (HOOK-2); a secret is shown once and stored sealed (HOOK-3).
//!
//! A delivery. When a track is appended or an incidence changes, `queue` writes one delivery per interested webhook and one job
//! in the same transaction. After the commit this room's own workers take what is due, sign body and time (HMAC) and post it;
//! we resolve names ourselves, refuse private addresses and follow no redirect. A failed delivery is retried with growing
//! pauses; a webhook that accepts nothing for a day is switched off and the principals are notified. A replay sends the stored
//! bodies (30 days) under their original ids.

mod delivery;
mod entity;
mod error;
mod events;
mod gateway;
pub mod http;
mod model;
mod queue;
mod service;
mod store;
mod view;

pub use delivery::{DeliverWebhooks, TidyWebhooks};
pub use events::Event;
pub(crate) use gateway::Gateway;
pub use queue::Queue;
