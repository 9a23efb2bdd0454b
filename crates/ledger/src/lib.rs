//! The audit log as it is stored: entries in one chain of hashes for the installation, and what was read of whom.
//!
//! Called by `identity::audit`, which knows what the entries mean. *Invariants:* an entry is written in the transaction of its
//! change, as its last step, because the chain's end is locked until the commit (AUDIT-7); entries are only added, but for an
//! address that is emptied later (AUDIT-8, database triggers). A name and an address enter the chain as commitments.

mod chain;
mod entity;
mod store;
mod verify;

pub use chain::{Break, Flaw};
pub use store::chain::begin;
pub use store::reads::{Seen, forget as forget_reads, insert as insert_read, is_known as is_known_read};
pub use store::{Filter, Logged, NewEntry, append, companies_since, forget_addresses, last, list};
pub use verify::{Chain, verify};
