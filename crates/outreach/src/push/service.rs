//! Sending pushes to people, for the other rooms.

use super::delivery::DeliverPush;
use super::error::{PushError, PushResult};
use super::model::PushMessage;
use super::model::{PushKind, PushText};
use super::store::{self, NewDelivery};
use crate::Outreach;
use atalaya_db::{DbResult, Tx};
use atalaya_identity::IdentityError;
use atalaya_identity::companies::service::get_company;
use atalaya_jobs::NewJob;
use atalaya_kernel::{CompanyId, Language, Role, UserId};
use atalaya_rest::Caller;
use chrono::{DateTime, Utc};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// Sends a push to every device of these users, each in its owner's language, once the transaction has committed. People
/// who may no longer log in get nothing. Answers the number of devices.
///
/// Errors: the database; a text that is missing or lacks a value.
pub async fn queue(d: &Outreach, tx: &Tx, users: &[UserId], message: &PushMessage) -> PushResult<usize> {
    let devices = store::reachable(&**tx, users).await?;
    if devices.is_empty() {
        return Ok(0);
    }
    let (batch, now) = (d.sources.uuid(), d.sources.now());
    let mut payloads: HashMap<Language, String> = HashMap::new();
    let mut rows = Vec::with_capacity(devices.len());
    for (subscription, language) in devices {
        let payload = match payloads.get(&language) {
            Some(payload) => payload.clone(),
            None => {
                let payload = message.payload(language, &d.identity.templates)?;
                payloads.entry(language).or_insert(payload).clone()
            }
        };
        rows.push(NewDelivery {
            id: d.sources.uuid(),
            batch,
            subscription,
            payload,
            kind: message.kind.name(),
            tag: message.tag.clone(),
            due_at: now,
            expires_at: now + message.kind.lasts(),
        });
    }
    let devices = rows.len();
    store::insert_deliveries(tx, rows).await?;
    enqueue(d, tx, batch, now).await?;
    Ok(devices)
}

/// Those of these users who can be reached on a device.
pub async fn with_devices(d: &Outreach, users: &[UserId]) -> DbResult<HashSet<UserId>> {
    store::with_devices(d.db.read(), users).await
}

/// Withdraws what was queued under this tag and not sent yet, for instance when a request has been answered.
pub async fn withdraw(tx: &Tx, tag: &str) -> DbResult<u64> {
    store::withdraw(tx, tag).await
}

pub(super) async fn enqueue(d: &Outreach, tx: &Tx, batch: Uuid, at: DateTime<Utc>) -> DbResult<()> {
    d.jobs.enqueue(tx, NewJob::new(DeliverPush::KIND, json!({ "batch": batch })).at(at)).await?;
    Ok(())
}

/// Deletes every device of a person, for instance when the person is erased.
pub async fn forget_person(tx: &Tx, user: UserId) -> DbResult<()> {
    store::delete_devices_of(tx, user).await
}

/// Whom a caller may call by push.
enum Called {
    /// The caller's own devices.
    Himself,
    /// Everybody at a company, by an administrator.
    Company,
    /// The people at a customer who answer requests, by somebody whose request waits.
    Answerers { tag: String },
}

/// `send-web-push`: calls a company's people. Answers the number of devices.
///
/// Errors: 404 `COMPANY_NOT_FOUND` unless it is the caller's own company (then only the caller's own devices) or one that
/// the caller's open request waits for, or the caller is an administrator; 429 `TOO_MANY_REQUESTS` after ten a minute
/// (PUSH-12).
pub(crate) async fn call(d: &Outreach, caller: &Caller, company: CompanyId) -> PushResult<usize> {
    let called = if caller.company == company {
        Called::Himself
    } else if caller.is_admin() {
        get_company(&d.identity, company).await?;
        Called::Company
    } else {
        let request = d.open_requests.open_request(caller.user, company).await?;
        Called::Answerers { tag: request.ok_or(IdentityError::CompanyNotFound)?.to_string() }
    };
    d.push_gateway.ask(caller.user).map_err(PushError::TooMany)?;
    let tx = d.db.write().await?;
    let (users, message) = match called {
        Called::Himself => {
            let url = format!("/password/{}", caller.user);
            (vec![caller.user], message(PushKind::Test, "push.test", url, "test".into()))
        }
        Called::Company => {
            let users = store::members(&*tx, company, &Role::ALL).await?;
            (users, message(PushKind::Notification, "push.notice", "/".into(), format!("notice:{company}")))
        }
        Called::Answerers { tag } => {
            let users = store::members(&*tx, company, &[Role::Customer, Role::Worker]).await?;
            let url = format!("/active-videocall-request/{company}");
            (users, message(PushKind::Request, "push.request", url, tag))
        }
    };
    let devices = queue(d, &tx, &users, &message).await?;
    tx.commit().await?;
    d.jobs.wake();
    Ok(devices)
}

fn message(kind: PushKind, key: &'static str, url: String, tag: String) -> PushMessage {
    PushMessage { kind, text: PushText::Key { key, values: json!({}) }, url, tag }
}
