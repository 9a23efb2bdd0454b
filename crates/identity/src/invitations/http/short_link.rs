//! `/a/{token}`: the short address of a link that travels by SMS.

use super::Door;
use crate::invitations::model::page;
use crate::links;
use atalaya_rest::{ApiResult, Path};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};

/// Sends on to the page of a link, whatever its state: the page tells. Only reads, so that robots that preview links
/// consume nothing. An unknown token leads to the root.
///
/// Source: LINK-3, LINK-5.
#[utoipa::path(get, path = "/a/{token}", tag = "invitations", params(("token" = String, Path)), security(()),
    responses((status = 302, description = "To the page of the link")))]
pub(crate) async fn open_short_link(State(door): State<Door>, Path(token): Path<String>) -> ApiResult<Response> {
    let plausible = token.len() <= 64 && token.bytes().all(|b| b.is_ascii_alphanumeric());
    let link = match plausible {
        true => links::service::find_any(&door.d, &token).await?,
        false => None,
    };
    let target = link.map_or_else(|| "/".to_owned(), |link| page(link.kind, link.role, link.company, &token));
    let mut response = Redirect::to(&target).into_response();
    *response.status_mut() = StatusCode::FOUND;
    Ok(response)
}
