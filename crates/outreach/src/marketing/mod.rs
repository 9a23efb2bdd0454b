//! Advertising that people want: consent and its proof, tokens that answer for an address, the suppression list
//! (`docs/rules/marketing.md`).
//!
//! *Invariants:* people who have not said yes receive nothing (CAMP-1); the suppression list wins over any consent
//! (PROMO-7); a proof is never changed (PROMO-1); a token is stored as a hash and answers for its own address only (PROMO-4).
//!
//! Consent. A yes or no comes from the profile, from the page of a link (`marketing-token` reads, `marketing-response` records)
//! or from a mail program's button (`POST /u/{token}`). One transaction writes the proof, which the database refuses to change,
//! the state of the address, and for a no by link the entry of the suppression list.

mod entity;
mod error;
pub(crate) mod http;
mod jobs;
mod model;
mod service;
mod store;
mod verified;

pub use error::MarketingError;
pub use jobs::TidyMarketing;
pub use model::{Permission, Settings};
pub(crate) use service::{NewToken, is_suppressed, make_token, make_tokens, records_of};
pub use service::{issue_token, set_consent};
pub(crate) use store::{count_allowed, count_left, count_suppressed, page_allowed};
pub use verified::Tokens;
