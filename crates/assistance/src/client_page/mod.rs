//! The end client's side: from the link to the call, without an account. Rules: docs/rules/client_page.md.
//!
//! Called by the client's page under `/external`. *Invariants:* reading a link changes nothing, so that a preview robot
//! does no harm (CLIENT-1); the secret of the link opens the notice, and only a device that accepted it may enter, write
//! and send (CLIENT-6).

mod answer;
mod breaker;
pub mod door;
pub mod http;
pub mod model;
pub mod service;
