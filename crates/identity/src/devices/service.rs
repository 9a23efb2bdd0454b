//! Listing and ending log-ins.

use super::error::DeviceError;
use super::model::{self, Device};
use crate::audit::{self, Action, Entry};
use crate::presence::service as presence;
use crate::{Identity, IdentityError, IdentityResult, Origin, directory, sessions};
use atalaya_kernel::{SessionId, UserId};
use atalaya_rest::Caller;

/// Where a user is logged in: one's own, or anybody's as an administrator.
///
/// Errors: [`IdentityError::OwnIdRequired`], [`IdentityError::UserNotFound`].
pub(crate) async fn list(d: &Identity, caller: &Caller, user: UserId) -> IdentityResult<Vec<Device>> {
    check_reach(d, caller, user).await?;
    let tokens = sessions::list_tokens(d.db.read(), user).await?;
    Ok(model::devices(tokens, caller.session, d.sources.now()))
}

async fn check_reach(d: &Identity, caller: &Caller, user: UserId) -> IdentityResult<()> {
    if caller.user == user {
        return Ok(());
    }
    if !caller.is_admin() {
        return Err(IdentityError::OwnIdRequired);
    }
    directory::find_user(d.db.read(), user).await?.map(drop).ok_or(IdentityError::UserNotFound)
}

/// Ends a log-in with every token it was renewed to. One that has ended already stays ended.
///
/// Errors: 404 `SESSION_NOT_FOUND`, also for another user's unless the caller is an administrator.
pub(crate) async fn end_one(d: &Identity, caller: &Caller, id: SessionId, origin: &Origin) -> IdentityResult<()> {
    let tx = d.db.write().await?;
    let owner = sessions::owner_of(&*tx, id).await?.filter(|owner| *owner == caller.user || caller.is_admin());
    let owner = owner.ok_or(DeviceError::SessionNotFound)?;
    if sessions::end_family(&tx, id, d.sources.now()).await? > 0 {
        let user = directory::find_user(&*tx, owner).await?.ok_or(IdentityError::UserNotFound)?;
        let entry = Entry::user(Action::SessionEnded, user.parent, user.id).by(caller).from(origin.address);
        audit::service::record(d, &tx, entry).await?;
    }
    tx.commit().await?;
    presence::user_changed(d, owner).await;
    Ok(())
}

/// Ends every log-in of a user; one's own but for the present one.
///
/// Errors: [`IdentityError::OwnIdRequired`], [`IdentityError::UserNotFound`].
pub(crate) async fn end_all(d: &Identity, caller: &Caller, id: UserId, origin: &Origin) -> IdentityResult<()> {
    check_reach(d, caller, id).await?;
    let tx = d.db.write().await?;
    let now = d.sources.now();
    let ended = match caller.user == id {
        true => sessions::end_others(&tx, caller.session, now).await?,
        false => sessions::end_of_user(&tx, id, now).await?,
    };
    if ended > 0 {
        let user = directory::find_user(&*tx, id).await?.ok_or(IdentityError::UserNotFound)?;
        let entry = Entry::user(Action::SessionsEnded, user.parent, user.id).by(caller).from(origin.address);
        audit::service::record(d, &tx, entry).await?;
    }
    tx.commit().await?;
    presence::user_changed(d, id).await;
    Ok(())
}

/// The user agent of a user's last open log-in, without a check of the caller; for the diagnostics of support.
pub async fn last_user_agent(d: &Identity, user: UserId) -> IdentityResult<Option<String>> {
    let tokens = sessions::list_tokens(d.db.read(), user).await?;
    Ok(tokens.into_iter().max_by_key(|token| token.created_at).and_then(|token| token.user_agent))
}
