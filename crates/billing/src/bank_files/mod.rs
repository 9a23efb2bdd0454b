//! Bank files, and what an administrator settles manually instead.
//!
//! *Invariants:* a bank file counts once, and so does each of its lines; a line that does not match changes nothing.
//! Rules: `docs/rules/bank_files.md`.

mod entity;
mod error;
pub(crate) mod http;
mod intake;
mod matching;
mod notices;
mod outcome;
mod overdue;
mod proposals;
mod settlement;
mod store;

pub(crate) use atalaya_sepa::outcome as model;
pub use error::BankFileError;
pub(crate) use overdue::give_up_overdue;
