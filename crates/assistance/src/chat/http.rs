//! Calls of the staff's chat.

use super::{ChatMessage, ChatRequest, Speaker};
use crate::Assistance;
use crate::calls::Side;
use atalaya_cases::conferences::ConferenceError;
use atalaya_cases::conferences::service::require_live;
use atalaya_cases::conferences::{self, Scope};
use atalaya_cases::evidence::Actor;
use atalaya_kernel::ConferenceId;
use atalaya_rest::caller::{ConferenceSide, WorkerOrCustomer};
use atalaya_rest::extract::{Json, Path};
use atalaya_rest::response::ApiResult;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes(deps: Assistance) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(post_chat, list_chat)).with_state(deps)
}

#[derive(Serialize, ToSchema)]
pub struct ChatBody {
    pub message: ChatMessage,
}

#[derive(Serialize, ToSchema)]
struct ChatListBody {
    messages: Vec<ChatMessage>,
}

/// Says something in the call's chat.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `CONFERENCE_CLOSED` (410), `INVALID_FIELDS` (422).
#[utoipa::path(post, path = "/api/v1/conference-chat/{id}", tag = "calls", operation_id = "post_chat",
    params(("id" = ConferenceId, Path)), request_body = ChatRequest,
    responses((status = 200, body = ChatBody)), security(("session" = [])))]
async fn post_chat(
    State(deps): State<Assistance>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<ConferenceId>,
    Json(request): Json<ChatRequest>,
) -> ApiResult<Json<ChatBody>> {
    require_live(&deps, Scope::of(&caller), id).await?;
    let name = atalaya_identity::users::service::display_name(&deps.identity, caller.user).await;
    let speaker = Speaker {
        actor: Actor::User(caller.user),
        identity: format!("user:{}", caller.user),
        name: name.map_err(ConferenceError::from)?,
        side: Side::Staff,
    };
    Ok(Json(ChatBody { message: super::post(&deps, id, speaker, &request).await? }))
}

/// The chat of a conference, oldest first.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/conference-chat/{id}", tag = "calls", operation_id = "list_chat",
    params(("id" = ConferenceId, Path)), responses((status = 200, body = ChatListBody)), security(("session" = [])))]
async fn list_chat(
    State(deps): State<Assistance>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<ConferenceId>,
) -> ApiResult<Json<ChatListBody>> {
    conferences::get(deps.db.read(), Scope::of(&caller), id).await?;
    let messages = super::list(&deps, id).await?;
    Ok(Json(ChatListBody { messages }))
}
