//! The jobs: one sends a webhook's due deliveries, one deletes old ones.

use super::entity::{delivery, webhook};
use super::gateway::Parcel;
use super::model::{Failure, KEPT, KEYS_KEPT, TRIES_MAX, is_given_up, next_try};
use super::service::secret_of;
use super::{queue, store};
use crate::Integrations;
use crate::public_api::forget_requests;
use crate::webhooks::error::WebhookError;
use async_trait::async_trait;
use atalaya_db::Tx;
use atalaya_identity::users;
use atalaya_jobs::{Handler, Job, JobFailure, JobResult};
use atalaya_kernel::{CompanyId, Role};
use atalaya_outreach::notifications::{NewNotification, NoticeAction, NoticeText, Told};
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

/// Deliveries in one run, so that other customers get their turn when a receiver hangs.
const PER_RUN: u64 = 10;
/// How long the deliveries of a run are reserved for it.
const LEASE: TimeDelta = TimeDelta::minutes(3);

/// Sends a webhook's due deliveries. Running twice sends twice at worst; the receiver recognises a delivery by its id.
pub struct DeliverWebhooks(pub Integrations);

impl DeliverWebhooks {
    pub const KIND: &'static str = "deliver_webhook";
}

#[async_trait]
impl Handler for DeliverWebhooks {
    async fn run(&self, job: &Job) -> JobResult {
        let hook = job.payload["webhook"].as_str().and_then(|text| text.parse().ok());
        let hook = hook.ok_or_else(|| JobFailure::GiveUp("no webhook".into()))?;
        deliver(&self.0, hook).await.map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

/// Deletes old deliveries and idempotency keys.
pub struct TidyWebhooks(pub Integrations);

impl TidyWebhooks {
    pub const KIND: &'static str = "tidy_webhooks";
}

#[async_trait]
impl Handler for TidyWebhooks {
    async fn run(&self, _: &Job) -> JobResult {
        tidy(&self.0).await.map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

async fn tidy(deps: &Integrations) -> Result<(), WebhookError> {
    let now = deps.sources.now();
    let tx = deps.db.write().await?;
    store::forget(&tx, now - KEPT).await?;
    forget_requests(&tx, now - KEYS_KEPT).await?;
    tx.commit().await?;
    Ok(())
}

/// One try of a delivery, with its time and outcome.
struct Try {
    row: delivery::Model,
    at: DateTime<Utc>,
    outcome: Result<u16, Failure>,
}

async fn deliver(deps: &Integrations, id: Uuid) -> Result<(), WebhookError> {
    let Some((hook, due)) = claim(deps, id).await? else { return Ok(()) };
    let secret = secret_of(deps, &hook);
    let mut tries = Vec::with_capacity(due.len());
    let mut untried: Vec<Uuid> = due.iter().map(|row| row.id).collect();
    for row in due {
        let at = deps.sources.now();
        let parcel = Parcel { url: &hook.url, secret: &secret, id: row.id, event: &row.event, body: &row.body };
        let outcome = deps.hooks.send(&parcel, at).await;
        untried.retain(|id| *id != row.id);
        let failed = outcome.is_err();
        tries.push(Try { row, at, outcome });
        // A receiver that just failed is not tried with the rest.
        if failed {
            break;
        }
    }
    note(deps, id, tries, &untried).await
}

/// Reserves the due deliveries, so that no other run sends them; `None` when there is nothing to do.
async fn claim(deps: &Integrations, id: Uuid) -> Result<Option<(webhook::Model, Vec<delivery::Model>)>, WebhookError> {
    let now = deps.sources.now();
    let tx = deps.db.write().await?;
    let Some(hook) = store::lock(&tx, id).await?.filter(|hook| hook.disabled_at.is_none()) else { return Ok(None) };
    let due = store::due(&tx, id, now, PER_RUN).await?;
    if due.is_empty() {
        return Ok(None);
    }
    let ids: Vec<Uuid> = due.iter().map(|row| row.id).collect();
    store::set_due(&tx, &ids, now + LEASE).await?;
    tx.commit().await?;
    Ok(Some((hook, due)))
}

/// Records the outcome of the tries and the time of the next.
async fn note(deps: &Integrations, id: Uuid, tries: Vec<Try>, untried: &[Uuid]) -> Result<(), WebhookError> {
    let tx = deps.db.write().await?;
    // Removed meanwhile, together with its deliveries.
    let Some(mut hook) = store::lock(&tx, id).await? else { return Ok(()) };
    store::set_due(&tx, untried, deps.sources.now()).await?;
    for one in tries {
        note_one(&tx, &mut hook, one).await?;
    }
    let told = match hook.failing_since {
        Some(since) if hook.disabled_at.is_none() && is_given_up(since, deps.sources.now()) => {
            Some(disable(deps, &tx, &mut hook).await?)
        }
        _ => None,
    };
    if let Some(next) = hook.next_at {
        store::put_off(&tx, id, next).await?;
    }
    store::update(&tx, hook).await?;
    if let Some(next) = store::next_due(&tx, id).await? {
        queue::enqueue(&tx, &deps.sources, id, next).await?;
    }
    tx.commit().await?;
    if let Some(told) = told {
        deps.outreach.announce(told);
    }
    Ok(())
}

async fn note_one(tx: &Tx, hook: &mut webhook::Model, one: Try) -> Result<(), WebhookError> {
    let Try { mut row, at, outcome } = one;
    row.attempts += 1;
    row.last_attempt_at = Some(at);
    match outcome {
        Ok(status) => {
            row.state = "delivered".to_owned();
            (row.status, row.error, row.delivered_at) = (Some(status.into()), None, Some(at));
            (hook.failures, hook.failing_since, hook.next_at) = (0, None, None);
            hook.last_delivered_at = Some(at);
        }
        Err(failure) => {
            hook.failures += 1;
            hook.failing_since = hook.failing_since.or(Some(at));
            hook.next_at = Some(next_try(hook.failures, at));
            (row.status, row.error) = (failure.status().map(i32::from), Some(failure.name().to_owned()));
            row.due_at = next_try(row.attempts, at);
            // A delivery that is always refused ends, even while others are accepted.
            if row.attempts >= TRIES_MAX {
                row.state = "failed".to_owned();
            }
        }
    }
    Ok(store::update_delivery(tx, row).await?)
}

/// Disables a webhook and notifies its customer's principals.
async fn disable(deps: &Integrations, tx: &Tx, hook: &mut webhook::Model) -> Result<Told, WebhookError> {
    hook.disabled_at = Some(deps.sources.now());
    hook.next_at = None;
    store::fail_queued(tx, hook.id).await?;
    let company = CompanyId(hook.company_id);
    let people = users::service::list_active(&deps.identity, company, &[Role::Customer]).await?;
    let people: Vec<_> = people.into_iter().map(|user| user.id).collect();
    let host = reqwest::Url::parse(&hook.url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let new = NewNotification::new(NoticeText::Known("webhook-disabled"), NoticeAction::Url("/api".into()));
    tracing::warn!(webhook.id = %hook.id, "a webhook took nothing for a day and is no longer used");
    Ok(deps.outreach.notify(tx, &people, &new.expedient(host.unwrap_or_default())).await?)
}
