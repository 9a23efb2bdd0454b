//! Bank files, and what an administrator settles manually instead. One room that is a crate of its own.
//!
//! Called by `server`. Looks down on billing: debits (`remittances`), `mandates` and `invoices` follow what a bank says.
//! *Invariants:* a bank file counts once, and so does each of its lines; a line that does not match changes nothing.
//! Rules: `docs/rules/bank_files.md`.

mod entity;
mod error;
mod http;
mod intake;
mod matching;
mod notices;
mod outcome;
mod overdue;
mod proposals;
mod settlement;
mod store;
mod tasks;

use atalaya_sepa::outcome as model;
pub use error::{BankError, BankFileError};
use overdue::give_up_overdue;
pub use tasks::{run_daily, worker};

use atalaya_billing::Billing;
use utoipa_axum::router::OpenApiRouter;

/// Every route of this context, under its full path.
pub fn routes(deps: Billing) -> OpenApiRouter {
    http::routes(deps)
}
