//! Calls of reports. Wire names follow the specification.

use super::funnel::{self, FunnelBody, FunnelQuery};
use super::model;
use super::usable::{self, UsableBody};
use super::view::{CustomerCount, ReportedLog, ReportedMedia, ReportedTrack};
use super::workbook::{self, Line};
use crate::Records;
use atalaya_assistance::media_items;
use atalaya_cases::conferences::{self, ConferenceError, Scope};
use atalaya_cases::evidence;
use atalaya_cases::lists::Filter;
use atalaya_cases::lists::http::{ConferencesBody, OpenerQuery, answer, company_of};
use atalaya_cases::lists::model::{Range, RangeBody};
use atalaya_identity::companies;
use atalaya_kernel::{CompanyId, Language, collate};
use atalaya_rest::caller::{AdminOnly, AdminOrCustomer};
use atalaya_rest::extract::{Json, Path, Query, RequestLanguage};
use atalaya_rest::page::ListQuery;
use atalaya_rest::problem::Problem;
use atalaya_rest::response::ApiResult;
use atalaya_rest::xlsx::attachment;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub fn routes(deps: Records) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(logs_by_range))
        .routes(routes!(tracks_by_range))
        .routes(routes!(medias_by_range))
        .routes(routes!(customers_with_conferences))
        .routes(routes!(customer_conferences))
        .routes(routes!(get_funnel))
        .routes(routes!(get_usable))
        .with_state(deps)
}

/// Which part of a report, and in which shape.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct ReportQuery {
    /// Rows at most, 1 to 200.
    limit: Option<u64>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
    /// `xlsx` answers every row of the range as a workbook.
    format: Option<String>,
}

impl ReportQuery {
    fn list(self) -> ListQuery {
        ListQuery { limit: self.limit, cursor: self.cursor, format: self.format, ..ListQuery::default() }
    }
}

fn range_of(deps: &Records, body: &RangeBody) -> Result<Range, Problem> {
    model::range(body, deps.sources.now()).map_err(|error| Problem::invalid([error]))
}

/// A page of lines, or all of them as a workbook.
async fn report<L: Line, B: Serialize>(
    deps: &Records,
    query: &ListQuery,
    language: Language,
    (lines, total): (Vec<L>, u64),
    body: impl FnOnce(Vec<L>, u64, Option<String>) -> B,
) -> ApiResult<Response> {
    if query.wants_workbook(total)? {
        let now = deps.sources.now();
        return Ok(attachment(L::STEM, now, workbook::of(lines, language, now).await?));
    }
    let next = query.slice()?.next_cursor(total);
    Ok(Json(body(lines, total, next)).into_response())
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ConferenceLogsBody {
    logs: Vec<ReportedLog>,
    total: u64,
    next_cursor: Option<String>,
}

/// Messages that were sent for conferences within the range, newest first. Recipients are masked.
///
/// Errors: `ROLE_NOT_ALLOWED` (403); `INVALID_FIELDS` (422) about `begin`, `end` (more than 366 days), `cursor`, `format`.
#[utoipa::path(post, path = "/api/v1/getLogsByDateRange", tag = "reports", operation_id = "logs_by_range",
    params(ReportQuery), request_body = RangeBody, responses((status = 200, body = ConferenceLogsBody)), security(("session" = [])))]
async fn logs_by_range(
    State(deps): State<Records>,
    _: AdminOnly,
    Query(query): Query<ReportQuery>,
    RequestLanguage(language): RequestLanguage,
    Json(body): Json<RangeBody>,
) -> ApiResult<Response> {
    let (query, range) = (query.list(), range_of(&deps, &body)?);
    let slice = query.slice()?;
    let found = deps.outbox.about_conferences(deps.db.read(), range.from, range.until, slice.offset, slice.limit).await;
    let (messages, total) = found.map_err(ConferenceError::from)?;
    let ids = messages.iter().filter_map(|message| message.conference_id).map(|id| id.0).collect();
    let cases = conferences::case_lines(deps.db.read(), ids).await.map_err(ConferenceError::from)?;
    let case = |message: &atalaya_messaging::Message| message.conference_id.and_then(|id| cases.get(&id.0));
    let logs: Vec<ReportedLog> = messages.iter().map(|message| ReportedLog::of(message, case(message))).collect();
    report(&deps, &query, language, (logs, total), |logs, total, next_cursor| ConferenceLogsBody { logs, total, next_cursor })
        .await
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TracksBody {
    tracks: Vec<ReportedTrack>,
    total: u64,
    next_cursor: Option<String>,
}

/// What happened in conferences within the range, newest first, without personal values.
///
/// Errors: `ROLE_NOT_ALLOWED` (403); `INVALID_FIELDS` (422) about `begin`, `end` (more than 366 days), `cursor`, `format`.
#[utoipa::path(post, path = "/api/v1/getTracksByDateRange", tag = "reports", operation_id = "tracks_by_range",
    params(ReportQuery), request_body = RangeBody, responses((status = 200, body = TracksBody)), security(("session" = [])))]
async fn tracks_by_range(
    State(deps): State<Records>,
    _: AdminOnly,
    Query(query): Query<ReportQuery>,
    RequestLanguage(language): RequestLanguage,
    Json(body): Json<RangeBody>,
) -> ApiResult<Response> {
    let (query, range) = (query.list(), range_of(&deps, &body)?);
    let slice = query.slice()?;
    let found = evidence::list_between(deps.db.read(), range.from, range.until, slice.offset, slice.limit).await;
    let (tracks, total) = found.map_err(ConferenceError::from)?;
    let ids = tracks.iter().map(|track| track.conference).collect();
    let cases = conferences::case_lines(deps.db.read(), ids).await.map_err(ConferenceError::from)?;
    let of = |track: evidence::PlainTrack| {
        let case = cases.get(&track.conference);
        ReportedTrack::of(track, case)
    };
    let tracks: Vec<ReportedTrack> = tracks.into_iter().map(of).collect();
    report(&deps, &query, language, (tracks, total), |tracks, total, next_cursor| TracksBody { tracks, total, next_cursor }).await
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MediasBody {
    medias: Vec<ReportedMedia>,
    total: u64,
    next_cursor: Option<String>,
}

/// Files that arrived within the range, newest first.
///
/// Errors: `ROLE_NOT_ALLOWED` (403); `INVALID_FIELDS` (422) about `begin`, `end` (more than 366 days), `cursor`, `format`.
#[utoipa::path(post, path = "/api/v1/getMediasByDateRange", tag = "reports", operation_id = "medias_by_range",
    params(ReportQuery), request_body = RangeBody, responses((status = 200, body = MediasBody)), security(("session" = [])))]
async fn medias_by_range(
    State(deps): State<Records>,
    _: AdminOnly,
    Query(query): Query<ReportQuery>,
    RequestLanguage(language): RequestLanguage,
    Json(body): Json<RangeBody>,
) -> ApiResult<Response> {
    let (query, range) = (query.list(), range_of(&deps, &body)?);
    let found = media_items::list_between(deps.db.read(), (range.from, range.until), query.slice()?).await;
    let (items, total) = found.map_err(ConferenceError::from)?;
    let ids = items.iter().map(|item| item.conference_id).collect();
    let cases = conferences::case_lines(deps.db.read(), ids).await.map_err(ConferenceError::from)?;
    let medias: Vec<ReportedMedia> = items.iter().map(|item| ReportedMedia::of(item, cases.get(&item.conference_id))).collect();
    report(&deps, &query, language, (medias, total), |medias, total, next_cursor| MediasBody { medias, total, next_cursor }).await
}

#[derive(Serialize, ToSchema)]
struct CustomersBody {
    customers: Vec<CustomerCount>,
}

/// Every company that has opened a conference, by name, with how many. `format=xlsx` answers it as a workbook.
///
/// Errors: `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(get, path = "/api/v1/customersWithConferences", tag = "reports", operation_id = "customers_with_conferences",
    params(ReportQuery), responses((status = 200, body = CustomersBody)), security(("session" = [])))]
async fn customers_with_conferences(
    State(deps): State<Records>,
    _: AdminOnly,
    Query(query): Query<ReportQuery>,
    RequestLanguage(language): RequestLanguage,
) -> ApiResult<Response> {
    let query = query.list();
    let counts = conferences::count_by_company(deps.db.read()).await.map_err(ConferenceError::from)?;
    let mut by_company: HashMap<Uuid, CustomerCount> = HashMap::new();
    for count in counts {
        let line = by_company.entry(count.company_id).or_insert_with(|| CustomerCount {
            id: count.company_id,
            company: String::new(),
            conferences: 0,
            autos: 0,
            diversos: 0,
            last_at: count.last_at,
        });
        let number = count.conferences.unsigned_abs();
        line.conferences += number;
        *(if count.conference_type == 1 { &mut line.autos } else { &mut line.diversos }) += number;
        line.last_at = line.last_at.max(count.last_at);
    }
    let ids: Vec<CompanyId> = by_company.keys().map(|id| CompanyId(*id)).collect();
    let names = companies::service::names(&deps.identity, &ids).await?;
    let mut customers: Vec<CustomerCount> = by_company.into_values().collect();
    for customer in &mut customers {
        customer.company = names.get(&CompanyId(customer.id)).cloned().unwrap_or_default();
    }
    customers.sort_by_cached_key(|customer| (collate::sort_key(&customer.company), customer.id));
    let total = customers.len() as u64;
    report(&deps, &query, language, (customers, total), |customers, _, _| CustomersBody { customers }).await
}

/// Conferences of a company (`0`: of all, administrators only) of both types and all days, newest first unless sorted.
///
/// Errors: `ROLE_NOT_ALLOWED` (403), `COMPANY_NOT_FOUND` (404), `INVALID_FIELDS` (422) about `user`, `sort`, `cursor`.
#[utoipa::path(get, path = "/api/v1/customer-conferences/{id}", tag = "reports", operation_id = "customer_conferences",
    params(("id" = String, Path), ListQuery, OpenerQuery), responses((status = 200, body = ConferencesBody)),
    security(("session" = [])))]
async fn customer_conferences(
    State(deps): State<Records>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<String>,
    Query(query): Query<ListQuery>,
    Query(opener): Query<OpenerQuery>,
    RequestLanguage(language): RequestLanguage,
) -> ApiResult<Response> {
    let company = company_of(&deps, &caller, &id).await?.map(|company| company.id);
    let filter = Filter {
        scope: Scope::of(&caller),
        role: caller.role,
        company,
        conference_type: None,
        range: None,
        user: opener.read()?,
        state: opener.state(deps.sources.now()),
        ids: opener.chosen()?,
        search: query.search(),
    };
    answer(&deps, &caller, filter, query, "conferencias", language).await
}

/// How far the clients of a company's conferences came (`0`: of all, administrators only), week by week of Madrid.
///
/// Errors: `ROLE_NOT_ALLOWED` (403), `COMPANY_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/funnel/{companyId}", tag = "reports", operation_id = "get_funnel",
    params(("companyId" = String, Path), FunnelQuery), responses((status = 200, body = FunnelBody)),
    security(("session" = [])))]
async fn get_funnel(
    State(deps): State<Records>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<String>,
    Query(query): Query<FunnelQuery>,
) -> ApiResult<Json<FunnelBody>> {
    let company = company_of(&deps, &caller, &id).await?.map(|company| company.id);
    Ok(Json(funnel::of(&deps, company, &query).await?))
}

/// The usable cases of a company (`0`: of all, administrators only): those with at least one sharp picture, by call or ladder; by
/// week of Madrid, company and cause, with the ways that media took.
///
/// Errors: `ROLE_NOT_ALLOWED` (403), `COMPANY_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/usable/{companyId}", tag = "reports", operation_id = "get_usable",
    params(("companyId" = String, Path), FunnelQuery), responses((status = 200, body = UsableBody)),
    security(("session" = [])))]
async fn get_usable(
    State(deps): State<Records>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<String>,
    Query(query): Query<FunnelQuery>,
) -> ApiResult<Json<UsableBody>> {
    let company = company_of(&deps, &caller, &id).await?.map(|company| company.id);
    Ok(Json(usable::of(&deps, company, &query).await?))
}
