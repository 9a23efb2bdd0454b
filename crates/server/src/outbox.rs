//! `GET /api/v1/outbox`: what was sent, or captured because no provider is configured (DESIGN §1). Administrators only.

use atalaya_db::Db;
use atalaya_messaging::{Channel, Message, Outbox, OutboxFilter};
use atalaya_rest::problem::ProblemDocument;
use atalaya_rest::{AdminOnly, ApiResult, Json, Problem, Query};
use axum::extract::State;
use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Messages of one answer at most.
const LIMIT_MAX: u64 = 500;
const LIMIT_DEFAULT: u64 = 50;

/// What the list needs. Cheap to clone.
#[derive(Clone)]
pub struct OutboxRoom {
    pub db: Db,
    pub outbox: Outbox,
}

/// The routes of this room.
pub fn routes(room: OutboxRoom) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(list_outbox)).with_state(room)
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    /// `sms`, `email` or `whatsapp`.
    channel: Option<String>,
    /// The whole recipient: an E.164 phone or an e-mail address.
    to: Option<String>,
    /// 1 to 500; 50 without it.
    limit: Option<u64>,
}

/// A message of the outbox.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OutboxItem {
    #[serde(rename = "_id")]
    id: String,
    /// `sms`, `email` or `whatsapp`.
    channel: &'static str,
    to: String,
    subject: Option<String>,
    text: String,
    html: Option<String>,
    /// The link inside the text.
    link: Option<String>,
    /// `queued`, `captured`, `sent`, `delivered` or `failed`.
    state: &'static str,
    created_at: String,
    sent_at: Option<String>,
    error: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct OutboxAnswer {
    outbox: Vec<OutboxItem>,
}

/// Lists messages, newest first.
///
/// Errors: 422 `INVALID_FIELDS` for an unknown channel or a limit out of range.
/// Source: DESIGN §1 Outbox.
#[utoipa::path(get, path = "/api/v1/outbox", tag = "outbox", params(ListQuery), responses(
    (status = 200, body = OutboxAnswer),
    (status = 401, body = ProblemDocument), (status = 403, body = ProblemDocument), (status = 422, body = ProblemDocument),
))]
async fn list_outbox(
    State(room): State<OutboxRoom>,
    _admin: AdminOnly,
    Query(query): Query<ListQuery>,
) -> ApiResult<Json<OutboxAnswer>> {
    let filter = filter(query)?;
    let messages = room.outbox.list(room.db.read(), filter).await;
    let messages = messages.map_err(|e| Problem::unavailable("DATABASE_UNAVAILABLE").because(e))?;
    Ok(Json(OutboxAnswer { outbox: messages.into_iter().map(item).collect() }))
}

fn filter(query: ListQuery) -> Result<OutboxFilter, Problem> {
    let channel = match query.channel.as_deref().filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => {
            let unknown = || Problem::invalid([]).field("channel", "INVALID");
            Some(Channel::parse(&text.to_ascii_lowercase()).ok_or_else(unknown)?)
        }
    };
    let limit = query.limit.unwrap_or(LIMIT_DEFAULT);
    if !(1..=LIMIT_MAX).contains(&limit) {
        return Err(Problem::invalid([]).field("limit", "INVALID"));
    }
    Ok(OutboxFilter { channel, to: query.to.filter(|to| !to.is_empty()), limit })
}

fn item(message: Message) -> OutboxItem {
    let wire = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::Millis, true);
    OutboxItem {
        id: message.id.to_string(),
        channel: message.channel.name(),
        to: message.to,
        subject: message.subject,
        text: message.text,
        html: message.html,
        link: message.link,
        state: message.state.name(),
        created_at: wire(message.created_at),
        sent_at: message.sent_at.map(wire),
        error: message.error,
    }
}
