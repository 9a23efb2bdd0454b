//! Users for the other rooms.

use super::changes::{self, Rights, UserChange};
use super::model::{Reach, profile_reach};
use super::user_name;
use crate::audit::{self, Action, Entry};
use crate::directory::{self, Account, Company, NewUser, User, normalise_user_name};
use crate::guards::member_of;
use crate::links::{self, model::LinkKind};
use crate::presence::service as presence;
use crate::{Identity, IdentityError, IdentityResult, Origin, PasswordHash, companies, sessions};
use atalaya_db::Tx;
use atalaya_kernel::{CompanyId, Role, UserId};
use atalaya_rest::Caller;
use serde_json::json;

/// A user, without a check of the caller; the tenant has been checked. Read with his session or now.
pub async fn find_user(identity: &Identity, id: UserId) -> IdentityResult<Option<User>> {
    if let Some((user, _)) = identity.kept.account(id) {
        return Ok(Some(user));
    }
    directory::find_user(identity.db.read(), id).await
}

/// Users by their ids, without a check of the caller; the tenant has been checked. In batches that every database takes.
pub async fn list_by_ids(d: &Identity, ids: impl IntoIterator<Item = UserId>) -> IdentityResult<Vec<User>> {
    let (mut users, mut others) = (Vec::new(), Vec::new());
    for id in ids {
        match d.kept.account(id) {
            Some((user, _)) => users.push(user),
            None => others.push(id),
        }
    }
    users.extend(directory::list_users_by_ids(d.db.read(), others).await?);
    Ok(users)
}

/// The active users of a company with one of these roles, without a check of the caller; the tenant has been checked.
pub async fn list_active(d: &Identity, company: CompanyId, roles: &[Role]) -> IdentityResult<Vec<User>> {
    directory::list_active_users(d.db.read(), company, roles).await
}

/// Name and surname, empty when there is no such user.
pub async fn display_name(identity: &Identity, id: UserId) -> IdentityResult<String> {
    Ok(find_user(identity, id).await?.map(|user| user.display_name()).unwrap_or_default())
}

/// A user's profile and company as the caller may see them.
///
/// Errors: [`IdentityError::UserNotFound`] also for other tenants, [`IdentityError::OwnIdRequired`] for colleagues.
pub async fn get_profile(identity: &Identity, caller: &Caller, id: UserId) -> IdentityResult<(User, Company)> {
    let (user, company) = match identity.kept.account(id) {
        Some(kept) => kept,
        None => {
            let read = directory::find_account(identity.db.read(), id).await?.ok_or(IdentityError::UserNotFound)?;
            (read.user, read.company)
        }
    };
    refuse_strangers(caller, &user)?;
    Ok((user, company))
}

/// Changes an account as far as the caller may, and answers it as it is then. Ends its sessions when it may no longer
/// log in or has another role.
///
/// Another address behind the log-in name becomes the name: at once by an administrator, else once both addresses have
/// confirmed it; until then the answer has the old one, and the new one beside it.
///
/// Errors: [`IdentityError::UserNotFound`] also for other tenants, [`IdentityError::OwnIdRequired`],
/// [`IdentityError::UserNameTaken`], 422 `INVALID_FIELDS` (see [`changes::apply`]), [`IdentityError::FreshProofRequired`] for
/// another address.
pub async fn change_user(
    d: &Identity,
    caller: &Caller,
    origin: &Origin,
    id: UserId,
    change: &UserChange,
) -> IdentityResult<(User, Company, Option<String>)> {
    let tx = d.db.write().await?;
    atalaya_db::lock_row(&tx, "app_user", id.0).await?;
    let Account { user: before, company, .. } = directory::find_account(&*tx, id).await?.ok_or(IdentityError::UserNotFound)?;
    refuse_strangers(caller, &before)?;
    let mut after = changes::apply(&before, change, &Rights::of(caller, &before)).map_err(IdentityError::Invalid)?;
    let mut pending = user_name::wished(&before, &after);
    if after.email != before.email || pending.is_some() {
        sessions::require_fresh_proof_within(d, &tx, caller).await?;
    }
    match &pending {
        Some(name) if caller.is_admin() && caller.user != id => {
            user_name::change(d, &tx, (&before, &company), name, (caller, origin)).await?;
            after.user_name.clone_from(name);
            pending = None;
        }
        Some(name) => {
            user_name::ask(d, &tx, (&before, &company), name, (caller, origin)).await?;
            (after.email, after.phone) = match before.user_name.contains('@') {
                true => (before.email.clone(), after.phone),
                false => (after.email, before.phone.clone()),
            };
        }
        None => {}
    }
    let mut ended = false;
    if after != before {
        directory::update_user(&tx, &after).await?;
        for entry in entries(&before, &after) {
            audit::service::record(d, &tx, entry.by(caller).from(origin.address)).await?;
        }
        if after.role != before.role || !after.status.user_may_log_in() {
            sessions::end_all(d, &tx, id).await?;
            ended = true;
        }
    }
    tx.commit().await?;
    d.outbox.wake();
    if ended {
        presence::user_changed(d, id).await;
    }
    Ok((after, company, pending))
}

fn refuse_strangers(caller: &Caller, user: &User) -> IdentityResult<()> {
    match profile_reach(caller, user.id, user.parent) {
        Reach::Allowed => Ok(()),
        Reach::Forbidden => Err(IdentityError::OwnIdRequired),
        Reach::Hidden => Err(IdentityError::UserNotFound),
    }
}

/// The detail of a change in the audit log.
fn entries(before: &User, after: &User) -> Vec<Entry> {
    let entry = |action, detail| Entry::user(action, after.parent, after.id).detail(detail);
    let mut all = Vec::new();
    let fields = changes::changed_fields(before, after);
    if !fields.is_empty() {
        all.push(entry(Action::UserChanged, json!({ "fields": fields })));
    }
    if before.role != after.role {
        all.push(entry(Action::RoleChanged, json!({"from": before.role, "to": after.role})));
    }
    if before.status != after.status {
        let action = if after.status.user_may_log_in() { Action::UserActivated } else { Action::UserDeactivated };
        all.push(entry(action, json!({"from": before.status, "to": after.status})));
    }
    if before.support != after.support {
        all.push(entry(Action::SupportChanged, json!({"support": after.support})));
    }
    all
}

/// Who asks whether a user name is taken.
pub enum Asking<'a> {
    Member(&'a Caller),
    /// Somebody with an activation link, whose token this is.
    Invited(&'a str),
}

/// Whether a company has an account of this user name.
///
/// A company that is still to be created (`None`) has none. Errors: [`IdentityError::CompanyNotFound`] for another
/// tenant's; for invited people [`IdentityError::LinkInvalid`], [`IdentityError::LinkExpired`],
/// [`IdentityError::LinkUsed`]. Source: USER-6.
pub async fn user_name_exists(
    d: &Identity,
    asking: Asking<'_>,
    company: Option<CompanyId>,
    user_name: &str,
) -> IdentityResult<bool> {
    match asking {
        Asking::Member(caller) => {
            let company = company.unwrap_or(caller.company);
            member_of(d, *caller, company).await?;
            directory::exists_named(d.db.read(), company, &normalise_user_name(user_name)).await
        }
        Asking::Invited(token) => {
            let link = links::service::read(d, token, LinkKind::Activation).await?;
            match (company, link.company) {
                (None, None) => Ok(false),
                (asked, Some(own)) if asked.is_none_or(|asked| asked == own) => {
                    directory::exists_named(d.db.read(), own, &normalise_user_name(user_name)).await
                }
                _ => Err(IdentityError::CompanyNotFound),
            }
        }
    }
}

/// Creates an account in the caller's transaction and answers its id.
///
/// Errors: [`IdentityError::UserNameTaken`].
pub async fn create_user(identity: &Identity, tx: &Tx, new: NewUser) -> IdentityResult<UserId> {
    let id: UserId = identity.sources.id();
    directory::insert_user(&**tx, id, &new, identity.sources.now()).await?;
    Ok(id)
}

/// Hashes a password for [`NewUser`].
pub async fn hash_password(identity: &Identity, password: &str) -> PasswordHash {
    identity.passwords.hash(password).await
}

/// Whether an administrator exists already.
pub async fn has_admin(identity: &Identity) -> IdentityResult<bool> {
    directory::exists_with_role(identity.db.read(), Role::Admin).await
}

/// Creates an account of the platform company: an administrator, or a password operator (`atalaya admin create`).
///
/// Errors: [`IdentityError::UserNameTaken`].
pub async fn admin_create(identity: &Identity, email: &str, password: &str, role: Role) -> IdentityResult<UserId> {
    let hash = hash_password(identity, password).await;
    let tx = identity.db.write().await?;
    let platform = companies::service::platform_company(identity, &tx).await?;
    let name = email.split('@').next().unwrap_or(email);
    let id = create_user(identity, &tx, NewUser::active(platform, role, name, "", email, hash)).await?;
    tx.commit().await?;
    Ok(id)
}
