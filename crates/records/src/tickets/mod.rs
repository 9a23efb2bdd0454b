//! Tickets: incidences as they are stored, their moves between statuses, and the checks of what is sent. Rules:
//! docs/rules/incidences.md.
//!
//! Called by `incidences`, through which other rooms and crates ask. *Invariants:* every reading query takes a [`Scope`]; what
//! lies outside is not found; numbers have no gaps and no duplicates; rows never leave, only incidences and their parts.

mod entity;
pub mod model;
mod store;
mod ticket;

pub use model::IncidenceError;
pub use store::{
    Filter, NewLog, Scope, append_logs, archived_until, count, delete, entries, find_image, get, ids_about, images, insert,
    insert_entry, insert_images, list, list_of_conference, lock, logs, mark_read, next_number, readings, update,
};
pub use ticket::{Entry, EntryKind, Image, Incidence, LogLine};
