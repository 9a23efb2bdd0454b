//! Records of issued and annulled invoices, in the transaction of the invoice; the chain; new records for refused ones.

use super::VerifactuError;
use super::history::History;
use super::model::{Chain, Corrected, Link, RecordKind, State, Stored, Written};
use super::model::{correction_name, invoice_id, issuer, registration};
use super::store::{self, New};
use crate::invoices::model::Invoice;
use crate::invoices::service as invoices;
use crate::tax_office::Mode;
use crate::{Billing, BillingError, BillingResult};
use atalaya_db::Tx;
use atalaya_einvoice::tree::parse;
use atalaya_einvoice::verifactu::{
    Annulment, Body, Correction, Environment, Fault, InvoiceId, Person, Previous, Record, check as check_chain, day, fragment,
    qr_url,
};
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_kernel::calendar;
use atalaya_rest::caller::Caller;
use chrono::{DateTime, SubsecRound, Utc};
use serde_json::json;
use uuid::Uuid;

/// Records read at once when the chain is checked.
const CHECKED_AT_ONCE: u64 = 500;

/// Appends the records of invoices that this transaction issues, in the given order; all are of one issuer. The chain stays
/// locked until the transaction ends, so the numbers must be taken in the same transaction before.
///
/// Errors: [`VerifactuError::SendingRequired`].
pub async fn record_issued(d: &Billing, tx: &Tx, issued: &[Invoice]) -> BillingResult<()> {
    may_issue(d)?;
    let bodies = issued.iter().map(|invoice| (invoice, registration(invoice, Correction::None))).collect();
    append(d, tx, bodies).await.map(drop)
}

/// Appends the record of an invoice that was issued by mistake and never delivered.
pub async fn record_annulled(d: &Billing, tx: &Tx, invoice: &Invoice) -> BillingResult<()> {
    let records = store::list_of_invoice(&**tx, invoice.id.0).await?;
    append(d, tx, vec![(invoice, annulment(d, invoice, &records))]).await.map(drop)
}

/// What the tax office that we send to has of an invoice with these records.
fn history(d: &Billing, records: &[Stored]) -> History {
    let here = d.settings.verifactu.mode.name();
    History::of(records.iter().filter(|record| record.environment == here).map(|record| (record.kind, record.state)))
}

fn annulment(d: &Billing, invoice: &Invoice, records: &[Stored]) -> Body {
    let history = history(d, records);
    // Nobody is told anything while sending is off.
    let without_record = d.settings.verifactu.mode != Mode::Off && history.without_record();
    Body::Annulment(Annulment { id: invoice_id(invoice), without_record, rejected_before: history.annulment_refused() })
}

/// Makes the links and writes them. Answers the new records' ids.
async fn append(d: &Billing, tx: &Tx, bodies: Vec<(&Invoice, Body)>) -> BillingResult<Vec<Uuid>> {
    let Some((first, _)) = bodies.first() else { return Ok(Vec::new()) };
    let issuer = issuer(first);
    let chain = store::lock_chain(tx, &d.sources, &issuer.nif).await?;
    let system = d.settings.verifactu.system(&issuer);
    let at = d.sources.now().trunc_subsecs(0);
    let mut previous = head(&chain)?;
    let mut new = Vec::with_capacity(bodies.len());
    for (seq, (invoice, body)) in (chain.records + 1..).zip(bodies) {
        let record = Record { body, previous: previous.take(), system: system.clone(), at };
        let hash = record.hash();
        let (kind, invoice_type, correction, total) = match &record.body {
            Body::Registration(one) => (RecordKind::Issued, Some(one.kind.code()), one.correction, Some(one.total.0)),
            Body::Annulment(one) if one.rejected_before => (RecordKind::Annulled, None, Correction::Unknown, None),
            Body::Annulment(_) => (RecordKind::Annulled, None, Correction::None, None),
        };
        new.push(New {
            id: d.sources.uuid(),
            invoice: invoice.id.0,
            seq,
            kind,
            invoice_type,
            correction: correction_name(correction),
            number: invoice.number.clone(),
            issue_date: invoice.issue_date,
            total,
            hash: hash.clone(),
            xml: fragment(&record),
            at,
        });
        previous = Some(Previous { id: record.body.id().clone(), hash });
    }
    let ids = new.iter().map(|one| one.id).collect();
    let mode = d.settings.verifactu.mode;
    let state = if mode == Mode::Off { State::Local } else { State::Pending };
    store::append(tx, chain.id, mode.name(), state, new).await?;
    Ok(ids)
}

/// The last link of a chain.
fn head(chain: &Chain) -> BillingResult<Option<Previous>> {
    let Some(head) = &chain.head else { return Ok(None) };
    let issue_date = head.issue_date.ok_or_else(|| BillingError::Corrupt("date of a chain".into()))?;
    let id = InvoiceId { issuer: chain.issuer.clone(), number: head.number.clone(), issue_date };
    Ok(Some(Previous { id, hash: head.hash.clone() }))
}

/// The mode in which the last record of an invoice's issue was made: that is where the tax office knows it, whatever the
/// operator decided since.
pub async fn mode_of(d: &Billing, invoice: atalaya_kernel::InvoiceId) -> BillingResult<Mode> {
    let made = store::environment_of(d.db.read(), invoice.0).await?;
    Ok(made.and_then(|name| Mode::parse(&name)).unwrap_or(d.settings.verifactu.mode))
}

/// Where the QR of an invoice leads, its record made in this mode; `None` of an invoice without one: the tax office does not
/// know it, or knows a rehearsal with a real customer's data.
pub fn qr_of(d: &Billing, mode: Mode, invoice: &Invoice) -> Option<String> {
    let environment = match mode {
        Mode::Off => return None,
        Mode::Test if !d.settings.verifactu.trial => return None,
        Mode::Test => Environment::Test,
        Mode::Production => Environment::Production,
    };
    Some(qr_url(environment, true, &invoice_id(invoice), invoice.totals.total))
}

/// Whether invoices may be issued by now.
///
/// Errors: [`VerifactuError::SendingRequired`].
pub fn may_issue(d: &Billing) -> BillingResult<()> {
    if d.settings.verifactu.binds(calendar::day(d.sources.now())) {
        return Err(VerifactuError::SendingRequired.into());
    }
    Ok(())
}

/// What is wrong with a record, as the screen names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Hash,
    Link,
    /// It cannot be read, differs from its row, or is missing.
    Content,
}

/// The first record that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenAt {
    pub seq: i64,
    pub number: String,
    pub reason: Reason,
}

/// How a check of every chain ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    pub records: i64,
    pub at: DateTime<Utc>,
    pub broken: Option<BrokenAt>,
}

/// Recomputes every chain from the stored records.
pub async fn check(d: &Billing) -> BillingResult<Checked> {
    let mut checked = Checked { records: 0, at: d.sources.now(), broken: None };
    for chain in store::list_chains(d.db.read()).await? {
        check_one(d, &chain, &mut checked).await?;
        if checked.broken.is_some() {
            tracing::error!(records = checked.records, "the chain of invoice records is broken");
            break;
        }
    }
    Ok(checked)
}

async fn check_one(d: &Billing, chain: &Chain, checked: &mut Checked) -> BillingResult<()> {
    let mut last: Option<([String; 3], String)> = None;
    let mut seq = 0;
    loop {
        let rows = store::list_written(d.db.read(), chain.id, seq, CHECKED_AT_ONCE).await?;
        let Some(end) = rows.last() else { break };
        if let Some((index, reason)) = broken(&rows, seq, last.as_ref()) {
            checked.records += i64::try_from(index).unwrap_or_default();
            checked.broken = rows.get(index).map(|row| BrokenAt { seq: row.seq, number: row.link.number.clone(), reason });
            return Ok(());
        }
        checked.records += i64::try_from(rows.len()).unwrap_or_default();
        seq = end.seq;
        last = Some(([chain.issuer.clone(), end.link.number.clone(), date_of(&end.link)], end.link.hash.clone()));
    }
    let head = last.as_ref().map(|(_, hash)| hash);
    // Records were taken off its end.
    if head != chain.head.as_ref().map(|head| &head.hash) || seq != chain.records {
        let number = chain.head.as_ref().map(|head| head.number.clone()).unwrap_or_default();
        checked.broken = Some(BrokenAt { seq: chain.records, number, reason: Reason::Content });
    }
    Ok(())
}

/// The first of these records, which follow the one at `seq`, that does not fit.
fn broken(rows: &[Written], seq: i64, last: Option<&([String; 3], String)>) -> Option<(usize, Reason)> {
    let before = last.map(|(id, hash)| (id, hash.as_str()));
    let chained = check_chain(rows.iter().map(|row| row.xml.as_str()), before).err();
    // A missing row, or a row that differs from its record.
    let odd = (seq + 1..).zip(rows).position(|(expected, row)| {
        let says = |text: &str| row.xml.contains(text);
        row.seq != expected || !says(&row.link.hash) || row.link.issue_date.is_none() || !says(&date_of(&row.link))
    });
    match (chained, odd) {
        (Some(link), Some(odd)) if odd < link.index => Some((odd, Reason::Content)),
        (Some(link), _) => {
            let reason = match link.fault {
                Fault::Hash => Reason::Hash,
                Fault::Link => Reason::Link,
                Fault::Unreadable => Reason::Content,
            };
            Some((link.index, reason))
        }
        (None, odd) => odd.map(|odd| (odd, Reason::Content)),
    }
}

/// The date of a record as records write it.
fn date_of(link: &Link) -> String {
    link.issue_date.map(day).unwrap_or_default()
}

/// The record. Errors: [`VerifactuError::RecordNotFound`].
pub async fn get(d: &Billing, id: Uuid) -> BillingResult<Stored> {
    store::find(d.db.read(), id).await?.ok_or_else(|| VerifactuError::RecordNotFound.into())
}

/// A new record for one that was refused, accepted with errors, or made while sending was off; it goes to the end of the
/// chain and into the queue. With corrected words also for one that was accepted, never for an annulment.
///
/// Errors: those of [`VerifactuError`].
pub async fn resend(d: &Billing, caller: &Caller, id: Uuid, corrected: &Corrected) -> BillingResult<Stored> {
    let refused = VerifactuError::RecordNotResendable;
    let invoice = invoices::get(d, atalaya_kernel::InvoiceId(get(d, id).await?.invoice)).await?;
    let tx = d.db.write().await?;
    store::lock_chain(&tx, &d.sources, &invoice.header.issuer.nif).await?;
    let of_invoice = store::list_of_invoice(&*tx, invoice.id.0).await?;
    let stored = of_invoice.iter().find(|stored| stored.id == id).ok_or(refused)?;
    let sending = d.settings.verifactu.mode != Mode::Off;
    if !corrected.is_empty() && !stored.is_correctable(sending) {
        return Err(refused.into());
    }
    if corrected.is_empty() && !stored.is_resendable(sending) {
        return Err(refused.into());
    }
    let body = match stored.kind {
        RecordKind::Issued => {
            let correction = history(d, &of_invoice).correction();
            corrected.after(&stored.xml).apply(registration(&invoice, correction))
        }
        RecordKind::Annulled => annulment(d, &invoice, &of_invoice),
    };
    let new = append(d, &tx, vec![(&invoice, body)]).await?;
    let entry = Entry::company(Action::VerifactuResent, caller.company)
        .by(caller)
        .detail(json!({"number": invoice.number, "seq": stored.seq, "corrected": !corrected.is_empty()}));
    audit::service::record(&d.identity, &tx, entry).await?;
    tx.commit().await?;
    let id = new.first().copied().ok_or_else(|| BillingError::Corrupt("a record that was just written".into()))?;
    get(d, id).await
}

/// The issuer of a chain, as these records of it name him.
pub(super) async fn issuer_of(d: &Billing, chain: &Chain, records: &[String]) -> BillingResult<Person> {
    let name_in = |xml: &str| parse(xml).ok()?.find("NombreRazonEmisor").map(|element| element.text.clone());
    let name = match records.iter().rev().find_map(|xml| name_in(xml)) {
        Some(name) => name,
        // Annulments do not name their issuer.
        None => store::last_registration(d.db.read(), chain.id).await?.and_then(|xml| name_in(&xml)).unwrap_or_default(),
    };
    Ok(Person { name, nif: chain.issuer.clone() })
}

/// The issuer as a person of the tax office.
pub fn person(name: &str, nif: &str) -> Person {
    Person { name: name.to_owned(), nif: nif.to_owned() }
}
