//! A price table as stored, and the one of this release.

use atalaya_kernel::CompanyId;
use atalaya_tariff::{Accepted, Cents, Discount, Percent, PriceTable};
use chrono::{DateTime, Utc};
use uuid::Uuid;

/// A price table with its place among the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    pub id: Uuid,
    /// Its tiers are in rising order.
    pub table: PriceTable,
    /// The company it is offered to; everybody when absent.
    pub company: Option<CompanyId>,
    pub valid_from: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
}

/// A table to be added.
#[derive(Clone, Debug)]
pub struct NewPrice {
    pub table: PriceTable,
    pub company: Option<CompanyId>,
    pub valid_from: DateTime<Utc>,
}

impl Price {
    /// The table as a customer accepted it.
    pub fn accepted(&self, at: DateTime<Utc>) -> Accepted {
        Accepted { id: self.id.to_string(), accepted_at: at.fixed_offset(), table: self.table.clone() }
    }
}

/// The table of a new installation.
pub(super) fn first() -> PriceTable {
    let tier = |to, percent| Discount { to, percent: Percent(percent) };
    PriceTable {
        connection: Cents(600),
        other_connections: Cents(300),
        minute_limit: Some(10),
        exceeded_minute: Cents(35),
        guest_minute: Cents(20),
        min_payment: Cents(3000),
        discounts: vec![tier(50, 0), tier(100, 500), tier(250, 1000), tier(500, 1500)],
    }
}

/// Since when the first table is in force.
pub(super) const FIRST_DAY: &str = "2026-01-01T00:00:00+01:00";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_table_keeps_its_own_rules() {
        assert_eq!(first().check(), Ok(()));
        assert!(DateTime::parse_from_rfc3339(FIRST_DAY).is_ok());
    }
}
