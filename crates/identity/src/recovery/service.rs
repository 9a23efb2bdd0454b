//! Decisions about passwords.

use crate::audit::{self, Action, Entry};
use crate::auth::{self, service as log_in};
use crate::directory::{self, Account, normalise_user_name};
use crate::links::{self, LinkKind, NewLink};
use crate::presence::service as presence;
use crate::{Identity, IdentityError, IdentityResult, Lane, Origin, PasswordHash, notices, passkeys, sessions};
use atalaya_checks::password;
use atalaya_db::Tx;
use atalaya_kernel::UserId;
use atalaya_rest::Caller;

/// Sends a reset link for every account of a user name that may log in. The caller must not learn whether there is one.
pub(crate) async fn ask(d: &Identity, user_name: &str, origin: &Origin) -> IdentityResult<()> {
    let accounts = directory::list_accounts_named(d.db.read(), &normalise_user_name(user_name)).await?;
    let tx = d.db.write().await?;
    for account in accounts.iter().filter(|account| account.may_log_in()) {
        send_link(d, &tx, account).await?;
        let entry = Entry::user(Action::ResetRequested, account.user.parent, account.user.id).from(origin.address);
        audit::service::record(d, &tx, entry).await?;
    }
    tx.commit().await?;
    d.outbox.wake();
    Ok(())
}

async fn send_link(d: &Identity, tx: &Tx, Account { user, company, .. }: &Account) -> IdentityResult<()> {
    let new = NewLink {
        kind: LinkKind::Reset,
        address: user.user_name.clone(),
        language: user.language,
        role: None,
        company: Some(user.parent),
        user: Some(user.id),
        inviter: None,
    };
    let (id, token) = links::service::make(d, tx, &new).await?;
    // A phone gets the short form, which redirects.
    let page = if user.user_name.contains('@') { "remember-form" } else { "a" };
    let link = format!("{}/{page}/{token}", d.settings.public_url);
    if let Some(message) = notices::tell(d, tx, user, company, "reset", Some(&link)).await? {
        links::service::sent_by(tx, id, message).await?;
    }
    Ok(())
}

/// Refuses a password that is too easy, with what the person is called counted as known.
///
/// Errors: 422 on `password`: `PASSWORD_WEAK`.
pub(crate) fn check_strength(new: &str, Account { user, company, .. }: &Account) -> IdentityResult<()> {
    let texts = [&user.user_name, &user.name, &user.surname, &company.name];
    let known: Vec<&str> = texts.into_iter().flat_map(|text| [text.as_str(), text.split('@').next().unwrap_or("")]).collect();
    if password::is_accepted(new, &known) { Ok(()) } else { Err(IdentityError::invalid("password", "PASSWORD_WEAK")) }
}

/// Sets a new password with a reset link, ends every session of the account and deletes its passkeys: somebody who had to
/// recover the account must not share it with whoever added a passkey meanwhile.
///
/// Errors: [`IdentityError::LinkInvalid`], [`IdentityError::LinkExpired`], [`IdentityError::LinkUsed`], 422 `PASSWORD_WEAK`.
pub(crate) async fn reset(d: &Identity, token: &str, new: &str, origin: &Origin) -> IdentityResult<()> {
    let link = links::service::read(d, token, LinkKind::Reset).await?;
    let id = link.user.ok_or(IdentityError::LinkInvalid)?;
    let account = directory::find_account(d.db.read(), id).await?.ok_or(IdentityError::LinkInvalid)?;
    check_strength(new, &account)?;
    let hash = d.passwords.hash(new).await;

    let tx = d.db.write().await?;
    atalaya_db::lock_row(&tx, "app_user", id.0).await?;
    links::service::spend(d, &tx, &link, None).await?;
    set(d, &tx, &account, hash).await?;
    sessions::end_of_user(&tx, id, d.sources.now()).await?;
    if passkeys::delete_all_of(&tx, id).await? > 0 {
        let entry = Entry::user(Action::PasskeyRemoved, account.user.parent, id).from(origin.address);
        audit::service::record(d, &tx, entry).await?;
    }
    // Who reads the account's mail is its holder: wrong passwords of others no longer lock him out. Wrong codes do: a mailbox
    // is not the second factor.
    auth::forgive_passwords(&tx, id).await?;
    let entry = Entry::user(Action::PasswordReset, account.user.parent, id).from(origin.address);
    audit::service::record(d, &tx, entry).await?;
    tx.commit().await?;
    d.outbox.wake();
    presence::user_changed(d, id).await;
    Ok(())
}

/// Stores the hash, deletes pending log-ins and notifies the holder.
async fn set(d: &Identity, tx: &Tx, Account { user, company, .. }: &Account, hash: PasswordHash) -> IdentityResult<()> {
    directory::set_password(tx, user.id, hash, d.sources.now()).await?;
    auth::delete_pending_of(tx, user.id).await?;
    auth::delete_tickets_of(tx, user.id).await?;
    notices::tell(d, tx, user, company, "passwordChanged", None).await?;
    Ok(())
}

/// A wished change of the own password.
pub(crate) struct OwnPassword<'a> {
    pub old: &'a str,
    pub new: &'a str,
    pub remove_passkeys: bool,
}

/// Changes one's own password; the session that does it stays, all others end, and the passkeys go if that is wished. Wrong old passwords count towards the
/// account's lockout.
///
/// Errors: [`IdentityError::OwnIdRequired`], 422 on `oldPassword`: `PASSWORD_WRONG`, on `password`: `PASSWORD_WEAK`,
/// [`IdentityError::LoginLocked`].
pub(crate) async fn change(
    d: &Identity,
    caller: &Caller,
    id: UserId,
    OwnPassword { old, new, remove_passkeys }: OwnPassword<'_>,
    origin: &Origin,
) -> IdentityResult<()> {
    if caller.user != id {
        return Err(IdentityError::OwnIdRequired);
    }
    let wrong = || IdentityError::invalid("oldPassword", "PASSWORD_WRONG");
    let account = directory::find_account(d.db.read(), id).await?.ok_or(IdentityError::UserNotFound)?;
    check_strength(new, &account)?;
    let limits = log_in::limits_of(id, origin);
    let fits = log_in::verify_password(d, old, account.password.as_ref(), &limits, Lane::Known).await?;
    let tx = d.db.write().await?;
    let fits = log_in::admit_try(d, &tx, &limits, Some(&account.user), fits, origin).await?;
    tx.commit().await?;
    if !fits {
        return Err(wrong());
    }
    let hash = d.passwords.hash(new).await;

    let tx = d.db.write().await?;
    let account = log_in::unchanged(&tx, account).await.map_err(|error| match error {
        IdentityError::LoginIncorrect => wrong(),
        other => other,
    })?;
    set(d, &tx, &account, hash).await?;
    sessions::end_others(&tx, caller.session, d.sources.now()).await?;
    if remove_passkeys && passkeys::delete_all_of(&tx, id).await? > 0 {
        let entry = Entry::user(Action::PasskeyRemoved, account.user.parent, id).by(caller).from(origin.address);
        audit::service::record(d, &tx, entry).await?;
    }
    let entry = Entry::user(Action::PasswordChanged, account.user.parent, id).by(caller).from(origin.address);
    audit::service::record(d, &tx, entry).await?;
    tx.commit().await?;
    d.outbox.wake();
    presence::user_changed(d, id).await;
    Ok(())
}

/// Accounts of exactly this user name, of every company: for the password operator's desk.
pub(crate) async fn find_accounts(d: &Identity, user_name: &str) -> IdentityResult<Vec<Account>> {
    directory::list_accounts_named(d.db.read(), &normalise_user_name(user_name)).await
}

/// Sends a reset link to an account's own address, for somebody who asks at the desk.
///
/// Errors: [`IdentityError::UserNotFound`].
pub(crate) async fn start_for(d: &Identity, caller: &Caller, id: UserId, origin: &Origin) -> IdentityResult<()> {
    let tx = d.db.write().await?;
    let account = directory::find_account(&*tx, id).await?.ok_or(IdentityError::UserNotFound)?;
    send_link(d, &tx, &account).await?;
    let entry = Entry::user(Action::ResetRequested, account.user.parent, id).by(caller).from(origin.address);
    audit::service::record(d, &tx, entry).await?;
    tx.commit().await?;
    d.outbox.wake();
    Ok(())
}
