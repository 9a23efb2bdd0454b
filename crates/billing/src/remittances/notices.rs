//! Who is told what: the administration about files and alarms, customers about debits that came back.

use super::choosing::Chosen;
use super::model::{Action, Attempt};
use super::words;
use crate::mandates::service as mandates;
use crate::{Billing, BillingResult};
use atalaya_db::Tx;
use atalaya_identity::companies::accounts::{self, Party};
use atalaya_identity::users;
use atalaya_kernel::{CompanyId, Language, Role, calendar};
use atalaya_messaging::{Attachment, MessageError, NewMessage};
use atalaya_outreach::notifications::Told;
use atalaya_outreach::notifications::{NewNotification, NoticeAction, NoticeText};
use atalaya_rest::Problem;
use atalaya_sepa::reasons;
use serde_json::{Value, json};
use uuid::Uuid;

/// `1234,50 €`.
fn euros(cents: i64) -> String {
    let (whole, part) = ((cents / 100).to_string(), (cents % 100).abs());
    let mut grouped = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            grouped.push('.');
        }
        grouped.push(digit);
    }
    format!("{grouped},{part:02} €")
}

fn refused(error: MessageError) -> crate::BillingError {
    match error {
        MessageError::Database(error) => error.into(),
        other => Problem::internal(other).into(),
    }
}

async fn to_administration(
    d: &Billing,
    tx: &Tx,
    purpose: &'static str,
    values: Value,
    file: Option<Attachment>,
) -> BillingResult<()> {
    let email = d.templates.email(Language::Es, purpose, &values)?;
    let mut message = NewMessage::email(purpose, d.settings.sepa.mailbox.clone(), email);
    if let Some(file) = file {
        message = message.attach(file);
    }
    d.outbox.enqueue(tx, message).await.map(drop).map_err(refused)
}

/// The file for the bank goes to the administration's mailbox.
pub(super) async fn file(
    d: &Billing,
    tx: &Tx,
    msg_id: &str,
    debits: usize,
    total: i64,
    excluded: usize,
    file: Attachment,
) -> BillingResult<()> {
    let values = json!({
        "msgId": msg_id, "debits": debits, "total": euros(total), "excluded": excluded,
        "plain": d.settings.sepa.plain_mail, "link": format!("{}/remittances", d.public_url),
    });
    to_administration(d, tx, "remittance", values, Some(file)).await
}

/// What a person has to look at after a bank's file.
pub(super) async fn alarm(d: &Billing, tx: &Tx, file: &str, lines: &[String]) -> BillingResult<()> {
    let values = json!({"file": file, "lines": lines.join("\n"), "link": format!("{}/remittances", d.public_url)});
    to_administration(d, tx, "bankAlert", values, None).await
}

/// Tells a customer which amount is taken when, from which account and under which mandate (DOMAIN §3.2). Answers the message;
/// `None` when nobody can be written to.
pub(super) async fn announce(d: &Billing, tx: &Tx, of: &Chosen) -> BillingResult<Option<Uuid>> {
    let party = &of.party;
    let Some(to) = party.company.email.as_deref().map(str::trim).filter(|email| !email.is_empty()) else { return Ok(None) };
    let platform = accounts::platform(&d.identity).await?;
    let creditor = mandates::creditor_id(&platform);
    let values = json!({
        "company": party.company.name,
        "number": of.due.invoice.number,
        "amount": euros(of.due.amount.0),
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
        Err(error) => Err(refused(error)),
    }
}

/// Tells a customer by e-mail that a debit came back: why, what he has to do, and what follows.
pub(super) async fn returned(d: &Billing, tx: &Tx, party: &Party, attempt: &Attempt, action: Action) -> BillingResult<()> {
    let language = party.company.language;
    let platform = accounts::platform(&d.identity).await?;
    let transfer = accounts::iban(&d.identity, &platform).map(|iban| iban.as_str().to_owned());
    let values = json!({
        "company": party.company.name,
        "number": attempt.number,
        "amount": euros(attempt.amount),
        "reason": attempt.reason.as_deref().map(|code| words::reason(code, language)).unwrap_or_default(),
        "retry": attempt.retry_at.filter(|_| action == Action::Retry).map(|at| calendar::day(at).format("%d/%m/%Y").to_string()),
        "todo": attempt.reason.as_deref().and_then(reasons::advice).unwrap_or_default(),
        "creditor": mandates::creditor_id(&platform).as_ref().map(|id| id.as_str()).unwrap_or_default(),
        "again": matches!(action, Action::Retry),
        "unpaid": action == Action::Unpaid,
        "issuer": platform.company.name,
        "transfer": transfer,
        "link": format!("{}/invoices/{}", d.public_url, party.company.id),
    });
    if let Some(to) = &party.company.email {
        let email = d.templates.email(language, "debitReturned", &values)?;
        let mut message = NewMessage::email("debitReturned", to.clone(), email);
        message.company_id = Some(party.company.id);
        match d.outbox.enqueue(tx, message).await {
            // A wrong address does not keep the bank's answer from being written down.
            Ok(_) | Err(MessageError::Recipient | MessageError::Header) => {}
            Err(error) => return Err(refused(error)),
        }
    }
    Ok(())
}

/// Numbers that one bell names at most.
const NAMED: usize = 3;

/// A customer's bell about debits that came back: one for all of them, however many a file brought.
pub(super) async fn ring(d: &Billing, tx: &Tx, company: CompanyId, back: &[(String, Action)]) -> BillingResult<Told> {
    let people = users::service::list_active(&d.identity, company, &[Role::Customer]).await?;
    let people: Vec<_> = people.into_iter().map(|user| user.id).collect();
    let unpaid = back.iter().all(|(_, action)| *action == Action::Unpaid);
    let text = match (unpaid, back.len()) {
        (true, 1) => "debit-unpaid",
        (false, 1) => "debit-returned",
        (true, _) => "debits-unpaid",
        (false, _) => "debits-returned",
    };
    let mut numbers: Vec<&str> = back.iter().map(|(number, _)| number.as_str()).take(NAMED).collect();
    if back.len() > NAMED {
        numbers.push("…");
    }
    let url = NoticeAction::Url(format!("/invoices/{company}"));
    let new = NewNotification::new(NoticeText::Known(text), url).expedient(numbers.join(", "));
    Ok(d.outreach.notify(tx, &people, &new).await?)
}

/// The administrators' bell about a bank's file that wants somebody to look: one for the file.
pub(super) async fn ring_administrators(d: &Billing, tx: &Tx, file: &str) -> BillingResult<Told> {
    let platform = accounts::platform(&d.identity).await?;
    let people = users::service::list_active(&d.identity, platform.company.id, &[Role::Admin]).await?;
    let people: Vec<_> = people.into_iter().map(|user| user.id).collect();
    let url = NoticeAction::Url("/remittances?tab=files".into());
    let new = NewNotification::new(NoticeText::Known("bank-file"), url).expedient(file);
    Ok(d.outreach.notify(tx, &people, &new).await?)
}

#[cfg(test)]
mod tests {
    use super::euros;

    #[test]
    fn amounts_are_written_as_on_invoices() {
        assert_eq!(
            (euros(3630), euros(123_450), euros(7), euros(123_456_789)),
            ("36,30 €".into(), "1.234,50 €".into(), "0,07 €".into(), "1.234.567,89 €".into())
        );
    }
}
