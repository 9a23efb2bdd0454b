//! Sending to people, for the other rooms.

use super::delivery::DeliverPush;
use super::error::PushResult;
use super::model::PushMessage;
use super::store::{self, NewDelivery};
use crate::Outreach;
use atalaya_db::{DbResult, Tx};
use atalaya_jobs::NewJob;
use atalaya_kernel::{Language, UserId};
use std::collections::HashMap;
use uuid::Uuid;

/// Sends a push to every device of these users, each in its owner's language, once the transaction has committed. People
/// who may not log in any more get nothing. Answers the number of devices.
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

/// Takes back what was queued under this tag and not sent yet, for instance when a request has been answered.
pub async fn withdraw(tx: &Tx, tag: &str) -> DbResult<u64> {
    store::withdraw(tx, tag).await
}

pub(super) async fn enqueue(d: &Outreach, tx: &Tx, batch: Uuid, at: chrono::DateTime<chrono::Utc>) -> DbResult<()> {
    d.jobs.enqueue(tx, NewJob::new(DeliverPush::KIND, serde_json::json!({ "batch": batch })).at(at)).await?;
    Ok(())
}
