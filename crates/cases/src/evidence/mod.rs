//! The track log of a conference, which is also its evidence chain (`docs/rules/evidence.md`).
//!
//! Called by every other room here: whatever happens in a conference is appended in the same transaction as the change
//! itself. *Invariants:* rows are only added (database triggers); `seq` has no gaps (the conference's row is locked while
//! appending); personal values enter the chain only as commitments, so that erasing them breaks nothing.

pub mod chain;
mod entity;
pub mod merkle;
mod projection;
pub mod stills;
mod store;

pub use projection::{NO_MEDIA, Permission, PermissionState, Projection};
pub use store::days;
pub use store::links::{ErasableValue, Link, erasable_values, links};
pub use store::range::{PlainTrack, list_between, media_unseen};
pub use store::repeats;
pub use store::seals::{Seal, find_seal, latest_seal, seal};
pub use store::stamps;
pub use store::{
    Actor, Examined, NewTrack, Observer, Subject, Track, all_ids, append_if_living, closers, examine_all, list, rebuild, verify,
};
