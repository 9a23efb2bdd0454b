//! What a company wants to read on electronic invoices to it: a reference of its own, and of public bodies the offices that they go to.
//!
//! Called by `billing` when it writes such a file. *Invariant:* a body has all three offices or none. Rules: EINV-14, EINV-15.

mod entity;
pub(crate) mod http;
mod model;
mod service;
mod store;

pub use model::{BuyerCodes, Offices};
pub use service::find;
