//! The series of invoices and their numbers: rising, without gaps, each with a date that is never before the last one's.
//!
//! Called by whoever issues (`issuing`, `rectifications`), in the transaction that writes the invoices. Rules:
//! `docs/rules/invoices.md`.

mod entity;
mod store;

use crate::BillingResult;
use crate::invoices::InvoiceError;
use crate::invoices::model::{Kind, Number};
use atalaya_db::Tx;
use atalaya_kernel::calendar;
use chrono::{DateTime, Datelike, NaiveDate, Utc};

/// The numbers of a series, held until the transaction ends.
pub(crate) struct Numbers {
    kind: Kind,
    year: i32,
    last: i64,
    pub at: DateTime<Utc>,
    pub date: NaiveDate,
}

impl Numbers {
    /// Holds the series for invoices of today.
    ///
    /// Errors: [`InvoiceError::IssueDateBackwards`] when an invoice of a later day was issued already.
    pub async fn hold(tx: &Tx, kind: Kind, now: DateTime<Utc>) -> BillingResult<Self> {
        let date = calendar::day(now);
        let (last, _) = store::lock_series(tx, kind, date.year()).await?;
        if store::last_date(&**tx, kind).await?.is_some_and(|before| before > date) {
            return Err(InvoiceError::IssueDateBackwards.into());
        }
        Ok(Self { kind, year: date.year(), last, at: now, date })
    }

    pub fn take(&mut self) -> Number {
        self.last += 1;
        Number { kind: self.kind, year: self.year, number: self.last }
    }

    /// Writes down how far they were used.
    pub async fn keep(self, tx: &Tx) -> BillingResult<()> {
        Ok(store::set_series(tx, self.kind, self.year, self.last, self.date).await?)
    }
}
