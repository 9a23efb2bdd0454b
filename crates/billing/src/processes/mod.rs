//! The monthly runs: calculate, issue, send; one at a time, resumable (DOMAIN §4.8).
//!
//! *Invariants:* one job works at a time (the database lets no second begin); each step and its progress are one
//! transaction, so that a run goes on after a kill without a gap and without doing anything twice.

pub(crate) mod entity;
pub(crate) mod http;
pub(crate) mod model;
mod sending;
pub(crate) mod service;
pub(crate) mod steps;
pub(crate) mod store;
