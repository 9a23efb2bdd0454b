//! `conferences-autos-details/{id}` and `conferences-div-details/{id}`.

use super::model::{ListState, RangeBody};
use super::rows::{self, ConferenceRow};
use super::store::{self, Filter};
use super::workbook;
use crate::Cases;
use crate::conferences::{ConferenceError, ConferenceType, Scope};
use atalaya_identity::companies::Company;
use atalaya_identity::guards::member_of;
use atalaya_kernel::{CompanyId, CompanyKind, Language, UserId};
use atalaya_rest::caller::{Caller, ConferenceReader};
use atalaya_rest::extract::{Json, Path, Query, RequestLanguage};
use atalaya_rest::page::{ListQuery, Slice};
use atalaya_rest::problem::{FieldError, Problem};
use atalaya_rest::response::ApiResult;
use atalaya_rest::sheet_stream::streamed;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// Conferences that can be chosen one by one: a page of the largest size.
const CHOSEN_MAX: usize = 200;

pub fn routes(deps: Cases) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(list_autos)).routes(routes!(list_diversos)).with_state(deps)
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConferencesBody {
    conferences: Vec<ConferenceRow>,
    total: u64,
    /// Null on the last page.
    next_cursor: Option<String>,
}

/// Conferences of type Autos of a company (`0`: of all, administrators only), newest first unless sorted.
///
/// Sorted by `createdAt`, `expedientNumber`, `userName`, `customerName`, `phoneNumber`, `carId` or `duration`. The repair
/// side sees, searches and sorts by nothing that says how its client is reached.
/// Errors: `INVALID_FIELDS` (422) about `begin`, `end`, `user`, `ids`, `sort`, `cursor`; `WORKBOOK_TOO_LONG` (422);
/// `COMPANY_NOT_FOUND` (404).
#[utoipa::path(post, path = "/api/v1/conferences-autos-details/{id}", tag = "conferences",
    operation_id = "list_autos", params(("id" = String, Path), ListQuery, OpenerQuery), request_body = RangeBody,
    responses((status = 200, body = ConferencesBody)), security(("session" = [])))]
pub async fn list_autos(
    State(deps): State<Cases>,
    ConferenceReader(caller): ConferenceReader,
    Path(id): Path<String>,
    Query(query): Query<ListQuery>,
    Query(opener): Query<OpenerQuery>,
    RequestLanguage(language): RequestLanguage,
    Json(range): Json<RangeBody>,
) -> ApiResult<Response> {
    list(&deps, &caller, Asked { conference_type: ConferenceType::Autos, company: &id, query, opener, range, language }).await
}

/// Conferences of type Diversos of a company (`0`: of all, administrators only), newest first unless sorted.
///
/// Sorted by `createdAt`, `expedientNumber`, `userName`, `customerName`, `phoneNumber`, `carId` or `duration`. The repair
/// side sees, searches and sorts by nothing that says how its client is reached.
/// Errors: `INVALID_FIELDS` (422) about `begin`, `end`, `user`, `ids`, `sort`, `cursor`; `WORKBOOK_TOO_LONG` (422);
/// `COMPANY_NOT_FOUND` (404).
#[utoipa::path(post, path = "/api/v1/conferences-div-details/{id}", tag = "conferences",
    operation_id = "list_diversos", params(("id" = String, Path), ListQuery, OpenerQuery), request_body = RangeBody,
    responses((status = 200, body = ConferencesBody)), security(("session" = [])))]
pub async fn list_diversos(
    State(deps): State<Cases>,
    ConferenceReader(caller): ConferenceReader,
    Path(id): Path<String>,
    Query(query): Query<ListQuery>,
    Query(opener): Query<OpenerQuery>,
    RequestLanguage(language): RequestLanguage,
    Json(range): Json<RangeBody>,
) -> ApiResult<Response> {
    list(&deps, &caller, Asked { conference_type: ConferenceType::Diversos, company: &id, query, opener, range, language }).await
}

/// The company of the path; `None` for all of them (CASE-23).
pub async fn company_of(deps: &Cases, caller: &Caller, id: &str) -> Result<Option<Company>, Problem> {
    if id == "0" {
        return if caller.is_admin() { Ok(None) } else { Err(Problem::forbidden("ROLE_NOT_ALLOWED")) };
    }
    let id: CompanyId = id.parse().map_err(|_| Problem::not_found("COMPANY_NOT_FOUND"))?;
    Ok(Some(member_of(&deps.identity, *caller, id).await?.company))
}

/// Whose conferences a list shows: those that a customer opened, or those that a company of the repair side asked for.
async fn whose(deps: &Cases, caller: &Caller, id: &str) -> Result<(Scope, Option<CompanyId>), Problem> {
    let scope = Scope::of(caller);
    let Some(company) = company_of(deps, caller, id).await? else { return Ok((scope, None)) };
    match company.kind {
        CompanyKind::Repairer | CompanyKind::CarRepairShop if scope == Scope::All => Ok((Scope::StartedBy(company.id), None)),
        CompanyKind::Repairer | CompanyKind::CarRepairShop => Ok((scope, None)),
        CompanyKind::Customer | CompanyKind::Platform => Ok((scope, Some(company.id))),
    }
}

/// Whose conferences, beside the range.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct OpenerQuery {
    /// Only those that this user opened.
    user: Option<String>,
    /// Only those in this state.
    #[param(inline)]
    state: Option<ListState>,
    /// Only these of the list, separated by commas; at most 200.
    ids: Option<String>,
}

impl OpenerQuery {
    /// Errors: 422 `INVALID_FIELDS` about `user`.
    pub fn read(&self) -> Result<Option<UserId>, Problem> {
        let text = self.user.as_deref().filter(|text| !text.is_empty());
        text.map(str::parse).transpose().map_err(|_| Problem::invalid([]).field("user", "INVALID"))
    }

    /// The state asked for, as it is at that moment.
    pub fn state(&self, now: DateTime<Utc>) -> Option<(ListState, DateTime<Utc>)> {
        self.state.map(|state| (state, now))
    }

    /// Errors: 422 `INVALID_FIELDS` about `ids`.
    pub fn chosen(&self) -> Result<Option<Vec<Uuid>>, Problem> {
        let Some(text) = self.ids.as_deref() else { return Ok(None) };
        let ids: Result<Vec<Uuid>, _> = text.split(',').map(str::parse).collect();
        let ids = ids.ok().filter(|ids| ids.len() <= CHOSEN_MAX);
        ids.map(Some).ok_or_else(|| Problem::invalid([]).field("ids", "INVALID"))
    }
}

/// The parameters of a list of conferences.
struct Asked<'a> {
    conference_type: ConferenceType,
    company: &'a str,
    query: ListQuery,
    opener: OpenerQuery,
    range: RangeBody,
    language: Language,
}

async fn list(deps: &Cases, caller: &Caller, asked: Asked<'_>) -> ApiResult<Response> {
    let range = asked.range.read(deps.sources.now());
    let range = range.map_err(|wrong| Problem::invalid([FieldError::new(wrong.field, wrong.code)]))?;
    let (scope, company) = whose(deps, caller, asked.company).await?;
    let filter = Filter {
        scope,
        role: caller.role,
        company,
        conference_type: Some(asked.conference_type),
        range: Some(range),
        user: asked.opener.read()?,
        state: asked.opener.state(deps.sources.now()),
        ids: asked.opener.chosen()?,
        search: asked.query.search(),
    };
    let stem = match asked.conference_type {
        ConferenceType::Autos => "autos",
        ConferenceType::Diversos => "diversos",
    };
    answer(deps, caller, filter, asked.query, stem, asked.language).await
}

/// A page of conferences, newest first unless sorted, or all of them as a workbook (CASE-43).
pub async fn answer(
    deps: &Cases,
    caller: &Caller,
    filter: Filter,
    mut query: ListQuery,
    stem: &'static str,
    language: Language,
) -> ApiResult<Response> {
    let (now, role, db) = (deps.sources.now(), caller.role, deps.db.read());
    query.sort.get_or_insert_with(|| "-createdAt".to_owned());
    let (slice, sort) = (query.slice()?, query.sort(&store::sorts_for(role))?);
    if slice == Slice::WORKBOOK {
        let (reader, total) = store::Reader::open(db, filter, sort).await.map_err(ConferenceError::from)?;
        query.wants_streamed_workbook(total)?;
        let reader = reader.begin(db, total).await.map_err(ConferenceError::from)?;
        let lines = workbook::lines(deps.clone(), reader, role, (language, now));
        return Ok(streamed(stem, now, workbook::columns(caller.is_admin(), language), lines));
    }
    let found = store::page(db, &filter, sort, slice, query.after()).await.map_err(ConferenceError::from)?;
    let conferences = rows::complete(deps, &found.rows, role, now).await?;
    let next_cursor = slice.next_cursor_after(found.total, found.rows.last().map(|row| row.id));
    Ok(Json(ConferencesBody { conferences, total: found.total, next_cursor }).into_response())
}
