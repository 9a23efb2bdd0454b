//! HTTP calls of conferences.

use super::service::{self, Resend};
use super::view::MessageView;
use crate::Cases;
use crate::casebook::model::{ConferenceError, Wrong};
use atalaya_kernel::ConferenceId;
use atalaya_rest::caller::WorkerOrCustomer;
use atalaya_rest::extract::{Json, Path};
use atalaya_rest::problem::{FieldError, Problem};
use atalaya_rest::response::ApiResult;
use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes(deps: Cases) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(resend_link)).routes(routes!(dictate_code)).with_state(deps)
}

impl From<ConferenceError> for Problem {
    fn from(error: ConferenceError) -> Self {
        match error {
            ConferenceError::NotFound => Problem::not_found("CONFERENCE_NOT_FOUND"),
            ConferenceError::Invalid(wrong) => Problem::invalid(wrong.into_iter().map(field_error)),
            ConferenceError::NotAllowed(code) => Problem::forbidden(code),
            ConferenceError::Closed => Problem::new(StatusCode::GONE, "CONFERENCE_CLOSED"),
            ConferenceError::LinkExpired => Problem::new(StatusCode::GONE, "LINK_EXPIRED"),
            ConferenceError::LinkUnknown => Problem::not_found("LINK_UNKNOWN"),
            ConferenceError::ClientKeyInvalid => Problem::forbidden("CLIENT_KEY_INVALID"),
            ConferenceError::DeviceAtDoor => Problem::forbidden("DEVICE_AT_DOOR"),
            ConferenceError::DeviceRefused => Problem::forbidden("DEVICE_REFUSED"),
            ConferenceError::DeviceNotWaiting => Problem::not_found("DEVICE_NOT_WAITING"),
            ConferenceError::TooManyTries { retry_after_s } => Problem::too_many("TOO_MANY_TRIES", retry_after_s),
            ConferenceError::CodeInvalid => Problem::unprocessable("CODE_INVALID"),
            ConferenceError::RecordingState => Problem::conflict("RECORDING_STATE"),
            ConferenceError::RecordingUnavailable => Problem::unavailable("RECORDING_UNAVAILABLE"),
            ConferenceError::EngineUnavailable(cause) => Problem::unavailable("MEDIA_ENGINE_UNAVAILABLE").because(cause),
            ConferenceError::ParticipantNotFound => Problem::not_found("PARTICIPANT_NOT_FOUND"),
            ConferenceError::MediaErased => Problem::new(StatusCode::GONE, "MEDIA_ERASED"),
            ConferenceError::Content(error) => error.into(),
            ConferenceError::Blob(error) => match error {
                atalaya_blobs::BlobError::NotFound => Problem::not_found("MEDIA_NOT_FOUND"),
                atalaya_blobs::BlobError::Full => Problem::new(StatusCode::INSUFFICIENT_STORAGE, "STORAGE_FULL"),
                cause @ atalaya_blobs::BlobError::TokenUnavailable(_) => {
                    Problem::unavailable("KEY_TOKEN_UNAVAILABLE").because(cause)
                }
                atalaya_blobs::BlobError::Unavailable(cause) => Problem::unavailable("STORAGE_UNAVAILABLE").because(cause),
                cause => Problem::internal(cause),
            },
            ConferenceError::Identity(error) => error.into(),
            ConferenceError::Messaging(error) => match error {
                atalaya_messaging::MessageError::Database(cause) => Problem::unavailable("DATABASE_UNAVAILABLE").because(cause),
                ceiling @ (atalaya_messaging::MessageError::Ceiling { .. }
                | atalaya_messaging::MessageError::ConferenceCeiling { .. }) => {
                    atalaya_identity::IdentityError::from(ceiling).into()
                }
                refused => Problem::unprocessable(refused.code()),
            },
            ConferenceError::Db(atalaya_db::DbError::Unavailable(cause)) => {
                Problem::unavailable("DATABASE_UNAVAILABLE").because(cause)
            }
            ConferenceError::Db(cause) => Problem::internal(cause),
            ConferenceError::Template(cause) => Problem::internal(cause),
        }
    }
}

pub fn field_error(wrong: Wrong) -> FieldError {
    let error = FieldError::new(wrong.field, wrong.code);
    match wrong.max {
        Some(max) => error.param("max", max),
        None => error,
    }
}

#[derive(Serialize, ToSchema)]
struct MessageBody {
    message: MessageView,
}

/// Sends the link once more: again, by e-mail, or to another number.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `CONFERENCE_CLOSED`, `LINK_EXPIRED` (410), `INVALID_FIELDS` (422),
/// `SMS_CEILING_HOUR`, `SMS_CEILING_DAY` (429), `MESSAGES_CEILING` (409).
#[utoipa::path(post, path = "/api/v1/conference-resend/{id}", tag = "conferences", operation_id = "resend_link",
    params(("id" = ConferenceId, Path)), request_body = Resend,
    responses((status = 200, body = MessageBody)), security(("session" = [])))]
async fn resend_link(
    State(deps): State<Cases>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<ConferenceId>,
    Json(request): Json<Resend>,
) -> ApiResult<Json<MessageBody>> {
    let message = service::resend(&deps, &caller, id, &request).await?;
    Ok(Json(MessageBody { message: MessageView::from(&message) }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CodeBody {
    code: String,
    expires_at: DateTime<Utc>,
}

/// Twelve digits to dictate by phone; the client types them at `/codigo`. They live ten minutes.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `CONFERENCE_CLOSED`, `LINK_EXPIRED` (410).
#[utoipa::path(post, path = "/api/v1/conference-code/{id}", tag = "conferences", operation_id = "dictate_code",
    params(("id" = ConferenceId, Path)), responses((status = 200, body = CodeBody)), security(("session" = [])))]
async fn dictate_code(
    State(deps): State<Cases>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<ConferenceId>,
) -> ApiResult<Json<CodeBody>> {
    let (code, expires_at) = service::dictate_code(&deps, &caller, id).await?;
    Ok(Json(CodeBody { code, expires_at }))
}
