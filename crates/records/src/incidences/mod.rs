//! Incidences: support tickets of everybody who works with the product, about a conference or general
//! (`docs/rules/incidences.md`).
//!
//! Called by the incidence modal and the page `/incidences/{id}`, by the page of an expedient and by retention.
//! *Invariants:* administrators see all, principals their company's, everybody else their own, enforced by `tickets`; every
//! change is logged in its transaction, together with the notices to its author and the administrators; images are stored
//! re-encoded and sealed with the incidence's own key; notes are for administrators only.
//!
//! An incidence. `POST /api/v1/send-incidence` re-encodes the images and seals them with the incidence's own key; one
//! transaction locks the conference, copies its diagnostics (tracks, connections, messages, browsers), takes the next number
//! under the counter's lock, and writes row, log, e-mails and bell notifications; open screens are notified after the commit.
//! Answers, notes and moves (`PUT /api/v1/incidence`) lock the row and apply everything or nothing. Messages say that something
//! was written, never what. Erasing the conference also erases the incidence's texts, images and diagnostics; the hourly job
//! deletes what was archived two years ago.

pub mod expiry;
pub mod http;
mod notices;
mod observer;
pub mod pictures;
pub mod service;
pub mod view;

pub use crate::tickets::{EntryKind, IncidenceError, Scope, entries, get, ids_about, images, list_of_conference, model};
pub use observer::{Changed, Observer};
