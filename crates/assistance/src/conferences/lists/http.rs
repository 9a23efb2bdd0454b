//! `conferences-autos-details/{id}` and `conferences-div-details/{id}`.

use super::model::{DurationState, RangeBody};
use super::store::{self, Filter, SORTS};
use super::workbook;
use crate::Assistance;
use crate::calls::entity::room;
use crate::conferences::entity::Model;
use crate::conferences::model::{ConferenceError, ConferenceType};
use crate::conferences::store::Scope;
use crate::conferences::view::RoomView;
use atalaya_identity::guards::member_of;
use atalaya_kernel::{CompanyId, Language};
use atalaya_rest::caller::{Caller, ConferenceSide};
use atalaya_rest::extract::{Json, Path, Query, RequestLanguage};
use atalaya_rest::page::{ListQuery, Slice};
use atalaya_rest::problem::{FieldError, Problem};
use atalaya_rest::response::ApiResult;
use atalaya_rest::xlsx::attachment;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A line of a list: SPEC §3 Conference, with the derived columns for administrators.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConferenceRow {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub expedient_number: String,
    /// 1 Autos, 2 Diversos.
    #[serde(rename = "type")]
    pub conference_type: i16,
    pub created_at: DateTime<Utc>,
    pub customer_id: Uuid,
    pub customer_name: String,
    pub user_id: Uuid,
    pub user_name: String,
    pub phone_number: String,
    pub contact_person: Option<String>,
    pub full_address: Option<String>,
    pub address: Option<String>,
    pub city: Option<String>,
    pub city_region: Option<String>,
    pub postal_code: Option<String>,
    pub region: Option<String>,
    pub car_id: Option<String>,
    /// Seconds; null before the client's first connection.
    pub duration: Option<i64>,
    pub duration_state: DurationState,
    pub sid: Option<String>,
    pub closed: bool,
    pub expired_at: DateTime<Utc>,
    pub rooms: Vec<RoomView>,
    /// Always null in a list (DESIGN §4).
    pub jwt: Option<String>,
    pub hash: String,
    pub is_new_media: bool,
    pub media_request_expired: Option<DateTime<Utc>>,
    pub files_requested: bool,
    /// Files of any kind.
    pub files: u32,
    /// Administrators only (SPEC §6).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub derived: Option<Derived>,
}

/// The derived columns.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Derived {
    pub browser: Option<String>,
    pub os: Option<String>,
    /// Observation state of SPEC §4: pending, correct, noLink, noLegal, permissions or unknown.
    pub observations: &'static str,
    /// The client's position is known.
    pub geolocation: bool,
    pub pictures: u32,
    pub videos: u32,
}

impl ConferenceRow {
    fn of(row: Model, rooms: &[room::Model], last_media: Option<DateTime<Utc>>, admin: bool, now: DateTime<Utc>) -> Self {
        let projection = crate::evidence::projection_of(&row);
        let expired = row.expired_at <= now;
        let live = !row.closed && !expired;
        let derived = admin.then(|| Derived {
            browser: projection.browser.clone(),
            os: projection.os.clone(),
            observations: projection.observation(live, row.duration_s.unwrap_or(0)),
            geolocation: projection.positions > 0,
            pictures: projection.pictures,
            videos: projection.videos,
        });
        Self {
            duration_state: DurationState::of(row.duration_s, row.sid.is_some(), row.closed, expired),
            is_new_media: last_media.is_some_and(|last| row.media_seen_at.is_none_or(|seen| last > seen)),
            files: projection.pictures + projection.videos + projection.documents,
            derived,
            rooms: rooms.iter().map(RoomView::from).collect(),
            jwt: None,
            id: row.id,
            expedient_number: row.expedient_number,
            conference_type: row.conference_type,
            created_at: row.created_at,
            customer_id: row.company_id,
            customer_name: row.customer_name,
            user_id: row.user_id,
            user_name: row.user_name,
            phone_number: row.phone_number,
            contact_person: row.contact_person,
            full_address: row.full_address,
            address: row.address,
            city: row.city,
            city_region: row.city_region,
            postal_code: row.postal_code,
            region: row.region,
            car_id: row.car_id,
            duration: row.duration_s,
            sid: row.sid,
            closed: row.closed,
            expired_at: row.expired_at,
            hash: row.hash,
            media_request_expired: row.media_request_expired,
            files_requested: row.files_requested,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ConferencesBody {
    conferences: Vec<ConferenceRow>,
    total: u64,
    /// Null on the last page.
    next_cursor: Option<String>,
}

/// Conferences of type Autos of a company (`0`: of all, administrators only), newest first unless sorted.
///
/// Sorted by `createdAt`, `expedientNumber`, `userName`, `customerName`, `phoneNumber`, `carId` or `duration`.
/// Errors: `INVALID_FIELDS` (422) about `begin`, `end`, `sort`, `cursor`; `COMPANY_NOT_FOUND` (404).
/// Source: SPEC §7 Conferences, §6; DESIGN §10.
#[utoipa::path(post, path = "/api/v1/conferences-autos-details/{id}", tag = "conferences",
    operation_id = "list_autos", params(("id" = String, Path), ListQuery), request_body = RangeBody,
    responses((status = 200, body = ConferencesBody)), security(("session" = [])))]
pub(crate) async fn list_autos(
    State(deps): State<Assistance>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<String>,
    Query(query): Query<ListQuery>,
    RequestLanguage(language): RequestLanguage,
    Json(range): Json<RangeBody>,
) -> ApiResult<Response> {
    list(&deps, &caller, ConferenceType::Autos, &id, query, &range, language).await
}

/// Conferences of type Diversos of a company (`0`: of all, administrators only), newest first unless sorted.
///
/// Sorted by `createdAt`, `expedientNumber`, `userName`, `customerName`, `phoneNumber`, `carId` or `duration`.
/// Errors: `INVALID_FIELDS` (422) about `begin`, `end`, `sort`, `cursor`; `COMPANY_NOT_FOUND` (404).
/// Source: SPEC §7 Conferences, §6; DESIGN §10.
#[utoipa::path(post, path = "/api/v1/conferences-div-details/{id}", tag = "conferences",
    operation_id = "list_diversos", params(("id" = String, Path), ListQuery), request_body = RangeBody,
    responses((status = 200, body = ConferencesBody)), security(("session" = [])))]
pub(crate) async fn list_diversos(
    State(deps): State<Assistance>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<String>,
    Query(query): Query<ListQuery>,
    RequestLanguage(language): RequestLanguage,
    Json(range): Json<RangeBody>,
) -> ApiResult<Response> {
    list(&deps, &caller, ConferenceType::Diversos, &id, query, &range, language).await
}

/// The company meant: `None` for all.
async fn company_of(deps: &Assistance, caller: &Caller, id: &str) -> Result<Option<CompanyId>, Problem> {
    if id == "0" {
        return if caller.is_admin() { Ok(None) } else { Err(Problem::forbidden("ROLE_NOT_ALLOWED")) };
    }
    let id: CompanyId = id.parse().map_err(|_| Problem::not_found("COMPANY_NOT_FOUND"))?;
    member_of(&deps.identity, *caller, id).await?;
    Ok(Some(id))
}

async fn list(
    deps: &Assistance,
    caller: &Caller,
    conference_type: ConferenceType,
    id: &str,
    mut query: ListQuery,
    range: &RangeBody,
    language: Language,
) -> ApiResult<Response> {
    let now = deps.sources.now();
    let range = range.read(now).map_err(|wrong| Problem::invalid([FieldError::new(wrong.field, wrong.code)]))?;
    query.sort.get_or_insert_with(|| "-createdAt".to_owned());
    let (slice, sort) = (query.slice()?, query.sort(SORTS)?);
    let company = company_of(deps, caller, id).await?;
    let filter = Filter { scope: Scope::of(caller), company, conference_type, range, search: query.search() };
    let rows = store::list(deps.db.read(), &filter, sort, slice).await.map_err(ConferenceError::from)?;
    let conferences = complete(deps, rows, caller.is_admin(), now).await?;
    if query.wants_workbook() {
        let stem = match conference_type {
            ConferenceType::Autos => "autos",
            ConferenceType::Diversos => "diversos",
        };
        return Ok(attachment(stem, now, workbook::of(conferences, caller.is_admin(), language, now).await?));
    }
    let total = match slice {
        // A first page that is not full is everything there is.
        Slice { offset: 0, limit } if (conferences.len() as u64) < limit => conferences.len() as u64,
        _ => store::count(deps.db.read(), &filter).await.map_err(ConferenceError::from)?,
    };
    Ok(Json(ConferencesBody { conferences, total, next_cursor: slice.next_cursor(total) }).into_response())
}

/// Rooms and news beside the rows, by two queries for all of them.
async fn complete(
    deps: &Assistance,
    rows: Vec<Model>,
    admin: bool,
    now: DateTime<Utc>,
) -> Result<Vec<ConferenceRow>, ConferenceError> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let rooms = store::rooms_of(deps.db.read(), &ids).await?;
    let media = store::last_media_of(deps.db.read(), &ids).await?;
    let of = |row: Model| {
        let id = row.id;
        ConferenceRow::of(row, rooms.get(&id).map_or(&[], Vec::as_slice), media.get(&id).copied(), admin, now)
    };
    Ok(rows.into_iter().map(of).collect())
}
