//! Users for the other rooms.

use super::model::{NewUser, Reach, User, profile_reach};
use super::store;
use crate::companies::model::Company;
use crate::{Identity, IdentityError, IdentityResult, PasswordHash, companies};
use atalaya_db::Tx;
use atalaya_kernel::{Role, UserId};
use atalaya_rest::Caller;

/// A user, whoever asks; the caller has checked the tenant.
pub async fn find_user(identity: &Identity, id: UserId) -> IdentityResult<Option<User>> {
    store::find_user(identity.db.read(), id).await
}

/// Name and surname, empty when there is no such user.
pub async fn display_name(identity: &Identity, id: UserId) -> IdentityResult<String> {
    Ok(find_user(identity, id).await?.map(|user| user.display_name()).unwrap_or_default())
}

/// A user's profile and company as the caller may see them.
///
/// Errors: [`IdentityError::UserNotFound`] also for other tenants, [`IdentityError::OwnIdRequired`] for colleagues.
pub async fn get_profile(identity: &Identity, caller: &Caller, id: UserId) -> IdentityResult<(User, Company)> {
    let account = store::find_account(identity.db.read(), id).await?.ok_or(IdentityError::UserNotFound)?;
    match profile_reach(caller, account.user.id, account.user.parent) {
        Reach::Allowed => Ok((account.user, account.company)),
        Reach::Forbidden => Err(IdentityError::OwnIdRequired),
        Reach::Hidden => Err(IdentityError::UserNotFound),
    }
}

/// Creates an account in the caller's transaction and answers its id.
///
/// Errors: [`IdentityError::UserNameTaken`].
pub async fn create_user(identity: &Identity, tx: &Tx, new: NewUser) -> IdentityResult<UserId> {
    let id: UserId = identity.sources.id();
    store::insert_user(&**tx, id, &new, identity.sources.now()).await?;
    Ok(id)
}

/// Hashes a password for [`NewUser`].
pub async fn hash_password(identity: &Identity, password: &str) -> PasswordHash {
    identity.passwords.hash(password).await
}

/// Whether an administrator exists already.
pub async fn has_admin(identity: &Identity) -> IdentityResult<bool> {
    store::exists_with_role(identity.db.read(), Role::Admin).await
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
