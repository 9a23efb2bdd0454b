//! Calls of the administrators' messaging screen.

mod receipts;
mod templates;
mod whatsapp;

pub(crate) use templates::{SmsLength, sample_link};

use super::{MessageServiceError, service};
use crate::Outreach;
use atalaya_identity::auth::service::Origin;
use atalaya_messaging::{ChannelStatus, ServiceStatus};
use atalaya_rest::{AdminOnly, ApiResult, Json};
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes(deps: Outreach) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(get_status))
        .routes(routes!(change_run_status))
        .routes(routes!(reset))
        .merge(templates::routes())
        .merge(whatsapp::routes())
        .merge(receipts::routes())
        .with_state(deps)
}

/// The service that sends messages.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MessageServiceStatus)]
struct StatusBody {
    /// False: nothing is delivered on any node until somebody starts it again.
    running: bool,
    /// When somebody switched it last; empty when nobody ever did.
    changed_at: Option<DateTime<Utc>>,
    /// His name.
    changed_by: Option<String>,
    /// Messages that wait.
    queued: u64,
    /// Messages held here because their channel had no provider (MSG-2).
    captured: u64,
    oldest_queued_at: Option<DateTime<Utc>>,
    sent_last_hour: u64,
    failed_last_hour: u64,
    channels: Vec<ChannelBody>,
    /// Of the last 24 hours, most frequent first.
    failures: Vec<FailureBody>,
    /// Messages that a reset lets be tried again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    reset: Option<u64>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MessageServiceChannel)]
struct ChannelBody {
    /// `sms`, `email` or `whatsapp`.
    channel: &'static str,
    /// `smtp`, `twilio`, `http` or `waha`; empty: messages of this channel are captured.
    provider: Option<&'static str>,
    queued: u64,
    captured: u64,
    sent_last_hour: u64,
    failed_last_hour: u64,
    /// When the last one arrived, or was handed over where nobody tells of arrivals.
    last_delivered_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = MessageServiceFailure)]
struct FailureBody {
    /// `timeout`, `unreachable`, `unavailable`, `limited`, `credentials`, `recipient`, `refused`, `bad_answer`,
    /// `undelivered` or `other`.
    reason: String,
    count: u64,
}

impl From<ChannelStatus> for ChannelBody {
    fn from(status: ChannelStatus) -> Self {
        let ChannelStatus { channel, provider, queued, captured, sent_last_hour, failed_last_hour, last_delivered_at } = status;
        Self { channel: channel.name(), provider, queued, captured, sent_last_hour, failed_last_hour, last_delivered_at }
    }
}

impl From<ServiceStatus> for StatusBody {
    fn from(status: ServiceStatus) -> Self {
        let ServiceStatus { run, oldest_queued_at, channels, failures } = status;
        let sum = |count: fn(&ChannelStatus) -> u64| channels.iter().map(count).sum();
        Self {
            running: run.running,
            changed_at: run.changed_at,
            changed_by: run.changed_by,
            queued: sum(|channel| channel.queued),
            captured: sum(|channel| channel.captured),
            oldest_queued_at,
            sent_last_hour: sum(|channel| channel.sent_last_hour),
            failed_last_hour: sum(|channel| channel.failed_last_hour),
            failures: failures.into_iter().map(|(reason, count)| FailureBody { reason, count }).collect(),
            channels: channels.into_iter().map(Into::into).collect(),
            reset: None,
        }
    }
}

async fn current(d: &Outreach) -> Result<StatusBody, MessageServiceError> {
    Ok(service::status(d).await?.into())
}

/// Whether messages go out, what waits, and how the last hour went.
#[utoipa::path(get, path = "/api/v1/own-message-service/status", tag = "messaging", operation_id = "message_service_status",
    responses((status = 200, body = StatusBody), (status = 401), (status = 403)), security(("session" = [])))]
async fn get_status(State(d): State<Outreach>, _admin: AdminOnly) -> ApiResult<Json<StatusBody>> {
    Ok(Json(current(&d).await?))
}

#[derive(Deserialize, ToSchema)]
#[schema(as = ChangeRunStatus)]
struct RunBody {
    run: bool,
}

/// Stops or starts the delivery of messages on all nodes; it stays so over restarts. What waits goes out once at the start.
#[utoipa::path(post, path = "/api/v1/own-message-service/change-run-status", tag = "messaging",
    operation_id = "message_service_change_run_status", request_body = RunBody,
    responses((status = 200, body = StatusBody), (status = 401), (status = 403), (status = 422)), security(("session" = [])))]
async fn change_run_status(
    State(d): State<Outreach>,
    caller: AdminOnly,
    origin: Origin,
    Json(body): Json<RunBody>,
) -> ApiResult<Json<StatusBody>> {
    service::set_running(&d, &caller, &origin, body.run).await?;
    Ok(Json(current(&d).await?))
}

#[derive(Deserialize, ToSchema)]
#[schema(as = ResetMessageService)]
struct ResetBody {
    /// `false` changes nothing.
    reset: bool,
}

/// Lets everything that waits be tried now, and once more what failed in the last 24 hours for a reason that may have passed
/// and was not sent by another channel meanwhile. Nothing that is being sent at this moment goes out twice.
#[utoipa::path(post, path = "/api/v1/own-message-service/reset", tag = "messaging", operation_id = "message_service_reset",
    request_body = ResetBody,
    responses((status = 200, body = StatusBody), (status = 401), (status = 403), (status = 422)), security(("session" = [])))]
async fn reset(
    State(d): State<Outreach>,
    caller: AdminOnly,
    origin: Origin,
    Json(body): Json<ResetBody>,
) -> ApiResult<Json<StatusBody>> {
    let count = if body.reset { service::reset(&d, &caller, &origin).await? } else { 0 };
    Ok(Json(StatusBody { reset: Some(count), ..current(&d).await? }))
}
