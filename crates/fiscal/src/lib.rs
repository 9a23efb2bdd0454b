//! Who a taxpayer is since when: tax id, name, fiscal address and regime of VAT, each change with its day, its document and
//! the person who approved it.
//!
//! Called by `billing`, which asks for the regime on the day of an operation, and by `identity`, whose form of a company asks
//! here what may be written at once. *Invariants:* what a company is called now is its own row, every earlier state a version
//! that is never changed; a company has at most one open request; nobody but an administrator approves. Rules:
//! `docs/rules/fiscal.md`, of taxpayers outside Spain `docs/rules/abroad.md`.

pub mod buyer_codes;
mod deps;
mod desk;
mod documents;
mod entity;
mod error;
pub mod expiry;
mod history;
mod http;
mod model;
mod notices;
mod service;
mod store;
mod versions;
mod vies;

pub use deps::{Fiscal, Parts, TaxIdWatcher};
pub use desk::Desk;
pub use error::{FiscalError, FiscalResult};
pub use http::routes;
pub use model::{Block, Version};
pub use versions::{Standing, standing_on, standings_on};
pub use vies::Vies;
