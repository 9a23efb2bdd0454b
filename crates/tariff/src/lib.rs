//! The tariff: sessions become connections, connections become the lines and totals of a month. Rules: `docs/rules/tariff.md`.
//!
//! *Invariants:* amounts are whole cents, never floats; the order in which sessions are given does not matter; the lines
//! add up to the taxable base.

mod connections;
mod euros;
mod money;
mod regime;
mod relief;
pub mod simulate;
mod statement;
mod table;

pub use connections::{Connection, Session, connections, may_grow};
pub use euros::Euros;
pub use money::{Cents, Percent};
pub use regime::{Place, VatRegime};
pub use relief::{Claim, Ground, Relief, ReliefFault, Unpaid};
pub use statement::{Charge, Customer, Line, LineCode, Month, Nothing, Outcome, Statement, detailed, statement, unpriced};
pub use table::{Accepted, Discount, PriceTable, TableFault};

/// Why a month cannot be calculated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TariffError {
    #[error("there is no month {month} of {year}")]
    NoSuchMonth { year: i32, month: u32 },
    #[error("an amount is beyond what an invoice can hold")]
    TooMuch,
}
