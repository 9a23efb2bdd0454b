//! The files of a case as they are stored: one item per picture, video and document, what kinds there are, what devices have
//! announced, and which files are to be deleted. Rules: docs/rules/media.md.
//!
//! Called by `media`, which receives and serves them, and by what reads them: shot lists, places, requests for files,
//! certificates, reports and retention. *Invariants:* an item's kind comes from its bytes (STORE-5); an item is found through
//! its conference and that conference's scope; files to be deleted are recorded in the transaction that gives them up.

mod entity;
pub mod kinds;
mod model;
mod store;
mod unseen;

pub use kinds::{FileKind, MediaType};
pub use model::{Deletion, DeviceCheck, MediaItem, Origin, Review};
pub use store::{
    count, count_announced, count_of, count_of_origin, delete_later, expire, find, find_by_capture, find_by_filename,
    forget_deletions, has_new, insert, insert_announced, is_announced, items_by_request, latest_of_shots, list, list_awaited,
    list_between, list_deletions, list_of, list_unexpired, mark_expired, mark_seen, pictured, review, set_preview, tag, untag,
    with_files, write_labels,
};
pub use unseen::Unseen;
