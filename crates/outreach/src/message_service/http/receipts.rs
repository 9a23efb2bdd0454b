//! The endpoint of providers' receipts. Outside of the API, because its address stands in providers' settings.

use super::super::service;
use crate::Outreach;
use atalaya_messaging::{ReceiptCall, ReceiptError};
use atalaya_rest::{ApiResult, NoContent, Path, Problem};
use axum::body::Bytes;
use axum::extract::{OriginalUri, State};
use axum::http::HeaderMap;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Outreach> {
    OpenApiRouter::new().routes(routes!(message_receipts))
}

/// Takes receipts of `twilio` (`X-Twilio-Signature`), `http` (`X-Signature: t=…,v1=…`, HMAC-SHA256 over `t.body`, five minutes)
/// and `waha` (`X-Webhook-Hmac`). The same one twice, a late one, and one about a message that is not ours are no error.
///
/// Errors: `NOT_FOUND` (404) for a provider that is not configured, `RECEIPT_REFUSED` (403) for a wrong signature,
/// `RECEIPT_UNREADABLE` (400).
#[utoipa::path(post, path = "/hooks/messages/{provider}", tag = "messaging", operation_id = "message_receipts", security(()),
    params(("provider" = String, Path, description = "`twilio`, `http` or `waha`")), request_body = String,
    responses((status = 204), (status = 400), (status = 403), (status = 404)))]
async fn message_receipts(
    State(d): State<Outreach>,
    Path(provider): Path<String>,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<NoContent> {
    let found = d.identity.outbox.providers().named(&provider).ok_or_else(|| Problem::not_found("NOT_FOUND"))?;
    let target = uri.path_and_query().map_or(uri.path(), |both| both.as_str());
    let call = ReceiptCall { target, headers: &headers, body: &body, now: d.sources.now() };
    let reports = found.receipts(&call).map_err(|error| match error {
        ReceiptError::NotOffered => Problem::not_found("NOT_FOUND"),
        ReceiptError::Signature => Problem::forbidden("RECEIPT_REFUSED"),
        ReceiptError::Unreadable => Problem::malformed("RECEIPT_UNREADABLE"),
    })?;
    service::take_receipts(&d, found.name(), reports).await?;
    Ok(NoContent)
}
