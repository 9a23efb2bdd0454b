//! The administrator's calls about general notifications.

use super::Notification;
use crate::Outreach;
use crate::notifications::model::{General, GeneralState, NewGeneralBody, text_of};
use crate::notifications::{NotificationError, general, html, store};
use atalaya_identity::auth::service::Origin;
use atalaya_kernel::NotificationId;
use atalaya_kernel::limits::NOTICE_BODY_MAX;
use atalaya_rest::page::{ListQuery, PageQuery};
use atalaya_rest::{AdminOnly, ApiResult, Created, Json, Path, Problem, Query};
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Outreach> {
    OpenApiRouter::new()
        .routes(routes!(create_general))
        .routes(routes!(preview_general))
        .routes(routes!(list_general))
        .routes(routes!(withdraw_general))
}

/// A general notification as administrators see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GeneralNotification {
    #[serde(flatten)]
    notification: Notification,
    /// 0 everybody, else the role.
    role_group: i16,
    expires_at: DateTime<Utc>,
    state: GeneralState,
    /// How many people have read it.
    readers: i64,
}

impl GeneralNotification {
    fn of(d: &Outreach, of: General, readers: i64) -> Self {
        let (role_group, expires_at, state) = (of.group.number(), of.expires_at, of.state(d.sources.now()));
        Self { notification: Notification::general(of, false), role_group, expires_at, state, readers }
    }
}

#[derive(Serialize, ToSchema)]
struct GeneralBody {
    notification: GeneralNotification,
}

/// Writes a general notification; its audience hears of it at its start.
///
/// Errors: `INVALID_FIELDS` (422) about `text`, `url`, `startAt`, `expiresAt`, `roleGroup`, `body`.
#[utoipa::path(post, path = "/api/v1/notifications/new-general-from-admin", tag = "notifications",
    operation_id = "new_general_from_admin", request_body = NewGeneralBody,
    responses((status = 201, body = GeneralBody), (status = 401), (status = 403), (status = 422)), security(("session" = [])))]
async fn create_general(
    State(d): State<Outreach>,
    caller: AdminOnly,
    origin: Origin,
    Json(body): Json<NewGeneralBody>,
) -> ApiResult<Created<GeneralBody>> {
    let new = body.check(d.sources.now()).map_err(NotificationError::Invalid)?;
    let id = general::create(&d, &caller, &origin, &new).await?;
    Ok(Created(general_body(&d, id).await?))
}

/// Html of a general notification.
#[derive(Deserialize, ToSchema)]
#[schema(as = NotificationHtml)]
struct HtmlInput {
    /// At most 20000 characters.
    #[serde(default)]
    #[schema(value_type = String)]
    body: Value,
}

#[derive(Serialize, ToSchema)]
#[schema(as = SanitisedHtml)]
struct HtmlBody {
    body: String,
}

/// The html as it would be shown: what is not allowed is taken out. Nothing is stored.
///
/// Errors: `INVALID_FIELDS` (422) about `body`.
#[utoipa::path(post, path = "/api/v1/notifications/preview-general", tag = "notifications", operation_id = "preview_general",
    request_body = HtmlInput, responses((status = 200, body = HtmlBody), (status = 401), (status = 403), (status = 422)),
    security(("session" = [])))]
async fn preview_general(_: AdminOnly, Json(input): Json<HtmlInput>) -> ApiResult<Json<HtmlBody>> {
    let html = text_of("body", &input.body, NOTICE_BODY_MAX).map_err(|error| Problem::invalid([error]))?;
    Ok(Json(HtmlBody { body: html::sanitise(&html.unwrap_or_default()) }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GeneralListBody {
    notifications: Vec<GeneralNotification>,
    total: u64,
    next_cursor: Option<String>,
}

/// Every general notification, the latest start first, with where it stands and how many have read it.
///
/// Errors: `INVALID_FIELDS` (422) about `cursor`.
#[utoipa::path(get, path = "/api/v1/notifications/general", tag = "notifications", operation_id = "list_general_notifications",
    params(PageQuery), responses((status = 200, body = GeneralListBody), (status = 401), (status = 403), (status = 422)),
    security(("session" = [])))]
async fn list_general(
    State(d): State<Outreach>,
    _: AdminOnly,
    Query(page): Query<PageQuery>,
) -> ApiResult<Json<GeneralListBody>> {
    let slice = ListQuery { limit: page.limit, cursor: page.cursor, ..ListQuery::default() }.slice()?;
    let (found, total) = store::page_general(d.db.read(), slice).await.map_err(NotificationError::from)?;
    let ids: Vec<_> = found.iter().map(|of| of.id).collect();
    let readers = store::count_readers(d.db.read(), &ids).await.map_err(NotificationError::from)?;
    let view = |of: General| {
        let read = readers.get(&of.id).copied().unwrap_or_default();
        GeneralNotification::of(&d, of, read)
    };
    Ok(Json(GeneralListBody {
        notifications: found.into_iter().map(view).collect(),
        total,
        next_cursor: slice.next_cursor(total),
    }))
}

/// Takes a general notification back: nobody sees it any more.
///
/// Errors: `NOTIFICATION_NOT_FOUND` (404); `NOTIFICATION_OVER` (409) when it has expired or was withdrawn.
#[utoipa::path(post, path = "/api/v1/notifications/general-withdraw/{id}", tag = "notifications",
    operation_id = "withdraw_general", params(("id" = String, Path)),
    responses((status = 200, body = GeneralBody), (status = 401), (status = 403), (status = 404), (status = 409)),
    security(("session" = [])))]
async fn withdraw_general(
    State(d): State<Outreach>,
    caller: AdminOnly,
    origin: Origin,
    Path(id): Path<NotificationId>,
) -> ApiResult<Json<GeneralBody>> {
    general::withdraw(&d, &caller, &origin, id).await?;
    Ok(Json(general_body(&d, id).await?))
}

async fn general_body(d: &Outreach, id: NotificationId) -> Result<GeneralBody, NotificationError> {
    let found = store::find_general(d.db.read(), id).await?.ok_or(NotificationError::NotFound)?;
    let readers = store::count_readers(d.db.read(), &[id]).await?;
    let read = readers.get(&id).copied().unwrap_or_default();
    Ok(GeneralBody { notification: GeneralNotification::of(d, found, read) })
}
