//! The monthly runs: calculate, issue, send; one at a time, resumable.
//!
//! *Invariants:* one job works at a time (the database enforces it); each step and its progress are one transaction, so that
//! a killed run resumes without gaps and repetitions. A step reads each customer once. Rules:
//! `docs/rules/invoice_processes.md`.

mod dispatch;
mod entity;
mod error;
pub(crate) mod http;
pub(crate) mod model;
pub(crate) mod service;
pub(crate) mod steps;
mod store;

pub use error::InvoiceProcessError;
