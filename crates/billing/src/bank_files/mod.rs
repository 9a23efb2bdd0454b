//! What banks answer: their files, and what an administrator settles by hand instead.
//!
//! *Invariants:* a bank file counts once, and so does what each line of it says; a line changes nothing that it does not fit.
//! Rules: `docs/rules/bank_files.md`.

mod entity;
mod error;
pub(crate) mod http;
mod intake;
mod matching;
mod model;
mod notices;
mod outcome;
mod overdue;
mod settlement;
mod store;

pub use error::BankFileError;
pub(crate) use overdue::give_up_overdue;
