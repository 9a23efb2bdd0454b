//! Calls about papers.

use super::breaches::{self, NewBreach};
use super::document::{self, Paper};
use super::entity::security_breach::Model;
use super::store;
use crate::Privacy;
use crate::erasures::PrivacyError;
use atalaya_assistance::media::http::files::disposition;
use atalaya_rest::caller::AdminOnly;
use atalaya_rest::extract::{Json, Path, Query, RequestLanguage};
use atalaya_rest::page::ListQuery;
use atalaya_rest::problem::Problem;
use atalaya_rest::response::ApiResult;
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
        .routes(routes!(list_security_breaches))
        .routes(routes!(add_security_breach))
        .routes(routes!(privacy_paper))
        .with_state(deps)
}

/// An entry of the register of breaches.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Breach {
    #[serde(rename = "_id")]
    id: Uuid,
    at: DateTime<Utc>,
    by: String,
    /// The entry that this one continues.
    follows: Option<Uuid>,
    title: String,
    nature: String,
    effects: String,
    measures: String,
    people: Option<i32>,
    happened_at: Option<DateTime<Utc>>,
    known_at: DateTime<Utc>,
    /// Until when the authority is to be told: 72 hours after it became known.
    due_at: DateTime<Utc>,
    authority_at: Option<DateTime<Utc>>,
    people_at: Option<DateTime<Utc>>,
}

impl From<Model> for Breach {
    fn from(row: Model) -> Self {
        Self {
            due_at: breaches::due(&row),
            id: row.id,
            at: row.at,
            by: row.by_name,
            follows: row.follows,
            title: row.title,
            nature: row.nature,
            effects: row.effects,
            measures: row.measures,
            people: row.people,
            happened_at: row.happened_at,
            known_at: row.known_at,
            authority_at: row.authority_at,
            people_at: row.people_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BreachesBody {
    breaches: Vec<Breach>,
    total: u64,
    /// Null on the last page.
    next_cursor: Option<String>,
}

/// The register of security breaches, newest first.
///
/// Errors: `INVALID_FIELDS` (422), `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(get, path = "/api/v1/security-breaches", tag = "privacy", operation_id = "list_security_breaches",
    params(ListQuery), responses((status = 200, body = BreachesBody)), security(("session" = [])))]
async fn list_security_breaches(
    State(deps): State<Privacy>,
    _by: AdminOnly,
    Query(query): Query<ListQuery>,
) -> ApiResult<Json<BreachesBody>> {
    let slice = query.slice()?;
    let (rows, total) = store::list(deps.db.read(), slice).await.map_err(PrivacyError::from)?;
    let breaches = rows.into_iter().map(Breach::from).collect();
    Ok(Json(BreachesBody { breaches, total, next_cursor: slice.next_cursor(total) }))
}

#[derive(Deserialize, ToSchema)]
struct NewBreachBody {
    #[serde(default)]
    breach: NewBreach,
}

#[derive(Serialize, ToSchema)]
struct BreachBody {
    breach: Breach,
}

/// Adds an entry to the register of breaches; entries are never changed.
///
/// Errors: `INVALID_FIELDS` (422), `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(post, path = "/api/v1/security-breaches", tag = "privacy", operation_id = "add_security_breach",
    request_body = NewBreachBody, responses((status = 200, body = BreachBody)), security(("session" = [])))]
async fn add_security_breach(
    State(deps): State<Privacy>,
    AdminOnly(caller): AdminOnly,
    Json(body): Json<NewBreachBody>,
) -> ApiResult<Json<BreachBody>> {
    let breach = breaches::add(&deps, &caller, body.breach).await?;
    Ok(Json(BreachBody { breach: breach.into() }))
}

/// A paper of data protection as PDF, from what is configured now: `activities` (record of processing activities), `impact`
/// (impact assessment) or `breaches` (register of breaches). Spanish for the languages of Spain, else English.
///
/// Errors: `PAPER_UNKNOWN` (404), `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(get, path = "/api/v1/privacy-paper/{kind}", tag = "privacy", operation_id = "privacy_paper",
    params(("kind" = String, Path)),
    responses((status = 200, description = "The paper", content_type = "application/pdf")), security(("session" = [])))]
async fn privacy_paper(
    State(deps): State<Privacy>,
    _by: AdminOnly,
    Path(kind): Path<String>,
    RequestLanguage(language): RequestLanguage,
) -> ApiResult<Response> {
    let paper = Paper::parse(&kind).ok_or_else(|| Problem::not_found("PAPER_UNKNOWN"))?;
    let document = document::set(&deps, paper, language).await?;
    let pdf = tokio::task::spawn_blocking(move || atalaya_pdf::render(&document)).await;
    let pdf = pdf.map_err(Problem::internal)?.map_err(Problem::internal)?;
    let mut response = pdf.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/pdf"));
    headers.insert(header::CONTENT_DISPOSITION, disposition(paper.file(), true));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    Ok(response)
}
