//! Companies' bank accounts: sealed, masked, under the server's key or under the SEPA secret.
//!
//! Called by `companies` (profile and changes) and by `billing` (invoices, mandates, remittances). *Invariant:* an IBAN is stored
//! sealed and leaves this room masked, except as a party of an invoice or debit.

mod service;
mod watch;

pub use service::{Account, Party, count_protected, find, forget_bic, iban, list, platform, protect};
pub(crate) use service::{account_change, clear_iban, is_protected, masked, seal};
pub use watch::AccountWatcher;
