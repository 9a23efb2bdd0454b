//! Advertising e-mails to many, `broadcastEmails` (`docs/rules/campaigns.md`).
//!
//! A campaign is a row; a job writes its messages into the outbox in steps. *Invariants:* only addresses whose holder said
//! yes, checked again at each step, and each address once, however many accounts have it (CAMP-1); a crash repeats nothing,
//! because messages and progress are one transaction (CAMP-3); every message names its sender and the way to unsubscribe
//! (CAMP-2).
//!
//! A campaign. `broadcastEmails` writes a row and a job. Every few seconds one transaction takes the next addresses that still
//! consent (`identity` answers them as a query, so that no list is held in memory) and writes a token and a message for each,
//! the recipients, and the campaign's progress. Which campaigns are due follows from their rows: a lost or doubled job changes
//! nothing. The message names the sender, and its headers allow unsubscribing with one click.

mod entity;
mod error;
pub(crate) mod http;
mod jobs;
mod letter;
mod model;
mod service;
mod store;

pub use error::CampaignError;
pub use jobs::SendCampaigns;
