//! What a remittance takes and what it leaves out, with the reason.

use super::due::{DueInvoice, due_for_remittance};
use super::model::{Attempt, AttemptState, end_to_end, retry_refusal};
use super::prenotification::{self, Notice};
use super::store;
use crate::mandates::model::Mandate;
use crate::mandates::secret::SecretKey;
use crate::mandates::service as mandates;
use crate::words::spanish_month;
use crate::{Billing, BillingResult};
use atalaya_checks::iban::Iban;
use atalaya_identity::companies::accounts::{self, Party};
use atalaya_kernel::{CompanyId, InvoiceId, Status, calendar};
use atalaya_sepa::debits::{self, Address};
use atalaya_sepa::ledger::CreditorTold;
use atalaya_sepa::{Amendment, Debit, DebitsError, Scheme, Sequence, target};
use atalaya_tariff::{Euros, Month};
use chrono::{DateTime, Datelike, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// An invoice that can be debited.
pub(super) struct Chosen {
    pub due: DueInvoice,
    pub party: Party,
    pub mandate: Mandate,
    /// 1 for the first.
    pub attempt: i16,
    pub sequence: Sequence,
    pub collection: NaiveDate,
    /// Its customer knows of it; else the remittance notifies him.
    pub notified: bool,
    /// What the debtor's bank does not know of the mandate yet.
    pub amendment: Option<Amendment>,
}

/// One that stays out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ExcludedInvoice)]
pub(crate) struct Excluded {
    pub invoice_id: InvoiceId,
    pub number: String,
    pub customer_id: CompanyId,
    pub company: String,
    #[schema(value_type = f64)]
    pub amount: Euros,
    /// `NO_MANDATE`, `IBAN_MISSING` …
    pub reason: String,
}

impl Excluded {
    pub fn new(due: &DueInvoice, company: &str, reason: &str) -> Self {
        Self {
            invoice_id: due.invoice.id,
            number: due.invoice.number.clone(),
            customer_id: due.invoice.customer,
            company: company.to_owned(),
            amount: Euros(due.amount),
            reason: reason.to_owned(),
        }
    }
}

/// Both.
pub(super) struct Choice {
    pub chosen: Vec<Chosen>,
    pub excluded: Vec<Excluded>,
}

/// What is known about all due invoices at once.
struct Known {
    parties: HashMap<CompanyId, Party>,
    mandates: HashMap<CompanyId, Mandate>,
    attempts: HashMap<InvoiceId, Vec<Attempt>>,
    /// Of what their customers were notified last.
    notices: HashMap<InvoiceId, Notice>,
    used: HashSet<uuid::Uuid>,
    /// By mandate, who collected its last debit that was paid.
    told: HashMap<uuid::Uuid, Option<CreditorTold>>,
    /// Who collects now.
    creditor: Option<CreditorTold>,
    now: DateTime<Utc>,
}

/// Goes through every invoice that is due. Only reads; needs no secret.
pub(super) async fn choose(d: &Billing) -> BillingResult<Choice> {
    let due = due_for_remittance(d).await?;
    let mut companies: Vec<CompanyId> = due.iter().map(|due| due.invoice.customer).collect();
    companies.sort_unstable();
    companies.dedup();
    let invoices: Vec<InvoiceId> = due.iter().map(|due| due.invoice.id).collect();
    let mandates = mandates::latest(d, &companies).await?;
    let ids: Vec<uuid::Uuid> = mandates.values().map(|mandate| mandate.id).collect();
    let used = store::used_mandates(d.db.read(), &ids).await?;
    let known = Known {
        parties: accounts::list(&d.identity, &companies).await?,
        attempts: store::of_invoices(d.db.read(), &invoices).await?,
        notices: prenotification::last_notices(d, &d.db, &invoices).await?,
        used: used.into_iter().collect(),
        told: store::told(d.db.read(), &ids).await?,
        creditor: creditor(d).await?,
        now: d.sources.now(),
        mandates,
    };
    let mut choice = Choice { chosen: Vec::new(), excluded: Vec::new() };
    for due in due {
        let name = known.parties.get(&due.invoice.customer).map(|party| party.company.name.clone()).unwrap_or_default();
        match check(d, &known, &due) {
            Ok((party, mandate, attempt)) => {
                let (sequence, announced) = when(d, &known, &due, &mandate);
                let notified = announced.is_some();
                // Customers who cannot be notified are not debited.
                if !notified && party.company.email.as_deref().is_none_or(|email| email.trim().is_empty()) {
                    choice.excluded.push(Excluded::new(&due, &name, "NOT_NOTIFIED"));
                    continue;
                }
                let days = mandate.notice_days(d.settings.sepa.notice_days);
                let collection = announced.unwrap_or_else(|| prenotification::first_day(d, known.now, days));
                let amendment = amendment(&known, &mandate);
                choice.chosen.push(Chosen { due, party, mandate, attempt, sequence, collection, notified, amendment });
            }
            Err(reason) => choice.excluded.push(Excluded::new(&due, &name, reason)),
        }
    }
    Ok(choice)
}

fn check(d: &Billing, known: &Known, due: &DueInvoice) -> Result<(Party, Mandate, i16), &'static str> {
    let party = known.parties.get(&due.invoice.customer).ok_or("CUSTOMER_INACTIVE")?;
    let before = known.attempts.get(&due.invoice.id).map(Vec::as_slice).unwrap_or_default();
    if due.amount.0 <= 0 {
        return Err("AMOUNT_NOT_POSITIVE");
    }
    if before.iter().any(|attempt| matches!(attempt.state, AttemptState::Open | AttemptState::Paid)) {
        return Err("ALREADY_IN_REMITTANCE");
    }
    // A cancelled file does not affect earlier returns.
    let last = before.iter().rev().find(|attempt| attempt.state != AttemptState::Cancelled);
    if let Some(reason) = last.and_then(|last| retry_refusal(last, known.now)) {
        return Err(reason);
    }
    if party.company.status != Status::Active {
        return Err("CUSTOMER_INACTIVE");
    }
    let account = party.account.as_ref().ok_or("IBAN_MISSING")?;
    let mandate = known.mandates.get(&due.invoice.customer).ok_or("NO_MANDATE")?;
    if let Some(reason) = mandate.refusal(account.id, known.now) {
        return Err(reason);
    }
    if mandate.sequence == Sequence::Ooff && known.used.contains(&mandate.id) {
        return Err("MANDATE_USED");
    }
    let attempt = before.iter().map(|attempt| attempt.attempt).max().unwrap_or(0) + 1;
    let chosen = (party.clone(), mandate.clone(), attempt);
    // Under the secret the number is seen when it opens; what can be checked without it is checked here.
    let iban = if account.protected { None } else { Some(accounts::iban(&d.identity, party).ok_or("IBAN_UNREADABLE")?) };
    debit(due, &chosen.0, &chosen.1, attempt, iban.as_ref())?;
    Ok(chosen)
}

async fn creditor(d: &Billing) -> BillingResult<Option<CreditorTold>> {
    let platform = accounts::platform(&d.identity).await?;
    let id = mandates::creditor_id(&platform);
    Ok(id.map(|id| CreditorTold { name: platform.company.name.clone(), id: id.as_str().to_owned() }))
}

/// What the debtor's bank does not know of a mandate yet: it hears of it with every debit until one is paid (MAND-12).
fn amendment(known: &Known, mandate: &Mandate) -> Option<Amendment> {
    let paid = known.told.get(&mandate.id);
    let signed = || mandate.signature.as_ref().and_then(|signature| signature.creditor.clone());
    let before = paid.cloned().flatten().or_else(signed);
    let changed = match (&before, &known.creditor) {
        (Some(before), Some(now)) => Amendment::of_creditor((&before.name, &before.id), (&now.name, &now.id)),
        _ => Amendment::default(),
    };
    let follows = mandate.follows.clone().filter(|_| paid.is_none());
    Amendment { account: follows.is_some(), umr: follows, ..changed }.some()
}

/// The sequence, and the day of which the customer was notified; `None`: none that still holds.
fn when(d: &Billing, known: &Known, due: &DueInvoice, mandate: &Mandate) -> (Sequence, Option<NaiveDate>) {
    let settings = &d.settings.sepa;
    let first = settings.first_sequence && mandate.sequence == Sequence::Rcur && !known.used.contains(&mandate.id);
    let sequence = if first { Sequence::Frst } else { mandate.sequence };
    let earliest = target::plus(calendar::day(known.now), settings.lead_days);
    (sequence, prenotification::announced(known.notices.get(&due.invoice.id), due.amount, &mandate.umr, earliest))
}

/// The number of a chosen customer's account: under the secret, or under the server's key.
pub(super) fn open(d: &Billing, key: &SecretKey, party: &Party) -> Result<Iban, &'static str> {
    let account = party.account.as_ref().ok_or("IBAN_MISSING")?;
    if !account.protected {
        return accounts::iban(&d.identity, party).ok_or("IBAN_UNREADABLE");
    }
    let text = key.open_iban(party.company.id, account).ok_or("IBAN_UNREADABLE")?;
    Iban::parse(&text).map_err(|_| "IBAN_INVALID")
}

/// The debit as the file will hold it, checked. Without a number only the rest is checked.
pub(super) fn debit(
    due: &DueInvoice,
    party: &Party,
    mandate: &Mandate,
    attempt: i16,
    iban: Option<&Iban>,
) -> Result<Debit, &'static str> {
    if iban.is_some_and(|iban| !iban.is_sepa()) {
        return Err("IBAN_OUTSIDE_SEPA");
    }
    let company = &party.company;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    // A placeholder for a number that is not known here.
    let number = iban.map_or("ES9121000418450200051332", Iban::as_str).to_owned();
    let abroad = debits::is_abroad(&number);
    if abroad && party.bic.is_none() {
        return Err("BIC_REQUIRED");
    }
    if abroad && (company.city.is_none() || company.address.is_none()) {
        return Err("ADDRESS_REQUIRED");
    }
    let country = number[..2].to_owned();
    let debit = Debit {
        end_to_end: end_to_end(&due.invoice.number, attempt),
        amount: due.amount.0,
        umr: mandate.umr.clone(),
        signed: mandate.signed_at.map(calendar::day).ok_or("MANDATE_UNSIGNED")?,
        debtor: company.name.clone(),
        iban: number,
        bic: party.bic.clone().filter(|_| abroad),
        address: abroad.then(|| Address {
            street: text(&company.address),
            post_code: text(&company.postal_code),
            town: text(&company.city),
            province: text(&company.region),
            country,
        }),
        concept: concept(due),
        amendment: None,
    };
    match debits::check(&debit) {
        Ok(()) => Ok(debit),
        Err(DebitsError::Name(_)) => Err("NAME_EMPTY"),
        Err(DebitsError::Iban(_)) => Err("IBAN_INVALID"),
        Err(_) => Err("DEBIT_INVALID"),
    }
}

/// `Factura A2026-000001 octubre 2026`.
fn concept(due: &DueInvoice) -> String {
    let month = due.invoice.period.as_deref().and_then(Month::parse).map(Month::first_day);
    let when = month.map(|day| format!(" {} {}", spanish_month(day), day.year())).unwrap_or_default();
    format!("Factura {}{when}", due.invoice.number)
}

/// Which block of the file it belongs to.
pub(super) fn block_key(chosen: &Chosen) -> (Scheme, Sequence, NaiveDate) {
    (chosen.mandate.scheme, chosen.sequence, chosen.collection)
}
