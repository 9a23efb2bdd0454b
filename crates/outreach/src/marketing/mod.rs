//! Advertising that people want: consent and its proof, tokens that answer for an address, the list of those who must
//! not be written to (SPEC §2 Marketing response page, §7; DOMAIN §6.6; DESIGN §7).
//!
//! *Invariants:* whoever has not said yes gets nothing; the suppression list wins over any consent; a proof is never
//! changed; a token is stored as a hash and answers for its own address only.
//!
//! Consent. A yes or no comes from the profile, from the page of a link (`marketing-token` reads, `marketing-response` records)
//! or from a mail program's button (`POST /u/{token}`). One transaction writes the proof, which the database refuses to change,
//! the state of the address, and for a no by link the entry of the suppression list.

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
