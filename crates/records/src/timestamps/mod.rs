//! Time stamp tokens (RFC 3161) without OpenSSL: who signed one, whether that certificate is for time stamps, and whether it
//! leads to an authority that somebody trusts; requests to an authority and its answers. Pure, but for the client that asks.
//!
//! Used when a stamp is received and when an archive is checked.

pub mod authority;
pub mod client;
mod der;
mod signature;
mod x509;

pub use signature::check;
pub use x509::leads_to;

/// Why a token is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    #[error("{0}")]
    Unreadable(String),
    #[error("{0}")]
    Unsigned(&'static str),
}

impl From<der07::Error> for TokenError {
    fn from(error: der07::Error) -> Self {
        Self::Unreadable(error.to_string())
    }
}
