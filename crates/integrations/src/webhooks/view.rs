//! Shapes of webhooks on the wire, the same for programs and for the page.

use super::entity::{delivery, webhook};
use super::events;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A webhook; its secret is never shown again.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Webhook)]
#[serde(rename_all = "camelCase")]
pub struct WebhookView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub url: String,
    pub events: Vec<String>,
    pub created_at: DateTime<Utc>,
    pub last_delivered_at: Option<DateTime<Utc>>,
    /// Tries that failed in a row.
    pub failures: i32,
    /// Since when nothing was taken; after 24 hours it is no longer used.
    pub failing_since: Option<DateTime<Utc>>,
    /// It is no longer used; a replay takes it into use again.
    pub disabled_at: Option<DateTime<Utc>>,
}

impl From<&webhook::Model> for WebhookView {
    fn from(row: &webhook::Model) -> Self {
        Self {
            id: row.id,
            url: row.url.clone(),
            events: events::split(&row.events).into_iter().map(|event| event.name().to_owned()).collect(),
            created_at: row.created_at,
            last_delivered_at: row.last_delivered_at,
            failures: row.failures,
            failing_since: row.failing_since,
            disabled_at: row.disabled_at,
        }
    }
}

/// One event on its way to a webhook.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = WebhookDelivery)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryView {
    /// The `id` of its body and the header `Atalaya-Delivery`.
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub event: String,
    pub created_at: DateTime<Utc>,
    /// queued, delivered or failed.
    pub state: String,
    pub attempts: i32,
    pub last_attempt_at: Option<DateTime<Utc>>,
    /// While it is queued.
    pub next_attempt_at: Option<DateTime<Utc>>,
    pub delivered_at: Option<DateTime<Utc>>,
    /// HTTP status of the last try; null when nobody answered.
    pub status: Option<i32>,
    /// TIMEOUT, UNREACHABLE, WEBHOOK_ADDRESS (it leads inside), STATUS (not 2xx), DISABLED (the webhook was not in use).
    pub error: Option<String>,
}

impl From<&delivery::Model> for DeliveryView {
    fn from(row: &delivery::Model) -> Self {
        Self {
            id: row.id,
            event: row.event.clone(),
            created_at: row.created_at,
            state: row.state.clone(),
            attempts: row.attempts,
            last_attempt_at: row.last_attempt_at,
            next_attempt_at: (row.state == "queued").then_some(row.due_at),
            delivered_at: row.delivered_at,
            status: row.status,
            error: row.error.clone(),
        }
    }
}
