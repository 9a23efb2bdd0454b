//! HTTP calls of appointments.

use super::model::{AppointmentError, AppointmentState, AppointmentView, Side};
use super::{service, store};
use crate::Cases;
use crate::conferences::{self, ConferenceError, Scope};
use crate::lists::http::company_of;
use crate::lists::model::RangeBody;
use atalaya_kernel::{ConferenceId, calendar};
use atalaya_rest::address::{ClientAddress, subscriber};
use atalaya_rest::caller::{ConferenceSide, WorkerOrCustomer};
use atalaya_rest::extract::{Json, Path, Query};
use atalaya_rest::problem::Problem;
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::response::{ApiResult, NoContent};
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// Days that the agenda shows when no end is given.
const AGENDA_DAYS: i64 = 31;

/// State of these handlers: the context, and the rate limiter of the client's calls.
#[derive(Clone)]
struct Door {
    deps: Cases,
    calls: RateLimiter<IpAddr>,
}

pub fn routes(deps: Cases) -> OpenApiRouter {
    let calls = RateLimiter::new(deps.sources.clock(), 60, TimeDelta::minutes(10));
    OpenApiRouter::new()
        .routes(routes!(list_appointments))
        .routes(routes!(get_appointment))
        .routes(routes!(name_appointment))
        .routes(routes!(cancel_appointment))
        .routes(routes!(client_appointment))
        .routes(routes!(calendar_file))
        .with_state(Door { deps, calls })
}

impl From<AppointmentError> for Problem {
    fn from(error: AppointmentError) -> Self {
        match error {
            AppointmentError::NotFound => Problem::not_found("APPOINTMENT_NOT_FOUND"),
            AppointmentError::Moment(code) => Problem::invalid([]).field("at", code),
            AppointmentError::Changes => Problem::conflict("APPOINTMENT_CHANGES"),
            AppointmentError::Conference(error) => error.into(),
        }
    }
}

/// A moment of an appointment.
#[derive(Deserialize, ToSchema)]
#[schema(as = AppointmentMoment)]
struct MomentBody {
    /// RFC 3339; seconds are dropped.
    at: DateTime<Utc>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ConferenceAppointment)]
struct AppointmentBody {
    /// Null when there is none that concerns anybody any more.
    appointment: Option<AppointmentView>,
}

/// An entry of the agenda.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AgendaEntry)]
struct EntryBody {
    conference_id: Uuid,
    at: DateTime<Utc>,
    state: AppointmentState,
    proposed_by: Side,
    expedient_number: String,
    /// 1 Autos, 2 Diversos.
    #[serde(rename = "type")]
    conference_type: i16,
    contact_person: Option<String>,
    phone_number: String,
    car_id: Option<String>,
    user_name: String,
    customer_name: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Agenda)]
struct AgendaBody {
    appointments: Vec<EntryBody>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct AgendaQuery {
    /// `2026-11-14` or RFC 3339; today without it.
    begin: Option<String>,
    /// `2026-11-20` or RFC 3339; 31 days later without it.
    end: Option<String>,
}

/// The appointments of a company's open conferences (`0`: of all, administrators only), the first one first; at most 500.
/// Workers see those of their own conferences.
///
/// Errors: `COMPANY_NOT_FOUND` (404), `INVALID_FIELDS` (422) about `begin`, `end`.
#[utoipa::path(get, path = "/api/v1/appointments/{companyId}", tag = "conferences", operation_id = "list_appointments",
    params(("companyId" = String, Path), AgendaQuery), responses((status = 200, body = AgendaBody)), security(("session" = [])))]
async fn list_appointments(
    State(door): State<Door>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<String>,
    Query(query): Query<AgendaQuery>,
) -> ApiResult<Json<AgendaBody>> {
    let Door { deps, .. } = door;
    let company = company_of(&deps, &caller, &id).await?.map(|company| company.id.0);
    let range = RangeBody { begin: query.begin, end: query.end };
    let (from, until) = range.bounds().map_err(|wrong| ConferenceError::Invalid(vec![wrong]))?;
    let from = from.unwrap_or_else(|| calendar::start_of(calendar::day(deps.sources.now())));
    let until = until.unwrap_or(from + TimeDelta::days(AGENDA_DAYS));
    let rows = store::list(deps.db.read(), Scope::of(&caller), company, (from, until)).await;
    let rows = rows.map_err(ConferenceError::from)?;
    let appointments = rows.into_iter().map(|(row, case)| {
        let view = row.view();
        EntryBody {
            conference_id: case.id,
            at: view.at,
            state: view.state,
            proposed_by: view.proposed_by,
            expedient_number: case.expedient_number,
            conference_type: case.conference_type.into(),
            contact_person: case.contact_person,
            phone_number: case.phone_number,
            car_id: case.car_id,
            user_name: case.user_name,
            customer_name: case.customer_name,
        }
    });
    Ok(Json(AgendaBody { appointments: appointments.collect() }))
}

/// The appointment of a conference, if there is one to come.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/conference-appointment/{id}", tag = "conferences", operation_id = "get_appointment",
    params(("id" = ConferenceId, Path)), responses((status = 200, body = AppointmentBody)), security(("session" = [])))]
async fn get_appointment(
    State(door): State<Door>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<ConferenceId>,
) -> ApiResult<Json<AppointmentBody>> {
    conferences::get(door.deps.db.read(), Scope::of(&caller), id).await?;
    Ok(Json(AppointmentBody { appointment: service::of(&door.deps, id).await? }))
}

/// Names a moment for the conference to go on. The one that the client named is thereby agreed; any other waits for the client's
/// answer. The client gets a message with the link.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `CONFERENCE_CLOSED`, `LINK_EXPIRED` (410), `APPOINTMENT_CHANGES`, `MESSAGES_CEILING` (409),
/// `INVALID_FIELDS` (422) about `at` with `APPOINTMENT_TOO_SOON`, `APPOINTMENT_TOO_LATE`, `SMS_CEILING_HOUR`, `SMS_CEILING_DAY` (429).
#[utoipa::path(post, path = "/api/v1/conference-appointment/{id}", tag = "conferences", operation_id = "name_appointment",
    params(("id" = ConferenceId, Path)), request_body = MomentBody,
    responses((status = 200, body = AppointmentBody)), security(("session" = [])))]
async fn name_appointment(
    State(door): State<Door>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<ConferenceId>,
    Json(body): Json<MomentBody>,
) -> ApiResult<Json<AppointmentBody>> {
    let view = service::staff_names(&door.deps, &caller, id, body.at).await?;
    Ok(Json(AppointmentBody { appointment: Some(view) }))
}

/// Cancels the appointment. The client gets a message.
///
/// Errors: `CONFERENCE_NOT_FOUND`, `APPOINTMENT_NOT_FOUND` (404), `MESSAGES_CEILING` (409).
#[utoipa::path(delete, path = "/api/v1/conference-appointment/{id}", tag = "conferences", operation_id = "cancel_appointment",
    params(("id" = ConferenceId, Path)), responses((status = 204)), security(("session" = [])))]
async fn cancel_appointment(
    State(door): State<Door>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<ConferenceId>,
) -> ApiResult<NoContent> {
    service::cancel(&door.deps, &caller, id).await?;
    Ok(NoContent)
}

/// The client names a moment, or accepts the one that was proposed by naming it.
///
/// Errors: `LINK_UNKNOWN` (404), `CONFERENCE_CLOSED`, `LINK_EXPIRED` (410), `APPOINTMENT_CHANGES` (409), `INVALID_FIELDS` (422) about
/// `at`, `TOO_MANY_TRIES` (429).
#[utoipa::path(post, path = "/api/v1/external/{hash}/appointment", tag = "client", security(()), operation_id = "client_appointment",
    params(("hash" = String, Path)), request_body = MomentBody, responses((status = 200, body = AppointmentBody)))]
async fn client_appointment(
    State(door): State<Door>,
    ClientAddress(address): ClientAddress,
    Path(hash): Path<String>,
    Json(body): Json<MomentBody>,
) -> ApiResult<Json<AppointmentBody>> {
    let tried = door.calls.hit(subscriber(address));
    tried.map_err(|retry_after_s| ConferenceError::TooManyTries { retry_after_s })?;
    let view = service::client_names(&door.deps, &hash, body.at).await?;
    Ok(Json(AppointmentBody { appointment: Some(view) }))
}

/// The calendar file of the agreed appointment.
///
/// Errors: `LINK_UNKNOWN`, `APPOINTMENT_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/external/{hash}/calendar", tag = "client", security(()), operation_id = "client_calendar",
    params(("hash" = String, Path)), responses((status = 200, body = String, content_type = "text/calendar")))]
async fn calendar_file(State(door): State<Door>, Path(hash): Path<String>) -> ApiResult<impl IntoResponse> {
    let file = service::calendar_file(&door.deps, &hash).await?;
    let headers = [
        (CONTENT_TYPE, "text/calendar; charset=utf-8; method=PUBLISH"),
        (CONTENT_DISPOSITION, "attachment; filename=\"cita.ics\""),
    ];
    Ok((headers, file))
}
