//! Requests and documents as forms, and documents as files.

use super::view::{FiscalRequestAnswer, Views};
use super::{checked, day, own_principal, reader};
use crate::Fiscal;
use crate::documents::{self, Document};
use crate::model::{FIELDS, tidy};
use crate::service::{self, Wish};
use atalaya_identity::companies::form::{CompanyInput, Field};
use atalaya_identity::guards::principal_of;
use atalaya_identity::{IdentityError, Origin};
use atalaya_kernel::CompanyId;
use atalaya_kernel::limits::FISCAL_DOCUMENT_MAX_BYTES;
use atalaya_rest::forms::{FormFile, file, kind_of};
use atalaya_rest::{ApiResult, Caller, FieldError, Json, Multipart, Path, Problem};
use axum::extract::State;
use axum::response::Response;
use utoipa::ToSchema;
use uuid::Uuid;

/// Characters of a text beside the document that are read; longer ones are refused with their limit.
const TEXT_CHARS: usize = 600;

/// A request with its document.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the form; its parts are read one by one")]
struct FiscalRequestForm {
    cif: Option<String>,
    company: Option<String>,
    address: Option<String>,
    #[schema(rename = "postalCode")]
    postal_code: Option<String>,
    city: Option<String>,
    region: Option<String>,
    /// The day from which it is so.
    since: String,
    note: Option<String>,
    /// PDF, JPEG or PNG, 10 MiB at most.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// The document of a form, by its first bytes.
fn document(form: &FormFile) -> Result<Document, Problem> {
    let kind = kind_of(&form.bytes).ok_or_else(|| Problem::invalid([FieldError::new("file", "FILE_TYPE_NOT_ALLOWED")]))?;
    Ok(Document { kind, bytes: form.bytes.clone() })
}

/// Asks for other fiscal data, with the document that proves them. The principal's; an administrator changes at once.
///
/// Errors: `INVALID_FIELDS` (422) with every wrong field, also `since`, `note` and `file` (`FILE_EMPTY`,
/// `FILE_TYPE_NOT_ALLOWED`); 413 `FILE_TOO_LARGE`; 409 `FISCAL_REQUEST_OPEN`, `FISCAL_UNCHANGED`; 429; 404
/// `COMPANY_NOT_FOUND`. Source: FISCAL-2, FISCAL-3.
#[utoipa::path(post, path = "/api/v1/fiscal-requests/{companyId}", tag = "fiscal", params(("companyId" = String, Path)),
    request_body(content = FiscalRequestForm, content_type = "multipart/form-data"),
    responses((status = 200, body = FiscalRequestAnswer), (status = 401), (status = 403), (status = 404), (status = 409),
        (status = 413), (status = 422), (status = 429)))]
pub(super) async fn ask_fiscal_change(
    State(d): State<Fiscal>,
    caller: Caller,
    origin: Origin,
    Path(id): Path<CompanyId>,
    form: Multipart,
) -> ApiResult<Json<FiscalRequestAnswer>> {
    let member = principal_of(&d.identity, caller, id).await?;
    let caller = member.caller;
    if caller.is_admin() {
        return Err(IdentityError::RoleNotAllowed.into());
    }
    let form = FormFile::read_long(form, FISCAL_DOCUMENT_MAX_BYTES, TEXT_CHARS).await?;
    let of = |field: Field| form.text(field.wire()).map(Some);
    let input = CompanyInput {
        cif: of(Field::Cif),
        company: of(Field::Company),
        address: of(Field::Address),
        postal_code: of(Field::PostalCode),
        city: of(Field::City),
        region: of(Field::Region),
        ..CompanyInput::default()
    };
    let mut errors = Vec::new();
    let mut wanted = checked(&input, member.company.kind, &mut errors);
    wanted.retain(|(field, _)| FIELDS.contains(field));
    let since = day(&form.text("since").unwrap_or_default(), &mut errors);
    let document = match document(&form) {
        Ok(document) => Some(document),
        Err(problem) => {
            errors.extend(problem.errors().iter().cloned());
            None
        }
    };
    let note = tidy("note", form.text("note").as_deref())?;
    let (Some(since), Some(document), true) = (since, document, errors.is_empty()) else {
        return Err(Problem::invalid(errors));
    };
    let request = service::ask(&d, &caller, &origin, id, Wish { wanted, since, note }, &document).await?;
    Ok(Json(Views::new(&d, &caller).answer(request).await?))
}

/// The document of a request.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the form; its parts are read one by one")]
struct FiscalDocumentForm {
    /// PDF, JPEG or PNG, 10 MiB at most.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// Adds the document to a request that the company's form made. It is not replaced: another document is another request.
///
/// Errors: 404 `FISCAL_REQUEST_NOT_FOUND`; 409 `FISCAL_REQUEST_CLOSED`, `FISCAL_DOCUMENT_KEPT`; 422 at `file`; 413
/// `FILE_TOO_LARGE`. Source: FISCAL-3.
#[utoipa::path(post, path = "/api/v1/fiscal-request-document/{id}", tag = "fiscal", params(("id" = Uuid, Path)),
    request_body(content = FiscalDocumentForm, content_type = "multipart/form-data"),
    responses((status = 200, body = FiscalRequestAnswer), (status = 401), (status = 403), (status = 404), (status = 409),
        (status = 413), (status = 422)))]
pub(super) async fn attach_fiscal_document(
    State(d): State<Fiscal>,
    caller: Caller,
    Path(id): Path<Uuid>,
    form: Multipart,
) -> ApiResult<Json<FiscalRequestAnswer>> {
    own_principal(&caller)?;
    service::get(&d, &caller, id).await?;
    let document = document(&FormFile::read(form, FISCAL_DOCUMENT_MAX_BYTES).await?)?;
    let request = service::attach(&d, &caller, id, &document).await?;
    Ok(Json(Views::new(&d, &caller).answer(request).await?))
}

/// The document of a request, as it was uploaded.
///
/// Errors: 404 `FISCAL_REQUEST_NOT_FOUND`, `FISCAL_DOCUMENT_NOT_FOUND`. Source: FISCAL-3.
#[utoipa::path(get, path = "/api/v1/fiscal-request-document/{id}", tag = "fiscal", params(("id" = Uuid, Path)),
    responses((status = 200, description = "The document"), (status = 401), (status = 403), (status = 404)))]
pub(super) async fn get_fiscal_document(State(d): State<Fiscal>, caller: Caller, Path(id): Path<Uuid>) -> ApiResult<Response> {
    reader(&caller)?;
    service::get(&d, &caller, id).await?;
    let (bytes, kind, name) = documents::read(&d, id).await?;
    Ok(file(bytes, kind, "attachment", &name))
}
