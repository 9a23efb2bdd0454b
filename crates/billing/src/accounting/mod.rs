//! The accountant's pack: the register of issued invoices in the tax office's layout, entries for an accounting program, and every
//! invoice as PDF and XML.
//!
//! Reads `invoices` and prints by `issuing`; writes nothing but documents that are kept anyhow. *Invariant:* all of it is about the
//! same invoices, those of [`period::Period`]. Rules: `docs/rules/books.md`.

mod csv;
mod entries;
pub(crate) mod http;
mod period;
mod register;
mod service;
