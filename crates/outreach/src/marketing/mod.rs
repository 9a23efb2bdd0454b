//! Advertising that people want: consent and its proof, tokens that answer for an address, the suppression list
//! (`docs/rules/marketing.md`).
//!
//! *Invariants:* people who have not said yes receive nothing (CAMP-1); the suppression list wins over any consent
//! (PROMO-7); a proof is never changed (PROMO-1); a token is stored as a hash and answers for its own address only (PROMO-4).

mod entity;
mod error;
pub(crate) mod http;
mod model;
mod service;
pub(crate) mod store;
mod tidying;

pub use error::MarketingError;
pub use model::{Permission, Settings};
pub(crate) use service::{NewToken, is_suppressed, make_token, make_tokens};
pub use service::{issue_token, set_consent};
pub use tidying::TidyMarketing;
