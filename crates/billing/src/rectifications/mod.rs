//! Rectifying invoices and annulments: how an issued invoice is put right, since it never changes itself.
//!
//! *Invariants:* an original and everything that rectifies it are one sum, which never falls below nothing; what was delivered
//! is rectified, never annulled. Rules: `docs/rules/rectifications.md`.

mod calculation;
mod error;
pub(crate) mod http;
pub(crate) mod service;

pub(crate) use calculation::Wanted;
pub use error::RectificationError;
