//! Issued invoices go out by e-mail, each with its PDF and the notice of the debit.

use super::model::{Run, Running};
use super::steps::{self, Step};
use super::store;
use crate::invoices::model::Invoice;
use crate::invoices::service::lock;
use crate::invoices::{list_unsent, mark_mailed};
use crate::issuing::prints::invoice_pdf;
use crate::remittances::prenotification::{self, Notice};
use crate::{Billing, BillingError, BillingResult, words};
use atalaya_db::Tx;
use atalaya_identity::companies::customers::{Payer, find_payers};
use atalaya_identity::companies::model::Company;
use atalaya_kernel::CompanyId;
use atalaya_messaging::{Attachment, NewMessage};
use atalaya_tariff::Cents;
use chrono::NaiveDate;
use serde_json::{Value, json};
use std::collections::HashMap;
use uuid::Uuid;

/// Maximum number of invoices in one step: each may have to be rendered first.
const INVOICES: u64 = 25;

/// Sends the next invoices.
pub(super) async fn step(d: &Billing, run: &Run, running: Running, step: &Step) -> BillingResult<()> {
    let until = running.started_at.unwrap_or_else(|| d.sources.now());
    let unsent = list_unsent(d, running.after, until, INVOICES).await?;
    let Some(last) = unsent.last().map(|invoice| invoice.id) else { return steps::finish(d, run, running, step).await };
    let ids: Vec<CompanyId> = unsent.iter().map(|invoice| invoice.customer).collect();
    let payers: HashMap<CompanyId, Payer> =
        find_payers(&d.identity, &ids).await?.into_iter().map(|payer| (payer.company.id, payer)).collect();
    let mut sent = running.done;
    for invoice in &unsent {
        let Some(payer) = payers.get(&invoice.customer) else { continue };
        match send(d, invoice, payer).await {
            Ok(true) => sent += 1,
            Ok(false) => {}
            Err(BillingError::Db(error)) => return Err(error.into()),
            // It stays unsent, and the others go out.
            Err(error) => tracing::error!(%error, number = invoice.number, "an invoice could not be sent"),
        }
    }
    let tx = d.db.write().await?;
    if !store::advance(&tx, run, step.step, sent.min(running.of), Some(last.0)).await? {
        return Ok(());
    }
    steps::enqueue(d, &tx, &Step { step: step.step + 1, ..step.clone() }, "").await?;
    tx.commit().await?;
    d.outbox.wake();
    Ok(())
}

/// Where a customer's invoices go.
pub(super) fn address(payer: &Payer) -> Option<&str> {
    payer.company.email.as_deref().map(str::trim).filter(|email| !email.is_empty())
}

/// Writes the e-mail and marks it as sent, unless that was done meanwhile. Answers false when the customer has no address.
async fn send(d: &Billing, invoice: &Invoice, payer: &Payer) -> BillingResult<bool> {
    let Some(to) = address(payer) else { return Ok(false) };
    let pdf = invoice_pdf(d, invoice.id).await?;
    let company = &payer.company;
    // The announced day: that of the invoice, unless it is too near by now.
    let days = invoice.header.payment.notice_days.unwrap_or_default().max(d.settings.sepa.notice_days);
    let collection = invoice.due_date.max(prenotification::first_day(d, d.sources.now(), days));
    let values = values(d, invoice, collection, company);
    let email = d.templates.email(company.language, "invoice", &values)?;
    let file = Attachment { name: pdf.name, content_type: "application/pdf", bytes: pdf.bytes.into() };
    let mut message = NewMessage::email("invoice", to, email).link(link(d, invoice.customer)).attach(file);
    message.company_id = Some(company.id);
    let tx = d.db.write().await?;
    let current = lock(&tx, invoice.id).await?;
    if current.state.mailed {
        return Ok(true);
    }
    // Annulled or brought to zero while its PDF was rendered: it is not sent.
    if !current.state.may_go_out() {
        return Ok(false);
    }
    let message = d.outbox.enqueue(&tx, message).await?;
    mark_mailed(d, &tx, &current, message.id.0).await?;
    announce(d, &tx, invoice, collection, message.id.0).await?;
    tx.commit().await?;
    Ok(true)
}

/// The e-mail of an invoice is the notice of its debit.
async fn announce(d: &Billing, tx: &Tx, invoice: &Invoice, collection: NaiveDate, message: Uuid) -> BillingResult<()> {
    let payment = &invoice.header.payment;
    let Some(umr) = payment.umr.clone().filter(|_| payment.direct_debit && is_owed(invoice)) else { return Ok(()) };
    let (id, company, amount) = (invoice.id, invoice.customer, invoice.totals.total);
    prenotification::record(d, tx, &Notice { invoice: id, company, amount, umr, collection, message }).await
}

fn is_owed(invoice: &Invoice) -> bool {
    invoice.totals.total > Cents(0)
}

/// Where the customer finds all of them.
fn link(d: &Billing, customer: CompanyId) -> String {
    format!("{}/invoices/{customer}", d.public_url)
}

fn values(d: &Billing, invoice: &Invoice, collection: NaiveDate, company: &Company) -> Value {
    let (payment, language) = (&invoice.header.payment, company.language);
    let due = if payment.direct_debit { collection } else { invoice.due_date };
    json!({
        "number": invoice.number,
        "contact": company.contact_name.trim(),
        "month": words::month(invoice.period_from, language),
        "total": words::euros(invoice.totals.total, language),
        "due": words::day(due, language),
        "debit": payment.direct_debit,
        "iban": payment.iban.as_deref().unwrap_or_default(),
        "umr": payment.umr.as_deref().unwrap_or_default(),
        "creditor": payment.creditor_id.as_deref().unwrap_or_default(),
        "transfer": payment.transfer_iban.as_deref().unwrap_or_default(),
        "rectifies": invoice.header.rectified.as_ref().map(|of| of.number.as_str()).unwrap_or_default(),
        "owed": is_owed(invoice),
        "link": link(d, invoice.customer),
    })
}
