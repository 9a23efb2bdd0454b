//! The devices of a person: registering, listing, testing, deleting.

use super::error::{PushError, PushResult};
use super::gateway::{Outcome, Parcel};
use super::model::{PushKind, PushMessage, PushText, topic};
use super::store::{self, Found};
use super::subscription::{self, Subscription, Target};
use crate::Outreach;
use atalaya_checks::browser::browser_and_system;
use atalaya_db::DbError;
use atalaya_identity::IdentityError;
use atalaya_kernel::{CompanyId, PushSubscriptionId, UserId};
use atalaya_rest::Caller;
use serde_json::{Value, json};
use uuid::Uuid;

/// Maximum number of a person's devices; the one seen longest ago is replaced (PUSH-10).
const DEVICES_MAX: usize = 20;

/// The keyed hash by which an endpoint is found.
fn digest(d: &Outreach, endpoint: &str) -> String {
    d.identity.field_key.digest("push.endpoint", endpoint)
}

fn context(id: Uuid) -> String {
    format!("push.subscription:{id}")
}

/// The address of a device; `None` when it was sealed with another key.
pub(super) fn open(d: &Outreach, id: Uuid, sealed: &str) -> Option<Target> {
    serde_json::from_str(&d.identity.field_key.open(&context(id), sealed)?).ok()
}

/// Registers or renews the caller's browser. An endpoint has one owner: the last who registered it (PUSH-2).
///
/// Errors: 422 at `token`: `PUSH_TOKEN_INVALID`, `PUSH_SERVICE_UNKNOWN`.
pub(crate) async fn register(d: &Outreach, caller: &Caller, token: &Value, agent: &str) -> PushResult<Found> {
    let read = subscription::parse(token, d.push_gateway.services());
    let Subscription { target, expires_at } = read.map_err(|why| PushError::Token(why.code()))?;
    let now = d.sources.now();
    let expires_at = expires_at.filter(|at| *at - now <= subscription::EXPIRY_MAX);
    if expires_at.is_some_and(|at| at <= now) {
        return Err(PushError::Token("PUSH_TOKEN_INVALID"));
    }
    let subscription = Subscription { target, expires_at };
    match write(d, caller, &subscription, agent).await {
        // Two people registered one browser concurrently: the second attempt finds the first's row.
        Err(PushError::Db(DbError::Duplicate(_))) => write(d, caller, &subscription, agent).await,
        other => other,
    }
}

async fn write(d: &Outreach, caller: &Caller, subscription: &Subscription, agent: &str) -> PushResult<Found> {
    let Subscription { target, expires_at } = subscription;
    let (browser, os) = browser_and_system(agent);
    let tx = d.db.write().await?;
    // Serialises two tabs of one person.
    atalaya_db::lock_row(&tx, "app_user", caller.user.0).await?;
    let digest = digest(d, &target.endpoint);
    let known = store::find(&*tx, &digest).await?;
    let id = match known.as_ref().filter(|known| known.user == caller.user) {
        Some(known) => known.id.0,
        None => d.sources.uuid(),
    };
    if let Some(other) = known.filter(|known| known.user != caller.user) {
        // Together with what was queued for its former owner.
        store::delete_device(&tx, other.id.0).await?;
    }
    let text = serde_json::to_string(target).expect("an address is plain data");
    let session_key = store::session_key(&*tx, caller.session).await?.ok_or(IdentityError::SessionEnded)?;
    let new = store::Device {
        id,
        user: caller.user,
        endpoint_digest: digest,
        sealed: d.identity.field_key.seal(&d.sources, &context(id), &text),
        session_key,
        browser: browser.to_owned(),
        os: os.to_owned(),
        expires_at: *expires_at,
    };
    let found = store::put(&tx, new, d.sources.now()).await?;
    for old in store::list(&*tx, caller.user).await?.into_iter().skip(DEVICES_MAX) {
        store::delete_device(&tx, old.id.0).await?;
    }
    tx.commit().await?;
    Ok(found)
}

/// Deletes the caller's own browser; answers how many rows that were.
pub(crate) async fn forget(d: &Outreach, caller: &Caller, token: &Value) -> PushResult<u64> {
    let Some(endpoint) = subscription::endpoint_of(token) else { return Ok(0) };
    let tx = d.db.write().await?;
    let Some(device) = store::find(&*tx, &digest(d, &endpoint)).await?.filter(|device| device.user == caller.user) else {
        return Ok(0);
    };
    store::delete_device(&tx, device.id.0).await?;
    tx.commit().await?;
    Ok(1)
}

/// Deletes one of the caller's devices. Errors: 404 `PUSH_DEVICE_NOT_FOUND`, also for another's.
pub(crate) async fn forget_one(d: &Outreach, caller: &Caller, id: PushSubscriptionId) -> PushResult<()> {
    let tx = d.db.write().await?;
    if !store::list(&*tx, caller.user).await?.iter().any(|device| device.id == id) {
        return Err(PushError::DeviceNotFound);
    }
    store::delete_device(&tx, id.0).await?;
    tx.commit().await?;
    Ok(())
}

/// The caller's devices, those seen last first, each with whether this log-in registered it.
pub(crate) async fn list(d: &Outreach, caller: &Caller) -> PushResult<Vec<(Found, bool)>> {
    let key = store::session_key(d.db.read(), caller.session).await?;
    let devices = store::list(d.db.read(), caller.user).await?;
    Ok(devices
        .into_iter()
        .map(|device| {
            let own = Some(&device.session_key) == key.as_ref();
            (device, own)
        })
        .collect())
}

/// The owner of a device. Errors: 404 `PUSH_TOKEN_NOT_FOUND` unless it is the caller's own or of a company whose answer
/// the caller waits for, or the caller is an administrator (PUSH-11).
pub(crate) async fn owner(d: &Outreach, caller: &Caller, token: &Value) -> PushResult<(UserId, CompanyId)> {
    let endpoint = subscription::endpoint_of(token).ok_or(PushError::TokenNotFound)?;
    let device = store::find(d.db.read(), &digest(d, &endpoint)).await?.ok_or(PushError::TokenNotFound)?;
    let user = atalaya_identity::users::service::find_user(&d.identity, device.user).await?.ok_or(PushError::TokenNotFound)?;
    let allowed =
        caller.user == user.id || caller.is_admin() || d.open_requests.open_request(caller.user, user.parent).await?.is_some();
    if allowed { Ok((user.id, user.parent)) } else { Err(PushError::TokenNotFound) }
}

/// Sends a push to the caller's own browser at once, and answers what its push service said.
///
/// Errors: 404 `PUSH_TOKEN_NOT_FOUND` for another's browser, 429 `TOO_MANY_REQUESTS`.
pub(crate) async fn test(d: &Outreach, caller: &Caller, token: &Value) -> PushResult<Outcome> {
    let endpoint = subscription::endpoint_of(token).ok_or(PushError::TokenNotFound)?;
    let device = store::find(d.db.read(), &digest(d, &endpoint)).await?;
    let device = device.filter(|device| device.user == caller.user).ok_or(PushError::TokenNotFound)?;
    d.push_gateway.ask(caller.user).map_err(PushError::TooMany)?;
    let now = d.sources.now();
    let message = PushMessage {
        kind: PushKind::Test,
        text: PushText::Key { key: "push.test", values: json!({}) },
        url: format!("/password/{}", caller.user),
        tag: "test".into(),
    };
    let payload = message.payload(caller.language.unwrap_or_default(), &d.identity.templates)?;
    let outcome = match open(d, device.id.0, &device.sealed) {
        Some(target) => {
            let (kind, expires_at) = (message.kind, now + message.kind.lasts());
            let parcel = Parcel { target: &target, payload: &payload, kind, topic: topic(&message.tag), expires_at };
            d.push_gateway.send(&parcel, now).await
        }
        None => Outcome::Gone(None),
    };
    let tx = d.db.write().await?;
    match outcome {
        Outcome::Delivered(_) => store::mark_ok(&tx, device.id.0, now).await?,
        Outcome::Gone(_) => store::delete_device(&tx, device.id.0).await?,
        Outcome::Refused(_) | Outcome::Later { .. } => {}
    }
    tx.commit().await?;
    Ok(outcome)
}
