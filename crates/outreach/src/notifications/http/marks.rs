//! Marking as read and unread. The calls are specified as GET; the web app uses POST, since they change something (NOTICE-4).

use super::NumberBody;
use crate::Outreach;
use crate::notifications::service::{Mark, mark};
use atalaya_kernel::NotificationId;
use atalaya_rest::{ApiResult, Caller, Json, Path};
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Outreach> {
    OpenApiRouter::new()
        .routes(routes!(general_seen::get, general_seen::post))
        .routes(routes!(general_unseen::get, general_unseen::post))
        .routes(routes!(personal_seen::get, personal_seen::post))
        .routes(routes!(personal_unseen::get, personal_unseen::post))
        .routes(routes!(all_seen_get, all_seen_post))
}

async fn marked(d: &Outreach, caller: &Caller, what: Mark) -> ApiResult<Json<NumberBody>> {
    Ok(Json(NumberBody { number_new_notifications: mark(d, caller, what).await? }))
}

/// A call about one notification, by both methods.
macro_rules! mark_call {
    ($(#[$doc:meta])* $module:ident, $path:tt, $get:tt, $post:tt, $kind:ident, $seen:literal) => {
        mod $module {
            use super::*;

            $(#[$doc])*
            #[utoipa::path(get, path = $path, tag = "notifications", operation_id = $get,
                params(("id" = String, Path)),
                responses((status = 200, body = NumberBody), (status = 401), (status = 404)), security(("session" = [])))]
            pub(super) async fn get(
                State(d): State<Outreach>,
                caller: Caller,
                Path(id): Path<NotificationId>,
            ) -> ApiResult<Json<NumberBody>> {
                marked(&d, &caller, Mark::$kind(id, $seen)).await
            }

            $(#[$doc])*
            #[utoipa::path(post, path = $path, tag = "notifications", operation_id = $post,
                params(("id" = String, Path)),
                responses((status = 200, body = NumberBody), (status = 401), (status = 404)), security(("session" = [])))]
            pub(super) async fn post(
                State(d): State<Outreach>,
                caller: Caller,
                Path(id): Path<NotificationId>,
            ) -> ApiResult<Json<NumberBody>> {
                marked(&d, &caller, Mark::$kind(id, $seen)).await
            }
        }
    };
}

mark_call!(
    /// Marks a general notification in force for the caller as read; answers what is unread then.
    ///
    /// Errors: `NOTIFICATION_NOT_FOUND` (404), also when it is not in force or not for the caller's role.
    general_seen,
    "/api/v1/notifications/mark-as-seen-general/{id}",
    "mark_as_seen_general",
    "post_mark_as_seen_general",
    General,
    true
);
mark_call!(
    /// Marks a general notification in force for the caller as unread; answers what is unread then.
    ///
    /// Errors: `NOTIFICATION_NOT_FOUND` (404), also when it is not in force or not for the caller's role.
    general_unseen,
    "/api/v1/notifications/mark-as-unseen-general/{id}",
    "mark_as_unseen_general",
    "post_mark_as_unseen_general",
    General,
    false
);
mark_call!(
    /// Marks one of the caller's own notifications as read; answers what is unread then.
    ///
    /// Errors: `NOTIFICATION_NOT_FOUND` (404), also for another's.
    personal_seen,
    "/api/v1/notifications/mark-as-seen-personal/{id}",
    "mark_as_seen_personal",
    "post_mark_as_seen_personal",
    Personal,
    true
);
mark_call!(
    /// Marks one of the caller's own notifications as unread; answers what is unread then.
    ///
    /// Errors: `NOTIFICATION_NOT_FOUND` (404), also for another's.
    personal_unseen,
    "/api/v1/notifications/mark-as-unseen-personal/{id}",
    "mark_as_unseen_personal",
    "post_mark_as_unseen_personal",
    Personal,
    false
);

/// Marks everything that the caller sees as read.
#[utoipa::path(get, path = "/api/v1/notifications/mark-as-seen-all", tag = "notifications", operation_id = "mark_as_seen_all",
    responses((status = 200, body = NumberBody), (status = 401)), security(("session" = [])))]
async fn all_seen_get(State(d): State<Outreach>, caller: Caller) -> ApiResult<Json<NumberBody>> {
    marked(&d, &caller, Mark::All).await
}

/// Marks everything that the caller sees as read.
#[utoipa::path(post, path = "/api/v1/notifications/mark-as-seen-all", tag = "notifications",
    operation_id = "post_mark_as_seen_all", responses((status = 200, body = NumberBody), (status = 401)),
    security(("session" = [])))]
async fn all_seen_post(State(d): State<Outreach>, caller: Caller) -> ApiResult<Json<NumberBody>> {
    marked(&d, &caller, Mark::All).await
}
