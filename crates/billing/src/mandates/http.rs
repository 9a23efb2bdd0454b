//! Endpoints of `mandates`; those of the secret are in [`secret`], those of signatures in [`signature`].

mod secret;
mod signature;

use super::model::{DOCUMENT_MAX, Mandate, MandateStatus, Method};
use super::store::{self, Filter};
use super::{MandateError, service};
use crate::http::{FORM_BYTES, file};
use crate::{Billing, BillingResult};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::accounts;
use atalaya_identity::guards::pass;
use atalaya_kernel::access::Guard;
use atalaya_kernel::{CompanyId, Role, UserId, calendar};
use atalaya_rest::page::ListQuery;
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::{AdminOnly, AdminOrCustomer, ApiResult, Caller, FieldError, Json, Path, Problem, Query, uploads};
use atalaya_sepa::{Scheme, Sequence};
use axum::extract::{DefaultBodyLimit, State};
use axum::middleware::from_fn;
use axum::response::Response;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

/// Tries of the secret by one administrator.
const TRIES: usize = 20;
const TRIES_WINDOW: TimeDelta = TimeDelta::minutes(10);

/// What these endpoints need. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Room {
    pub billing: Billing,
    /// Every try of the secret counts, `mail-xml-sepa` included.
    pub tries: RateLimiter<UserId>,
}

impl Room {
    pub(crate) fn new(billing: Billing) -> Self {
        let tries = RateLimiter::new(billing.sources.clock(), TRIES, TRIES_WINDOW);
        Self { billing, tries }
    }

    /// Errors: 429 `TOO_MANY_REQUESTS`.
    pub(crate) fn count_try(&self, caller: &Caller) -> Result<(), Problem> {
        self.tries.hit(caller.user).map_err(|wait| Problem::too_many("TOO_MANY_REQUESTS", wait))
    }
}

pub(crate) fn routes(room: Room) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(make_mandate))
        .routes(routes!(list_mandates))
        .routes(routes!(get_mandate_pdf))
        .routes(routes!(signature::get_mandate_document))
        .routes(routes!(signature::get_mandate_evidence))
        .routes(routes!(signature::sign_mandate))
        .routes(routes!(cancel_mandate))
        .routes(routes!(resume_mandate))
        .routes(routes!(change_mandate_scheme))
        .routes(routes!(secret::get_sepa_secret))
        .routes(routes!(secret::encrypt_iban))
        .layer(from_fn(uploads::hold))
        // The paper, and what surrounds it in a form.
        .layer(DefaultBodyLimit::max(DOCUMENT_MAX + FORM_BYTES))
        .with_state(room)
}

impl From<MandateError> for Problem {
    fn from(error: MandateError) -> Problem {
        let code = error.code();
        match error {
            MandateError::NotFound | MandateError::DocumentNotFound => Problem::not_found(code),
            MandateError::Ended
            | MandateError::Outdated
            | MandateError::Signed
            | MandateError::IbanMissing
            | MandateError::IbanUnreadable
            | MandateError::IbanChanged => Problem::conflict(code),
            MandateError::CreditorIncomplete(fields) => {
                fields.into_iter().fold(Problem::conflict(code), |problem, field| problem.field(field, "REQUIRED"))
            }
            MandateError::SignedInFuture | MandateError::SignedBeforeMandate => Problem::invalid([]).field("signedAt", code),
            MandateError::SecretRequired | MandateError::SecretWeak => Problem::invalid([]).field("secret", code),
            MandateError::SecretTooLong { max } => Problem::invalid([FieldError::new("secret", code).param("max", max)]),
            MandateError::SecretTooShort { min } => Problem::invalid([FieldError::new("secret", code).param("min", min)]),
            // Never 401, which would end the session.
            MandateError::SecretMismatch => Problem::unprocessable(code).field("secret", code),
        }
    }
}

/// A mandate on the wire.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Mandate)]
pub(crate) struct MandateView {
    #[serde(rename = "_id")]
    id: Uuid,
    umr: String,
    customer_id: CompanyId,
    /// Days between the notice of a debit and the debit, at least.
    notice_days: u32,
    company: String,
    /// `CORE` or `B2B`.
    scheme: &'static str,
    /// `RCUR` or `OOFF`.
    r#type: &'static str,
    status: MandateStatus,
    signed_at: Option<NaiveDate>,
    signature: Option<Method>,
    /// The signed paper can be had at `mandate-document/{id}`.
    has_document: bool,
    created_at: DateTime<Utc>,
    last_used_at: Option<DateTime<Utc>>,
    expires_at: Option<DateTime<Utc>>,
    status_reason: Option<String>,
    /// Masked.
    iban: String,
    creditor_id: String,
    pdf: String,
    /// What shows how it was signed.
    evidence: Option<EvidenceView>,
}

/// The evidence of a signature on the wire.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MandateEvidence)]
pub(crate) struct EvidenceView {
    at: DateTime<Utc>,
    /// Of the document that was shown.
    pdf_sha256: String,
    /// Where that very document is; absent for signatures of before it was kept.
    pdf: Option<String>,
    /// Of the signed paper.
    document_sha256: Option<String>,
    /// As its text said.
    scheme: Option<String>,
    place: Option<String>,
    /// The terms in force then.
    legal_id: Option<Uuid>,
}

impl EvidenceView {
    fn of(mandate: &Mandate) -> Option<Self> {
        let (at, signature) = (mandate.signed_at?, mandate.signature.clone()?);
        Some(Self {
            at,
            pdf: signature.pdf_id.map(|_| format!("/api/v1/mandate-evidence/{}", mandate.id)),
            pdf_sha256: signature.pdf_sha256,
            document_sha256: signature.document_sha256,
            scheme: signature.scheme,
            place: signature.place,
            legal_id: signature.legal_id,
        })
    }
}

impl MandateView {
    fn new(mandate: Mandate, creditor_id: &str, notice_days: u32) -> Self {
        Self {
            notice_days: mandate.notice_days(notice_days),
            evidence: EvidenceView::of(&mandate),
            id: mandate.id,
            customer_id: mandate.company,
            scheme: mandate.scheme.name(),
            r#type: mandate.sequence.name(),
            status: mandate.status,
            signed_at: mandate.signed_at.map(calendar::day),
            signature: mandate.signature.as_ref().filter(|_| mandate.signed_at.is_some()).map(|signature| signature.method),
            has_document: mandate.document_name.is_some(),
            created_at: mandate.created_at,
            last_used_at: mandate.last_used_at,
            expires_at: mandate.signed_at.map(|_| mandate.expires_at()),
            creditor_id: creditor_id.to_owned(),
            pdf: format!("/api/v1/mandate-pdf/{}", mandate.id),
            umr: mandate.umr,
            company: mandate.debtor_name,
            status_reason: mandate.reason,
            iban: mandate.masked_iban,
        }
    }
}

async fn creditor_text(d: &Billing) -> BillingResult<String> {
    let platform = accounts::platform(&d.identity).await?;
    Ok(service::creditor_id(&platform).map(|id| id.as_str().to_owned()).unwrap_or_default())
}

#[derive(Serialize, ToSchema)]
pub(crate) struct MandateAnswer {
    mandate: MandateView,
    /// Where its PDF is.
    pdf: String,
}

async fn answer(d: &Billing, mandate: Mandate) -> ApiResult<Json<MandateAnswer>> {
    let mandate = MandateView::new(mandate, &creditor_text(d).await?, d.settings.sepa.notice_days);
    Ok(Json(MandateAnswer { pdf: mandate.pdf.clone(), mandate }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct MakeBody {
    /// The customer's id, or the customer.
    #[schema(value_type = String)]
    customer: Value,
    /// `RCUR`, or `OOFF` for a single debit, said by administrators only; whatever stands otherwise, else recurrent.
    r#type: Option<String>,
}

/// The mandate of a customer's account, made when it has none.
///
/// Errors: 404 `COMPANY_NOT_FOUND`, 409 `IBAN_MISSING`, 409 `ISSUER_INCOMPLETE`, 422 at `customer` and `type`.
#[utoipa::path(post, path = "/api/v1/sepa", tag = "sepa", request_body = MakeBody,
    responses((status = 200, body = MandateAnswer), (status = 409)), security(("session" = [])))]
async fn make_mandate(
    State(room): State<Room>,
    AdminOrCustomer(caller): AdminOrCustomer,
    origin: Origin,
    Json(body): Json<MakeBody>,
) -> ApiResult<Json<MandateAnswer>> {
    let id = body.customer.get("_id").unwrap_or(&body.customer).as_str().and_then(|text| text.parse::<CompanyId>().ok());
    let id = id.ok_or_else(|| Problem::invalid([FieldError::new("customer", "INVALID")]))?;
    pass(&caller, Guard::PrincipalOf, id)?;
    let wrong = || Problem::invalid([FieldError::new("type", "INVALID")]);
    let sequence = match body.r#type.as_deref() {
        None => None,
        Some(name) => {
            let known = Sequence::parse(name).filter(|one| *one != Sequence::Frst && caller.is_admin());
            Some(known.ok_or_else(wrong)?)
        }
    };
    let mandate = service::make_of(&room.billing, Some((&caller, &origin)), id, sequence).await?;
    answer(&room.billing, mandate).await
}

#[derive(Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(crate) struct MandatesQuery {
    /// Of this customer; others than administrators see their own company's only.
    company: Option<String>,
    /// `active`, `unsigned`, `suspended`, `cancelled` or `expired`.
    status: Option<String>,
    search: Option<String>,
    limit: Option<u64>,
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MandatesAnswer {
    mandates: Vec<MandateView>,
    total: u64,
    next_cursor: Option<String>,
}

/// Mandates, newest first: of everybody for administrators, else of the caller's company.
#[utoipa::path(get, path = "/api/v1/mandates", tag = "sepa", params(MandatesQuery),
    responses((status = 200, body = MandatesAnswer)), security(("session" = [])))]
async fn list_mandates(
    State(room): State<Room>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Query(query): Query<MandatesQuery>,
) -> ApiResult<Json<MandatesAnswer>> {
    let d = &room.billing;
    let wrong = |field: &'static str| Problem::invalid([FieldError::new(field, "INVALID")]);
    let named = query.company.filter(|text| !text.is_empty()).map(|text| text.parse()).transpose();
    let mut filter = Filter { company: named.map_err(|_| wrong("company"))?, ..Filter::default() };
    if caller.role != Role::Admin {
        if filter.company.is_some_and(|company| company != caller.company) {
            return Err(Problem::not_found("COMPANY_NOT_FOUND"));
        }
        filter.company = Some(caller.company);
    }
    match query.status.as_deref().filter(|text| !text.is_empty()) {
        Some("unsigned") => filter.unsigned = true,
        Some(name) => filter.status = Some(MandateStatus::parse(name).ok_or_else(|| wrong("status"))?),
        None => {}
    }
    let page = ListQuery { search: query.search, limit: query.limit, cursor: query.cursor, ..ListQuery::default() };
    filter.search = page.search();
    let slice = page.slice()?;
    let (total, rows) = store::list(d.db.read(), filter, slice).await?;
    let creditor = creditor_text(d).await?;
    let notice_days = d.settings.sepa.notice_days;
    let mandates = rows.into_iter().map(|mandate| MandateView::new(mandate, &creditor, notice_days)).collect();
    Ok(Json(MandatesAnswer { mandates, total, next_cursor: slice.next_cursor(total) }))
}

#[derive(Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(crate) struct PdfQuery {
    /// The form to be signed by hand, with the whole account number.
    paper: bool,
}

/// The mandate to read, print and sign.
///
/// Errors: 404 `MANDATE_NOT_FOUND`, 409 `ISSUER_INCOMPLETE`; of the form 409 `MANDATE_OUTDATED`.
#[utoipa::path(get, path = "/api/v1/mandate-pdf/{id}", tag = "sepa", params(("id" = Uuid, Path), PdfQuery),
    responses((status = 200, description = "The mandate", content_type = "application/pdf")), security(("session" = [])))]
async fn get_mandate_pdf(
    State(room): State<Room>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<Uuid>,
    Query(query): Query<PdfQuery>,
) -> ApiResult<Response> {
    let mandate = service::get(&room.billing, &caller, id).await?;
    let bytes = match query.paper {
        true => service::form(&room.billing, &mandate).await?,
        false => service::pdf(&room.billing, &mandate).await?,
    };
    Ok(file(bytes, "application/pdf", "inline", &format!("{}.pdf", mandate.umr)))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct CancelBody {
    reason: Option<String>,
}

/// Ends a mandate: nothing is debited with it any more.
///
/// Errors: 404 `MANDATE_NOT_FOUND`, 409 `MANDATE_ENDED`.
#[utoipa::path(post, path = "/api/v1/mandate-cancel/{id}", tag = "sepa", params(("id" = Uuid, Path)), request_body = CancelBody,
    responses((status = 200, body = MandateAnswer), (status = 409)), security(("session" = [])))]
async fn cancel_mandate(
    State(room): State<Room>,
    AdminOrCustomer(caller): AdminOrCustomer,
    origin: Origin,
    Path(id): Path<Uuid>,
    Json(body): Json<CancelBody>,
) -> ApiResult<Json<MandateAnswer>> {
    let reason: Option<String> = body.reason.map(|text| text.chars().filter(|c| !c.is_control()).take(200).collect());
    let mandate = service::cancel(&room.billing, &caller, &origin, id, reason.as_deref()).await?;
    answer(&room.billing, mandate).await
}

/// Takes a suspended mandate up again, once the account can be debited.
///
/// Errors: 404 `MANDATE_NOT_FOUND`, 409 `MANDATE_ENDED`.
#[utoipa::path(post, path = "/api/v1/mandate-resume/{id}", tag = "sepa", params(("id" = Uuid, Path)),
    responses((status = 200, body = MandateAnswer), (status = 409)), security(("session" = [])))]
async fn resume_mandate(
    State(room): State<Room>,
    AdminOnly(caller): AdminOnly,
    origin: Origin,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<MandateAnswer>> {
    answer(&room.billing, service::resume(&room.billing, &caller, &origin, id).await?).await
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct SchemeBody {
    /// `CORE` or `B2B`.
    scheme: String,
}

/// Puts a mandate under the other scheme; to B2B it has to be signed anew.
///
/// Errors: 404 `MANDATE_NOT_FOUND`, 409 `MANDATE_ENDED`, 422 at `scheme`.
#[utoipa::path(post, path = "/api/v1/mandate-scheme/{id}", tag = "sepa", params(("id" = Uuid, Path)), request_body = SchemeBody,
    responses((status = 200, body = MandateAnswer), (status = 409)), security(("session" = [])))]
async fn change_mandate_scheme(
    State(room): State<Room>,
    AdminOnly(caller): AdminOnly,
    origin: Origin,
    Path(id): Path<Uuid>,
    Json(body): Json<SchemeBody>,
) -> ApiResult<Json<MandateAnswer>> {
    let scheme = Scheme::parse(&body.scheme).ok_or_else(|| Problem::invalid([FieldError::new("scheme", "INVALID")]))?;
    answer(&room.billing, service::change_scheme(&room.billing, &caller, &origin, id, scheme).await?).await
}
