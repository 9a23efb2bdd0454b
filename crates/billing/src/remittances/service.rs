//! Making a remittance and withdrawing one, and what the other rooms read of debits.

use super::due::is_as_counted;
use super::model::{Attempt, AttemptState, CreditorTold, NewRemittance, Remittance, RemittanceState};
use super::selection::{self, Choice, Chosen, Excluded};
use super::{RemittanceError, archive, message, notices, prenotification, store};
use crate::invoices::money::{self, MoneyEvent};
use crate::mandates::model::Mandate;
use crate::mandates::secret::{self, SecretKey};
use crate::mandates::service as mandates;
use crate::{Billing, BillingError, BillingResult};
use atalaya_db::Tx;
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::accounts::{self, Party};
use atalaya_kernel::{InvoiceId, Status, calendar};
use atalaya_messaging::Attachment;
use atalaya_rest::Caller;
use atalaya_sepa::debits::Address;
use atalaya_sepa::{Creditor, CreditorId, Debit};
use atalaya_tariff::Cents;
use chrono::{DateTime, Utc};
use secrecy::SecretString;
use serde_json::json;
use uuid::Uuid;

/// What was made.
pub(crate) struct Made {
    pub msg_id: String,
    pub debits: usize,
    pub total: Cents,
    pub excluded: Vec<Excluded>,
}

/// Debits everything that is due: decrypts the accounts, writes the file, marks the invoices and mails it, all or nothing.
///
/// Errors: those of `secret::unlock`, `MandateError::CreditorIncomplete`, [`RemittanceError`] `Empty`,
/// `CreditorAccountUnreadable`.
pub(crate) async fn make(d: &Billing, caller: &Caller, origin: &Origin, secret: &SecretString) -> BillingResult<Made> {
    let (platform, creditor_id) = mandates::issuer(d).await?;
    let key = secret::unlock(d, secret).await?;
    let creditor = creditor(d, &platform, creditor_id)?;
    let Choice { chosen, mut excluded } = selection::choose(d).await?;
    let tx = d.db.write().await?;
    let now = d.sources.now();
    let taken = take(d, &tx, (&key, &platform), chosen, &mut excluded).await?;
    if taken.is_empty() {
        return Err(RemittanceError::Empty.into());
    }
    let day = calendar::day(now).format("%Y%m%d").to_string();
    let nth = mandates::next_number(&tx, &format!("remittance-{day}")).await?;
    let id = d.sources.uuid();
    let (message, attempts) = message::compose(d, id, format!("VP-{day}-{nth:04}"), creditor, taken);
    let (total, debits) = (message.total(), message.count());
    let (message, xml) = message::write(message).await?;
    let blocks = message::facts(&message);
    let new = NewRemittance {
        id,
        msg_id: message.id.clone(),
        version: message.version,
        sha256: atalaya_blobs::Digest::of(xml.as_bytes()).sha256_hex(),
        first_collection: blocks.iter().map(|block| block.collection_date).min(),
        debits,
        total: Cents(total),
        excluded: json!(excluded),
        blocks,
        creditor: CreditorTold { name: message.creditor.name.clone(), id: message.creditor.id.as_str().to_owned() },
        created_by: caller.user,
        created_at: now,
    };
    store::insert_remittance(&tx, new).await?;
    store::insert_attempts(&tx, &attempts).await?;
    let used: Vec<Uuid> = attempts.iter().map(|attempt| attempt.mandate).collect();
    mandates::mark_used(&tx, &used, now).await?;
    let packed = pack(d, &message.id, xml, secret).await?;
    notices::file(d, &tx, &message.id, (debits, Cents(total), excluded.len()), packed).await?;
    let detail = json!({"msgId": message.id, "debits": debits, "excluded": excluded.len()});
    let entry = Entry::company(Action::RemittanceMade, caller.company).by(caller).from(origin.address).detail(detail);
    audit::service::record(&d.identity, &tx, entry).await?;
    tx.commit().await?;
    d.outbox.wake();
    tracing::info!(remittance = message.id, debits, "remittance made");
    Ok(Made { msg_id: message.id, debits, total: Cents(total), excluded })
}

/// Opens each account, notifies customers who were not notified before, and marks the invoices; what cannot be debited after
/// all joins the excluded.
async fn take(
    d: &Billing,
    tx: &Tx,
    (key, platform): (&SecretKey, &Party),
    chosen: Vec<Chosen>,
    excluded: &mut Vec<Excluded>,
) -> BillingResult<Vec<(Chosen, Debit)>> {
    let mut taken = Vec::with_capacity(chosen.len());
    for one in chosen {
        if let Some(reason) = changed(d, tx, &one).await? {
            excluded.push(Excluded::new(&one.due, &one.party.company.name, reason));
            continue;
        }
        let opened = selection::open(d, key, &one.party);
        let debit = opened.and_then(|iban| selection::debit(&one.due, &one.party, &one.mandate, one.attempt, Some(&iban)));
        let name = &one.party.company.name;
        // Locks the invoice, so that no other file is faster than the notices sent here.
        if debit.is_ok() && !one.notified && !prenotification::notify(d, tx, &one, platform).await? {
            excluded.push(Excluded::new(&one.due, name, "NOT_NOTIFIED"));
            continue;
        }
        match debit {
            Err(reason) => excluded.push(Excluded::new(&one.due, name, reason)),
            // Another remittance was faster, or the invoice has changed since.
            Ok(_) if !remit(tx, &one).await? => {
                excluded.push(Excluded::new(&one.due, name, "ALREADY_IN_REMITTANCE"));
            }
            Ok(debit) => {
                let debit = Debit { amendment: one.amendment.clone(), ..debit };
                taken.push((one, debit));
            }
        }
    }
    Ok(taken)
}

async fn remit(tx: &Tx, one: &Chosen) -> BillingResult<bool> {
    money::record(tx, one.due.invoice.id, MoneyEvent::Remitted { charge_date: one.collection }).await
}

/// Why a chosen invoice can no longer be debited; locks the invoice and its mandate, so that the answer stays true.
///
/// It was chosen without a lock: meanwhile it may have been debited by somebody else or rectified, its mandate may have ended,
/// and its customer may have another account.
async fn changed(d: &Billing, tx: &Tx, one: &Chosen) -> BillingResult<Option<&'static str>> {
    let Some(same_amount) = is_as_counted(tx, &one.due).await? else { return Ok(Some("ALREADY_IN_REMITTANCE")) };
    let Some(mandate) = mandates::lock(tx, one.mandate.id).await? else { return Ok(Some("NO_MANDATE")) };
    let party = accounts::find(&d.identity, one.due.invoice.customer).await?;
    if party.company.status != Status::Active {
        return Ok(Some("CUSTOMER_INACTIVE"));
    }
    let Some(account) = &party.account else { return Ok(Some("IBAN_MISSING")) };
    if let Some(reason) = mandate.refusal(account.id, d.sources.now()) {
        return Ok(Some(reason));
    }
    let of = |mandate: &Mandate| (mandate.scheme, mandate.sequence, mandate.signed_at);
    let same_account = one.party.account.as_ref().is_some_and(|chosen| chosen.id == account.id);
    let same = same_amount && same_account && of(&mandate) == of(&one.mandate);
    Ok((!same).then_some("CHANGED"))
}

fn creditor(d: &Billing, platform: &Party, id: CreditorId) -> BillingResult<Creditor> {
    let iban = accounts::iban(&d.identity, platform);
    let iban = iban.ok_or(RemittanceError::CreditorAccountUnreadable)?;
    let company = &platform.company;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    Ok(Creditor {
        name: company.name.clone(),
        id,
        iban: iban.as_str().to_owned(),
        bic: platform.bic.clone(),
        address: company.city.as_ref().map(|city| Address {
            street: text(&company.address),
            post_code: text(&company.postal_code),
            town: city.clone(),
            province: text(&company.region),
            country: "ES".into(),
        }),
    })
}

/// What goes with the mail: the file in a ZIP under the secret, or as it is where that is configured.
async fn pack(d: &Billing, msg_id: &str, xml: String, secret: &SecretString) -> BillingResult<Attachment> {
    if d.settings.sepa.plain_mail {
        let name = format!("{msg_id}.xml");
        return Ok(Attachment { name, content_type: "application/xml", bytes: xml.into() });
    }
    let (inner, secret) = (format!("{msg_id}.xml"), secret.clone());
    let packed = tokio::task::spawn_blocking(move || archive::encrypted(&inner, xml.as_bytes(), &secret)).await;
    let bytes = packed.map_err(BillingError::internal)?.map_err(BillingError::internal)?;
    Ok(Attachment { name: format!("{msg_id}.zip"), content_type: "application/zip", bytes: bytes.into() })
}

/// The bank refused the file as a whole, or it was never handed in: its invoices are due again.
///
/// Errors: [`RemittanceError`] `NotFound`, `Ended`, `Answered`.
pub(super) async fn cancel(d: &Billing, caller: &Caller, origin: &Origin, id: Uuid, reason: &str) -> BillingResult<()> {
    let tx = d.db.write().await?;
    let remittance = store::lock_remittance(&tx, id).await?.ok_or(RemittanceError::NotFound)?;
    if remittance.state != RemittanceState::Live {
        return Err(RemittanceError::Ended.into());
    }
    let attempts = store::of_remittance(&*tx, id).await?;
    if attempts.iter().any(|attempt| attempt.state != AttemptState::Open) {
        return Err(RemittanceError::Answered.into());
    }
    let now = d.sources.now();
    for mut attempt in attempts {
        money::record(&tx, attempt.invoice, MoneyEvent::Withdrawn).await?;
        (attempt.state, attempt.changed_at) = (AttemptState::Cancelled, now);
        store::update_attempt(&tx, &attempt).await?;
    }
    store::end_remittance(&tx, id, RemittanceState::Cancelled, Some(reason), now).await?;
    let entry = Entry::company(Action::RemittanceCancelled, caller.company).by(caller).from(origin.address);
    audit::service::record(&d.identity, &tx, entry.detail(json!({"msgId": remittance.msg_id}))).await?;
    tx.commit().await?;
    Ok(())
}

/// A remittance. Errors: [`RemittanceError::NotFound`].
pub(super) async fn get(d: &Billing, id: Uuid) -> BillingResult<Remittance> {
    store::find_remittance(d.db.read(), id).await?.ok_or_else(|| RemittanceError::NotFound.into())
}

/// Closes a remittance all of whose debits have an answer.
pub async fn close_if_answered(d: &Billing, tx: &Tx, id: Uuid) -> BillingResult<()> {
    let open = store::of_remittance(&**tx, id).await?.iter().any(|attempt| attempt.state == AttemptState::Open);
    let remittance = store::find_remittance(&**tx, id).await?;
    if !open && remittance.is_some_and(|remittance| remittance.state == RemittanceState::Live) {
        store::end_remittance(tx, id, RemittanceState::Settled, None, d.sources.now()).await?;
    }
    Ok(())
}

/// Holds a remittance and its debits until the end of the transaction: everybody who changes a debit holds them first.
pub async fn hold(tx: &Tx, id: Uuid) -> BillingResult<()> {
    store::lock_remittance(tx, id).await?;
    Ok(store::lock_attempts(tx, id).await?)
}

/// A debit, as the transaction sees it.
pub async fn find_attempt(tx: &Tx, id: Uuid) -> BillingResult<Option<Attempt>> {
    store::find_attempt(&**tx, id).await
}

/// The debit of this reference.
pub async fn find_by_reference(tx: &Tx, end_to_end: &str) -> BillingResult<Option<Attempt>> {
    store::by_end_to_end(&**tx, end_to_end).await
}

/// The debits of a block of a file; of this mandate when one is named.
pub async fn list_of_block(tx: &Tx, block: &str, umr: Option<&str>) -> BillingResult<Vec<Attempt>> {
    store::by_block(&**tx, block, umr).await
}

/// The debits of the file of this message; `None` when none of ours has that name.
pub async fn list_of_message(tx: &Tx, msg_id: &str) -> BillingResult<Option<Vec<Attempt>>> {
    match store::by_msg_id(&**tx, msg_id).await? {
        Some(remittance) => store::of_remittance(&**tx, remittance.id).await.map(Some),
        None => Ok(None),
    }
}

/// Every debit of this invoice, in their order, as the transaction sees them.
pub async fn list_of_invoice(tx: &Tx, invoice: InvoiceId) -> BillingResult<Vec<Attempt>> {
    Ok(store::of_invoices(&**tx, &[invoice]).await?.remove(&invoice).unwrap_or_default())
}

/// The last debit of this invoice whose file was not withdrawn.
pub async fn find_last(d: &Billing, invoice: InvoiceId) -> BillingResult<Option<Attempt>> {
    let attempts = store::of_invoices(d.db.read(), &[invoice]).await?.remove(&invoice).unwrap_or_default();
    Ok(attempts.into_iter().rev().find(|one| one.state != AttemptState::Cancelled))
}

/// The customer's debit before this one, whatever its invoice; those of withdrawn files say nothing.
pub async fn find_before(tx: &Tx, of: &Attempt) -> BillingResult<Option<Attempt>> {
    store::debit_before(&**tx, of).await
}

/// Debits of these invoices that were returned by then, the oldest first.
pub async fn list_returned(
    d: &Billing,
    invoices: &[InvoiceId],
    before: DateTime<Utc>,
    limit: usize,
) -> BillingResult<Vec<Attempt>> {
    store::returned_attempts(d.db.read(), invoices, before, limit).await
}

/// Writes where a debit stands now.
pub async fn update_attempt(tx: &Tx, of: &Attempt) -> BillingResult<()> {
    Ok(store::update_attempt(tx, of).await?)
}
