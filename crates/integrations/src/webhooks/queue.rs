//! Queues events in the transaction of the change they report.

use super::delivery::DeliverWebhooks;
use super::entity::{delivery, webhook};
use super::events::{self, Event};
use super::store;
use crate::public_api::references;
use async_trait::async_trait;
use atalaya_cases::evidence::days::Day;
use atalaya_cases::evidence::{self, Subject, Track};
use atalaya_db::{DbResult, Tx};
use atalaya_jobs::{Jobs, NewJob};
use atalaya_kernel::Sources;
use atalaya_records::evidence_days;
use atalaya_records::incidences::{self, Changed};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

/// Queues events of tracks and incidences for the webhooks that listen.
pub struct Queue;

#[async_trait]
impl evidence::Observer for Queue {
    async fn appended(&self, tx: &Tx, sources: &Sources, subject: &Subject, track: &Track) -> DbResult<()> {
        appended(tx, sources, subject, track).await
    }
}

#[async_trait]
impl incidences::Observer for Queue {
    async fn changed(&self, tx: &Tx, sources: &Sources, change: &Changed) -> DbResult<()> {
        incidence_changed(tx, sources, change).await
    }
}

#[async_trait]
impl evidence_days::Observer for Queue {
    async fn closed(&self, tx: &Tx, sources: &Sources, day: &Day) -> DbResult<()> {
        let data = evidence_days::http::facts(day);
        for hook in &store::listening_everywhere(&**tx, Event::EvidenceDay).await? {
            put(tx, sources, hook, None, Event::EvidenceDay.name(), &data).await?;
        }
        Ok(())
    }
}

/// Queues a track's event for the webhooks of the conference's customer; nothing when none listens.
async fn appended(tx: &Tx, sources: &Sources, subject: &Subject, track: &Track) -> DbResult<()> {
    let Some(event) = Event::of(track).filter(|_| !subject.erased) else { return Ok(()) };
    let hooks = store::listening(&**tx, subject.company, event).await?;
    if hooks.is_empty() {
        return Ok(());
    }
    let id = subject.conference.0;
    let external_id = references(&**tx, &[id]).await?.remove(&id);
    let data = events::data(event, subject, external_id.as_deref(), track);
    for hook in &hooks {
        put(tx, sources, hook, Some(id), event.name(), &data).await?;
    }
    Ok(())
}

/// Queues a change of an incidence that its author can see, in the transaction of the change.
async fn incidence_changed(tx: &Tx, sources: &Sources, change: &Changed) -> DbResult<()> {
    let hooks = store::listening(&**tx, change.company, Event::IncidenceChanged).await?;
    if hooks.is_empty() {
        return Ok(());
    }
    let external_id = match change.conference {
        Some(id) => references(&**tx, &[id]).await?.remove(&id),
        None => None,
    };
    let data = json!({
        "incidenceId": change.incidence, "number": change.number, "status": change.status,
        "statusChanged": change.status_changed, "answered": change.answered, "conferenceId": change.conference,
        "expedientNumber": change.expedient, "externalId": external_id,
    });
    for hook in &hooks {
        put(tx, sources, hook, change.conference, Event::IncidenceChanged.name(), &data).await?;
    }
    Ok(())
}

/// Queues one delivery. For a disabled webhook it is only recorded, so that a replay finds it.
pub(super) async fn put(
    tx: &Tx,
    sources: &Sources,
    hook: &webhook::Model,
    conference: Option<Uuid>,
    kind: &str,
    data: &Value,
) -> DbResult<delivery::Model> {
    let (id, now) = (sources.uuid(), sources.now());
    let disabled = hook.disabled_at.is_some();
    let due = hook.next_at.map_or(now, |next| next.max(now));
    let row = delivery::Model {
        id,
        webhook_id: hook.id,
        conference_id: conference,
        event: kind.to_owned(),
        body: events::body(id, kind, now, data),
        state: if disabled { "failed" } else { "queued" }.to_owned(),
        error: disabled.then(|| "DISABLED".to_owned()),
        attempts: 0,
        status: None,
        created_at: now,
        due_at: due,
        last_attempt_at: None,
        delivered_at: None,
    };
    store::insert_delivery(tx, row.clone()).await?;
    if !disabled {
        enqueue(tx, sources, hook.id, due).await?;
    }
    Ok(row)
}

/// Queues the job that sends a webhook's deliveries due by then.
pub(super) async fn enqueue(tx: &Tx, sources: &Sources, hook: Uuid, due: DateTime<Utc>) -> DbResult<()> {
    let mut job = NewJob::new(DeliverWebhooks::KIND, json!({"webhook": hook})).at(due);
    if due > sources.now() {
        // One job for everything due at the same moment. Not for what is due now: the job with that key may have read already.
        job = job.dedup(format!("webhook:{hook}:{}", due.timestamp_micros()));
    }
    Jobs::new(sources.clone()).enqueue(tx, job).await?;
    Ok(())
}
