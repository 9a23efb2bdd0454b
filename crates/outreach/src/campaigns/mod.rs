//! Advertising e-mails to many (SPEC §7 `broadcastEmails`; DOMAIN §6.6).
//!
//! A campaign is a row; a job writes its messages into the outbox bit by bit. *Invariants:* only addresses whose holder said
//! yes, asked anew at each bit; each address once, however many accounts have it; a crash repeats nothing, because
//! messages and how far it is are one transaction; every message says who sends it and how to leave.
//!
//! A campaign. `broadcastEmails` writes a row and a job. Every few seconds one transaction takes the next addresses that still
//! consent (`identity` answers them as a query, so that no list is held in memory) and writes a token and a message for each,
//! the recipients, and the campaign's progress. Which campaigns are due follows from their rows: a lost or doubled job changes
//! nothing. The message names the sender, and its headers allow unsubscribing with one click.

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
