//! The casebook: conferences as they are stored, the forms that open one, and the rules about their dates. Rules:
//! docs/rules/conferences.md.
//!
//! Every other room and crate reads conferences here and changes them through here, mostly by way of `conferences`, which
//! decides who may do what. *Invariants:* every reading query for staff takes a [`Scope`]; who changes a conference appends a
//! track in the same transaction; rows never leave, only [`Conference`]s, counts, and conditions for other rooms' queries.

mod conference;
mod entity;
pub mod model;
mod store;

pub use conference::Conference;
/// For `lists`, which is asked by every column that it shows (docs/decisions/0044).
pub(crate) use entity::{Column, Entity as Table};
pub use model::{ConferenceError, ConferenceType, OpenConference};
pub use store::changes::{
    Erased, Settled, close, erase, hold, mark_files_requested, mark_media_expired, mark_media_seen, redirect, settle,
};
pub(crate) use store::insert;
pub use store::retention::{CompaniesDue, PersonKnown, is_case_left, list_due, list_of_person, not_erased};
pub use store::selections::{Selection, arrived_unseen, list_of_case, list_selected, living_links, open_ids};
pub use store::statistics::{
    CaseLine, CompanyCount, StageGroup, case_lines, count_by_company, count_by_stage, group_by_stage, ids_of_company, share_among,
};
pub use store::usage::{Billed, billed, billed_ids};
pub use store::{
    Opener, Scope, find, find_by_hash, find_by_short_code, get, list_by_ids, list_to_close, lock_living, reload,
    request_became_conference,
};
