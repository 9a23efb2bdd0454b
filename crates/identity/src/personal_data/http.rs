//! `my-data`.

use super::service;
use crate::{Identity, Origin};
use atalaya_rest::forms::file;
use atalaya_rest::{ApiResult, Caller, Problem};
use axum::extract::State;
use axum::response::Response;

/// The name of the file that people save.
const NAME: &str = "mis-datos.json";

/// Everything that is kept of the caller's account, as a JSON file: account, log-ins, passkeys, contracts accepted, the activity log about it,
/// notifications and consents.
///
/// Errors: `FRESH_PROOF_REQUIRED` (403). Source: MYDATA-1, MYDATA-2.
#[utoipa::path(get, path = "/api/v1/my-data", tag = "users",
    responses((status = 200, description = "The file", content_type = "application/json"), (status = 401), (status = 403)),
    security(("session" = [])))]
pub(crate) async fn get_my_data(State(d): State<Identity>, caller: Caller, origin: Origin) -> ApiResult<Response> {
    let data = service::gather(&d, &caller, &origin).await?;
    let text = serde_json::to_string_pretty(&data).map_err(Problem::internal)?;
    Ok(file(text, "application/json", "attachment", NAME))
}
