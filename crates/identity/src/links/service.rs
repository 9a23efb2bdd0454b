//! Making, reading and spending links.

use super::model::{Link, LinkKind, NewLink, SHORT_TOKEN_LENGTH, TOKEN_LENGTH};
use super::store;
use crate::audit::{self, Action, Entry};
use crate::digest::sha256_hex;
use crate::directory;
use crate::{Identity, IdentityError, IdentityResult, Origin};
use atalaya_db::Tx;
use atalaya_kernel::{OutboxId, UserId};
use atalaya_messaging::Message;
use atalaya_rest::Caller;
use chrono::{DateTime, Utc};
use serde_json::json;
use uuid::Uuid;

/// Makes a link in the caller's transaction and answers its id and its token, which is known nowhere else. Earlier open
/// links of the same purpose stop working. A phone gets a short token.
pub async fn make(d: &Identity, tx: &Tx, new: &NewLink) -> IdentityResult<(Uuid, String)> {
    make_at(d, tx, new, d.sources.now()).await
}

/// The same at a moment that several links share, by which they are found together.
pub async fn make_at(d: &Identity, tx: &Tx, new: &NewLink, now: DateTime<Utc>) -> IdentityResult<(Uuid, String)> {
    let length = if new.address.contains('@') { TOKEN_LENGTH } else { SHORT_TOKEN_LENGTH };
    let (id, token) = (d.sources.uuid(), d.sources.base62(length));
    store::replace_earlier(tx, new, now).await?;
    store::insert(tx, id, new, sha256_hex(token.as_bytes()), now).await?;
    blank_dead(d, tx).await?;
    Ok((id, token))
}

/// Deletes from the outbox the secrets of links that can no longer be used (MSG-20).
pub(crate) async fn blank_dead(d: &Identity, tx: &Tx) -> IdentityResult<()> {
    Ok(d.outbox.blank(tx, store::messages_of_dead(d.sources.now())).await?)
}

/// Logs that an administrator was shown the secrets of these messages, for those whom it concerns: the account that a link
/// opens, else its company (MSG-21).
pub async fn note_shown(d: &Identity, caller: &Caller, origin: &Origin, messages: &[&Message]) -> IdentityResult<()> {
    let ids: Vec<OutboxId> = messages.iter().map(|message| message.id).collect();
    let platform = directory::find_platform(d.db.read()).await?.map_or(caller.company, |company| company.id);
    let tx = d.db.write().await?;
    let concerned = store::list_concerned(&*tx, &ids).await?;
    for message in messages {
        let link = concerned.iter().find(|(id, ..)| *id == message.id);
        let company = link.and_then(|(_, company, _)| *company).or(message.company_id).unwrap_or(platform);
        let mut entry = Entry::company(Action::SecretShown, company).by(caller).from(origin.address);
        entry.user = link.and_then(|(.., user)| *user);
        let detail = json!({"purpose": message.purpose, "channel": message.channel.name()});
        audit::service::record(d, &tx, entry.detail(detail)).await?;
    }
    d.outbox.mark_shown(&tx, &ids, caller.user).await?;
    Ok(tx.commit().await?)
}

/// Notes which message carries the link.
pub async fn sent_by(tx: &Tx, id: Uuid, message: OutboxId) -> IdentityResult<()> {
    Ok(store::set_message(tx, id, message).await?)
}

/// The link of a token, whatever its state; `None` when there is none of this kind. Changes nothing.
pub async fn find(d: &Identity, token: &str, kind: LinkKind) -> IdentityResult<Option<Link>> {
    let found = store::find_by_hash(d.db.read(), &sha256_hex(token.as_bytes())).await?;
    Ok(found.filter(|link| link.kind == kind))
}

/// The usable link of a token. Changes nothing.
///
/// Errors: [`IdentityError::LinkInvalid`], [`IdentityError::LinkExpired`], [`IdentityError::LinkUsed`].
pub async fn read(d: &Identity, token: &str, kind: LinkKind) -> IdentityResult<Link> {
    let link = find(d, token, kind).await?.ok_or(IdentityError::LinkInvalid)?;
    link.check(d.sources.now())?;
    Ok(link)
}

/// The link of a token of any kind, whatever its state. Changes nothing.
pub async fn find_any(d: &Identity, token: &str) -> IdentityResult<Option<Link>> {
    store::find_by_hash(d.db.read(), &sha256_hex(token.as_bytes())).await
}

/// What a token allows while it is valid: its kind and its expiry in seconds (SESSION-6).
pub async fn inspect(d: &Identity, token: &str) -> IdentityResult<Option<(LinkKind, i64)>> {
    let usable = find_any(d, token).await?.filter(|link| link.check(d.sources.now()).is_ok());
    Ok(usable.map(|link| (link.kind, link.expires_at.timestamp())))
}

/// Notes that the page of a link was opened by a person; the first time counts.
pub async fn mark_opened(d: &Identity, link: &Link) -> IdentityResult<()> {
    if link.opened_at.is_some() {
        return Ok(());
    }
    let tx = d.db.write().await?;
    store::mark_opened(&tx, link.id, d.sources.now()).await?;
    Ok(tx.commit().await?)
}

/// Locks the link for the caller's transaction, so that of concurrent uses one succeeds and the others find it used.
///
/// Errors: [`IdentityError::LinkInvalid`], [`IdentityError::LinkExpired`], [`IdentityError::LinkUsed`].
pub async fn hold(d: &Identity, tx: &Tx, link: &Link) -> IdentityResult<()> {
    atalaya_db::lock_row(tx, "account_token", link.id).await?;
    let now = store::find_link(&**tx, link.id).await?.ok_or(IdentityError::LinkInvalid)?;
    now.check(d.sources.now())
}

/// Spends the link in the transaction of what it allows; of many at once exactly one succeeds.
///
/// Errors: [`IdentityError::LinkUsed`] when another was first.
pub async fn spend(d: &Identity, tx: &Tx, link: &Link, created: Option<UserId>) -> IdentityResult<()> {
    if !store::spend(tx, link.id, created, d.sources.now()).await? {
        return Err(IdentityError::LinkUsed);
    }
    blank_dead(d, tx).await
}
