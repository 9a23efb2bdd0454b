//! Issuing: numbers without gaps, in one transaction with everything that belongs to them (DOMAIN §4.2).

use super::compose::{self, Issue, IssuerFacts};
use super::model::{DetailRow, Header, Invoice, Kind, Number};
use super::store;
use crate::consumption::CompanyMonth;
use crate::verifactu::service as verifactu;
use crate::{Billing, BillingResult};
use atalaya_db::Tx;
use atalaya_identity::companies::customers::Payer;
use atalaya_kernel::{CompanyId, InvoiceId, calendar};
use atalaya_rest::Problem;
use atalaya_sepa::target::collection;
use atalaya_tariff::{Month, Outcome};
use chrono::{DateTime, Datelike, NaiveDate, Utc};
use std::collections::HashMap;

/// A customer's month that is to be invoiced.
pub(crate) struct Ready {
    pub payer: Payer,
    /// Reference of its mandate.
    pub umr: Option<String>,
    pub month: CompanyMonth,
}

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
    /// Errors: 409 `ISSUE_DATE_BACKWARDS` when an invoice of a later day was issued already.
    pub async fn hold(tx: &Tx, kind: Kind, now: DateTime<Utc>) -> BillingResult<Self> {
        let date = calendar::day(now);
        let (last, _) = store::lock_series(tx, kind, date.year()).await?;
        if store::last_date(&**tx, kind).await?.is_some_and(|before| before > date) {
            return Err(Problem::conflict("ISSUE_DATE_BACKWARDS").into());
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

/// When money is due for an invoice of this day: when it would be debited, for its issue is the notice of the debit (DOMAIN
/// §3.2, §3.6).
pub(crate) fn due_date(d: &Billing, issued: NaiveDate) -> NaiveDate {
    collection(issued, d.settings.sepa.notice_days, d.settings.sepa.lead_days)
}

/// Issues the invoices of a month in the caller's transaction, in the order given: numbers, invoices, connections, records
/// of the chain. Whose month comes to nothing gets none.
///
/// Errors: 409 `ISSUE_DATE_BACKWARDS`; a duplicate when one of them was invoiced meanwhile.
pub(crate) async fn issue(
    d: &Billing,
    tx: &Tx,
    issuer: &IssuerFacts,
    month: Month,
    ready: Vec<Ready>,
) -> BillingResult<Vec<Invoice>> {
    if ready.is_empty() {
        return Ok(Vec::new());
    }
    let mut numbers = Numbers::hold(tx, Kind::Normal, d.sources.now()).await?;
    let mut invoices = Vec::with_capacity(ready.len());
    let mut details: Vec<(InvoiceId, Vec<DetailRow>)> = Vec::with_capacity(ready.len());
    for Ready { payer, umr, month: used } in ready {
        let Outcome::Invoice(statement) = &used.outcome else { continue };
        let company = &payer.company;
        let header = Header {
            issuer: issuer.party.clone(),
            recipient: compose::party(company),
            payment: compose::payment(issuer, payer.masked_iban, umr),
            language: company.language,
            rectified: None,
        };
        let issue = Issue {
            id: d.sources.id(),
            number: numbers.take(),
            at: numbers.at,
            date: numbers.date,
            due_date: due_date(d, numbers.date),
        };
        invoices.push(compose::invoice(issue, month, company, header, statement));
        details.push((issue.id, used.connections.into_iter().map(compose::detail).collect()));
    }
    if invoices.is_empty() {
        return Ok(invoices);
    }
    numbers.keep(tx).await?;
    write(d, tx, &invoices, &details).await?;
    Ok(invoices)
}

/// Writes issued invoices with their connections and records.
pub(crate) async fn write(
    d: &Billing,
    tx: &Tx,
    invoices: &[Invoice],
    details: &[(InvoiceId, Vec<DetailRow>)],
) -> BillingResult<()> {
    store::insert(tx, invoices).await?;
    store::insert_details(tx, details).await?;
    record(d, tx, invoices).await
}

/// The records for the tax office, chained in the order of the numbers.
async fn record(d: &Billing, tx: &Tx, invoices: &[Invoice]) -> BillingResult<()> {
    verifactu::record_issued(d, tx, invoices).await
}

/// References of these customers' mandates in force.
pub(crate) async fn mandates(d: &Billing, customers: &[CompanyId]) -> BillingResult<HashMap<CompanyId, String>> {
    let found = crate::mandates::service::active_of_many(d, customers).await?;
    Ok(found.into_iter().map(|(company, mandate)| (company, mandate.umr)).collect())
}

/// The record that an invoice was issued by mistake.
pub(crate) async fn record_annulled(d: &Billing, tx: &Tx, invoice: &Invoice) -> BillingResult<()> {
    verifactu::record_annulled(d, tx, invoice).await
}
