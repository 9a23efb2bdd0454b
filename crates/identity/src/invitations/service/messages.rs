//! Writes the messages that carry links into the outbox.

use crate::directory::Company;
use crate::invitations::model::{self, DAYS};
use crate::links::{self, LinkKind, NewLink};
use crate::{Identity, IdentityResult};
use atalaya_db::Tx;
use atalaya_kernel::{CompanyId, Language};
use atalaya_messaging::NewMessage;
use serde_json::{Value, json};
use uuid::Uuid;

/// Characters of a company's name in an SMS, so that it stays one part with its link.
const NAME_IN_SMS: usize = 30;

/// The inviter as named in the message.
pub(super) struct Sender<'a> {
    /// Empty when the inviter does not belong to the company.
    pub name: &'a str,
    /// The company of the account to be.
    pub company: &'a str,
}

/// Makes a link and its message in the caller's transaction; answers the link's id. A phone gets an SMS with the short
/// address, which redirects to the page.
pub(super) async fn send_invitation(d: &Identity, tx: &Tx, new: &NewLink, sender: &Sender<'_>) -> IdentityResult<Uuid> {
    let (id, token) = links::service::make(d, tx, new).await?;
    let purpose = if new.company.is_some() { "invitationUser" } else { "invitationCompany" };
    let message = if new.address.contains('@') {
        let link = format!("{}{}", d.settings.public_url, model::page(new.kind, new.role, new.company, &token));
        let values = json!({"name": sender.name, "company": sender.company, "days": DAYS, "link": link});
        email(d, purpose, &new.address, new.language, &values)?.secret_link(link)
    } else {
        let link = format!("{}/a/{token}", d.settings.public_url);
        let company: String = sender.company.chars().take(NAME_IN_SMS).collect();
        let text = d.templates.render(new.language, &format!("{purpose}.sms"), &json!({"company": company}))?;
        NewMessage::sms(purpose, &new.address, format!("{text} {link}")).secret_link(link)
    };
    enqueue(d, tx, id, message, new.company).await?;
    Ok(id)
}

/// Notifies the administrator's mailbox that a company waits for its activation.
pub(super) async fn send_admin_enable(d: &Identity, tx: &Tx, mailbox: &str, company: &Company) -> IdentityResult<()> {
    let (role, language) = (model::principal_of(company.kind), Language::default());
    let new = NewLink {
        kind: LinkKind::AdminEnable,
        address: mailbox.to_owned(),
        language,
        role: Some(role),
        company: Some(company.id),
        user: None,
        inviter: None,
    };
    let (id, token) = links::service::make(d, tx, &new).await?;
    let link = format!("{}{}", d.settings.public_url, model::page(new.kind, new.role, new.company, &token));
    let kind = d.templates.render(language, &format!("kind.{}", i16::from(company.kind)), &json!({}))?;
    let values = json!({"company": company.name, "kind": kind, "name": company.contact_name, "days": DAYS, "link": link});
    let message = email(d, "adminEnable", mailbox, language, &values)?.secret_link(link);
    enqueue(d, tx, id, message, Some(company.id)).await
}

/// An e-mail of a purpose.
pub(super) fn email(
    d: &Identity,
    purpose: &'static str,
    to: &str,
    language: Language,
    values: &Value,
) -> IdentityResult<NewMessage> {
    Ok(NewMessage::email(purpose, to, d.templates.email(language, purpose, values)?))
}

async fn enqueue(d: &Identity, tx: &Tx, link: Uuid, mut message: NewMessage, company: Option<CompanyId>) -> IdentityResult<()> {
    message.company_id = company;
    let message = d.outbox.enqueue(tx, message).await?;
    links::service::sent_by(tx, link, message.id).await
}
