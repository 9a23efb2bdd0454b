//! Making, reading and spending links.

use super::model::{Link, LinkKind, NewLink, SHORT_TOKEN_LENGTH, TOKEN_LENGTH};
use super::store;
use crate::auth::model::sha256_hex;
use crate::{Identity, IdentityError, IdentityResult};
use atalaya_db::Tx;
use atalaya_kernel::{OutboxId, UserId};
use uuid::Uuid;

/// Makes a link in the caller's transaction and answers its id and its token, which is known nowhere else. Earlier open
/// links of the same purpose stop working. A phone gets a short token.
pub async fn make(d: &Identity, tx: &Tx, new: &NewLink) -> IdentityResult<(Uuid, String)> {
    let length = if new.address.contains('@') { TOKEN_LENGTH } else { SHORT_TOKEN_LENGTH };
    let (id, token, now) = (d.sources.uuid(), d.sources.base62(length), d.sources.now());
    store::replace_earlier(tx, new, now).await?;
    store::insert(tx, id, new, sha256_hex(token.as_bytes()), now).await?;
    Ok((id, token))
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

/// Spends the link in the transaction of what it allows; of many at once exactly one succeeds.
///
/// Errors: [`IdentityError::LinkUsed`] when another was first.
pub async fn spend(d: &Identity, tx: &Tx, link: &Link, created: Option<UserId>) -> IdentityResult<()> {
    if store::spend(tx, link.id, created, d.sources.now()).await? { Ok(()) } else { Err(IdentityError::LinkUsed) }
}
