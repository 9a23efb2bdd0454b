//! The jobs: one sends the due deliveries of a batch, one deletes expired devices and messages.

use super::error::PushResult;
use super::gateway::{Outcome, Parcel};
use super::model::{PushKind, topic};
use super::store::{self, Due};
use super::{devices, service};
use crate::Outreach;
use async_trait::async_trait;
use atalaya_db::DbResult;
use atalaya_jobs::{Backoff, Handler, Job, JobFailure, JobResult, Look};
use chrono::{DateTime, TimeDelta, Utc};
use futures::{StreamExt, stream};
use uuid::Uuid;

/// Devices that are sent to concurrently.
const AT_ONCE: usize = 32;
/// Devices in one run, so that other jobs get their turn when a push service hangs.
const PER_RUN: u64 = 256;
/// Waits between tries, unless the push service names one (PUSH-8).
const WAITS: Backoff = Backoff { first: TimeDelta::seconds(5), longest: TimeDelta::minutes(10) };

/// Sends the deliveries of a batch. Running twice sends twice at worst, and the tag merges both on the screen.
pub struct DeliverPush(pub Outreach);

impl DeliverPush {
    pub const KIND: &'static str = "web_push";
}

#[async_trait]
impl Handler for DeliverPush {
    async fn run(&self, job: &Job) -> JobResult {
        let batch = job.payload["batch"].as_str().and_then(|text| text.parse().ok());
        let batch = batch.ok_or_else(|| JobFailure::GiveUp("no batch".into()))?;
        deliver(&self.0, batch).await.map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

/// Deletes devices of people who may no longer log in or whose log-in was ended, expired subscriptions, old messages (PUSH-9).
pub struct CleanUpPush(pub Outreach);

impl CleanUpPush {
    pub const KIND: &'static str = "tend_push";
}

#[async_trait]
impl Handler for CleanUpPush {
    async fn run(&self, _: &Job) -> JobResult {
        clean_up(&self.0).await.map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

#[async_trait]
impl Look for CleanUpPush {
    async fn is_due(&self) -> DbResult<bool> {
        store::any(self.0.db.read()).await
    }
}

async fn clean_up(d: &Outreach) -> PushResult<()> {
    let tx = d.db.write().await?;
    let forgotten = store::sweep(&tx, d.sources.now()).await?;
    tx.commit().await?;
    if forgotten > 0 {
        tracing::info!(devices = forgotten, "push devices forgotten");
    }
    Ok(())
}

async fn deliver(d: &Outreach, batch: Uuid) -> PushResult<()> {
    let now = d.sources.now();
    let due = store::due(d.db.read(), batch, now, PER_RUN).await?;
    let mut outcomes: Vec<(Due, Option<Outcome>)> = stream::iter(due)
        .map(|due| async move {
            let outcome = try_one(d, &due, now).await;
            (due, outcome)
        })
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    // Rows are locked in the order in which `store::withdraw` and other batches lock them.
    outcomes.sort_unstable_by_key(|(due, _)| (due.subscription, due.id));
    let tx = d.db.write().await?;
    for (due, outcome) in &outcomes {
        note(&tx, due, *outcome, now).await?;
    }
    if let Some(next) = store::next_due(&tx, batch).await? {
        service::enqueue(d, &tx, batch, next).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// `None` when it must no longer be sent.
async fn try_one(d: &Outreach, due: &Due, now: DateTime<Utc>) -> Option<Outcome> {
    let kind = PushKind::parse(&due.kind).filter(|_| due.expires_at > now)?;
    let sealed = due.sealed.as_deref()?;
    let Some(target) = devices::open(d, due.subscription, sealed) else { return Some(Outcome::Gone(None)) };
    let parcel = Parcel { target: &target, payload: &due.payload, kind, topic: topic(&due.tag), expires_at: due.expires_at };
    Some(d.push_gateway.send(&parcel, now).await)
}

/// Records the outcome of a delivery.
async fn note(tx: &atalaya_db::Tx, due: &Due, outcome: Option<Outcome>, now: DateTime<Utc>) -> PushResult<()> {
    match outcome {
        Some(Outcome::Delivered(_)) => {
            store::mark_ok(tx, due.subscription, now).await?;
            store::delete_delivery(tx, due.id).await?;
        }
        Some(Outcome::Gone(_)) => store::delete_device(tx, due.subscription).await?,
        Some(Outcome::Later { after, .. }) => {
            let wait = after.unwrap_or_else(|| WAITS.after(due.attempts + 1)).max(TimeDelta::seconds(1));
            match now + wait < due.expires_at {
                true => store::put_off(tx, due.id, due.attempts + 1, now + wait).await?,
                false => store::delete_delivery(tx, due.id).await?,
            }
        }
        Some(Outcome::Refused(_)) | None => store::delete_delivery(tx, due.id).await?,
    }
    Ok(())
}
