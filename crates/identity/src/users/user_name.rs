//! The log-in name follows the address in force: the e-mail of somebody who logs in with one, the phone of somebody who
//! logs in with that. An administrator changes it at once, everybody else by a link to the old address and one to the new.

use crate::audit::{self, Action, Entry};
use crate::directory::{self, Company, User, normalise_user_name};
use crate::links::{self, Link, LinkKind, NewLink};
use crate::{Identity, IdentityError, IdentityResult, Origin, auth, notices};
use atalaya_db::Tx;
use atalaya_kernel::UserId;
use atalaya_rest::Caller;

/// The log-in name that the changed profile asks for; `None` when the address behind the name stays.
pub(super) fn wished(before: &User, after: &User) -> Option<String> {
    let (was, is) = match before.user_name.contains('@') {
        true => (&before.email, &after.email),
        false => (&before.phone, &after.phone),
    };
    let name = normalise_user_name(is.as_deref().filter(|_| was != is)?);
    (name != before.user_name).then_some(name)
}

/// The account with this log-in name and the address behind it.
fn renamed(user: &User, name: &str) -> User {
    let mut after = User { user_name: name.to_owned(), ..user.clone() };
    let address = if name.contains('@') { &mut after.email } else { &mut after.phone };
    *address = Some(name.to_owned());
    after
}

/// Refuses a name that somebody else of the company has. Errors: [`IdentityError::UserNameTaken`].
async fn require_free(tx: &Tx, user: &User, name: &str) -> IdentityResult<()> {
    match directory::exists_named(&**tx, user.parent, name).await? {
        true => Err(IdentityError::UserNameTaken),
        false => Ok(()),
    }
}

/// Puts the new name in force, in the caller's transaction, and notifies both addresses.
async fn put(d: &Identity, tx: &Tx, user: &User, company: &Company, name: &str) -> IdentityResult<()> {
    require_free(tx, user, name).await?;
    directory::set_user_name(tx, &renamed(user, name)).await?;
    // Pending log-ins were begun with the old name.
    auth::delete_pending_of(tx, user.id).await?;
    auth::delete_tickets_of(tx, user.id).await?;
    for to in [user.user_name.as_str(), name] {
        notices::tell_at(d, tx, (user, company), to, "userNameChanged", None).await?;
    }
    Ok(())
}

/// An administrator's change.
///
/// Errors: [`IdentityError::UserNameTaken`].
pub(super) async fn change(
    d: &Identity,
    tx: &Tx,
    (user, company): (&User, &Company),
    name: &str,
    (caller, origin): (&Caller, &Origin),
) -> IdentityResult<()> {
    put(d, tx, user, company, name).await?;
    let entry = Entry::user(Action::UserNameChanged, user.parent, user.id).by(caller).from(origin.address);
    audit::service::record(d, tx, entry).await
}

/// Sends the two links by which a change is confirmed; earlier ones stop working.
///
/// Errors: [`IdentityError::UserNameTaken`].
pub(super) async fn ask(
    d: &Identity,
    tx: &Tx,
    (user, company): (&User, &Company),
    name: &str,
    (caller, origin): (&Caller, &Origin),
) -> IdentityResult<()> {
    require_free(tx, user, name).await?;
    let now = d.sources.now();
    for (kind, to, purpose) in
        [(LinkKind::NameOld, user.user_name.as_str(), "userNameOld"), (LinkKind::NameNew, name, "userNameNew")]
    {
        let new = NewLink {
            kind,
            address: to.to_owned(),
            language: user.language,
            role: None,
            company: Some(user.parent),
            user: Some(user.id),
            inviter: None,
        };
        let (id, token) = links::service::make_at(d, tx, &new, now).await?;
        let page = if to.contains('@') { "user-name" } else { "a" };
        let link = format!("{}/{page}/{token}", d.settings.public_url);
        if let Some(message) = notices::tell_at(d, tx, (user, company), to, purpose, Some(&link)).await? {
            links::service::sent_by(tx, id, message).await?;
        }
    }
    let entry = Entry::user(Action::UserNameAsked, user.parent, user.id).by(caller).from(origin.address);
    audit::service::record(d, tx, entry).await
}

/// What a confirmation did.
pub(crate) struct Confirmed {
    /// Both addresses have confirmed: the name is in force.
    pub done: bool,
    pub user_name: String,
}

/// Confirms a change with one of its links. Once both are, the name is in force.
///
/// Errors: [`IdentityError::LinkInvalid`], [`IdentityError::LinkExpired`], [`IdentityError::LinkUsed`],
/// [`IdentityError::UserNameTaken`].
pub(crate) async fn confirm(d: &Identity, token: &str, origin: &Origin) -> IdentityResult<Confirmed> {
    let link = links::service::find_any(d, token).await?;
    let link = link.filter(|link| twin_of(link.kind).is_some()).ok_or(IdentityError::LinkInvalid)?;
    let id: UserId = link.user.ok_or(IdentityError::LinkInvalid)?;
    let tx = d.db.write().await?;
    // Two confirmations take turns, so that the second finds the first.
    atalaya_db::lock_row(&tx, "app_user", id.0).await?;
    link.check(d.sources.now())?;
    links::service::spend(d, &tx, &link, None).await?;
    let twin = match twin_of(link.kind) {
        Some(kind) => links::find_made_with(&*tx, kind, id, link.created_at).await?,
        None => None,
    };
    let twin = twin.ok_or(IdentityError::LinkInvalid)?;
    let name = new_name(&link, &twin).to_owned();
    let done = twin.used_at.is_some();
    if done {
        let account = directory::find_account(&*tx, id).await?.ok_or(IdentityError::LinkInvalid)?;
        put(d, &tx, &account.user, &account.company, &name).await?;
        let entry = Entry::user(Action::UserNameChanged, account.user.parent, id).from(origin.address);
        audit::service::record(d, &tx, entry).await?;
    }
    tx.commit().await?;
    d.outbox.wake();
    Ok(Confirmed { done, user_name: name })
}

fn twin_of(kind: LinkKind) -> Option<LinkKind> {
    match kind {
        LinkKind::NameOld => Some(LinkKind::NameNew),
        LinkKind::NameNew => Some(LinkKind::NameOld),
        LinkKind::Activation | LinkKind::AdminEnable | LinkKind::Reset => None,
    }
}

fn new_name<'a>(link: &'a Link, twin: &'a Link) -> &'a str {
    if link.kind == LinkKind::NameNew { &link.address } else { &twin.address }
}
