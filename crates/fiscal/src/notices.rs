//! E-mails and bells of both sides (FISCAL-10).

use crate::model::Request;
use crate::{Fiscal, FiscalResult};
use atalaya_content::languages::format;
use atalaya_db::Tx;
use atalaya_identity::companies::model::Company;
use atalaya_identity::companies::service as companies;
use atalaya_identity::invitations::service::register::admin_mailbox;
use atalaya_identity::users::service as users;
use atalaya_kernel::{CompanyId, CompanyKind, Language, Role};
use atalaya_messaging::{MessageError, NewMessage};
use atalaya_outreach::notifications::{NewNotification, NoticeAction, NoticeText, Told};
use serde_json::{Value, json};

/// What became of a company's fiscal data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome<'a> {
    Approved,
    /// With the reason.
    Refused(&'a str),
    /// By an administrator, without a request.
    Changed,
}

impl Outcome<'_> {
    /// The purpose of the e-mail and the text of the bell.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Approved => ("fiscalApproved", "fiscal-approved"),
            Self::Refused(_) => ("fiscalRefused", "fiscal-refused"),
            Self::Changed => ("fiscalChanged", "fiscal-changed"),
        }
    }
}

/// Notifies the administrators of a request that can be decided, and the company that it is there.
pub(crate) async fn asked(d: &Fiscal, tx: &Tx, company: &Company, request: &Request) -> FiscalResult<Told> {
    let page = format!("/fiscal-requests/{}", request.id);
    if let Some(mailbox) = admin_mailbox(&d.identity).await? {
        let values = json!({
            "company": company.name,
            "since": format::day(request.since, Language::default()),
            "link": address(d, &page),
        });
        send(d, tx, ("fiscalRequest", Language::default()), &mailbox, None, &values).await?;
    }
    let values = json!({
        "company": company.name,
        "since": format::day(request.since, company.language),
        "link": address(d, &company_page(company.id)),
    });
    to_company(d, tx, "fiscalReceived", company, &values).await?;
    let Some(platform) = companies::platform(&d.identity).await? else { return Ok(Told::default()) };
    let new = NewNotification::new(NoticeText::Known("fiscal-request"), NoticeAction::Url(page)).expedient(&company.name);
    ring(d, tx, platform.id, Role::Admin, &new).await
}

/// Notifies a company of what became of its fiscal data; `anew`: its mandate and terms wait for a signature.
pub(crate) async fn tell_company(d: &Fiscal, tx: &Tx, company: &Company, outcome: Outcome<'_>, anew: bool) -> FiscalResult<Told> {
    let (purpose, bell) = outcome.names();
    let page = company_page(company.id);
    let reason = match outcome {
        Outcome::Refused(reason) => reason,
        Outcome::Approved | Outcome::Changed => "",
    };
    let values = json!({"company": company.name, "reason": reason, "anew": anew, "link": address(d, &page)});
    to_company(d, tx, purpose, company, &values).await?;
    let role = match company.kind {
        CompanyKind::Platform => return Ok(Told::default()),
        CompanyKind::Customer => Role::Customer,
        CompanyKind::Repairer => Role::Repairer,
        CompanyKind::CarRepairShop => Role::CarRepairShop,
    };
    ring(d, tx, company.id, role, &NewNotification::new(NoticeText::Known(bell), NoticeAction::Url(page))).await
}

fn company_page(company: CompanyId) -> String {
    format!("/customer/{company}/fiscal")
}

fn address(d: &Fiscal, page: &str) -> String {
    format!("{}{page}", d.identity.settings.public_url)
}

async fn ring(d: &Fiscal, tx: &Tx, company: CompanyId, role: Role, new: &NewNotification) -> FiscalResult<Told> {
    let people = users::list_active(&d.identity, company, &[role]).await?;
    let people: Vec<_> = people.into_iter().map(|user| user.id).collect();
    Ok(d.outreach.notify(tx, &people, new).await?)
}

async fn to_company(d: &Fiscal, tx: &Tx, purpose: &'static str, company: &Company, values: &Value) -> FiscalResult<()> {
    let mailbox = company.email.as_deref().map(str::trim).filter(|mailbox| !mailbox.is_empty());
    let Some(mailbox) = mailbox.filter(|_| company.kind != CompanyKind::Platform) else { return Ok(()) };
    send(d, tx, (purpose, company.language), mailbox, Some(company.id), values).await
}

async fn send(
    d: &Fiscal,
    tx: &Tx,
    (purpose, language): (&'static str, Language),
    to: &str,
    company: Option<CompanyId>,
    values: &Value,
) -> FiscalResult<()> {
    let email = d.identity.templates.email(language, purpose, values)?;
    let mut message = NewMessage::email(purpose, to, email);
    message.company_id = company;
    match d.identity.outbox.enqueue(tx, message).await {
        // A wrong address does not keep the change from being written.
        Ok(_) | Err(MessageError::Recipient | MessageError::Header) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
