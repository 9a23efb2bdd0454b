//! What people's phones could do when they tried `/external/check`, found by the code that their page showed. Rules:
//! docs/rules/client_page.md.
//!
//! Called by that page without any session or link, and by administrators. *Invariants:* a result is a browser's name and the list of
//! what was tried, no address and no person (CLIENT-60); it is deleted after 31 days (CLIENT-61).

mod entity;
pub mod http;
mod model;
mod service;
mod store;

pub use service::forget_old;
