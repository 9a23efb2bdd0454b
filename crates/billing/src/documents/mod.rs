//! Documents as PDF, made once and kept: the same bytes for ever (DOMAIN §4.1, §4.8 `print-invoice`).

mod entity;
pub(crate) mod http;
pub mod layout;
mod mandate;
pub mod service;
mod store;
mod words;
