//! Endpoints of the monthly runs. Those with effects answer GET, as older programs call them; the web app uses POST, which
//! answers the same.

use super::InvoiceProcessError;
use super::model::{ProcessFault, ProcessState};
use super::service::{self, Process};
use crate::Billing;
use atalaya_identity::auth::service::Origin;
use atalaya_kernel::{CompanyId, InvoiceId};
use atalaya_rest::{AdminOnly, ApiResult, Json, Problem, Query};
use atalaya_tariff::Euros;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes(d: Billing) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(list_processes))
        .routes(routes!(get_update, post_update))
        .routes(routes!(get_generate, post_generate))
        .routes(routes!(get_send, post_send))
        .with_state(d)
}

impl From<InvoiceProcessError> for Problem {
    fn from(error: InvoiceProcessError) -> Problem {
        match error {
            InvoiceProcessError::PeriodInvalid | InvoiceProcessError::PeriodOpen => {
                Problem::invalid([]).field("period", error.code())
            }
            InvoiceProcessError::JobRunning(month) => Problem::conflict(error.code()).param("period", month.name()),
        }
    }
}

/// Why somebody cannot be invoiced; without a customer it is the issuer or the run.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceProcessError)]
struct ErrorView {
    customer_id: Option<CompanyId>,
    company: String,
    code: String,
    /// Names of the company's fields that are missing.
    fields: Option<Vec<String>>,
}

/// The job under way.
#[derive(Serialize, ToSchema)]
#[schema(as = InvoiceProcessJob)]
struct JobView {
    running: bool,
    /// `calculate`, `issue` or `send`.
    kind: &'static str,
    done: i64,
    of: i64,
}

/// A closed month.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceProcess)]
struct ProcessView {
    /// `2026-10`.
    period: String,
    state: ProcessState,
    customers: i64,
    /// Invoices of the month, issued ones among them.
    to_invoice: i64,
    issued: i64,
    sent: i64,
    /// Debited, or paid otherwise.
    remitted: i64,
    base: Euros,
    vat: Euros,
    total: Euros,
    /// Past `deadline` (RD 1619/2012 art. 13).
    late: bool,
    deadline: NaiveDate,
    calculated_at: Option<DateTime<Utc>>,
    errors: Vec<ErrorView>,
    job: Option<JobView>,
}

impl From<ProcessFault> for ErrorView {
    fn from(error: ProcessFault) -> Self {
        let fields = (!error.fields.is_empty()).then_some(error.fields);
        Self { customer_id: error.customer, company: error.company, code: error.code, fields }
    }
}

impl From<Process> for ProcessView {
    fn from(process: Process) -> Self {
        let running = process.run.and_then(|run| run.running);
        let job = |job: super::model::Running| JobView { running: true, kind: job.kind.name(), done: job.done, of: job.of };
        Self {
            period: process.month.name(),
            state: process.state,
            customers: process.customers,
            to_invoice: process.to_invoice,
            issued: process.issued,
            sent: process.sent,
            remitted: process.remitted,
            base: process.base.into(),
            vat: process.vat.into(),
            total: process.total.into(),
            late: process.late,
            deadline: process.deadline,
            calculated_at: process.calculated_at,
            errors: process.errors.into_iter().map(ErrorView::from).collect(),
            job: running.map(job),
        }
    }
}

#[derive(Serialize, ToSchema)]
struct ProcessesBody {
    /// The newest first.
    processes: Vec<ProcessView>,
    /// A job works on one of them.
    running: bool,
}

#[derive(Serialize, ToSchema)]
struct ProcessBody {
    process: ProcessView,
}

async fn all(d: &Billing) -> ApiResult<ProcessesBody> {
    let processes: Vec<ProcessView> = service::list(d).await?.into_iter().map(ProcessView::from).collect();
    let running = processes.iter().any(|process| process.job.is_some());
    Ok(ProcessesBody { processes, running })
}

/// Never kept by anybody: what it tells moves, or what it does must be done again.
fn fresh(status: StatusCode, body: impl Serialize) -> Response {
    (status, [(header::CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

/// The closed months, the newest first: what they come to, what is issued, sent and remitted, what stands against it, and
/// the job under way.
#[utoipa::path(get, path = "/api/v1/invoice-processes", tag = "invoices", operation_id = "invoice_processes",
    responses((status = 200, body = ProcessesBody), (status = 401), (status = 403)), security(("session" = [])))]
async fn list_processes(State(d): State<Billing>, _: AdminOnly) -> ApiResult<Response> {
    Ok(fresh(StatusCode::OK, all(&d).await?))
}

async fn update(d: &Billing, caller: &AdminOnly, origin: &Origin) -> ApiResult<Response> {
    service::update(d, caller, origin).await?;
    Ok(fresh(StatusCode::ACCEPTED, all(d).await?))
}

/// Recalculates every closed month that is not issued. A job does it; nothing gets a number.
#[utoipa::path(get, path = "/api/v1/update-invoice-processes", tag = "invoices", operation_id = "update_invoice_processes",
    responses((status = 202, body = ProcessesBody), (status = 401), (status = 403)), security(("session" = [])))]
async fn get_update(State(d): State<Billing>, caller: AdminOnly, origin: Origin) -> ApiResult<Response> {
    update(&d, &caller, &origin).await
}

/// Recalculates every closed month that is not issued. A job does it; nothing gets a number.
#[utoipa::path(post, path = "/api/v1/update-invoice-processes", tag = "invoices",
    operation_id = "post_update_invoice_processes",
    responses((status = 202, body = ProcessesBody), (status = 401), (status = 403)), security(("session" = [])))]
async fn post_update(State(d): State<Billing>, caller: AdminOnly, origin: Origin) -> ApiResult<Response> {
    update(&d, &caller, &origin).await
}

#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct GenerateQuery {
    /// A closed month, `2026-10`; the last one without it.
    period: Option<String>,
}

async fn generate(d: &Billing, caller: &AdminOnly, origin: &Origin, query: &GenerateQuery) -> ApiResult<Response> {
    let month = service::generate(d, caller, origin, query.period.as_deref()).await?;
    let process = service::find(d, month).await?.into();
    Ok(fresh(StatusCode::ACCEPTED, ProcessBody { process }))
}

/// Issues what a closed month lacks. A job does it; while the same works already, that one is answered.
///
/// Errors: `INVALID_FIELDS` (422) on `period` with `INVALID`, `PERIOD_OPEN`; `ISSUER_INCOMPLETE` (409) with the fields that
/// the platform company lacks; `INVOICE_JOB_RUNNING` (409) while another job works.
#[utoipa::path(get, path = "/api/v1/generate-all-invoices", tag = "invoices", operation_id = "generate_all_invoices",
    params(GenerateQuery),
    responses((status = 202, body = ProcessBody), (status = 401), (status = 403), (status = 409), (status = 422)),
    security(("session" = [])))]
async fn get_generate(
    State(d): State<Billing>,
    caller: AdminOnly,
    origin: Origin,
    Query(query): Query<GenerateQuery>,
) -> ApiResult<Response> {
    generate(&d, &caller, &origin, &query).await
}

/// Issues what a closed month lacks. A job does it; while the same works already, that one is answered.
///
/// Errors: those of the GET.
#[utoipa::path(post, path = "/api/v1/generate-all-invoices", tag = "invoices", operation_id = "post_generate_all_invoices",
    params(GenerateQuery),
    responses((status = 202, body = ProcessBody), (status = 401), (status = 403), (status = 409), (status = 422)),
    security(("session" = [])))]
async fn post_generate(
    State(d): State<Billing>,
    caller: AdminOnly,
    origin: Origin,
    Query(query): Query<GenerateQuery>,
) -> ApiResult<Response> {
    generate(&d, &caller, &origin, &query).await
}

/// An invoice that cannot go out.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UnsentInvoice)]
struct UnsentView {
    invoice_id: InvoiceId,
    number: String,
    customer_id: CompanyId,
    company: String,
    /// `EMAIL_MISSING`.
    code: &'static str,
}

#[derive(Serialize, ToSchema)]
struct SentBody {
    /// Always the same.
    message: &'static str,
    queued: i64,
    failed: Vec<UnsentView>,
}

/// Other programs look for these words.
const SENT: &str = "Se han enviado los correos";

async fn send(d: &Billing, caller: &AdminOnly, origin: &Origin) -> ApiResult<Response> {
    let sending = service::send(d, caller, origin).await?;
    let view = |of: service::Unsendable| UnsentView {
        invoice_id: of.id,
        number: of.number,
        customer_id: of.customer,
        company: of.company,
        code: of.code,
    };
    let failed = sending.failed.into_iter().map(view).collect();
    Ok(fresh(StatusCode::OK, SentBody { message: SENT, queued: sending.queued, failed }))
}

/// E-mails every issued invoice that nobody was sent, with its PDF and the notice of the debit. A job does it.
///
/// Errors: `INVOICE_JOB_RUNNING` (409) while another job works.
#[utoipa::path(get, path = "/api/v1/send-all-invoices", tag = "invoices", operation_id = "send_all_invoices",
    responses((status = 200, body = SentBody), (status = 401), (status = 403), (status = 409)),
    security(("session" = [])))]
async fn get_send(State(d): State<Billing>, caller: AdminOnly, origin: Origin) -> ApiResult<Response> {
    send(&d, &caller, &origin).await
}

/// E-mails every issued invoice that nobody was sent, with its PDF and the notice of the debit. A job does it.
///
/// Errors: `INVOICE_JOB_RUNNING` (409) while another job works.
#[utoipa::path(post, path = "/api/v1/send-all-invoices", tag = "invoices", operation_id = "post_send_all_invoices",
    responses((status = 200, body = SentBody), (status = 401), (status = 403), (status = 409)),
    security(("session" = [])))]
async fn post_send(State(d): State<Billing>, caller: AdminOnly, origin: Origin) -> ApiResult<Response> {
    send(&d, &caller, &origin).await
}
