//! `parse-sepa` and the bank files that were taken in.

use super::{names, slice};
use crate::mandates::http::{Room, read_file};
use crate::remittances::model::{FileTotals, Summary};
use crate::remittances::{intake, store};
use crate::{Billing, BillingError, BillingResult};
use atalaya_identity::auth::service::Origin;
use atalaya_rest::page::PageQuery;
use atalaya_rest::{AdminOnly, ApiResult, Json, Multipart, Path, Problem, Query};
use atalaya_sepa::read::MAX_FILE;
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

#[derive(ToSchema)]
#[allow(dead_code)]
pub(super) struct BankForm {
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// What a bank file did.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BankFileResult)]
pub(super) struct FileAnswer {
    file_id: Uuid,
    name: String,
    /// `pain.002`, `camt.053` or `camt.054`; several in a ZIP.
    message: String,
    created: Option<DateTime<Utc>>,
    received_at: DateTime<Utc>,
    received_by: Option<String>,
    /// The same file had been taken in before: nothing changed.
    repeated: bool,
    #[serde(flatten)]
    summary: Summary,
}

async fn file_answer(d: &Billing, row: store::BankFileRow, repeated: bool) -> BillingResult<FileAnswer> {
    let names = names(d, std::iter::once(row.created_by)).await?;
    let corrupt = |_| BillingError::Corrupt(format!("bank file {}", row.id));
    Ok(FileAnswer {
        summary: serde_json::from_value(row.summary.clone()).map_err(corrupt)?,
        file_id: row.id,
        name: row.name,
        message: row.messages,
        created: None,
        received_at: row.created_at,
        received_by: names.get(&row.created_by).cloned(),
        repeated,
    })
}

/// Takes in a bank's file: pain.002, camt.053 or camt.054, alone or in a ZIP. The same file again changes nothing.
///
/// Errors: 413 `FILE_TOO_LARGE`; 422 at `file`: `FILE_EMPTY`, `SEPA_FORMAT_NOT_SUPPORTED`, `SEPA_FILE_INVALID`,
/// `SEPA_DTD_REFUSED`, `SEPA_OTHER_CREDITOR`. Source: SPEC §7 Customers, DOMAIN §3.8.
#[utoipa::path(post, path = "/api/v1/parse-sepa", tag = "sepa",
    request_body(content = BankForm, content_type = "multipart/form-data"),
    responses((status = 200, body = FileAnswer), (status = 413), (status = 422)), security(("session" = [])))]
pub(super) async fn parse_sepa(
    State(room): State<Room>,
    AdminOnly(caller): AdminOnly,
    origin: Origin,
    form: Multipart,
) -> ApiResult<Json<FileAnswer>> {
    let (name, bytes) = read_file(form, MAX_FILE).await?;
    let taken = intake::take(&room.billing, &caller, &origin, name, bytes).await?;
    Ok(Json(file_answer(&room.billing, taken.row, taken.repeated).await?))
}

/// A bank file in the list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BankFileRow)]
pub(super) struct FileView {
    file_id: Uuid,
    name: String,
    message: String,
    created: Option<DateTime<Utc>>,
    received_at: DateTime<Utc>,
    received_by: Option<String>,
    totals: FileTotals,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FilesAnswer {
    files: Vec<FileView>,
    total: u64,
    next_cursor: Option<String>,
}

/// Bank files that were taken in, newest first.
#[utoipa::path(get, path = "/api/v1/sepa-files", tag = "sepa", params(PageQuery),
    responses((status = 200, body = FilesAnswer)), security(("session" = [])))]
pub(super) async fn list_sepa_files(
    State(room): State<Room>,
    _: AdminOnly,
    Query(page): Query<PageQuery>,
) -> ApiResult<Json<FilesAnswer>> {
    let d = &room.billing;
    let slice = slice(page)?;
    let (total, rows) = store::list_files(d.db.read(), slice).await.map_err(BillingError::from)?;
    let mut files = Vec::with_capacity(rows.len());
    for row in rows {
        let whole = file_answer(d, row, false).await?;
        files.push(FileView {
            file_id: whole.file_id,
            name: whole.name,
            message: whole.message,
            created: whole.created,
            received_at: whole.received_at,
            received_by: whole.received_by,
            totals: whole.summary.totals,
        });
    }
    Ok(Json(FilesAnswer { files, total, next_cursor: slice.next_cursor(total) }))
}

/// What a bank file did, as it was answered then. Errors: 404 `BANK_FILE_NOT_FOUND`.
#[utoipa::path(get, path = "/api/v1/sepa-file/{id}", tag = "sepa", params(("id" = Uuid, Path)),
    responses((status = 200, body = FileAnswer), (status = 404)), security(("session" = [])))]
pub(super) async fn get_sepa_file(State(room): State<Room>, _: AdminOnly, Path(id): Path<Uuid>) -> ApiResult<Json<FileAnswer>> {
    let d = &room.billing;
    let row = store::find_file(d.db.read(), id).await.map_err(BillingError::from)?;
    let row = row.ok_or_else(|| Problem::not_found("BANK_FILE_NOT_FOUND"))?;
    Ok(Json(file_answer(d, row, false).await?))
}
