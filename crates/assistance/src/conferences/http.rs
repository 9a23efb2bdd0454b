//! HTTP calls of conferences.

use super::entity::Model;
use super::model::{ConferenceError, OpenConference, Wrong};
use super::positions::{PositionView, positions};
use super::progress::Progress;
use super::service::{self, Resend};
use super::store::{self, Scope};
use super::view::{ConferenceView, MessageView, ParticipantView, TrackView, participants};
use crate::Assistance;
use crate::calls::EngineKind;
use crate::calls::recording::RecordingView;
use crate::evidence::{self, Actor, Track};
use atalaya_content::prices::CallPrices;
use atalaya_identity::users::User;
use atalaya_kernel::{CompanyId, ConferenceId, Role, UserId};
use atalaya_rest::caller::{Caller, ConferenceReader, WorkerOrCustomer};
use atalaya_rest::extract::{Json, Path};
use atalaya_rest::problem::{FieldError, Problem};
use atalaya_rest::response::ApiResult;
use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::BTreeSet;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) mod stream;

pub fn routes(deps: Assistance) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(get_token))
        .routes(routes!(conference_details))
        .routes(routes!(resend_link))
        .routes(routes!(dictate_code))
        .routes(routes!(close_conference))
        .routes(routes!(stream::conference_events))
        .routes(routes!(super::lists::http::list_autos))
        .routes(routes!(super::lists::http::list_diversos))
        .with_state(deps)
}

impl From<ConferenceError> for Problem {
    fn from(error: ConferenceError) -> Self {
        match error {
            ConferenceError::NotFound => Problem::not_found("CONFERENCE_NOT_FOUND"),
            ConferenceError::Invalid(wrong) => Problem::invalid(wrong.into_iter().map(field_error)),
            ConferenceError::NotAllowedCustomer => Problem::forbidden("VIDEO_CALL_NOT_ALLOWED_CUSTOMER"),
            ConferenceError::NotAllowedWorker => Problem::forbidden("VIDEO_CALL_NOT_ALLOWED_WORKER"),
            ConferenceError::Closed => Problem::new(StatusCode::GONE, "CONFERENCE_CLOSED"),
            ConferenceError::LinkExpired => Problem::new(StatusCode::GONE, "LINK_EXPIRED"),
            ConferenceError::LinkUnknown => Problem::not_found("LINK_UNKNOWN"),
            ConferenceError::ClientKeyInvalid => Problem::forbidden("CLIENT_KEY_INVALID"),
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
                atalaya_blobs::BlobError::Unavailable(cause) => Problem::unavailable("STORAGE_UNAVAILABLE").because(cause),
                cause => Problem::internal(cause),
            },
            ConferenceError::Identity(error) => error.into(),
            ConferenceError::Messaging(error) => match error {
                atalaya_messaging::MessageError::Database(cause) => Problem::unavailable("DATABASE_UNAVAILABLE").because(cause),
                ceiling @ atalaya_messaging::MessageError::Ceiling { .. } => {
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

pub(crate) fn field_error(wrong: Wrong) -> FieldError {
    let error = FieldError::new(wrong.field, wrong.code);
    match wrong.max {
        Some(max) => error.param("max", max),
        None => error,
    }
}

/// A conference just opened.
#[derive(Serialize, ToSchema)]
struct OpenedBody {
    conference: ConferenceView,
    /// The caller's media token.
    token: String,
    /// Websocket address of the media engine.
    url: String,
    /// The client's link.
    link: String,
    /// Of the price table that the company accepted; null before it accepted one.
    billing: Option<CallPrices>,
}

/// Opens a conference and sends its link to the client.
///
/// Errors: `INVALID_FIELDS` (422), `VIDEO_CALL_NOT_ALLOWED_CUSTOMER`, `VIDEO_CALL_NOT_ALLOWED_WORKER` (403),
/// `SMS_CEILING_HOUR`, `SMS_CEILING_DAY` (429) when the link would go by SMS.
#[utoipa::path(post, path = "/api/v1/getToken", tag = "conferences", operation_id = "get_token",
    request_body = OpenConference, responses((status = 200, body = OpenedBody)), security(("session" = [])))]
async fn get_token(
    State(deps): State<Assistance>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Json(input): Json<OpenConference>,
) -> ApiResult<Json<OpenedBody>> {
    let opened = service::open(&deps, &caller, &input).await?;
    let billing = call_prices(&deps, caller.company).await?;
    Ok(Json(OpenedBody { conference: opened.conference, token: opened.token, url: opened.url, link: opened.link, billing }))
}

/// What the waiting room and the call need to show.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct DetailsBody {
    conference: ConferenceView,
    tracks: Vec<TrackView>,
    participants: Vec<ParticipantView>,
    /// Users who did something, by name: of the conference's company and of the platform.
    people: Vec<PersonView>,
    messages: Vec<MessageView>,
    /// Where the client was, in order of time.
    positions: Vec<PositionView>,
    progress: Progress,
    recording: RecordingView,
    capabilities: Capabilities,
    url: String,
    link: String,
    /// Of the price table that the company accepted, so that the call can warn; null before it accepted one.
    billing: Option<CallPrices>,
    /// Sequence number of the last track, to notice what was missed.
    seq: i32,
}

#[derive(Serialize, ToSchema)]
struct Capabilities {
    recording: bool,
    engine: EngineKind,
}

pub(super) async fn details(deps: &Assistance, caller: &Caller, id: ConferenceId) -> Result<DetailsBody, ConferenceError> {
    let row = store::get(deps.db.read(), Scope::of(caller), id).await?;
    let now = deps.sources.now();
    let rooms = store::list_rooms(deps.db.read(), id).await?;
    let stays = store::list_participations(deps.db.read(), id).await?;
    let messages = deps.outbox.for_conference(deps.db.read(), id).await?;
    let mut tracks = evidence::list(deps.db.read(), id).await?;
    if row.erased_at.is_some() {
        crate::retention::without_names(&mut tracks);
    }
    let is_new_media = crate::media::store::has_new(deps.db.read(), &row).await?;
    let media = crate::media::store::list(deps.db.read(), id).await?;
    let people = participants(&stays);
    let progress = service::progress_of(&row, &messages, &people, now);
    let mut conference = ConferenceView::of(&row, &rooms, is_new_media, service::company_days(deps, &row).await?, now);
    if !row.closed && caller.role.is_worker_or_customer() {
        let name = atalaya_identity::users::service::display_name(&deps.identity, caller.user).await?;
        conference.jwt = Some(deps.staff_token(&row, caller.user, &name));
    }
    let reads_only = caller.role.is_repair_side();
    Ok(DetailsBody {
        conference: conference.shown_to(caller.role),
        tracks: tracks.iter().map(|track| TrackView::from(track).shown_to(caller.role)).collect(),
        participants: people.into_iter().map(|person| person.shown_to(caller.role)).collect(),
        people: people_of(deps, &row, &tracks).await?,
        // The repair side gets no messages: they carry the client's link.
        messages: messages.iter().filter(|_| !reads_only).map(MessageView::from).collect(),
        positions: if reads_only { Vec::new() } else { positions(&tracks, &media) },
        progress,
        recording: crate::calls::recording::current(deps, id).await?,
        capabilities: Capabilities { recording: deps.engine.can_record(), engine: deps.engine.kind() },
        url: deps.media_url(),
        link: if reads_only { String::new() } else { deps.link(&row) },
        billing: if reads_only { None } else { call_prices(deps, CompanyId(row.company_id)).await? },
        seq: row.last_seq,
    })
}

async fn call_prices(deps: &Assistance, company: CompanyId) -> Result<Option<CallPrices>, ConferenceError> {
    let price = atalaya_identity::companies::legal::price_of(&deps.identity, company).await?;
    Ok(price.as_ref().map(CallPrices::from))
}

/// A user who did something in a conference.
#[derive(Serialize, ToSchema)]
struct PersonView {
    #[serde(rename = "_id")]
    id: UserId,
    /// Of somebody of the platform, the platform's.
    name: String,
    #[schema(value_type = i16)]
    role: Role,
}

/// The people of the conference's company and of the platform who caused its tracks; others stay without a name.
async fn people_of(deps: &Assistance, row: &Model, tracks: &[Track]) -> Result<Vec<PersonView>, ConferenceError> {
    let ids = tracks.iter().filter_map(|track| track.actor.strip_prefix("user:")?.parse().ok());
    let ids: BTreeSet<UserId> = ids.collect();
    let users = atalaya_identity::users::service::list_by_ids(&deps.identity, ids).await?;
    let person = |user: User| match user.role {
        Role::Admin => Some(PersonView { id: user.id, name: "Atalaya".to_owned(), role: user.role }),
        role if user.parent.0 == row.company_id => Some(PersonView { id: user.id, name: user.display_name(), role }),
        _ => None,
    };
    Ok(users.into_iter().filter_map(person).collect())
}

/// A conference with its tracks, people, messages and the client's progress; with a media token while it is open.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/conferences-details/{id}", tag = "conferences", operation_id = "conference_details",
    params(("id" = ConferenceId, Path)), responses((status = 200, body = DetailsBody)), security(("session" = [])))]
async fn conference_details(
    State(deps): State<Assistance>,
    ConferenceReader(caller): ConferenceReader,
    Path(id): Path<ConferenceId>,
) -> ApiResult<Json<DetailsBody>> {
    Ok(Json(details(&deps, &caller, id).await?))
}

#[derive(Serialize, ToSchema)]
struct MessageBody {
    message: MessageView,
}

/// Sends the link once more: again, by e-mail, or to another number.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `CONFERENCE_CLOSED`, `LINK_EXPIRED` (410), `INVALID_FIELDS` (422),
/// `SMS_CEILING_HOUR`, `SMS_CEILING_DAY` (429).
#[utoipa::path(post, path = "/api/v1/conference-resend/{id}", tag = "conferences", operation_id = "resend_link",
    params(("id" = ConferenceId, Path)), request_body = Resend,
    responses((status = 200, body = MessageBody)), security(("session" = [])))]
async fn resend_link(
    State(deps): State<Assistance>,
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

/// Six digits to dictate by phone; the client types them at `/external`. They live ten minutes.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `CONFERENCE_CLOSED`, `LINK_EXPIRED` (410).
#[utoipa::path(post, path = "/api/v1/conference-code/{id}", tag = "conferences", operation_id = "dictate_code",
    params(("id" = ConferenceId, Path)), responses((status = 200, body = CodeBody)), security(("session" = [])))]
async fn dictate_code(
    State(deps): State<Assistance>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<ConferenceId>,
) -> ApiResult<Json<CodeBody>> {
    let (code, expires_at) = service::dictate_code(&deps, &caller, id).await?;
    Ok(Json(CodeBody { code, expires_at }))
}

#[derive(Serialize, ToSchema)]
struct ConferenceBody {
    conference: ConferenceView,
}

/// Ends a conference for everybody.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404). Closing twice answers the same.
#[utoipa::path(post, path = "/api/v1/conference-close/{id}", tag = "conferences", operation_id = "close_conference",
    params(("id" = ConferenceId, Path)), responses((status = 200, body = ConferenceBody)), security(("session" = [])))]
async fn close_conference(
    State(deps): State<Assistance>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<ConferenceId>,
) -> ApiResult<Json<ConferenceBody>> {
    let row = service::close(&deps, Scope::of(&caller), id, Actor::User(caller.user)).await?;
    let rooms = store::list_rooms(deps.db.read(), id).await.map_err(ConferenceError::from)?;
    let days = service::company_days(&deps, &row).await?;
    Ok(Json(ConferenceBody { conference: ConferenceView::of(&row, &rooms, false, days, deps.sources.now()) }))
}
