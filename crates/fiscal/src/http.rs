//! Endpoints of fiscal data: the block with its history, requests and their documents, decisions.

mod abroad;
mod forms;
mod view;

use crate::model::Status;
use crate::notices::Outcome;
use crate::service::{self, Change, Decision};
use crate::{Fiscal, FiscalError, history, store};
use atalaya_identity::companies::desk::Texts;
use atalaya_identity::companies::form::{self, CompanyInput, Purpose};
use atalaya_identity::guards::principal_of;
use atalaya_identity::{IdentityError, Origin};
use atalaya_kernel::limits::FISCAL_DOCUMENT_MAX_BYTES;
use atalaya_kernel::{CompanyId, CompanyKind};
use atalaya_rest::forms::{FORM_BYTES, slice};
use atalaya_rest::page::PageQuery;
use atalaya_rest::uploads::hold;
use atalaya_rest::{AdminOnly, ApiResult, Caller, FieldError, Json, Path, Problem, Query};
use atalaya_tariff::VatRegime;
use axum::extract::{DefaultBodyLimit, State};
use axum::middleware::from_fn;
use chrono::NaiveDate;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;
use view::{FiscalIdentityAnswer, FiscalRequestAnswer, FiscalRequestsAnswer, Views};

/// Every route of this context, under its full path.
pub fn routes(d: Fiscal) -> OpenApiRouter {
    let uploads = OpenApiRouter::new()
        .routes(routes!(forms::ask_fiscal_change))
        .routes(routes!(forms::attach_fiscal_document, forms::get_fiscal_document))
        .layer(from_fn(hold))
        // The document, and what surrounds it in a form.
        .layer(DefaultBodyLimit::max(FISCAL_DOCUMENT_MAX_BYTES + FORM_BYTES));
    OpenApiRouter::new()
        .merge(uploads)
        .routes(routes!(get_fiscal_identity, change_fiscal_identity))
        .routes(routes!(list_fiscal_requests))
        .routes(routes!(get_fiscal_request))
        .routes(routes!(withdraw_fiscal_request))
        .routes(routes!(decide_fiscal_request))
        .merge(crate::buyer_codes::http::routes())
        .with_state(d)
}

impl From<FiscalError> for Problem {
    fn from(error: FiscalError) -> Problem {
        let code = error.code();
        match error {
            FiscalError::Db(db) => IdentityError::from(db).into(),
            FiscalError::Identity(error) => error.into(),
            FiscalError::NotFound | FiscalError::DocumentNotFound => Problem::not_found(code),
            FiscalError::Open
            | FiscalError::Closed
            | FiscalError::Unchanged
            | FiscalError::DocumentMissing
            | FiscalError::DocumentKept => Problem::conflict(code),
            FiscalError::DateInFuture | FiscalError::DateBeforeVersion => Problem::invalid([]).field("since", code),
            FiscalError::VatNumberUnknown => Problem::invalid([]).field("cif", code),
            FiscalError::ViesUnavailable => Problem::unavailable(code),
            FiscalError::ReasonRequired => Problem::invalid([]).field("reason", code),
            FiscalError::TooLong { field, max } => Problem::invalid([FieldError::new(field, code).param("max", max)]),
            FiscalError::TooMany { retry_after_s } => Problem::too_many(code, retry_after_s),
            FiscalError::Internal(what) => Problem::internal(what),
        }
    }
}

impl From<FiscalError> for IdentityError {
    fn from(error: FiscalError) -> Self {
        match error {
            FiscalError::Db(db) => Self::Db(db),
            FiscalError::Identity(error) => error,
            other => Problem::from(other).into(),
        }
    }
}

/// What a company is called today, what it was called before, and what it asked for.
///
/// Errors: `COMPANY_NOT_FOUND` (404, also another tenant's), 403. Source: FISCAL-1.
#[utoipa::path(get, path = "/api/v1/fiscal-identity/{companyId}", tag = "fiscal", params(("companyId" = String, Path)),
    responses((status = 200, body = FiscalIdentityAnswer), (status = 401), (status = 403), (status = 404)))]
async fn get_fiscal_identity(
    State(d): State<Fiscal>,
    caller: Caller,
    Path(id): Path<CompanyId>,
) -> ApiResult<Json<FiscalIdentityAnswer>> {
    let caller = principal_of(&d.identity, caller, id).await?.caller;
    Ok(Json(Views::new(&d, &caller).identity(history::history(&d, id).await?).await?))
}

/// What an administrator writes at once.
#[derive(Deserialize, ToSchema)]
struct FiscalChangeBody {
    #[serde(rename = "fiscalIdentity")]
    fiscal_identity: FiscalChange,
}

/// Absent fields stay as they are.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
struct FiscalChange {
    cif: Option<String>,
    /// The firm's name.
    company: Option<String>,
    address: Option<String>,
    postal_code: Option<String>,
    city: Option<String>,
    region: Option<String>,
    /// Two letters (ISO 3166-1). Outside `ES` the tax id is that country's, of a member of the Union its VAT number.
    country: Option<String>,
    /// `general`, `outside`, `reverseCharge` or `igic`; what country and postal code make when absent and those change.
    regime: Option<String>,
    /// The day from which it holds, `2026-11-27`.
    since: String,
    reason: String,
}

/// Changes fiscal data at once, with a day that has come and a reason. Another tax id suspends mandate and terms.
///
/// Errors: `INVALID_FIELDS` (422) with every wrong field, also `since` (`INVALID`, `DATE_IN_FUTURE`, `DATE_BEFORE_VERSION`),
/// `reason` (`REQUIRED`, `TOO_LONG`), `regime` and `country` (`INVALID`), `cif` (`VAT_NUMBER_INVALID`, `VAT_NUMBER_UNKNOWN`); 409
/// `FISCAL_UNCHANGED`, `COMPANY_EXISTS`; 404 `COMPANY_NOT_FOUND`; 503 `VIES_UNAVAILABLE`. Source: FISCAL-6, FISCAL-8, ABROAD-1.
#[utoipa::path(put, path = "/api/v1/fiscal-identity/{companyId}", tag = "fiscal", params(("companyId" = String, Path)),
    request_body = FiscalChangeBody,
    responses((status = 200, body = FiscalIdentityAnswer), (status = 401), (status = 403), (status = 404), (status = 409),
        (status = 422), (status = 503)))]
async fn change_fiscal_identity(
    State(d): State<Fiscal>,
    AdminOnly(caller): AdminOnly,
    origin: Origin,
    Path(id): Path<CompanyId>,
    Json(body): Json<FiscalChangeBody>,
) -> ApiResult<Json<FiscalIdentityAnswer>> {
    let caller = principal_of(&d.identity, caller, id).await?.caller;
    let (present, company) = history::present(&d, id).await?;
    let sent = body.fiscal_identity;
    let mut errors = Vec::new();
    let form = abroad::check(&sent, &present, company.kind, &mut errors);
    let since = day(&sent.since, &mut errors);
    let regime = regime(sent.regime.as_deref(), &mut errors);
    if sent.reason.trim().is_empty() {
        errors.push(FieldError::new("reason", "REQUIRED"));
    }
    let (Some(since), true) = (since, errors.is_empty()) else { return Err(Problem::invalid(errors)) };
    let change = Change {
        since,
        wanted: form.texts,
        regime,
        country: Some(form.country),
        vies: None,
        reason: Some(sent.reason),
        outcome: Outcome::Changed,
    };
    service::change(&d, &caller, &origin, id, change).await?;
    Ok(Json(Views::new(&d, &caller).identity(history::history(&d, id).await?).await?))
}

/// The texts of a form, checked as the company's form checks them.
fn checked(input: &CompanyInput, kind: CompanyKind, errors: &mut Vec<FieldError>) -> Texts {
    match form::check(input, Purpose::Update(kind)) {
        Ok(checked) => checked.texts,
        Err(wrong) => {
            errors.extend(wrong);
            Texts::new()
        }
    }
}

fn day(text: &str, errors: &mut Vec<FieldError>) -> Option<NaiveDate> {
    let day = text.trim().parse().ok();
    if day.is_none() {
        errors.push(FieldError::new("since", if text.trim().is_empty() { "REQUIRED" } else { "INVALID" }));
    }
    day
}

fn regime(name: Option<&str>, errors: &mut Vec<FieldError>) -> Option<VatRegime> {
    let regime = VatRegime::parse(name?);
    if regime.is_none() {
        errors.push(FieldError::new("regime", "INVALID"));
    }
    regime
}

/// Passes principals, whose own requests are theirs alone.
fn own_principal(caller: &Caller) -> Result<(), IdentityError> {
    if caller.role.is_principal() && !caller.is_admin() { Ok(()) } else { Err(IdentityError::RoleNotAllowed) }
}

/// Passes principals and administrators.
fn reader(caller: &Caller) -> Result<(), IdentityError> {
    if caller.is_admin() { Ok(()) } else { own_principal(caller) }
}

#[derive(Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct RequestsQuery {
    /// `open`, `approved`, `refused` or `withdrawn`; every one without it.
    status: Option<String>,
    limit: Option<u64>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
}

/// The requests of every company; open ones the oldest first, others the newest.
///
/// Errors: 422 at `status` or `cursor`. Source: FISCAL-4.
#[utoipa::path(get, path = "/api/v1/fiscal-requests", tag = "fiscal", params(RequestsQuery),
    responses((status = 200, body = FiscalRequestsAnswer), (status = 401), (status = 403), (status = 422)))]
async fn list_fiscal_requests(
    State(d): State<Fiscal>,
    AdminOnly(caller): AdminOnly,
    Query(query): Query<RequestsQuery>,
) -> ApiResult<Json<FiscalRequestsAnswer>> {
    let wrong = || Problem::invalid([FieldError::new("status", "INVALID")]);
    let status = query.status.as_deref().map(|name| Status::parse(name).ok_or_else(wrong)).transpose()?;
    let slice = slice(PageQuery { limit: query.limit, cursor: query.cursor })?;
    let (total, requests) = store::list(d.db.read(), status, slice).await?;
    let next_cursor = slice.next_cursor(total);
    let fiscal_requests = Views::new(&d, &caller).requests(requests).await?;
    Ok(Json(FiscalRequestsAnswer { fiscal_requests, total, next_cursor }))
}

/// A request, with what is in force beside what is wanted.
///
/// Errors: 404 `FISCAL_REQUEST_NOT_FOUND`, also for another company's. Source: FISCAL-4.
#[utoipa::path(get, path = "/api/v1/fiscal-request/{id}", tag = "fiscal", params(("id" = Uuid, Path)),
    responses((status = 200, body = FiscalRequestAnswer), (status = 401), (status = 403), (status = 404)))]
async fn get_fiscal_request(
    State(d): State<Fiscal>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<FiscalRequestAnswer>> {
    reader(&caller)?;
    let request = service::get(&d, &caller, id).await?;
    Ok(Json(Views::new(&d, &caller).answer(request).await?))
}

/// The company takes its open request back.
///
/// Errors: 404 `FISCAL_REQUEST_NOT_FOUND`; 409 `FISCAL_REQUEST_CLOSED`. Source: FISCAL-2.
#[utoipa::path(post, path = "/api/v1/fiscal-request-withdraw/{id}", tag = "fiscal", params(("id" = Uuid, Path)),
    responses((status = 200, body = FiscalRequestAnswer), (status = 401), (status = 403), (status = 404), (status = 409)))]
async fn withdraw_fiscal_request(
    State(d): State<Fiscal>,
    caller: Caller,
    origin: Origin,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<FiscalRequestAnswer>> {
    own_principal(&caller)?;
    let request = service::withdraw(&d, &caller, &origin, id).await?;
    Ok(Json(Views::new(&d, &caller).answer(request).await?))
}

/// What an administrator decides.
#[derive(Deserialize, ToSchema)]
struct FiscalDecisionBody {
    approve: bool,
    /// Required of a refusal; the company reads it.
    reason: Option<String>,
    /// Another day than the one that was asked for.
    since: Option<String>,
    /// Another regime than the postal code makes: `general`, `outside`, `reverseCharge` or `igic`.
    regime: Option<String>,
}

/// Approves or refuses a request. Approved, it is written at once; another tax id suspends mandate and terms.
///
/// Errors: 404 `FISCAL_REQUEST_NOT_FOUND`; 409 `FISCAL_REQUEST_CLOSED`, `FISCAL_DOCUMENT_MISSING`, `COMPANY_EXISTS`; 422 at
/// `reason` (`REQUIRED`, `TOO_LONG`), `since` and `regime`. Source: FISCAL-4, FISCAL-8.
#[utoipa::path(post, path = "/api/v1/fiscal-request-decide/{id}", tag = "fiscal", params(("id" = Uuid, Path)),
    request_body = FiscalDecisionBody,
    responses((status = 200, body = FiscalRequestAnswer), (status = 401), (status = 403), (status = 404), (status = 409),
        (status = 422)))]
async fn decide_fiscal_request(
    State(d): State<Fiscal>,
    AdminOnly(caller): AdminOnly,
    origin: Origin,
    Path(id): Path<Uuid>,
    Json(body): Json<FiscalDecisionBody>,
) -> ApiResult<Json<FiscalRequestAnswer>> {
    let mut errors = Vec::new();
    let since = body.since.as_deref().and_then(|text| day(text, &mut errors));
    let regime = regime(body.regime.as_deref(), &mut errors);
    if !errors.is_empty() {
        return Err(Problem::invalid(errors));
    }
    let decision = Decision { approves: body.approve, reason: body.reason, since, regime };
    let request = service::decide(&d, &caller, &origin, id, decision).await?;
    Ok(Json(Views::new(&d, &caller).answer(request).await?))
}
