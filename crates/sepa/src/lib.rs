//! SEPA direct debit without a database: creditor identifiers, dates, texts, pain.008 out, pain.002 and camt in, and what
//! debits and bank files are to an installation.
//!
//! Called by `billing`'s rooms of mandates and remittances. Amounts are euro cents. Rules: `docs/rules/sepa.md`.

mod amendment;
pub mod creditor;
pub mod debits;
pub mod ledger;
pub mod mandate;
pub mod outcome;
pub mod own;
pub mod read;
pub mod reasons;
pub mod target;
pub mod text;

pub use amendment::Amendment;
pub use creditor::CreditorId;
pub use debits::{Block, Creditor, Debit, DebitsError, Message, Scheme, Sequence, Version};
pub use read::{BankFile, Kind, Level, ReadError, Report, read};
