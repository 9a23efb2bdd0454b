//! Registering, removing, replaying and trying webhooks.

use super::entity::{delivery, webhook};
use super::error::WebhookError;
use super::events::{self, Event, TEST};
use super::model::{SECRET_LENGTH, SECRET_PREFIX, WEBHOOKS_MAX};
use super::{queue, store};
use crate::Integrations;
use atalaya_db::{Tx, lock_row};
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_kernel::CompanyId;
use atalaya_rest::caller::Caller;
use chrono::{DateTime, Utc};
use serde_json::json;
use uuid::Uuid;

/// The context that a secret is sealed for.
fn context(id: Uuid) -> String {
    format!("webhook.secret:{id}")
}

/// The secret that signs; empty when it was sealed with another key, and then no signature verifies.
pub fn secret_of(deps: &Integrations, hook: &webhook::Model) -> String {
    deps.identity.field_key.open(&context(hook.id), &hook.secret).unwrap_or_else(|| {
        tracing::error!(webhook.id = %hook.id, "the secret of a webhook cannot be opened");
        String::new()
    })
}

/// Registers an address for events (all of them when none is named). Answers the secret, which is shown only here.
///
/// Errors: `INVALID_FIELDS` with `url` (`REQUIRED`, `WEBHOOK_ADDRESS`) or `events` (`INVALID`), `WEBHOOK_LIMIT`.
pub async fn create(
    deps: &Integrations,
    caller: &Caller,
    company: CompanyId,
    url: &str,
    names: Option<&[String]>,
) -> Result<(webhook::Model, String), WebhookError> {
    let (url, events) = admitted(deps, url, names).await?;
    let id = deps.sources.uuid();
    let secret = format!("{SECRET_PREFIX}{}", deps.sources.base62(SECRET_LENGTH));
    let row = webhook::Model {
        id,
        company_id: company.0,
        url,
        secret: deps.identity.field_key.seal(&deps.sources, &context(id), &secret),
        events,
        failures: 0,
        created_at: deps.sources.now(),
        failing_since: None,
        next_at: None,
        last_delivered_at: None,
        disabled_at: None,
    };
    let tx = deps.db.write().await?;
    // Concurrent calls count one after the other.
    lock_row(&tx, "company", company.0).await?;
    if store::list(&*tx, company).await?.len() as u64 >= WEBHOOKS_MAX {
        return Err(WebhookError::Limit);
    }
    store::insert(&tx, row.clone()).await?;
    record(deps, &tx, caller, Action::WebhookAdded, &row).await?;
    tx.commit().await?;
    Ok((row, secret))
}

/// Checks address and events and returns them as they are stored.
async fn admitted(deps: &Integrations, url: &str, names: Option<&[String]>) -> Result<(String, String), WebhookError> {
    let events = events_of(names)?;
    if url.trim().is_empty() {
        return Err(WebhookError::Field("url", "REQUIRED"));
    }
    let url = deps.hooks.admit(url).await.ok_or(WebhookError::Field("url", "WEBHOOK_ADDRESS"))?;
    Ok((url, events::joined(&events)))
}

fn events_of(names: Option<&[String]>) -> Result<Vec<Event>, WebhookError> {
    let Some(names) = names.filter(|names| !names.is_empty()) else { return Ok(Event::ALL.to_vec()) };
    let events: Option<Vec<Event>> = names.iter().map(|name| Event::parse(name.trim())).collect();
    let mut events = events.ok_or(WebhookError::Field("events", "INVALID"))?;
    events.sort_unstable();
    events.dedup();
    Ok(events)
}

/// Logs only the host, because an address may contain a secret (HOOK-14).
async fn record(deps: &Integrations, tx: &Tx, caller: &Caller, action: Action, row: &webhook::Model) -> Result<(), WebhookError> {
    let host = reqwest::Url::parse(&row.url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let entry = Entry::company(action, CompanyId(row.company_id)).by(caller).detail(json!({"host": host}));
    Ok(audit::service::record(&deps.identity, tx, entry).await?)
}

/// The customer's webhooks.
pub async fn list(deps: &Integrations, company: CompanyId) -> Result<Vec<webhook::Model>, WebhookError> {
    Ok(store::list(deps.db.read(), company).await?)
}

/// A webhook of that company, or of any when none is given. Errors: `WEBHOOK_NOT_FOUND`.
pub async fn find(deps: &Integrations, company: Option<CompanyId>, id: Uuid) -> Result<webhook::Model, WebhookError> {
    store::find(deps.db.read(), company, id).await?.ok_or(WebhookError::NotFound)
}

/// Gives a webhook another address or other events; its secret stays. Another address starts without failures, also when
/// the last one was disabled (HOOK-10).
///
/// Errors: `WEBHOOK_NOT_FOUND`, `INVALID_FIELDS` with `url` (`REQUIRED`, `WEBHOOK_ADDRESS`) or `events` (`INVALID`).
pub async fn change(
    deps: &Integrations,
    caller: &Caller,
    company: Option<CompanyId>,
    id: Uuid,
    url: &str,
    names: Option<&[String]>,
) -> Result<webhook::Model, WebhookError> {
    find(deps, company, id).await?;
    let (url, events) = admitted(deps, url, names).await?;
    let tx = deps.db.write().await?;
    let mut row = store::lock(&tx, id).await?.ok_or(WebhookError::NotFound)?;
    if row.url != url {
        (row.failures, row.failing_since, row.next_at, row.disabled_at) = (0, None, None, None);
    }
    (row.url, row.events) = (url, events);
    store::update(&tx, row.clone()).await?;
    record(deps, &tx, caller, Action::WebhookChanged, &row).await?;
    tx.commit().await?;
    Ok(row)
}

/// Removes a webhook with its deliveries. Errors: `WEBHOOK_NOT_FOUND`.
pub async fn remove(deps: &Integrations, caller: &Caller, company: Option<CompanyId>, id: Uuid) -> Result<(), WebhookError> {
    find(deps, company, id).await?;
    let tx = deps.db.write().await?;
    let row = store::lock(&tx, id).await?.ok_or(WebhookError::NotFound)?;
    store::delete(&tx, id).await?;
    record(deps, &tx, caller, Action::WebhookRemoved, &row).await?;
    tx.commit().await?;
    Ok(())
}

/// A page of a webhook's deliveries, newest first, and how many there are. Errors: `WEBHOOK_NOT_FOUND`.
pub async fn deliveries(
    deps: &Integrations,
    company: Option<CompanyId>,
    id: Uuid,
    page: u64,
    size: u64,
) -> Result<(Vec<delivery::Model>, u64), WebhookError> {
    find(deps, company, id).await?;
    Ok(store::deliveries(deps.db.read(), id, page, size).await?)
}

/// Sends everything since then again, delivered or not, with the same ids. A disabled webhook is enabled again (HOOK-7).
/// Answers how many.
///
/// Errors: `WEBHOOK_NOT_FOUND`.
pub async fn replay(deps: &Integrations, company: Option<CompanyId>, id: Uuid, from: DateTime<Utc>) -> Result<u64, WebhookError> {
    find(deps, company, id).await?;
    let now = deps.sources.now();
    let tx = deps.db.write().await?;
    let mut row = store::lock(&tx, id).await?.ok_or(WebhookError::NotFound)?;
    row.disabled_at = None;
    (row.failures, row.failing_since, row.next_at) = (0, None, None);
    store::update(&tx, row).await?;
    let replayed = store::requeue(&tx, id, from, now).await?;
    queue::enqueue(&tx, &deps.sources, id, now).await?;
    tx.commit().await?;
    deps.outreach.jobs.wake();
    Ok(replayed)
}

/// Queues an event of the type `webhook.test`, to see whether it arrives. Errors: `WEBHOOK_NOT_FOUND`.
pub async fn test(deps: &Integrations, company: Option<CompanyId>, id: Uuid) -> Result<delivery::Model, WebhookError> {
    find(deps, company, id).await?;
    let tx = deps.db.write().await?;
    let row = store::lock(&tx, id).await?.ok_or(WebhookError::NotFound)?;
    let queued = queue::put(&tx, &deps.sources, &row, None, TEST, &json!({"webhookId": id})).await?;
    tx.commit().await?;
    deps.outreach.jobs.wake();
    Ok(queued)
}
