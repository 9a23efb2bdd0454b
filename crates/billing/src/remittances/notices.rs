//! E-mails about remittances: the file to the administration, the notice of a debit to its customer.

use super::selection::Chosen;
use crate::mandates::service as mandates;
use crate::words::euros;
use crate::{Billing, BillingResult};
use atalaya_db::Tx;
use atalaya_identity::companies::accounts::Party;
use atalaya_identity::invitations::service::register::admin_mailbox;
use atalaya_kernel::Language;
use atalaya_messaging::{Attachment, MessageError, NewMessage};
use atalaya_tariff::Cents;
use serde_json::{Value, json};
use uuid::Uuid;

/// An e-mail to the mailbox of the administration; none when none is configured.
pub async fn to_administration(
    d: &Billing,
    tx: &Tx,
    purpose: &'static str,
    values: Value,
    file: Option<Attachment>,
) -> BillingResult<()> {
    let Some(mailbox) = admin_mailbox(&d.identity).await? else {
        tracing::warn!(purpose, "nobody is told: the administrators have no mailbox");
        return Ok(());
    };
    let email = d.templates.email(Language::Es, purpose, &values)?;
    let mut message = NewMessage::email(purpose, mailbox, email);
    if let Some(file) = file {
        message = message.attach(file);
    }
    d.outbox.enqueue(tx, message).await?;
    Ok(())
}

/// The file for the bank goes to the administration's mailbox.
pub(super) async fn file(
    d: &Billing,
    tx: &Tx,
    msg_id: &str,
    (debits, total, excluded): (usize, Cents, usize),
    file: Attachment,
) -> BillingResult<()> {
    let values = json!({
        "msgId": msg_id, "debits": debits, "total": euros(total, Language::Es), "excluded": excluded,
        "plain": d.settings.sepa.plain_mail, "link": format!("{}/remittances", d.public_url),
    });
    to_administration(d, tx, "remittance", values, Some(file)).await
}

/// Notifies a customer which amount is taken when, from which account and under which mandate. Answers the message;
/// `None` when the customer has no address.
pub(super) async fn announce(d: &Billing, tx: &Tx, of: &Chosen, platform: &Party) -> BillingResult<Option<Uuid>> {
    let party = &of.party;
    let Some(to) = party.company.email.as_deref().map(str::trim).filter(|email| !email.is_empty()) else { return Ok(None) };
    let creditor = mandates::creditor_id(platform);
    let values = json!({
        "company": party.company.name,
        "number": of.due.invoice.number,
        "amount": euros(of.due.amount, Language::Es),
        "date": of.collection.format("%d/%m/%Y").to_string(),
        "iban": of.mandate.masked_iban,
        "umr": of.mandate.umr,
        "creditor": creditor.as_ref().map(|id| id.as_str()).unwrap_or_default(),
        "issuer": platform.company.name,
        "again": of.attempt > 1,
    });
    let email = d.templates.email(party.company.language, "debitNotice", &values)?;
    let link = format!("{}/invoices/{}", d.public_url, party.company.id);
    let mut message = NewMessage::email("debitNotice", to, email).link(link);
    message.company_id = Some(party.company.id);
    match d.outbox.enqueue(tx, message).await {
        Ok(message) => Ok(Some(message.id.0)),
        Err(MessageError::Recipient | MessageError::Header) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
