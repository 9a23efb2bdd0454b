//! Nouns every room uses: ids, roles, statuses, limits, languages, and the sources of time and chance.
//!
//! Called by everybody, imports nothing of ours. *Invariant:* no I/O and no async in this crate; the only
//! place that reads the system clock or the system's randomness is [`sources`].

pub mod access;
pub mod calendar;
pub mod collate;
pub mod cookies;
pub mod events;
pub mod hook;
pub mod ids;
pub mod jcs;
pub mod keeping;
pub mod language;
pub mod limits;
pub mod live;
pub mod paths;
pub mod role;
pub mod sources;
pub mod status;

pub use hook::Hook;
pub use ids::*;
pub use language::{ClientLanguage, Language};
pub use role::Role;
pub use sources::{Clock, Entropy, Sources};
pub use status::{CompanyKind, Status};
