//! Calls of the bell and its panel.

mod general;
mod marks;

use super::NotificationError;
use super::model::{General, NoticeType, Personal};
use super::store;
use crate::Outreach;
use atalaya_kernel::UserId;
use atalaya_rest::{ApiResult, Caller, Json, RequestLanguage};
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::BTreeSet;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub(crate) fn routes(deps: Outreach) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(has_any))
        .routes(routes!(count_new))
        .routes(routes!(list_by_user))
        .merge(marks::routes())
        .merge(general::routes())
        .with_state(deps)
}

/// A notification as the panel shows it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Notification {
    #[serde(rename = "_id")]
    id: Uuid,
    readed: bool,
    /// Key into `getNotificationTextByLanguage`.
    notification_text_id: Option<String>,
    /// In Spanish, when there is a key.
    text: String,
    /// Shown after the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    expedient_number: Option<String>,
    /// When a personal one arrived; the date shown, else `startAt`.
    updated_at: Option<DateTime<Utc>>,
    /// From when a general one is in force.
    start_at: Option<DateTime<Utc>>,
    /// 0 message dialog, 1 conference, 2 address, 3 html.
    #[serde(rename = "type")]
    kind: i16,
    /// Conference, address or sanitised html, by the type.
    target_value: Option<String>,
    /// Of personal ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    user_id: Option<UserId>,
    url: Option<String>,
}

impl Notification {
    fn general(of: General, readed: bool) -> Self {
        let (kind, target_value) = match (of.body, &of.url) {
            (Some(body), _) => (NoticeType::Html, Some(body)),
            (None, Some(url)) => (NoticeType::Url, Some(url.clone())),
            (None, None) => (NoticeType::Message, None),
        };
        Self {
            id: of.id.0,
            readed,
            notification_text_id: None,
            text: of.text,
            expedient_number: None,
            updated_at: None,
            start_at: Some(of.start_at),
            kind: kind as i16,
            target_value,
            user_id: None,
            url: of.url,
        }
    }
}

impl From<Personal> for Notification {
    fn from(of: Personal) -> Self {
        let url = of.target.clone().filter(|_| of.kind == NoticeType::Url);
        Self {
            id: of.id.0,
            readed: of.is_read,
            notification_text_id: of.text_id,
            text: of.text,
            expedient_number: of.expedient,
            updated_at: Some(of.created_at),
            start_at: None,
            kind: of.kind as i16,
            target_value: of.target,
            user_id: Some(of.user),
            url,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct HasAnyBody {
    has_any: bool,
}

/// Whether the caller's panel has anything to show, read or not.
#[utoipa::path(get, path = "/api/v1/notifications/has-any", tag = "notifications", operation_id = "has_any_notification",
    responses((status = 200, body = HasAnyBody), (status = 401)), security(("session" = [])))]
async fn has_any(State(d): State<Outreach>, caller: Caller) -> ApiResult<Json<HasAnyBody>> {
    let has_any = store::has_any(d.db.read(), d.reader(&caller)).await.map_err(NotificationError::from)?;
    Ok(Json(HasAnyBody { has_any }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NumberBody {
    /// Unread ones: general ones in force for the caller, and his own.
    number_new_notifications: u64,
}

/// How many notifications the caller has not read.
#[utoipa::path(get, path = "/api/v1/notifications/get-number-notifications", tag = "notifications",
    operation_id = "get_number_notifications", responses((status = 200, body = NumberBody), (status = 401)),
    security(("session" = [])))]
async fn count_new(State(d): State<Outreach>, caller: Caller) -> ApiResult<Json<NumberBody>> {
    let number = store::count_unread(d.db.read(), d.reader(&caller)).await.map_err(NotificationError::from)?;
    Ok(Json(NumberBody { number_new_notifications: number }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ByUserBody {
    notifications_by_user: ByCategory,
    /// The texts of every `notificationTextId` that occurs, in the language of the request.
    get_notification_text_by_language: Vec<NotificationText>,
}

/// Both lists newest first, the newest 500 of each.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ByCategory {
    /// Those in force for the caller's role.
    general_notifications: Vec<Notification>,
    personal_notifications: Vec<Notification>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NotificationText {
    notification_text_id: String,
    text: String,
}

/// The caller's notifications, general ones in force and his own, newest first.
#[utoipa::path(get, path = "/api/v1/notifications/get-by-user", tag = "notifications", operation_id = "get_notifications_by_user",
    responses((status = 200, body = ByUserBody), (status = 401)), security(("session" = [])))]
async fn list_by_user(
    State(d): State<Outreach>,
    caller: Caller,
    RequestLanguage(language): RequestLanguage,
) -> ApiResult<Json<ByUserBody>> {
    let reader = d.reader(&caller);
    let general = store::list_general(d.db.read(), reader).await.map_err(NotificationError::from)?;
    let personal = store::list_personal(d.db.read(), reader).await.map_err(NotificationError::from)?;
    let ids: BTreeSet<&str> = personal.iter().filter_map(|of| of.text_id.as_deref()).collect();
    let text = |id: &str| NotificationText { notification_text_id: id.to_owned(), text: d.notice(language, id) };
    let texts = ids.into_iter().map(text).collect();
    Ok(Json(ByUserBody {
        notifications_by_user: ByCategory {
            general_notifications: general.into_iter().map(|(of, read)| Notification::general(of, read)).collect(),
            personal_notifications: personal.into_iter().map(Into::into).collect(),
        },
        get_notification_text_by_language: texts,
    }))
}
