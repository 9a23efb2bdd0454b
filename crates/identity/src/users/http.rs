//! `user/{id}`.

use super::service;
use crate::Identity;
use crate::auth::http::UserView;
use atalaya_kernel::UserId;
use atalaya_rest::{ApiResult, Caller, Json, Path};
use axum::extract::State;
use serde::Serialize;

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct UserAnswer {
    user: UserView,
}

/// A user's profile: one's own, any for administrators, colleagues' for the support flag and the principal.
///
/// Errors: `USER_NOT_FOUND` (404, also another tenant's), `OWN_ID_REQUIRED` (403).
/// Source: SPEC §6 own-id guard, §7 Users; DESIGN §3.
#[utoipa::path(get, path = "/api/v1/user/{id}", tag = "users", params(("id" = String, Path)),
    responses((status = 200, body = UserAnswer), (status = 403), (status = 404)))]
pub(crate) async fn get_user(State(d): State<Identity>, caller: Caller, Path(id): Path<UserId>) -> ApiResult<Json<UserAnswer>> {
    let (user, company) = service::get_profile(&d, &caller, id).await?;
    Ok(Json(UserAnswer { user: UserView::new(&user, &company, None, d.sources.now()) }))
}
