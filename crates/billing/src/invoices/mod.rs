//! Invoices: drafts, issue with numbers without gaps, corrections, payment states (DOMAIN §4).
//!
//! `service` is for the other rooms. *Invariants:* what an invoice says never changes after its issue (the database refuses);
//! numbers have no gaps; one invoice per customer and month.

pub(crate) mod compose;
pub(crate) mod corrections;
pub(crate) mod entity;
pub(crate) mod http;
pub(crate) mod issue;
pub mod issuer;
pub mod model;
pub(crate) mod rectify;
pub mod service;
pub(crate) mod store;
pub(crate) mod words;

pub use compose::IssuerFacts;
