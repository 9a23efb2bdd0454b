//! Incidences: support tickets of everybody who works with the product, about a conference or general
//! (`docs/rules/incidences.md`).
//!
//! Called by the incidence modal and the page `/incidences/{id}`, by the page of an expedient and by retention.
//! *Invariants:* administrators see all, principals their company's, everybody else their own, enforced by the store; every
//! change is logged in its transaction, together with the notices to its author and the administrators; images are stored
//! re-encoded and sealed with the incidence's own key; notes are for administrators only.

mod diagnostics;
pub(crate) mod entity;
pub(crate) mod http;
pub(crate) mod keeping;
pub(crate) mod model;
pub(crate) mod pictures;
pub(crate) mod service;
pub(crate) mod store;
mod telling;
pub(crate) mod view;

pub use model::IncidenceError;
