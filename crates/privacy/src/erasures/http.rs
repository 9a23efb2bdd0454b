//! Calls of erasure and of a person's rights.

use super::entity::{erasure, privacy_request};
use super::error::PrivacyError;
use super::persons::{self, CONFERENCES_MAX, Kind, Subject};
use super::{erasure as erasing, export, store};
use crate::Privacy;
use atalaya_cases::conferences::service::company_days;
use atalaya_cases::conferences::view::ConferenceView;
use atalaya_content::languages::text;
use atalaya_identity::guards::principal_of;
use atalaya_kernel::{CompanyId, ConferenceId, Language};
use atalaya_rest::caller::{AdminOrCustomer, Caller};
use atalaya_rest::extract::{Json, Path, Query, RequestLanguage};
use atalaya_rest::page::ListQuery;
use atalaya_rest::problem::Problem;
use atalaya_rest::response::ApiResult;
use atalaya_rest::xlsx::{Cell, Column, attachment, build, workbook};
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub fn routes(deps: Privacy) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(erase_conference))
        .routes(routes!(list_erasures))
        .routes(routes!(find_person))
        .routes(routes!(export_person))
        .routes(routes!(erase_person))
        .routes(routes!(list_privacy_requests))
        .with_state(deps)
}

/// The proof of an erasure.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Erasure {
    #[serde(rename = "_id")]
    id: Uuid,
    conference_id: Uuid,
    at: DateTime<Utc>,
    /// Who did it; empty when the register did, after a backup was put back.
    by: String,
    reason: String,
    /// Events of the chain, which stay.
    events: i32,
    /// Files that there were.
    media: i32,
    /// Head of the chain.
    head: String,
    /// SHA-256 of the erasure's line in the register outside the database.
    register: String,
}

impl From<erasure::Model> for Erasure {
    fn from(row: erasure::Model) -> Self {
        Self {
            id: row.id,
            conference_id: row.conference_id,
            at: row.at,
            by: row.by_name,
            reason: row.reason,
            events: row.events,
            media: row.media,
            head: row.head,
            register: row.register,
        }
    }
}

#[derive(Deserialize, ToSchema)]
struct ReasonBody {
    /// 1 to 250 characters.
    #[serde(default)]
    reason: String,
}

#[derive(Serialize, ToSchema)]
struct ErasureBody {
    erasure: Erasure,
}

/// Erases one conference's personal data and files for ever; hashes, counts and the chain stay. Asked again, it answers the
/// first proof.
///
/// Errors: `INVALID_FIELDS` (422) about `reason`, `CONFERENCE_NOT_FOUND` (404), `CONFERENCE_OPEN` (409),
/// `ERASURE_REGISTER_UNAVAILABLE` (503).
#[utoipa::path(post, path = "/api/v1/conference-erase/{id}", tag = "privacy", operation_id = "erase_conference",
    params(("id" = ConferenceId, Path)), request_body = ReasonBody,
    responses((status = 200, body = ErasureBody)), security(("session" = [])))]
async fn erase_conference(
    State(deps): State<Privacy>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<ConferenceId>,
    Json(body): Json<ReasonBody>,
) -> ApiResult<Json<ErasureBody>> {
    let reason = persons::reason(&body.reason)?;
    let proof = erasing::erase(&deps, &caller, id, &reason, None).await?;
    Ok(Json(ErasureBody { erasure: proof.into() }))
}

/// The company; `None` for all, which only administrators may ask for, with 0.
async fn company_of(deps: &Privacy, caller: &Caller, id: &str) -> Result<Option<CompanyId>, Problem> {
    if id == "0" && caller.is_admin() {
        return Ok(None);
    }
    let id: CompanyId = id.parse().map_err(|_| Problem::not_found("COMPANY_NOT_FOUND"))?;
    principal_of(&deps.identity, *caller, id).await?;
    Ok(Some(id))
}

async fn one_company(deps: &Privacy, caller: &Caller, id: &str) -> Result<CompanyId, Problem> {
    company_of(deps, caller, id).await?.ok_or_else(|| Problem::not_found("COMPANY_NOT_FOUND"))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ErasuresBody {
    erasures: Vec<Erasure>,
    total: u64,
    /// Null on the last page.
    next_cursor: Option<String>,
}

/// Erasures at a company (0: at all, administrators), newest first; `format=xlsx` answers them as a workbook.
///
/// Errors: `COMPANY_NOT_FOUND` (404), `ROLE_NOT_ALLOWED` (403), `INVALID_FIELDS` (422).
#[utoipa::path(get, path = "/api/v1/erasures/{companyId}", tag = "privacy", operation_id = "list_erasures",
    params(("companyId" = String, Path), ListQuery), responses((status = 200, body = ErasuresBody)), security(("session" = [])))]
async fn list_erasures(
    State(deps): State<Privacy>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(company): Path<String>,
    Query(query): Query<ListQuery>,
    RequestLanguage(language): RequestLanguage,
) -> ApiResult<Response> {
    let slice = query.slice()?;
    let company = company_of(&deps, &caller, &company).await?;
    let listed = store::list_erasures(deps.db.read(), company, slice).await.map_err(PrivacyError::from)?;
    let (rows, total) = listed;
    if query.wants_workbook(total)? {
        let columns =
            [("at", 17), ("conference", 38), ("by", 24), ("reason", 50), ("events", 10), ("files", 10), ("register", 66)];
        let line = |row: &erasure::Model| {
            vec![
                Cell::time(row.at),
                Cell::text(row.conference_id.to_string()),
                Cell::text(&row.by_name),
                Cell::text(&row.reason),
                Cell::count(row.events.into()),
                Cell::count(row.media.into()),
                Cell::text(&row.register),
            ]
        };
        return book(&deps, "eliminaciones", language, &columns, rows.iter().map(line).collect()).await;
    }
    let erasures = rows.into_iter().map(Erasure::from).collect();
    Ok(Json(ErasuresBody { erasures, total, next_cursor: slice.next_cursor(total) }).into_response())
}

/// A workbook whose headings are texts of `privacy`, built on a blocking thread.
async fn book(
    deps: &Privacy,
    stem: &'static str,
    language: Language,
    columns: &[(&'static str, u8)],
    lines: Vec<Vec<Cell>>,
) -> ApiResult<Response> {
    let now = deps.sources.now();
    let heading = |(key, width): &(&'static str, u8)| Column::new(text(language, "privacy", key), *width);
    let columns: Vec<Column> = columns.iter().map(heading).collect();
    let made = build(move || workbook(&columns, &lines, now)).await?;
    Ok(attachment(stem, now, made))
}

#[derive(Serialize, ToSchema)]
struct PersonBody {
    /// Newest first, at most 500.
    conferences: Vec<ConferenceView>,
    total: usize,
}

/// What a company has of a person, by phone or e-mail, exactly. By POST, because either in an address would stand in logs
/// and histories.
///
/// Errors: `INVALID_FIELDS` (422) about `search`, `COMPANY_NOT_FOUND` (404), `ROLE_NOT_ALLOWED` (403). Source: EDGE-8.
#[utoipa::path(post, path = "/api/v1/persons/{companyId}", tag = "privacy", operation_id = "find_person",
    params(("companyId" = String, Path)), request_body = SearchBody,
    responses((status = 200, body = PersonBody)), security(("session" = [])))]
async fn find_person(
    State(deps): State<Privacy>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(company): Path<String>,
    Json(body): Json<SearchBody>,
) -> ApiResult<Json<PersonBody>> {
    let company = one_company(&deps, &caller, &company).await?;
    let subject = Subject::parse(&body.search)?;
    let rows = persons::find(&deps, &caller, company, &subject).await?;
    let days = match rows.first() {
        Some(row) => company_days(&deps, row).await?,
        None => None,
    };
    let now = deps.sources.now();
    let conferences: Vec<_> = rows.iter().map(|row| ConferenceView::of(row, &[], false, days, now)).collect();
    Ok(Json(PersonBody { total: conferences.len(), conferences }))
}

#[derive(Deserialize, ToSchema)]
struct SearchBody {
    /// A whole phone or e-mail address, of seven characters at least.
    #[serde(default)]
    search: String,
}

/// A copy of what a company has of a person: `LEEME.txt`, `data.json` and the files that are still there. Written down.
///
/// Errors: `INVALID_FIELDS` (422) about `search`, `PERSON_UNKNOWN`, `COMPANY_NOT_FOUND` (404).
#[utoipa::path(post, path = "/api/v1/person-export/{companyId}", tag = "privacy", operation_id = "export_person",
    params(("companyId" = String, Path)), request_body = SearchBody,
    responses((status = 200, description = "A ZIP", content_type = "application/zip")), security(("session" = [])))]
async fn export_person(
    State(deps): State<Privacy>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(company): Path<String>,
    Json(body): Json<SearchBody>,
) -> ApiResult<Response> {
    let company = one_company(&deps, &caller, &company).await?;
    let subject = Subject::parse(&body.search)?;
    let rows = persons::find(&deps, &caller, company, &subject).await?;
    if rows.is_empty() {
        return Err(PrivacyError::PersonUnknown.into());
    }
    let archive = export::archive(&deps, &subject, &rows).await?;
    persons::record(&deps, &caller, company, &subject, (Kind::Export, None), rows.len()).await?;
    let length = archive.content_length();
    let mut response = Body::from_stream(archive.stream()).into_response();
    let out = response.headers_mut();
    out.insert(header::CONTENT_LENGTH, length.into());
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    out.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"datos-personales.zip\""));
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    Ok(response)
}

#[derive(Deserialize, ToSchema)]
struct PersonEraseBody {
    #[serde(default)]
    search: String,
    /// 1 to 250 characters.
    #[serde(default)]
    reason: String,
}

#[derive(Serialize, ToSchema)]
struct PersonErasedBody {
    erasures: Vec<Erasure>,
}

/// Erases every conference of a person at a company; while one of them is open, none. At most 500 at a time.
///
/// Errors: `INVALID_FIELDS` (422), `PERSON_UNKNOWN`, `COMPANY_NOT_FOUND` (404), `CONFERENCE_OPEN` (409),
/// `ERASURE_REGISTER_UNAVAILABLE` (503).
#[utoipa::path(post, path = "/api/v1/person-erase/{companyId}", tag = "privacy", operation_id = "erase_person",
    params(("companyId" = String, Path)), request_body = PersonEraseBody,
    responses((status = 200, body = PersonErasedBody)), security(("session" = [])))]
async fn erase_person(
    State(deps): State<Privacy>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(company): Path<String>,
    Json(body): Json<PersonEraseBody>,
) -> ApiResult<Json<PersonErasedBody>> {
    let company = one_company(&deps, &caller, &company).await?;
    let subject = Subject::parse(&body.search)?;
    let reason = persons::reason(&body.reason)?;
    let erasures = persons::erase(&deps, &caller, company, &subject, reason).await?;
    debug_assert!(erasures.len() as u64 <= CONFERENCES_MAX);
    Ok(Json(PersonErasedBody { erasures: erasures.into_iter().map(Erasure::from).collect() }))
}

/// A request about a person's data.
#[derive(Serialize, ToSchema)]
struct PrivacyRequest {
    #[serde(rename = "_id")]
    id: Uuid,
    at: DateTime<Utc>,
    by: String,
    /// `export` or `erasure`.
    kind: String,
    /// Masked phone or e-mail address.
    subject: String,
    conferences: i32,
    reason: Option<String>,
}

impl From<privacy_request::Model> for PrivacyRequest {
    fn from(row: privacy_request::Model) -> Self {
        Self {
            id: row.id,
            at: row.at,
            by: row.by_name,
            kind: row.kind,
            subject: row.subject,
            conferences: row.conferences,
            reason: row.reason,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PrivacyRequestsBody {
    requests: Vec<PrivacyRequest>,
    total: u64,
    /// Null on the last page.
    next_cursor: Option<String>,
}

/// The register of requests at a company (0: at all, administrators), newest first; `format=xlsx` answers a workbook.
///
/// Errors: `COMPANY_NOT_FOUND` (404), `ROLE_NOT_ALLOWED` (403), `INVALID_FIELDS` (422).
#[utoipa::path(get, path = "/api/v1/privacy-requests/{companyId}", tag = "privacy", operation_id = "list_privacy_requests",
    params(("companyId" = String, Path), ListQuery),
    responses((status = 200, body = PrivacyRequestsBody)), security(("session" = [])))]
async fn list_privacy_requests(
    State(deps): State<Privacy>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(company): Path<String>,
    Query(query): Query<ListQuery>,
    RequestLanguage(language): RequestLanguage,
) -> ApiResult<Response> {
    let slice = query.slice()?;
    let company = company_of(&deps, &caller, &company).await?;
    let listed = store::list_requests(deps.db.read(), company, slice).await.map_err(PrivacyError::from)?;
    let (rows, total) = listed;
    if query.wants_workbook(total)? {
        let columns = [("at", 17), ("kind", 14), ("subject", 28), ("conferences", 16), ("by", 24), ("reason", 50)];
        let line = |row: &privacy_request::Model| {
            let kind = if row.kind == "export" { "kind_export" } else { "kind_erasure" };
            vec![
                Cell::time(row.at),
                Cell::text(text(language, "privacy", kind)),
                Cell::text(&row.subject),
                Cell::count(row.conferences.into()),
                Cell::text(&row.by_name),
                Cell::optional(row.reason.as_deref()),
            ]
        };
        return book(&deps, "solicitudes-de-derechos", language, &columns, rows.iter().map(line).collect()).await;
    }
    let requests = rows.into_iter().map(PrivacyRequest::from).collect();
    Ok(Json(PrivacyRequestsBody { requests, total, next_cursor: slice.next_cursor(total) }).into_response())
}
