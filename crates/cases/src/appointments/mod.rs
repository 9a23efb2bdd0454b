//! Appointments: a day and an hour at which a conference goes on that cannot go on now. Rules: docs/rules/appointments.md.
//!
//! Called by the waiting room, the client's page and the agenda; `client_page` shows the one of a link. Uses conferences (whose
//! link opens then, and whose closing waits) and the outbox.
//! *Invariants:* a conference has at most one; it is agreed only when both sides named the same moment; whatever changes it
//! appends a track and moves the conference's dates in the same transaction.

pub mod calendar;
mod entity;
pub mod http;
pub mod jobs;
pub mod model;
pub mod service;
mod store;

pub use model::{AppointmentError, AppointmentState, AppointmentView, Side};
pub use service::of;
pub use store::agreed_conferences;
