//! Calls about terms: what they are, what they would do, and what is blocked.

use super::{Blocked, Due};
use crate::Privacy;
use crate::erasures;
use atalaya_kernel::keeping::DataClass;
use atalaya_kernel::{ConferenceId, calendar};
use atalaya_rest::caller::{AdminOnly, AdminOrCustomer};
use atalaya_rest::extract::{Json, Path, Query};
use atalaya_rest::problem::{FieldError, Problem};
use atalaya_rest::response::ApiResult;
use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes(deps: Privacy) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(get_data_terms))
        .routes(routes!(preview_data_terms))
        .routes(routes!(open_blocked_data))
        .with_state(deps)
}

/// The term of a class of data.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DataTerm {
    /// `phone`, `plate`, `address`, `ip`, `position`, `chat` or `events`.
    data_class: &'static str,
    /// Days from the opening of a conference until the class is blocked.
    days: i64,
}

/// Who processes data for the platform.
#[derive(Serialize, ToSchema)]
struct ProcessorView {
    /// `hosting`, `storage`, `email`, `sms`, `whatsapp`, `video`, `timeStamps`, `geocoding` or `maps`.
    service: &'static str,
    name: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DataTermsBody {
    terms: Vec<DataTerm>,
    /// Days between blocking and deletion.
    blocked_days: i64,
    processors: Vec<ProcessorView>,
}

/// How long each class of data is kept, and who processes data for the platform, as configured.
///
/// Errors: `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(get, path = "/api/v1/data-terms", tag = "privacy", operation_id = "get_data_terms",
    responses((status = 200, body = DataTermsBody)), security(("session" = [])))]
async fn get_data_terms(State(deps): State<Privacy>, _by: AdminOrCustomer) -> ApiResult<Json<DataTermsBody>> {
    let settings = &deps.identity.settings;
    let term = |class: DataClass| DataTerm { data_class: class.name(), days: settings.keeping.days(class) };
    let processors = settings.processors.iter();
    Ok(Json(DataTermsBody {
        terms: DataClass::ALL.into_iter().map(term).collect(),
        blocked_days: settings.keeping.blocked_days,
        processors: processors.map(|one| ProcessorView { service: one.service.name(), name: one.name.clone() }).collect(),
    }))
}

#[derive(Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct PreviewQuery {
    /// At the beginning of this day (`2026-11-27`); now without it.
    date: Option<String>,
}

/// What would happen to a class of data.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DataTermDue {
    /// As in `get_data_terms`.
    data_class: &'static str,
    /// Conferences whose data would be blocked.
    to_block: i64,
    /// Conferences whose blocked data would be deleted.
    to_delete: u64,
}

impl From<Due> for DataTermDue {
    fn from(due: Due) -> Self {
        Self { data_class: due.class.name(), to_block: due.to_block, to_delete: due.to_delete }
    }
}

#[derive(Serialize, ToSchema)]
struct DataTermsPreviewBody {
    at: DateTime<Utc>,
    classes: Vec<DataTermDue>,
}

/// What the terms would block and delete, without doing it.
///
/// Errors: `INVALID_FIELDS` (422) about `date`, `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(get, path = "/api/v1/data-terms-preview", tag = "privacy", operation_id = "preview_data_terms",
    params(PreviewQuery), responses((status = 200, body = DataTermsPreviewBody)), security(("session" = [])))]
async fn preview_data_terms(
    State(deps): State<Privacy>,
    _by: AdminOnly,
    Query(query): Query<PreviewQuery>,
) -> ApiResult<Json<DataTermsPreviewBody>> {
    let at = match query.date.as_deref().filter(|date| !date.is_empty()) {
        None => deps.sources.now(),
        Some(date) => {
            let day: NaiveDate = date.parse().map_err(|_| Problem::invalid([FieldError::new("date", "INVALID")]))?;
            calendar::start_of(day)
        }
    };
    let classes = super::preview(&deps, at).await?.into_iter().map(DataTermDue::from).collect();
    Ok(Json(DataTermsPreviewBody { at, classes }))
}

#[derive(Deserialize, ToSchema)]
struct BlockedBody {
    /// Which authority asks, and why: 1 to 250 characters.
    #[serde(default)]
    reason: String,
}

/// Blocked data of one class.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BlockedView {
    /// As in `get_data_terms`.
    data_class: String,
    blocked_at: DateTime<Utc>,
    delete_at: DateTime<Utc>,
    /// Lists of texts by name.
    #[schema(value_type = Object)]
    values: serde_json::Map<String, serde_json::Value>,
}

impl From<Blocked> for BlockedView {
    fn from(one: Blocked) -> Self {
        Self { data_class: one.class, blocked_at: one.blocked_at, delete_at: one.delete_at, values: one.values }
    }
}

#[derive(Serialize, ToSchema)]
struct BlockedDataBody {
    blocked: Vec<BlockedView>,
}

/// What is blocked of a conference, for an authority that asks for it. Written into the activity log.
///
/// Errors: `INVALID_FIELDS` (422) about `reason`, `CONFERENCE_NOT_FOUND` (404), `MEDIA_ERASED` (410), `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(post, path = "/api/v1/blocked-data/{id}", tag = "privacy", operation_id = "open_blocked_data",
    params(("id" = ConferenceId, Path)), request_body = BlockedBody,
    responses((status = 200, body = BlockedDataBody)), security(("session" = [])))]
async fn open_blocked_data(
    State(deps): State<Privacy>,
    AdminOnly(caller): AdminOnly,
    Path(id): Path<ConferenceId>,
    Json(body): Json<BlockedBody>,
) -> ApiResult<Json<BlockedDataBody>> {
    let reason = erasures::reason(&body.reason)?;
    let blocked = super::open(&deps, &caller, id, &reason).await?;
    Ok(Json(BlockedDataBody { blocked: blocked.into_iter().map(BlockedView::from).collect() }))
}
