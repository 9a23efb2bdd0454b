//! `GET /api/v1/outbox`: what was sent, or captured because no provider is configured. Administrators only.

use atalaya_db::Db;
use atalaya_identity::{Identity, Origin, links, sessions};
use atalaya_messaging::{AttachmentInfo, Channel, Message, MessageState, Outbox, OutboxFilter, standalone};
use atalaya_rest::problem::ProblemDocument;
use atalaya_rest::{AdminOnly, ApiResult, Json, Path, Problem, Query};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
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
    pub identity: Identity,
    /// Secrets are shown without a proof (`ATALAYA_OUTBOX_OPEN`).
    pub open: bool,
}

/// The routes of this room.
pub fn routes(room: OutboxRoom) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(list_outbox)).routes(routes!(get_attachment)).with_state(room)
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    /// `sms`, `email` or `whatsapp`.
    channel: Option<String>,
    /// The whole recipient: an E.164 phone or an e-mail address.
    to: Option<String>,
    /// `queued`, `captured`, `sent`, `delivered` or `failed`.
    state: Option<String>,
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
    /// Link and code are hidden, and shown after a fresh proof of identity.
    masked: bool,
    /// `queued`, `captured`, `sent`, `delivered` or `failed`.
    state: &'static str,
    created_at: String,
    sent_at: Option<String>,
    /// When its provider told that it arrived.
    delivered_at: Option<String>,
    /// `smtp`, `twilio`, `http` or `waha`, once one of them was asked.
    provider: Option<String>,
    attempts: i32,
    error: Option<String>,
    /// What its failure is counted as; see `own-message-service/status`.
    reason: Option<String>,
    /// The message that failed and that this one stands in for.
    fallback_of: Option<String>,
    attachments: Vec<AttachmentItem>,
}

/// A file of a message.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AttachmentItem {
    #[serde(rename = "_id")]
    id: String,
    name: String,
    content_type: String,
    size: i64,
    /// `outbox-attachment/{id}` still answers it: the message was not sent yet.
    kept: bool,
}

#[derive(Debug, Serialize, ToSchema)]
struct OutboxAnswer {
    outbox: Vec<OutboxItem>,
}

/// Lists messages, newest first. Links and codes of those that were not handed over are shown while the last proof of
/// identity is fresh, which is logged for those whom it concerns; of all others they are blanked.
///
/// Errors: 422 `INVALID_FIELDS` for an unknown channel or state, or a limit out of range.
#[utoipa::path(get, path = "/api/v1/outbox", tag = "outbox", params(ListQuery), responses(
    (status = 200, body = OutboxAnswer),
    (status = 401, body = ProblemDocument), (status = 403, body = ProblemDocument), (status = 422, body = ProblemDocument),
))]
async fn list_outbox(
    State(room): State<OutboxRoom>,
    AdminOnly(caller): AdminOnly,
    origin: Origin,
    Query(query): Query<ListQuery>,
) -> ApiResult<Json<OutboxAnswer>> {
    let filter = filter(query)?;
    let messages = room.outbox.list(room.db.read(), filter).await;
    let messages = messages.map_err(unavailable)?;
    let ids: Vec<_> = messages.iter().map(|message| message.id).collect();
    let mut files = room.outbox.attachments(room.db.read(), &ids).await.map_err(unavailable)?;
    let shows = room.open || sessions::has_fresh_proof(&room.identity, room.db.read(), caller.session).await?;
    let secret = |message: &&Message| message.secret.is_some() && message.shown_to != Some(caller.user);
    let fresh: Vec<&Message> = messages.iter().filter(|_| shows && !room.open).filter(secret).collect();
    if !fresh.is_empty() {
        links::service::note_shown(&room.identity, &caller, &origin, &fresh).await?;
    }
    let items = messages.into_iter().map(|message| {
        let attachments = files.remove(&message.id).unwrap_or_default();
        match shows {
            true => item(message, attachments, false),
            false => {
                let masked = message.secret.is_some();
                item(message.masked(), attachments, masked)
            }
        }
    });
    Ok(Json(OutboxAnswer { outbox: items.collect() }))
}

fn unavailable(error: atalaya_db::DbError) -> Problem {
    Problem::unavailable("DATABASE_UNAVAILABLE").because(error)
}

/// The file of a message that was not sent: captured, or still waiting.
///
/// Errors: 404 `ATTACHMENT_NOT_FOUND`, also once the message was sent and its files forgotten.
#[utoipa::path(get, path = "/api/v1/outbox-attachment/{id}", tag = "outbox", params(("id" = String, Path)), responses(
    (status = 200, description = "The file"),
    (status = 401, body = ProblemDocument), (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument),
))]
async fn get_attachment(
    State(room): State<OutboxRoom>,
    _admin: AdminOnly,
    Path(id): Path<uuid::Uuid>,
) -> ApiResult<impl IntoResponse> {
    let found = room.outbox.attachment(room.db.read(), id).await.map_err(unavailable)?;
    let file = found.ok_or_else(|| Problem::not_found("ATTACHMENT_NOT_FOUND"))?;
    let disposition = format!("attachment; filename=\"{}\"", file.name);
    let headers = [(CONTENT_TYPE, file.content_type), (CONTENT_DISPOSITION, disposition), (CACHE_CONTROL, "no-store".to_owned())];
    Ok((headers, file.bytes))
}

fn filter(query: ListQuery) -> Result<OutboxFilter, Problem> {
    let channel = match query.channel.as_deref().filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => {
            let unknown = || Problem::invalid([]).field("channel", "INVALID");
            Some(Channel::parse(&text.to_ascii_lowercase()).ok_or_else(unknown)?)
        }
    };
    let state = match query.state.as_deref().filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => Some(MessageState::parse(text).ok_or_else(|| Problem::invalid([]).field("state", "INVALID"))?),
    };
    let limit = query.limit.unwrap_or(LIMIT_DEFAULT);
    if !(1..=LIMIT_MAX).contains(&limit) {
        return Err(Problem::invalid([]).field("limit", "INVALID"));
    }
    Ok(OutboxFilter { channel, to: query.to.filter(|to| !to.is_empty()), state, limit })
}

fn attachment(file: AttachmentInfo) -> AttachmentItem {
    let AttachmentInfo { id, name, content_type, size, kept } = file;
    AttachmentItem { id: id.to_string(), name, content_type, size, kept }
}

fn item(message: Message, attachments: Vec<AttachmentInfo>, masked: bool) -> OutboxItem {
    let wire = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::Millis, true);
    OutboxItem {
        id: message.id.to_string(),
        channel: message.channel.name(),
        to: message.to,
        subject: message.subject,
        text: message.text,
        html: message.html.as_deref().map(standalone),
        link: message.link,
        masked,
        state: message.state.name(),
        created_at: wire(message.created_at),
        sent_at: message.sent_at.map(wire),
        delivered_at: message.delivered_at.map(wire),
        provider: message.provider,
        attempts: message.attempts,
        error: message.error,
        reason: message.reason,
        fallback_of: message.fallback_of.map(|id| id.to_string()),
        attachments: attachments.into_iter().map(attachment).collect(),
    }
}
