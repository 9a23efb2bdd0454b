//! Turning the second factor on and off, and what the log-in asks of it.

use super::error::SecondFactorError;
use super::model::{self, Authenticator, Given};
use super::store;
use crate::audit::{self, Action, Entry};
use crate::auth::model::Method;
use crate::auth::service::Opened;
use crate::directory::{self, TwoFactor, User};
use crate::{Identity, IdentityError, IdentityResult, Origin, auth, notices, passkeys, sessions};
use atalaya_db::Tx;
use atalaya_kernel::{Role, UserId};
use atalaya_rest::Caller;
use atalaya_rest::tokens::{SessionClaims, TokenError, TokenKind};
use serde_json::json;

/// What an authenticator app is given.
pub(crate) struct Enrolment {
    pub secret: String,
    pub url: String,
}

/// A secret for the caller's app, the same for one log-in until it is verified.
///
/// Errors: 409 `SECOND_FACTOR_ACTIVE`, [`IdentityError::FreshProofRequired`].
pub(crate) async fn begin(d: &Identity, caller: &Caller) -> IdentityResult<Enrolment> {
    sessions::require_fresh_proof(d, caller).await?;
    let tx = d.db.write().await?;
    atalaya_db::lock_row(&tx, "app_user", caller.user.0).await?;
    let user = directory::find_user(&*tx, caller.user).await?.ok_or(IdentityError::UserNotFound)?;
    let authenticator = match pending(d, &tx, caller, &user).await? {
        Some(authenticator) => authenticator,
        None => {
            let fresh = Authenticator::generate(&d.sources, &user.user_name);
            let context = pending_context(d, &tx, caller).await?;
            let sealed = d.field_key.seal(&d.sources, &context, &fresh.secret());
            directory::set_two_factor(&tx, user.id, Some(sealed), false).await?;
            fresh
        }
    };
    tx.commit().await?;
    let url = authenticator.url().ok_or_else(|| IdentityError::Corrupt("a user without a name".into()))?;
    Ok(Enrolment { secret: authenticator.secret(), url })
}

/// The secret that waits to be verified by this log-in, if any. Errors: 409 `SECOND_FACTOR_ACTIVE`.
async fn pending(d: &Identity, tx: &Tx, caller: &Caller, user: &User) -> IdentityResult<Option<Authenticator>> {
    if user.has2fa {
        return Err(SecondFactorError::Active.into());
    }
    let Some(sealed) = directory::find_two_factor(&**tx, user.id).await?.and_then(|stored| stored.secret) else {
        return Ok(None);
    };
    let context = pending_context(d, tx, caller).await?;
    let secret = d.field_key.open(&context, &sealed);
    Ok(secret.and_then(|secret| Authenticator::parse(&secret, &user.user_name)))
}

/// A secret that was shown but not verified belongs to one log-in: one that another log-in left open is not accepted.
async fn pending_context(d: &Identity, tx: &Tx, caller: &Caller) -> IdentityResult<String> {
    let session = sessions::find_live(&**tx, caller.session, d.sources.now()).await?;
    let session = session.ok_or(IdentityError::SessionEnded)?;
    Ok(format!("app_user.two_factor.pending:{}:{}", caller.user, session.session_key))
}

fn context(user: UserId) -> String {
    format!("app_user.two_factor:{user}")
}

/// Turns the second factor on with a first code; answers the recovery codes.
///
/// Errors: 422 `CODE_INVALID`, 409 `SECOND_FACTOR_ACTIVE`, 409 `SECOND_FACTOR_INACTIVE` when no secret was asked for,
/// [`IdentityError::FreshProofRequired`].
pub(crate) async fn confirm(d: &Identity, caller: &Caller, code: &str, origin: &Origin) -> IdentityResult<Vec<String>> {
    sessions::require_fresh_proof(d, caller).await?;
    let tx = d.db.write().await?;
    atalaya_db::lock_row(&tx, "app_user", caller.user.0).await?;
    let user = directory::find_user(&*tx, caller.user).await?.ok_or(IdentityError::UserNotFound)?;
    let waiting = pending(d, &tx, caller, &user).await?;
    let authenticator = waiting.ok_or(SecondFactorError::Inactive)?;
    let step = match Given::parse(code) {
        Given::Code(code) => authenticator.step_of(&code, d.sources.now()),
        Given::Recovery(_) => None,
    };
    let step = step.ok_or(SecondFactorError::CodeInvalid)?;
    let sealed = d.field_key.seal(&d.sources, &context(user.id), &authenticator.secret());
    directory::set_two_factor(&tx, user.id, Some(sealed), true).await?;
    directory::spend_two_factor_step(&tx, user.id, step).await?;
    let codes = fresh_codes(d, &tx, user.id).await?;
    let entry = Entry::user(Action::SecondFactorEnabled, user.parent, user.id).by(caller).from(origin.address);
    audit::service::record(d, &tx, entry).await?;
    tx.commit().await?;
    Ok(codes)
}

async fn fresh_codes(d: &Identity, tx: &Tx, user: UserId) -> IdentityResult<Vec<String>> {
    let codes = model::recovery_codes(&d.sources);
    let hash = |code: &String| (d.sources.uuid(), model::hash_recovery_code(user, &code.replace('-', "")));
    store::replace_codes(tx, user, codes.iter().map(hash).collect(), d.sources.now()).await?;
    Ok(codes)
}

/// Ends a log-in that waits for its code. The waiting token serves once, whether the code is right or wrong.
///
/// Errors: 422 `CODE_INVALID`, 422 `LOGIN_EXPIRED` for a token that was used or is too old, [`IdentityError::LoginLocked`],
/// [`IdentityError::AccountInactive`].
pub(crate) async fn finish_log_in(d: &Identity, claims: &SessionClaims, code: &str, origin: &Origin) -> IdentityResult<Opened> {
    let tx = d.db.write().await?;
    atalaya_db::lock_row(&tx, "app_user", claims.sub.0).await?;
    let account = directory::find_account(&*tx, claims.sub).await?.ok_or(SecondFactorError::LoginExpired)?;
    if !auth::spend_pending(&tx, claims.jti, d.sources.now()).await? {
        return Err(SecondFactorError::LoginExpired.into());
    }
    let Some(method) = judge(d, &tx, &account.user, code, origin).await? else {
        tx.commit().await?;
        return Err(SecondFactorError::CodeInvalid.into());
    };
    if !account.may_log_in() {
        tx.commit().await?;
        return Err(IdentityError::AccountInactive);
    }
    let opened = auth::service::complete(d, &tx, account, method, origin).await?;
    tx.commit().await?;
    Ok(opened)
}

/// Checks this account's code or recovery code, and uses it up. A wrong one counts towards the account's
/// lockout; the caller commits either way.
///
/// Errors: [`IdentityError::LoginLocked`], without a check of the code.
async fn judge(d: &Identity, tx: &Tx, user: &User, text: &str, origin: &Origin) -> IdentityResult<Option<Method>> {
    let limits = auth::service::code_limits_of(user.id, origin);
    auth::check_tries(&**tx, &limits, d.sources.now()).await?;
    let method = match Given::parse(text) {
        Given::Code(code) => spend_code(d, tx, user, &code).await?.then_some(Method::Code),
        Given::Recovery(plain) => {
            let hash = model::hash_recovery_code(user.id, &plain);
            store::spend_code(tx, user.id, &hash, d.sources.now()).await?.then_some(Method::RecoveryCode)
        }
    };
    auth::service::admit_try(d, tx, &limits, Some(user), method.is_some(), origin).await?;
    if method == Some(Method::RecoveryCode) {
        let left = store::count_codes(&**tx, user.id).await?;
        let entry = Entry::user(Action::RecoveryCodeUsed, user.parent, user.id).by_user(user.id, user.role);
        audit::service::record(d, tx, entry.detail(json!({"left": left})).from(origin.address)).await?;
    }
    Ok(method)
}

/// Judges a code or recovery code of one's own, in the caller's transaction, which is committed either way.
///
/// Errors: 422 `CODE_INVALID`, 409 `SECOND_FACTOR_INACTIVE`, [`IdentityError::LoginLocked`].
pub(crate) async fn check_own(d: &Identity, tx: &Tx, user: UserId, code: &str, origin: &Origin) -> IdentityResult<()> {
    atalaya_db::lock_row(tx, "app_user", user.0).await?;
    let user = directory::find_user(&**tx, user).await?.ok_or(IdentityError::UserNotFound)?;
    if !user.has2fa {
        return Err(SecondFactorError::Inactive.into());
    }
    judge(d, tx, &user, code, origin).await?.ok_or(SecondFactorError::CodeInvalid)?;
    Ok(())
}

async fn spend_code(d: &Identity, tx: &Tx, user: &User, code: &str) -> IdentityResult<bool> {
    let Some(TwoFactor { secret: Some(sealed), enabled: true }) = directory::find_two_factor(&**tx, user.id).await? else {
        return Ok(false);
    };
    let secret = d.field_key.open(&context(user.id), &sealed);
    let authenticator = secret.and_then(|secret| Authenticator::parse(&secret, &user.user_name));
    let authenticator = authenticator.ok_or_else(|| IdentityError::Corrupt(format!("second factor of {}", user.id)))?;
    match authenticator.step_of(code, d.sources.now()) {
        Some(step) => Ok(directory::spend_two_factor_step(tx, user.id, step).await?),
        None => Ok(false),
    }
}

/// Turns a second factor off: one's own with a code; without a code but with a fresh proof, an administrator anybody's and
/// a principal a member's, for people who lost their device. The account's passkeys are deleted too.
///
/// Errors: 422 `CODE_INVALID`, 409 `SECOND_FACTOR_INACTIVE`, 403 `OWN_ID_REQUIRED`, 404 `USER_NOT_FOUND` for another
/// tenant's, [`IdentityError::LoginLocked`].
pub(crate) async fn disable(d: &Identity, caller: &Caller, id: UserId, code: &str, origin: &Origin) -> IdentityResult<()> {
    if caller.user != id {
        sessions::require_fresh_proof(d, caller).await?;
    }
    let tx = d.db.write().await?;
    atalaya_db::lock_row(&tx, "app_user", id.0).await?;
    let account = directory::find_account(&*tx, id).await?.ok_or(IdentityError::UserNotFound)?;
    let (user, company) = (account.user, account.company);
    let is_own = user.id == caller.user;
    if !is_own && !caller.is_admin() {
        if user.parent != caller.company {
            return Err(IdentityError::UserNotFound);
        }
        // A principal helps its members, neither its peers nor an administrator.
        if !caller.role.is_principal() || user.role.is_principal() || user.role == Role::Admin {
            return Err(IdentityError::OwnIdRequired);
        }
    }
    let passkeys = if is_own { 0 } else { passkeys::delete_all_of(&tx, user.id).await? };
    if passkeys > 0 {
        let entry = Entry::user(Action::PasskeyRemoved, user.parent, user.id).by(caller).from(origin.address);
        audit::service::record(d, &tx, entry).await?;
    }
    if !user.has2fa {
        if passkeys > 0 {
            tx.commit().await?;
            return Ok(());
        }
        return Err(SecondFactorError::Inactive.into());
    }
    if is_own && judge(d, &tx, &user, code, origin).await?.is_none() {
        tx.commit().await?;
        return Err(SecondFactorError::CodeInvalid.into());
    }
    directory::set_two_factor(&tx, user.id, None, false).await?;
    store::replace_codes(&tx, user.id, Vec::new(), d.sources.now()).await?;
    let entry = Entry::user(Action::SecondFactorDisabled, user.parent, user.id).by(caller).from(origin.address);
    audit::service::record(d, &tx, entry).await?;
    notices::tell(d, &tx, &user, &company, "secondFactorOff", None).await?;
    tx.commit().await?;
    d.outbox.wake();
    Ok(())
}

/// Ten new recovery codes in the place of the old ones.
///
/// Errors: 422 `CODE_INVALID`, 409 `SECOND_FACTOR_INACTIVE`, [`IdentityError::LoginLocked`].
pub(crate) async fn renew_codes(d: &Identity, caller: &Caller, code: &str, origin: &Origin) -> IdentityResult<Vec<String>> {
    let tx = d.db.write().await?;
    atalaya_db::lock_row(&tx, "app_user", caller.user.0).await?;
    let user = directory::find_user(&*tx, caller.user).await?.ok_or(IdentityError::UserNotFound)?;
    if !user.has2fa {
        return Err(SecondFactorError::Inactive.into());
    }
    if judge(d, &tx, &user, code, origin).await?.is_none() {
        tx.commit().await?;
        return Err(SecondFactorError::CodeInvalid.into());
    }
    let codes = fresh_codes(d, &tx, user.id).await?;
    let entry = Entry::user(Action::RecoveryCodesRenewed, user.parent, user.id).by(caller).from(origin.address);
    audit::service::record(d, &tx, entry).await?;
    tx.commit().await?;
    Ok(codes)
}

/// The claims of a token between password and second factor.
///
/// Errors: [`IdentityError::TokenInvalid`] when it is another kind of token, 422 `LOGIN_EXPIRED`.
pub(crate) fn read_pending(d: &Identity, token: &str) -> IdentityResult<SessionClaims> {
    match d.keys.decode(token, TokenKind::Pending2fa, d.sources.now()) {
        Err(TokenError::Expired) => Err(SecondFactorError::LoginExpired.into()),
        other => Ok(other?),
    }
}
