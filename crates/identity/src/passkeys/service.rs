//! Making passkeys and logging in with them.

use super::error::PasskeyError;
use super::model::{self, Passkey};
use super::store::{self, Kind, NewCeremony};
use crate::audit::{self, Action, Entry};
use crate::auth::model::{Method, Subject, TRIES_PER_ADDRESS};
use crate::auth::service::Opened;
use crate::{Identity, IdentityError, IdentityResult, Origin, auth, directory, notices, sessions};
use atalaya_db::{DbError, Tx};
use atalaya_kernel::UserId;
use atalaya_rest::Caller;
use passki::{
    AuthenticationCredential, AuthenticationOptions, AuthenticationState, Passki, PasskiError, RegistrationCredential,
    RegistrationOptions, RegistrationState, ResidentKeyRequirement, StoredPasskey, UserVerificationRequirement,
};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

/// What browsers show as the site's name.
const SITE_NAME: &str = "Atalaya";

/// Errors: 409 `PASSKEYS_UNAVAILABLE` when the public address is a number.
fn relying_party(d: &Identity) -> IdentityResult<Passki> {
    let site = model::site(&d.settings.public_url).ok_or(PasskeyError::Unavailable)?;
    Ok(Passki::new(&site.id, &[site.origin], SITE_NAME))
}

fn invalid(why: impl std::fmt::Display) -> IdentityError {
    PasskeyError::Invalid(why.to_string()).into()
}

fn broken(error: PasskiError) -> IdentityError {
    IdentityError::Corrupt(format!("passkey options: {error}"))
}

fn life_ms() -> u64 {
    model::CEREMONY_LIFE.num_milliseconds().unsigned_abs()
}

fn plain(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("options and states are plain data")
}

/// What the caller's device is asked to make a passkey for. A new request takes the place of an earlier one.
///
/// Errors: 409 `PASSKEYS_UNAVAILABLE`, 409 `PASSKEY_LIMIT`, [`IdentityError::FreshProofRequired`].
pub(crate) async fn begin(d: &Identity, caller: &Caller) -> IdentityResult<Value> {
    sessions::require_fresh_proof(d, caller).await?;
    let site = relying_party(d)?;
    let account = directory::find_account(d.db.read(), caller.user).await?.ok_or(IdentityError::UserNotFound)?;
    let known = store::list_keys(d.db.read(), caller.user).await?;
    check_limit(known.len())?;
    let mut options = RegistrationOptions::default();
    options.timeout = life_ms();
    // It must be found without a user name, and replace password and code together.
    options.resident_key = ResidentKeyRequirement::Required;
    options.user_verification = UserVerificationRequirement::Required;
    options.exclude_credentials = Some(&known);
    let shown = format!("{} ({})", account.user.display_name(), account.company.name);
    let handle = account.user.id.0.as_bytes();
    let (mut question, mut state) =
        site.start_passkey_registration(handle, &account.user.user_name, &shown, options).map_err(broken)?;
    state.challenge = d.sources.bytes::<{ model::CHALLENGE_BYTES }>().to_vec();
    question.challenge = Passki::base64_encode(&state.challenge);
    let mut question = plain(&question);
    // The word for it of WebAuthn level 1.
    question["authenticatorSelection"]["requireResidentKey"] = true.into();

    let tx = d.db.write().await?;
    store::delete_registrations(&tx, caller.user).await?;
    open_ceremony(d, &tx, Some(caller.user), Kind::Register, plain(&state)).await?;
    tx.commit().await?;
    Ok(question)
}

fn check_limit(known: usize) -> IdentityResult<()> {
    if known < model::PASSKEYS_MAX { Ok(()) } else { Err(PasskeyError::Limit.into()) }
}

async fn open_ceremony(d: &Identity, tx: &Tx, user: Option<UserId>, kind: Kind, state: Value) -> IdentityResult<Uuid> {
    let (id, expires_at) = (d.sources.uuid(), d.sources.now() + model::CEREMONY_LIFE);
    store::insert_ceremony(tx, NewCeremony { id, user, kind, state, expires_at }).await?;
    Ok(id)
}

/// Adds the passkey that the device has made.
///
/// Errors: 422 `PASSKEY_INVALID` (also when the request is older than five minutes or was answered), 409 `PASSKEY_EXISTS`,
/// 409 `PASSKEY_LIMIT`, [`IdentityError::FreshProofRequired`].
pub(crate) async fn add(
    d: &Identity,
    caller: &Caller,
    credential: &RegistrationCredential,
    name: &str,
    origin: &Origin,
) -> IdentityResult<Passkey> {
    sessions::require_fresh_proof(d, caller).await?;
    let site = relying_party(d)?;
    let tx = d.db.write().await?;
    atalaya_db::lock_row(&tx, "app_user", caller.user.0).await?;
    let account = directory::find_account(&*tx, caller.user).await?.ok_or(IdentityError::UserNotFound)?;
    let Some(state) = store::take_registration(&tx, caller.user, d.sources.now()).await? else {
        return Err(invalid("no registration is open"));
    };
    let key = match read_registration(&site, credential, state) {
        Ok(key) => key,
        Err(error) => {
            // The ceremony is used up all the same.
            tx.commit().await?;
            return Err(error);
        }
    };
    check_limit(store::list(&*tx, caller.user).await?.len())?;
    let name = model::name(name, origin.user_agent.as_deref());
    let passkey = Passkey { id: d.sources.uuid(), name, created_at: d.sources.now(), last_used_at: None };
    store::insert(&tx, caller.user, &passkey, &key).await.map_err(|error| match error {
        DbError::Duplicate(_) => PasskeyError::Exists.into(),
        other => IdentityError::from(other),
    })?;
    let entry = Entry::user(Action::PasskeyAdded, account.user.parent, caller.user).by(caller).from(origin.address);
    audit::service::record(d, &tx, entry).await?;
    notices::tell(d, &tx, &account.user, &account.company, "passkeyAdded", None).await?;
    tx.commit().await?;
    d.outbox.wake();
    Ok(passkey)
}

/// The checks of passki, and three of the standard that it leaves to its caller (docs/decisions/0011).
fn read_registration(site: &Passki, credential: &RegistrationCredential, state: Value) -> IdentityResult<StoredPasskey> {
    let state: RegistrationState = serde_json::from_value(state).map_err(|error| IdentityError::Corrupt(error.to_string()))?;
    let key = site.finish_passkey_registration(credential, &state).map_err(invalid)?;
    if !model::ALGORITHMS.contains(&key.algorithm) {
        return Err(invalid("an algorithm that was not offered"));
    }
    if key.credential_id.is_empty() || key.credential_id.len() > model::CREDENTIAL_ID_MAX {
        return Err(invalid("the credential's id has no good length"));
    }
    Ok(key)
}

/// The caller's passkeys.
pub(crate) async fn list(d: &Identity, caller: &Caller) -> IdentityResult<Vec<Passkey>> {
    Ok(store::list(d.db.read(), caller.user).await?)
}

/// Deletes one of the caller's passkeys. Errors: 404 `PASSKEY_NOT_FOUND`,
/// [`IdentityError::FreshProofRequired`].
pub(crate) async fn remove(d: &Identity, caller: &Caller, id: Uuid, origin: &Origin) -> IdentityResult<()> {
    sessions::require_fresh_proof(d, caller).await?;
    let tx = d.db.write().await?;
    if !store::delete(&tx, caller.user, id).await? {
        return Err(PasskeyError::NotFound.into());
    }
    let entry = Entry::user(Action::PasskeyRemoved, caller.company, caller.user).by(caller).from(origin.address);
    audit::service::record(d, &tx, entry).await?;
    tx.commit().await?;
    Ok(())
}

/// What any device is asked to prove a passkey with: the ceremony's id and the question.
///
/// Errors: 409 `PASSKEYS_UNAVAILABLE`.
pub(crate) async fn begin_log_in(d: &Identity) -> IdentityResult<(Uuid, Value)> {
    let site = relying_party(d)?;
    let mut options = AuthenticationOptions::default();
    options.timeout = life_ms();
    options.user_verification = UserVerificationRequirement::Required;
    let (mut question, mut state) = site.start_passkey_authentication(&[], options).map_err(broken)?;
    state.challenge = d.sources.bytes::<{ model::CHALLENGE_BYTES }>().to_vec();
    question.challenge = Passki::base64_encode(&state.challenge);
    let tx = d.db.write().await?;
    let id = open_ceremony(d, &tx, None, Kind::LogIn, plain(&state)).await?;
    tx.commit().await?;
    Ok((id, plain(&question)))
}

/// Opens the session of the account that a passkey was made for.
///
/// Wrong ones count against the address; wrong passwords of others do not keep a passkey's holder out.
/// Errors: 422 `PASSKEY_INVALID`, [`IdentityError::AccountInactive`], [`IdentityError::LoginLocked`].
pub(crate) async fn log_in(
    d: &Identity,
    ceremony: Uuid,
    credential: &AuthenticationCredential,
    origin: &Origin,
) -> IdentityResult<Opened> {
    let site = relying_party(d)?;
    let tx = d.db.write().await?;
    let limits = [(Subject::address(origin.address), TRIES_PER_ADDRESS)];
    auth::check_tries(&*tx, &limits, d.sources.now()).await?;
    let proved = prove(d, &tx, &site, ceremony, credential).await;
    let (id, owner, key) = match proved {
        Ok(proved) => proved,
        Err(refused @ IdentityError::Refused(_)) => {
            // The ceremony is used up, and the try counts.
            auth::count_wrong(&tx, &d.sources, &limits).await?;
            tx.commit().await?;
            return Err(refused);
        }
        Err(other) => return Err(other),
    };
    store::mark_used(&tx, id, &key, d.sources.now()).await?;
    let account = directory::find_account(&*tx, owner).await?.ok_or(IdentityError::UserNotFound)?;
    if !account.may_log_in() || account.user.role == atalaya_kernel::Role::Empty {
        tx.commit().await?;
        return Err(IdentityError::AccountInactive);
    }
    let opened = auth::service::complete(d, &tx, account, Method::Passkey, origin).await?;
    tx.commit().await?;
    Ok(opened)
}

/// Judges a passkey of one's own, in the caller's transaction, which is committed either way.
///
/// Errors: 422 `PASSKEY_INVALID`, also for another account's, [`IdentityError::LoginLocked`].
pub(crate) async fn check_own(
    d: &Identity,
    tx: &Tx,
    user: UserId,
    ceremony: Uuid,
    credential: &AuthenticationCredential,
    origin: &Origin,
) -> IdentityResult<()> {
    let site = relying_party(d)?;
    let limits = [(Subject::address(origin.address), TRIES_PER_ADDRESS)];
    auth::check_tries(&**tx, &limits, d.sources.now()).await?;
    let proved = match prove(d, tx, &site, ceremony, credential).await {
        Ok((id, owner, key)) if owner == user => Ok((id, key)),
        Ok(_) => Err(invalid("another account's")),
        Err(refused @ IdentityError::Refused(_)) => Err(refused),
        Err(other) => return Err(other),
    };
    match proved {
        Ok((id, key)) => Ok(store::mark_used(tx, id, &key, d.sources.now()).await?),
        Err(refused) => {
            auth::count_wrong(tx, &d.sources, &limits).await?;
            Err(refused)
        }
    }
}

/// The key that signed the ceremony's challenge, with its new counter, and whose it is.
async fn prove(
    d: &Identity,
    tx: &Tx,
    site: &Passki,
    ceremony: Uuid,
    credential: &AuthenticationCredential,
) -> IdentityResult<(Uuid, UserId, StoredPasskey)> {
    let state = store::take_log_in(tx, ceremony, d.sources.now()).await?.ok_or_else(|| invalid("no ceremony is open"))?;
    let state: AuthenticationState = serde_json::from_value(state).map_err(|error| IdentityError::Corrupt(error.to_string()))?;
    let credential_id = Passki::base64_decode(&credential.raw_id).map_err(invalid)?;
    let (_, owner, _) = store::find_by_credential(&**tx, &credential_id).await?.ok_or_else(|| invalid("unknown"))?;
    atalaya_db::lock_row(tx, "app_user", owner.0).await?;
    // Read again under the lock: the counter may have moved, the key may be gone.
    let found = store::find_by_credential(&**tx, &credential_id).await?;
    let (id, owner, mut key) = found.ok_or_else(|| invalid("removed"))?;
    let result = site.finish_passkey_authentication(credential, &state, &key).map_err(invalid)?;
    if result.user_handle.as_deref() != Some(owner.0.as_bytes().as_slice()) {
        return Err(invalid("made for another account"));
    }
    key.counter = result.counter;
    Ok((id, owner, key))
}
