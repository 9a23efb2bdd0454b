//! Notices about returned debits: to their customers, and to the administration about those that need a person.

use super::model::Action;
use atalaya_billing::mandates::service as mandates;
use atalaya_billing::remittances::to_administration;
use atalaya_billing::words::{self, euros};
use atalaya_billing::{Billing, BillingResult};
use atalaya_db::Tx;
use atalaya_identity::companies::accounts::{self, Party};
use atalaya_identity::users;
use atalaya_kernel::{CompanyId, Language, Role, calendar};
use atalaya_messaging::{MessageError, NewMessage};
use atalaya_outreach::notifications::Told;
use atalaya_outreach::notifications::{NewNotification, NoticeAction, NoticeText};
use atalaya_sepa::ledger::Attempt;
use atalaya_sepa::reasons;
use atalaya_tariff::Cents;
use serde_json::json;

/// Lines of one e-mail at most; the screen has them all.
const LINES: usize = 200;

/// What a person has to look at after a bank's file.
pub(super) async fn alarm(d: &Billing, tx: &Tx, file: &str, lines: &[String]) -> BillingResult<()> {
    let more = (lines.len() > LINES).then_some("…");
    let shown: Vec<&str> = lines.iter().take(LINES).map(String::as_str).chain(more).collect();
    let values = json!({"file": file, "lines": shown.join("\n"), "link": format!("{}/remittances", d.public_url)});
    to_administration(d, tx, "bankAlert", values, None).await
}

/// Notifies a customer by e-mail of a returned debit: the reason, what to do, and what follows.
pub(super) async fn returned(d: &Billing, tx: &Tx, party: &Party, attempt: &Attempt, action: Action) -> BillingResult<()> {
    let language = party.company.language;
    let platform = accounts::platform(&d.identity).await?;
    let transfer = accounts::iban(&d.identity, &platform).map(|iban| iban.as_str().to_owned());
    let values = json!({
        "company": party.company.name,
        "number": attempt.number,
        "amount": euros(Cents(attempt.amount), Language::Es),
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
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Numbers that one bell names at most.
const NAMED: usize = 3;

/// A customer's notification about returned debits: one for all debits of a file.
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
