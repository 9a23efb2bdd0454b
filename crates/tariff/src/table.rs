//! A price table with its discount tiers, and when a customer accepted it (TARIFF-6, TARIFF-8).

use crate::{Cents, Percent};
use chrono::{DateTime, FixedOffset};
use serde::{Deserialize, Serialize};

/// Prices in cents; names as on the wire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PriceTable {
    /// First billable connection of a case in the month.
    pub connection: Cents,
    /// Each further one of the same case.
    pub other_connections: Cents,
    /// Minutes included in each connection; `None` is no limit.
    pub minute_limit: Option<i64>,
    /// Each started minute above the limit.
    pub exceeded_minute: Cents,
    /// Each started minute of every participant beyond operator and client.
    pub guest_minute: Cents,
    /// Minimum taxable base of a whole month.
    pub min_payment: Cents,
    pub discounts: Vec<Discount>,
}

/// Up to so many connections in the month, so many percent off everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discount {
    pub to: i64,
    pub percent: Percent,
}

/// What is wrong with a table; `field` as on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableFault {
    #[error("{0} must not be below 0")]
    Negative(&'static str),
    #[error("discounts: `to` must be whole numbers from 1 on, each above the one before")]
    TiersNotRising,
    #[error("discounts: `percent` must not fall from one tier to the next")]
    PercentFalling,
}

impl PriceTable {
    /// The percentage for so many connections: the first tier that reaches as far, above the last one the last.
    pub fn discount(&self, connections: i64) -> Percent {
        let mut tiers = self.discounts.clone();
        tiers.sort_by_key(|tier| tier.to);
        let reached = tiers.iter().find(|tier| connections <= tier.to).or(tiers.last());
        reached.map_or_else(Percent::default, |tier| tier.percent)
    }

    /// TARIFF-8; the order in which tiers are given does not matter.
    pub fn check(&self) -> Result<(), TableFault> {
        let amounts = [
            ("connection", self.connection.0),
            ("otherConnections", self.other_connections.0),
            ("minuteLimit", self.minute_limit.unwrap_or(0)),
            ("exceededMinute", self.exceeded_minute.0),
            ("guestMinute", self.guest_minute.0),
            ("minPayment", self.min_payment.0),
        ];
        if let Some((field, _)) = amounts.iter().find(|(_, amount)| *amount < 0) {
            return Err(TableFault::Negative(field));
        }
        let mut tiers = self.discounts.clone();
        tiers.sort_by_key(|tier| tier.to);
        if tiers.first().is_some_and(|tier| tier.to < 1) || tiers.windows(2).any(|pair| pair[0].to == pair[1].to) {
            return Err(TableFault::TiersNotRising);
        }
        match tiers.windows(2).any(|pair| pair[1].percent < pair[0].percent) {
            true => Err(TableFault::PercentFalling),
            false => Ok(()),
        }
    }
}

/// A table as a customer accepted it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    pub id: String,
    pub accepted_at: DateTime<FixedOffset>,
    #[serde(flatten)]
    pub table: PriceTable,
}

/// The table in force at an instant: the one accepted last, not after it.
pub(crate) fn in_force(tables: &[Accepted], at: DateTime<chrono::Utc>) -> Option<&Accepted> {
    tables.iter().filter(|table| table.accepted_at <= at).max_by_key(|table| table.accepted_at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(tiers: &[(i64, u32)]) -> PriceTable {
        PriceTable {
            connection: Cents(600),
            other_connections: Cents(300),
            minute_limit: Some(10),
            exceeded_minute: Cents(35),
            guest_minute: Cents(20),
            min_payment: Cents(3000),
            discounts: tiers.iter().map(|(to, percent)| Discount { to: *to, percent: Percent(*percent) }).collect(),
        }
    }

    // TARIFF-7
    #[test]
    fn tiers_at_their_edges() {
        let table = table(&[(100, 500), (50, 0), (250, 1000)]);
        for (connections, percent) in [(0, 0), (50, 0), (51, 500), (100, 500), (101, 1000), (250, 1000), (9999, 1000)] {
            assert_eq!(table.discount(connections), Percent(percent), "{connections}");
        }
        assert_eq!(super::tests::table(&[]).discount(7), Percent(0));
    }

    // TARIFF-8
    #[test]
    fn tables_that_make_no_sense_are_named() {
        assert_eq!(table(&[(50, 0), (100, 500)]).check(), Ok(()));
        assert_eq!(table(&[(0, 0)]).check(), Err(TableFault::TiersNotRising));
        assert_eq!(table(&[(50, 0), (50, 500)]).check(), Err(TableFault::TiersNotRising));
        assert_eq!(table(&[(50, 500), (100, 400)]).check(), Err(TableFault::PercentFalling));
        let negative = PriceTable { guest_minute: Cents(-1), ..table(&[]) };
        assert_eq!(negative.check(), Err(TableFault::Negative("guestMinute")));
    }
}
