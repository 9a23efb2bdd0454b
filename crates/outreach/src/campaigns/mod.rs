//! Advertising e-mails to many, `broadcastEmails` (`docs/rules/campaigns.md`).
//!
//! A campaign is a row; a job writes its messages into the outbox in steps. *Invariants:* only addresses whose holder said
//! yes, checked again at each step, and each address once, however many accounts have it (CAMP-1); a crash repeats nothing,
//! because messages and progress are one transaction (CAMP-3); every message names its sender and the way to unsubscribe
//! (CAMP-2).

mod entity;
mod error;
pub(crate) mod http;
mod letter;
mod model;
mod sending;
mod service;
mod store;

pub use error::CampaignError;
pub use sending::SendCampaigns;
