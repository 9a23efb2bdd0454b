//! Remittances to the bank and what banks send back (DOMAIN §3.4 to §3.8, §4.8 `mail-xml-sepa`, `parse-sepa`).
//!
//! *Invariants:* an invoice is in one live debit at most; no debit that its customer was not told of before; a bank file counts once, and so does what each line of it tells.

pub(crate) mod announcing;
mod choosing;
mod daily;
pub(crate) mod entity;
pub(crate) mod http;
mod intake;
mod making;
pub mod model;
mod notices;
mod packing;
mod settling;
pub(crate) mod store;
pub(crate) mod words;

pub(crate) use daily::TendDebits;
pub use daily::run_daily;
pub use model::SepaSettings;
