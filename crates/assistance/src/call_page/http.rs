//! Calls of the waiting room and the call screen.

use super::{closing, service};
use crate::Assistance;
use crate::calls::EngineKind;
use crate::calls::recording::{self, RecordingView};
use crate::client_page::door::{self, Decision, WaitingDevice};
use crate::media_items;
use crate::places::{self, PositionView, positions};
use atalaya_cases::conferences::model::{ConferenceError, OpenConference};
use atalaya_cases::conferences::progress::Progress;
use atalaya_cases::conferences::service::{company_days, progress_of};
use atalaya_cases::conferences::view::{ConferenceView, MessageView, ParticipantView, TrackView, participants, shown_name};
use atalaya_cases::conferences::{self, Conference, Scope};
use atalaya_cases::connections;
use atalaya_cases::evidence::{self, Actor, Track};
use atalaya_cases::lifetimes;
use atalaya_content::prices::CallPrices;
use atalaya_identity::users::User;
use atalaya_kernel::{CompanyId, ConferenceId, Role, UserId};
use atalaya_rest::caller::{Caller, ConferenceReader, WorkerOrCustomer};
use atalaya_rest::extract::{Json, Path};
use atalaya_rest::response::{ApiResult, NoContent};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

mod stream;

pub fn routes(deps: Assistance) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(get_token))
        .routes(routes!(conference_details))
        .routes(routes!(close_conference))
        .routes(routes!(stream::conference_events))
        .routes(routes!(admit_device))
        .with_state(deps)
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
    /// Devices of the client that wait at the door of the call.
    waiting: Vec<WaitingDevice>,
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
    let row = conferences::get(deps.db.read(), Scope::of(caller), id).await?;
    let now = deps.sources.now();
    let rooms = connections::list_rooms(deps.db.read(), id).await?;
    let stays = connections::list_stays(deps.db.read(), id).await?;
    let messages = deps.outbox.for_conference(deps.db.read(), id).await?;
    let mut tracks = evidence::list(deps.db.read(), id).await?;
    if row.erased_at.is_some() {
        lifetimes::without_names(&mut tracks);
    }
    let media = media_items::list(deps.db.read(), id).await?;
    let is_new_media = media.iter().any(|one| row.media_seen_at.is_none_or(|seen| one.created_at > seen));
    let known = places::service::known(deps, &row).await?;
    let people = participants(&stays);
    let progress = progress_of(&row, &messages, &people, now);
    let mut conference = ConferenceView::of(&row, &rooms, is_new_media, company_days(deps, &row).await?, now);
    if !row.closed && caller.role.is_worker_or_customer() {
        let name = atalaya_identity::users::service::display_name(&deps.identity, caller.user).await?;
        conference.jwt = Some(deps.staff_token(&row, caller.user, caller.session, &name));
    }
    let reads_only = caller.role.is_repair_side();
    Ok(DetailsBody {
        conference: conference.shown_to(caller.role),
        tracks: tracks.iter().map(|track| TrackView::from(track).shown_to(caller.role)).collect(),
        participants: people.into_iter().map(|person| person.shown_to(caller.role)).collect(),
        waiting: if reads_only || row.closed { Vec::new() } else { door::waiting(deps, id).await? },
        people: people_of(deps, &row, &tracks).await?,
        // The repair side gets no messages: they carry the client's link.
        messages: messages.iter().filter(|_| !reads_only).map(MessageView::from).collect(),
        positions: if reads_only { Vec::new() } else { positions(&tracks, &media, &known) },
        progress,
        recording: recording::current(deps, id).await?,
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
async fn people_of(deps: &Assistance, row: &Conference, tracks: &[Track]) -> Result<Vec<PersonView>, ConferenceError> {
    let ids = tracks.iter().filter_map(|track| track.actor.strip_prefix("user:")?.parse().ok());
    let ids: BTreeSet<UserId> = ids.collect();
    let users = atalaya_identity::users::service::list_by_ids(&deps.identity, ids).await?;
    let company = CompanyId(row.company_id);
    let person = |user: User| Some(PersonView { name: shown_name(&user, company)?, id: user.id, role: user.role });
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
    let row = closing::close(&deps, Scope::of(&caller), id, Actor::User(caller.user)).await?;
    let rooms = connections::list_rooms(deps.db.read(), id).await.map_err(ConferenceError::from)?;
    let days = company_days(&deps, &row).await?;
    Ok(Json(ConferenceBody { conference: ConferenceView::of(&row, &rooms, false, days, deps.sources.now()) }))
}

#[derive(Deserialize, ToSchema)]
struct AdmitRequest {
    identity: String,
    decision: Decision,
}

/// Decides about a second device of the client that waits at the door.
///
/// Errors: `CONFERENCE_NOT_FOUND`, `DEVICE_NOT_WAITING` (404), `CONFERENCE_CLOSED`, `LINK_EXPIRED` (410).
#[utoipa::path(post, path = "/api/v1/conference-admit/{id}", tag = "calls", operation_id = "admit_device",
    params(("id" = ConferenceId, Path)), request_body = AdmitRequest, responses((status = 204)), security(("session" = [])))]
async fn admit_device(
    State(deps): State<Assistance>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<ConferenceId>,
    Json(request): Json<AdmitRequest>,
) -> ApiResult<NoContent> {
    door::decide(&deps, &caller, id, &request.identity, request.decision).await?;
    Ok(NoContent)
}
