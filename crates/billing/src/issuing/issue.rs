//! Issuing: numbers without gaps, in one transaction with everything that belongs to them.

use super::compose::{self, Issue, IssuerFacts};
use crate::consumption::{CompanyMonth, ConnectionRow};
use crate::invoices::model::{Header, Invoice, Kind};
use crate::invoices::service as invoices;
use crate::mandates::service::InForce;
use crate::series::Numbers;
use crate::verifactu::service as verifactu;
use crate::{Billing, BillingResult};
use atalaya_db::Tx;
use atalaya_identity::companies::customers::Payer;
use atalaya_kernel::InvoiceId;
use atalaya_sepa::target::collection;
use atalaya_tariff::{Month, Outcome};
use chrono::NaiveDate;

/// A customer's month that is to be invoiced.
pub(crate) struct Ready {
    pub payer: Payer,
    pub mandate: Option<InForce>,
    pub month: CompanyMonth,
}

/// When money is due for an invoice of this day: when it would be debited, for its issue is the notice of the debit.
pub(crate) fn due_date(d: &Billing, issued: NaiveDate, mandate: Option<&InForce>) -> NaiveDate {
    let days = mandate.map_or(d.settings.sepa.notice_days, |mandate| mandate.notice_days);
    collection(issued, days, d.settings.sepa.lead_days)
}

/// Issues the invoices of a month in the caller's transaction, in the order given: numbers, invoices, connections, records
/// of the chain. A customer whose month comes to nothing gets none.
///
/// Errors: `InvoiceError::IssueDateBackwards`; a duplicate when one of them was invoiced meanwhile.
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
    let mut issued = Vec::with_capacity(ready.len());
    let mut details: Vec<(InvoiceId, Vec<ConnectionRow>)> = Vec::with_capacity(ready.len());
    for Ready { payer, mandate, month: used } in ready {
        let Outcome::Invoice(statement) = &used.outcome else { continue };
        let company = &payer.company;
        let due_date = due_date(d, numbers.date, mandate.as_ref());
        let header = Header {
            issuer: issuer.party.clone(),
            recipient: compose::recipient(company, used.country.clone()),
            payment: compose::payment(issuer, payer.masked_iban, mandate),
            language: company.language,
            rectified: None,
            regime: Some(used.regime),
        };
        let issue = Issue { id: d.sources.id(), number: numbers.take(), at: numbers.at, date: numbers.date, due_date };
        issued.push(compose::invoice(issue, month, company, header, statement));
        details.push((issue.id, used.connections));
    }
    if issued.is_empty() {
        return Ok(issued);
    }
    numbers.keep(tx).await?;
    write(d, tx, &issued, &details).await?;
    Ok(issued)
}

/// Writes issued invoices with their connections and records.
pub(crate) async fn write(
    d: &Billing,
    tx: &Tx,
    issued: &[Invoice],
    details: &[(InvoiceId, Vec<ConnectionRow>)],
) -> BillingResult<()> {
    invoices::insert(tx, issued, details).await?;
    verifactu::record_issued(d, tx, issued).await
}
