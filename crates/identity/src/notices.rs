//! Messages to the holder of an account, in his language, to the address that is his user name.
//!
//! Called by `recovery`, `second_factor` and `passkeys`. Texts are `<purpose>.subject`, `.body`, `.button` and `.sms` of
//! `locales/<language>/messages.json`.

use crate::directory::{Company, User};
use crate::{Identity, IdentityResult};
use atalaya_db::Tx;
use atalaya_kernel::OutboxId;
use atalaya_messaging::{MessageError, NewMessage};
use serde_json::json;

/// Characters of a company's name in an SMS, so that text and link stay within two parts.
const SMS_COMPANY_MAX: usize = 40;

/// Queues a message in the caller's transaction; wake the outbox after the commit. An account whose user name is no
/// address gets none, and that is answered as `None`.
pub(crate) async fn tell(
    d: &Identity,
    tx: &Tx,
    user: &User,
    company: &Company,
    purpose: &'static str,
    link: Option<&str>,
) -> IdentityResult<Option<OutboxId>> {
    tell_at(d, tx, (user, company), &user.user_name, purpose, link).await
}

/// The same to another address of the holder's.
pub(crate) async fn tell_at(
    d: &Identity,
    tx: &Tx,
    (user, company): (&User, &Company),
    to: &str,
    purpose: &'static str,
    link: Option<&str>,
) -> IdentityResult<Option<OutboxId>> {
    let language = user.language;
    let new = if to.contains('@') {
        let mut values = json!({"name": user.name, "company": company.name});
        if let Some(link) = link {
            values["link"] = link.into();
        }
        NewMessage::email(purpose, to, d.templates.email(language, purpose, &values)?)
    } else {
        let company: String = company.name.chars().take(SMS_COMPANY_MAX).collect();
        let text = d.templates.render(language, &format!("{purpose}.sms"), &json!({"company": company}))?;
        NewMessage::sms(purpose, to, link.map(|link| format!("{text} {link}")).unwrap_or(text))
    };
    let mut new = match link {
        Some(link) => new.secret_link(link),
        None => new,
    };
    new.company_id = Some(user.parent);
    match d.outbox.enqueue(tx, new).await {
        Ok(message) => Ok(Some(message.id)),
        Err(MessageError::Recipient | MessageError::Header) => Ok(None),
        // A message that is withheld from the holder must not reveal to a stranger that there is an account.
        Err(error @ MessageError::Ceiling { .. }) => {
            tracing::warn!(%error, company.id = %user.parent, purpose, "nobody is written to");
            Ok(None)
        }
        Err(other) => Err(other.into()),
    }
}
