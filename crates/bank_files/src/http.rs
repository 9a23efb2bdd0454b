//! Endpoints of bank files: `parse-sepa`, the files that were taken in, and debits that are settled by hand.

use super::model::{Action, BankFile, FileTotals, Proposal, ProposalState, Summary};
use super::{BankError, BankFileError, intake, proposals, settlement, store};
use atalaya_billing::remittances::{AttemptView, names};
use atalaya_billing::{Billing, BillingResult};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::service as companies;
use atalaya_kernel::{CompanyId, InvoiceId};
use atalaya_rest::forms::{FORM_BYTES, FormFile, slice};
use atalaya_rest::page::PageQuery;
use atalaya_rest::{AdminOnly, ApiResult, FieldError, Json, Multipart, Path, Problem, Query, RequestLanguage, uploads};
use atalaya_sepa::read::{Kind, MAX_FILE};
use atalaya_tariff::{Cents, Euros};
use axum::extract::{DefaultBodyLimit, State};
use axum::middleware::from_fn;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

pub(crate) fn routes(d: Billing) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(settle_attempt))
        .routes(routes!(decide_payment))
        .routes(routes!(parse_sepa))
        .routes(routes!(list_sepa_files))
        .routes(routes!(get_sepa_file))
        .layer(from_fn(uploads::hold))
        .layer(DefaultBodyLimit::max(MAX_FILE + FORM_BYTES))
        .with_state(d)
}

impl From<BankError> for Problem {
    fn from(error: BankError) -> Problem {
        match error {
            BankError::Refused(refusal) => refusal.into(),
            BankError::Billing(error) => error.into(),
        }
    }
}

impl From<BankFileError> for Problem {
    fn from(error: BankFileError) -> Problem {
        let code = error.code();
        match error {
            BankFileError::NotFound | BankFileError::DebitNotFound | BankFileError::ProposalNotFound => Problem::not_found(code),
            BankFileError::TooLarge => Problem::too_large(code),
            BankFileError::NotSupported | BankFileError::Malformed | BankFileError::DtdRefused | BankFileError::OtherCreditor => {
                Problem::invalid([]).field("file", code)
            }
            BankFileError::DebitNotOpen | BankFileError::ProposalDecided | BankFileError::ProposalOutdated => {
                Problem::conflict(code)
            }
            BankFileError::Settlement(faults) => {
                Problem::invalid(faults.list().map(|(field, code)| FieldError::new(field, code)))
            }
        }
    }
}

#[derive(ToSchema)]
#[allow(dead_code)]
struct BankForm {
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// What a bank file did.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BankFileResult)]
struct FileAnswer {
    file_id: Uuid,
    name: String,
    /// `pain.002`, `camt.053` or `camt.054`; several in a ZIP.
    message: String,
    created: Option<DateTime<Utc>>,
    received_at: DateTime<Utc>,
    received_by: Option<String>,
    /// The same file had been taken in before: nothing changed.
    repeated: bool,
    /// Payments that its transfers propose, as they stand now.
    proposals: Vec<ProposalView>,
    #[serde(flatten)]
    summary: Summary,
}

async fn file_answer(d: &Billing, file: BankFile, repeated: bool) -> BillingResult<FileAnswer> {
    let names = names(d, std::iter::once(file.created_by)).await?;
    let proposals = store::proposals(d.db.read(), &file.summary.proposed).await?;
    Ok(FileAnswer {
        proposals: views(d, proposals).await?,
        summary: file.summary,
        file_id: file.id,
        name: file.name,
        message: file.messages,
        created: None,
        received_at: file.created_at,
        received_by: names.get(&file.created_by).cloned(),
        repeated,
    })
}

/// Takes in a bank's file: pain.002, camt.053 or camt.054, alone or in a ZIP. The same file again changes nothing.
///
/// Errors: 413 `FILE_TOO_LARGE`; 422 at `file`: `FILE_EMPTY`, `SEPA_FORMAT_NOT_SUPPORTED`, `SEPA_FILE_INVALID`,
/// `SEPA_DTD_REFUSED`, `SEPA_OTHER_CREDITOR`.
#[utoipa::path(post, path = "/api/v1/parse-sepa", tag = "sepa",
    request_body(content = BankForm, content_type = "multipart/form-data"),
    responses((status = 200, body = FileAnswer), (status = 413), (status = 422)), security(("session" = [])))]
async fn parse_sepa(
    State(d): State<Billing>,
    AdminOnly(caller): AdminOnly,
    origin: Origin,
    form: Multipart,
) -> ApiResult<Json<FileAnswer>> {
    let form = FormFile::read(form, MAX_FILE).await?;
    let taken = intake::take(&d, &caller, &origin, form.name, form.bytes).await?;
    Ok(Json(file_answer(&d, taken.file, taken.repeated).await?))
}

/// A bank file in the list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BankFileRow)]
struct FileView {
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
struct FilesAnswer {
    files: Vec<FileView>,
    total: u64,
    next_cursor: Option<String>,
}

/// Bank files that were taken in, newest first.
#[utoipa::path(get, path = "/api/v1/sepa-files", tag = "sepa", params(PageQuery),
    responses((status = 200, body = FilesAnswer)), security(("session" = [])))]
async fn list_sepa_files(State(d): State<Billing>, _: AdminOnly, Query(page): Query<PageQuery>) -> ApiResult<Json<FilesAnswer>> {
    let slice = slice(page)?;
    let (total, found) = store::list_files(d.db.read(), slice).await?;
    let names = names(&d, found.iter().map(|file| file.created_by)).await?;
    let view = |file: BankFile| FileView {
        file_id: file.id,
        name: file.name,
        message: file.messages,
        created: None,
        received_at: file.created_at,
        received_by: names.get(&file.created_by).cloned(),
        totals: file.summary.totals,
    };
    let files = found.into_iter().map(view).collect();
    Ok(Json(FilesAnswer { files, total, next_cursor: slice.next_cursor(total) }))
}

/// What a bank file did, as it was answered then. Errors: 404 `BANK_FILE_NOT_FOUND`.
#[utoipa::path(get, path = "/api/v1/sepa-file/{id}", tag = "sepa", params(("id" = Uuid, Path)),
    responses((status = 200, body = FileAnswer), (status = 404)), security(("session" = [])))]
async fn get_sepa_file(State(d): State<Billing>, _: AdminOnly, Path(id): Path<Uuid>) -> ApiResult<Json<FileAnswer>> {
    let file = store::find_file(d.db.read(), id).await?.ok_or(BankFileError::NotFound)?;
    Ok(Json(file_answer(&d, file, false).await?))
}

/// A transfer that quotes an invoice.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaymentProposal)]
struct ProposalView {
    #[serde(rename = "_id")]
    id: Uuid,
    invoice_id: InvoiceId,
    /// Its number.
    invoice: String,
    customer_id: CompanyId,
    company: String,
    amount: Euros,
    booking_date: Option<NaiveDate>,
    payer: Option<String>,
    /// What was written along with the money.
    text: Option<String>,
    status: ProposalState,
    decided_by: Option<String>,
    decided_at: Option<DateTime<Utc>>,
}

async fn views(d: &Billing, all: Vec<Proposal>) -> BillingResult<Vec<ProposalView>> {
    let ids: Vec<CompanyId> = all.iter().map(|one| one.company).collect();
    let companies = companies::names(&d.identity, &ids).await?;
    let people = names(d, all.iter().filter_map(|one| one.decided_by)).await?;
    let view = |one: Proposal| ProposalView {
        id: one.id,
        invoice_id: one.invoice,
        invoice: one.number,
        customer_id: one.company,
        company: companies.get(&one.company).cloned().unwrap_or_default(),
        amount: Euros(Cents(one.amount)),
        booking_date: one.booked,
        payer: one.payer,
        text: one.text,
        status: one.state,
        decided_by: one.decided_by.and_then(|user| people.get(&user).cloned()),
        decided_at: one.decided_at,
    };
    Ok(all.into_iter().map(view).collect())
}

#[derive(Deserialize, ToSchema)]
#[schema(as = PaymentDecision)]
struct DecideBody {
    /// The transfer pays the invoice; else it is of something else.
    accept: bool,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PaymentDecided)]
struct DecidedAnswer {
    proposal: ProposalView,
}

/// Says whether a transfer pays the invoice that it quotes. Accepted, the invoice is paid on the day the money was booked.
///
/// Errors: 404 `PROPOSAL_NOT_FOUND`; 409 `PROPOSAL_DECIDED`, `PROPOSAL_OUTDATED`, `INVOICE_IN_REMITTANCE`,
/// `INVOICE_STATUS_REFUSED`.
#[utoipa::path(post, path = "/api/v1/payment-proposal/{id}", tag = "sepa", operation_id = "decide_payment_proposal",
    params(("id" = Uuid, Path)), request_body = DecideBody,
    responses((status = 200, body = DecidedAnswer), (status = 404), (status = 409), (status = 422)), security(("session" = [])))]
async fn decide_payment(
    State(d): State<Billing>,
    AdminOnly(caller): AdminOnly,
    origin: Origin,
    Path(id): Path<Uuid>,
    Json(body): Json<DecideBody>,
) -> ApiResult<Json<DecidedAnswer>> {
    let decided = proposals::decide(&d, &caller, &origin, id, body.accept).await?;
    let proposal = views(&d, vec![decided]).await?.remove(0);
    Ok(Json(DecidedAnswer { proposal }))
}

/// How a debit ended.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = DebitOutcome)]
enum Outcome {
    Paid,
    Returned,
    /// Before any money moved.
    Rejected,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = DebitSettlement)]
struct SettleBody {
    outcome: Outcome,
    /// The bank's code (`AM04`), of a return or reject.
    reason: Option<String>,
    /// The day on which the bank booked it.
    at: NaiveDate,
}

#[derive(Serialize, ToSchema)]
#[schema(as = DebitSettled)]
struct SettledAnswer {
    attempt: AttemptView,
    /// What was done about it.
    action: Action,
}

/// Settles a debit by hand, as a bank's file would: the bank told it by telephone or on its page. An open debit may end in every
/// way, one that was paid comes back.
///
/// Errors: 404 `DEBIT_NOT_FOUND`, 409 `DEBIT_NOT_OPEN`; 422 at `at` with `DATE_IN_FUTURE`, `DATE_BEFORE_DEBIT`, at `reason` with
/// `REQUIRED`, `INVALID`.
#[utoipa::path(post, path = "/api/v1/remittance-attempt/{id}", tag = "sepa", operation_id = "settle_remittance_attempt",
    params(("id" = Uuid, Path)), request_body = SettleBody,
    responses((status = 200, body = SettledAnswer), (status = 404), (status = 409), (status = 422)), security(("session" = [])))]
async fn settle_attempt(
    State(d): State<Billing>,
    AdminOnly(caller): AdminOnly,
    origin: Origin,
    RequestLanguage(language): RequestLanguage,
    Path(id): Path<Uuid>,
    Json(body): Json<SettleBody>,
) -> ApiResult<Json<SettledAnswer>> {
    let kind = match body.outcome {
        Outcome::Paid => Kind::Confirmation,
        Outcome::Returned => Kind::Return,
        Outcome::Rejected => Kind::Reject,
    };
    let reason = body.reason.map(|code| code.trim().to_uppercase()).filter(|code| !code.is_empty() && kind != Kind::Confirmation);
    let known = settlement::Known { kind, reason, at: body.at };
    let (attempt, action) = settlement::settle(&d, &caller, &origin, id, known).await?;
    let name = companies::names(&d.identity, &[attempt.company]).await?.remove(&attempt.company).unwrap_or_default();
    Ok(Json(SettledAnswer { attempt: AttemptView::new(attempt, name, language), action }))
}
