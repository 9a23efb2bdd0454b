//! How long media stay, erasure with proof, and export of a person's data (`docs/rules/privacy.md`).
//!
//! Called by the hourly job, by the privacy page and by `atalaya restore`.
//! *Invariant:* what is erased stays erased: the register outside the database is replayed before a restored backup is
//! served.

mod entity;
pub mod erasure;
mod error;
pub mod expiry;
mod export;
pub mod http;
mod persons;
pub mod register;
mod store;
pub mod wipe;

pub use erasure::totals;
pub use error::PrivacyError;
pub use persons::reason;
pub use store::ERASED_NAME;
