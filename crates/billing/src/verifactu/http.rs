//! Endpoints of `verifactu`, all for the administrator.

mod export;

use super::VerifactuError;
use super::model::{Corrected, RecordKind, State, Stored};
use super::service::{self, Reason, person};
use super::store::{self, Filter};
use crate::http::file;
use crate::tax_office::{Mode, SYSTEM_ID, SYSTEM_NAME, SYSTEM_VERSION, VerifactuSettings};
use crate::{Billing, BillingError};
use atalaya_einvoice::verifactu::{Remittance, document};
use atalaya_kernel::calendar;
use atalaya_rest::caller::AdminOnly;
use atalaya_rest::extract::{Json, Path, Query};
use atalaya_rest::page::{PageQuery, Slice};
use atalaya_rest::response::ApiResult;
use atalaya_rest::{FieldError, Problem};
use atalaya_tariff::{Cents, Euros};
use axum::extract::State as Deps;
use axum::response::Response;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub(crate) fn routes(d: Billing) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(get_verifactu))
        .routes(routes!(list_records))
        .routes(routes!(get_record))
        .routes(routes!(check_chain))
        .routes(routes!(resend_record))
        .routes(routes!(export::export_records))
        .with_state(d)
}

impl From<VerifactuError> for Problem {
    fn from(error: VerifactuError) -> Problem {
        match error {
            VerifactuError::RecordNotFound => Problem::not_found(error.code()),
            VerifactuError::RecordNotResendable | VerifactuError::SendingRequired => Problem::conflict(error.code()),
        }
    }
}

/// The program as the tax office is told.
#[derive(Serialize, ToSchema)]
#[schema(as = VerifactuSystem)]
struct SystemView {
    name: &'static str,
    id: &'static str,
    version: &'static str,
    installation: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = VerifactuEnvironment)]
struct EnvironmentView {
    /// Of the service.
    host: String,
    system: SystemView,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VerifactuCertificate)]
struct CertificateView {
    subject: String,
    expires_at: DateTime<Utc>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VerifactuChain)]
struct ChainView {
    records: i64,
    /// Hash of the last record.
    head: Option<String>,
    last_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VerifactuQueue)]
struct QueueView {
    /// Made while sending was off; they stay here.
    local: i64,
    pending: i64,
    sent: i64,
    accepted: i64,
    with_errors: i64,
    rejected: i64,
    next_at: Option<DateTime<Utc>>,
    last_error: Option<String>,
    /// What the tax office said of the call.
    last_error_text: Option<String>,
    last_error_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct VerifactuBody {
    /// off, test or production.
    mode: &'static str,
    /// From this day on invoices are issued in production alone, or in test mode where every customer is made up.
    binding_from: NaiveDate,
    /// No invoice is issued in this mode any more.
    blocked: bool,
    environment: EnvironmentView,
    certificate: Option<CertificateView>,
    chain: ChainView,
    queue: QueueView,
}

/// Mode, chain and queue of the records for the tax office.
#[utoipa::path(get, path = "/api/v1/verifactu", tag = "verifactu", operation_id = "get_verifactu",
    responses((status = 200, body = VerifactuBody)), security(("session" = [])))]
async fn get_verifactu(Deps(d): Deps<Billing>, _: AdminOnly) -> ApiResult<Json<VerifactuBody>> {
    let settings = &d.settings.verifactu;
    let chains = store::list_chains(d.db.read()).await.map_err(BillingError::from)?;
    let counts = store::count_states(d.db.read()).await.map_err(BillingError::from)?;
    let count = |state: State| counts.get(state.name()).copied().unwrap_or_default();
    let last = chains.first();
    let waiting = count(State::Pending) + count(State::Sent) > 0 && settings.mode != Mode::Off;
    // A record that was set aside leaves no call to be repeated.
    let failing = last.filter(|chain| waiting && chain.failures > 0);
    Ok(Json(VerifactuBody {
        mode: settings.mode.name(),
        binding_from: settings.binding_from,
        blocked: settings.binds(calendar::day(d.sources.now())),
        environment: environment(settings),
        certificate: settings
            .certificate
            .as_ref()
            .map(|certificate| CertificateView { subject: certificate.subject.clone(), expires_at: certificate.expires_at }),
        chain: ChainView {
            records: chains.iter().map(|chain| chain.records).sum(),
            head: last.and_then(|chain| chain.head.as_ref()).map(|head| head.hash.clone()),
            last_at: last.and_then(|chain| chain.at),
        },
        queue: QueueView {
            local: count(State::Local),
            pending: count(State::Pending),
            sent: count(State::Sent),
            accepted: count(State::Accepted),
            with_errors: count(State::WithErrors),
            rejected: count(State::Rejected),
            next_at: last.filter(|_| waiting).and_then(|chain| chain.next_at),
            last_error: failing.and_then(|chain| chain.last_error.clone()),
            last_error_text: failing.and_then(|chain| chain.last_error_text.clone()),
            last_error_at: failing.and_then(|chain| chain.last_error_at),
        },
    }))
}

fn environment(settings: &VerifactuSettings) -> EnvironmentView {
    let service = settings.service();
    let host = service.split('/').nth(2).unwrap_or(&service).to_owned();
    let installation = settings.installation.clone();
    EnvironmentView { host, system: SystemView { name: SYSTEM_NAME, id: SYSTEM_ID, version: SYSTEM_VERSION, installation } }
}

/// A record on the wire.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VerifactuRecord)]
struct RecordView {
    #[serde(rename = "_id")]
    id: Uuid,
    /// Its place in the chain.
    seq: i64,
    at: DateTime<Utc>,
    kind: RecordKind,
    /// `F1`, `R1` … of issued ones.
    invoice_type: Option<String>,
    /// It puts an earlier record right.
    correction: bool,
    invoice_id: Uuid,
    number: String,
    issue_date: NaiveDate,
    total: Option<Euros>,
    hash: String,
    state: State,
    sent_at: Option<DateTime<Utc>>,
    csv: Option<String>,
    /// The tax office's.
    code: Option<String>,
    message: Option<String>,
    /// A new record of the same invoice may be made and sent.
    resendable: bool,
    /// A new record may say another name of the recipient, or another description.
    correctable: bool,
}

impl RecordView {
    fn of(d: &Billing, record: Stored) -> Self {
        let sending = d.settings.verifactu.mode != Mode::Off;
        let (resendable, correctable) = (record.is_resendable(sending), record.is_correctable(sending));
        Self {
            id: record.id,
            seq: record.seq,
            at: record.at,
            kind: record.kind,
            invoice_type: record.invoice_type,
            correction: record.correction,
            invoice_id: record.invoice,
            number: record.number,
            issue_date: record.issue_date,
            total: record.total.map(|total| Euros(Cents(total))),
            hash: record.hash,
            state: record.state,
            sent_at: record.sent_at,
            csv: record.csv,
            code: record.code,
            message: record.message,
            resendable,
            correctable,
        }
    }
}

/// Which records.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct RecordsQuery {
    /// local, pending, sent, accepted, withErrors or rejected.
    state: Option<String>,
    /// Part of a number.
    search: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VerifactuRecords)]
struct RecordsBody {
    records: Vec<RecordView>,
    total: u64,
    /// Null on the last page.
    next_cursor: Option<String>,
}

/// The records of the chain, newest first.
///
/// Errors: `INVALID_FIELDS` (422) about `state`, `cursor`.
#[utoipa::path(get, path = "/api/v1/verifactu-records", tag = "verifactu", operation_id = "list_verifactu_records",
    params(RecordsQuery, PageQuery), responses((status = 200, body = RecordsBody)), security(("session" = [])))]
async fn list_records(
    Deps(d): Deps<Billing>,
    _: AdminOnly,
    Query(query): Query<RecordsQuery>,
    Query(page): Query<PageQuery>,
) -> ApiResult<Json<RecordsBody>> {
    let invalid = |field| Problem::invalid([FieldError::new(field, "INVALID")]);
    let state = query.state.as_deref().filter(|name| !name.is_empty());
    let state = state.map(|name| State::parse(name).ok_or_else(|| invalid("state"))).transpose()?;
    let offset = page.cursor.as_deref().filter(|cursor| !cursor.is_empty());
    let offset = offset.map(|cursor| cursor.parse().map_err(|_| invalid("cursor"))).transpose()?.unwrap_or_default();
    let slice = Slice { offset, limit: page.limit() };
    let search: String = query.search.unwrap_or_default().chars().take(60).collect();
    let (records, total) = store::list(d.db.read(), &Filter { state, search }, slice).await?;
    let records = records.into_iter().map(|record| RecordView::of(&d, record)).collect();
    Ok(Json(RecordsBody { records, total, next_cursor: slice.next_cursor(total) }))
}

/// A record as XML, in a call of its own.
///
/// Errors: `RECORD_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/verifactu-record/{id}", tag = "verifactu", operation_id = "get_verifactu_record",
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "The record", content_type = "application/xml")), security(("session" = [])))]
async fn get_record(Deps(d): Deps<Billing>, _: AdminOnly, Path(id): Path<Uuid>) -> ApiResult<Response> {
    let record = service::get(&d, id).await?;
    let invoice = crate::invoices::service::get(&d, atalaya_kernel::InvoiceId(record.invoice)).await?;
    let issuer = &invoice.header.issuer;
    let (issuer, fragments) = (person(&issuer.name, &issuer.nif), [record.xml]);
    let xml = document(&Remittance { issuer: &issuer, incident: false, inquiry: None, fragments: &fragments });
    Ok(file(xml, "application/xml", "attachment", &format!("{}-{}.xml", record.number, record.seq)))
}

#[derive(Serialize, ToSchema)]
#[schema(as = VerifactuBreak)]
struct BreakView {
    seq: i64,
    number: String,
    /// hash, link or content.
    reason: &'static str,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VerifactuCheck)]
struct CheckBody {
    ok: bool,
    /// How many fit.
    records: i64,
    checked_at: DateTime<Utc>,
    broken_at: Option<BreakView>,
}

/// Recomputes every hash and link; tells the first record that does not fit.
#[utoipa::path(post, path = "/api/v1/verifactu-check", tag = "verifactu", operation_id = "check_verifactu",
    responses((status = 200, body = CheckBody)), security(("session" = [])))]
async fn check_chain(Deps(d): Deps<Billing>, _: AdminOnly) -> ApiResult<Json<CheckBody>> {
    let checked = service::check(&d).await?;
    let broken_at = checked.broken.map(|broken| BreakView {
        seq: broken.seq,
        number: broken.number,
        reason: match broken.reason {
            Reason::Hash => "hash",
            Reason::Link => "link",
            Reason::Content => "content",
        },
    });
    Ok(Json(CheckBody { ok: broken_at.is_none(), records: checked.records, checked_at: checked.at, broken_at }))
}

#[derive(Serialize, ToSchema)]
#[schema(as = VerifactuResent)]
struct ResentBody {
    record: RecordView,
}

/// What the new record says otherwise than its invoice.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = VerifactuCorrection)]
struct ResendInput {
    /// 120 characters at most.
    recipient_name: Option<String>,
    /// 500 characters at most.
    description: Option<String>,
}

impl ResendInput {
    fn check(self) -> Result<Corrected, Problem> {
        let mut errors = Vec::new();
        let mut clean = |field: &'static str, given: Option<String>, max: usize| {
            let text: String = given?.chars().filter(|c| !c.is_control()).collect();
            let text = text.trim().to_owned();
            if text.chars().count() > max {
                errors.push(FieldError::new(field, "TOO_LONG").param("max", max));
            }
            Some(text).filter(|text| !text.is_empty())
        };
        let recipient_name = clean("recipientName", self.recipient_name, 120);
        let description = clean("description", self.description, 500);
        if errors.is_empty() { Ok(Corrected { recipient_name, description }) } else { Err(Problem::invalid(errors)) }
    }
}

/// Makes a new record of the same invoice at the end of the chain, to put right one that was refused or accepted with errors; with
/// the right name of the recipient or description also one that was accepted.
///
/// Errors: `RECORD_NOT_FOUND` (404), `RECORD_NOT_RESENDABLE` (409), `INVALID_FIELDS` (422) with `TOO_LONG`.
#[utoipa::path(post, path = "/api/v1/verifactu-resend/{id}", tag = "verifactu", operation_id = "resend_verifactu",
    params(("id" = Uuid, Path)), request_body = Option<ResendInput>, responses((status = 200, body = ResentBody)), security(("session" = [])))]
async fn resend_record(
    Deps(d): Deps<Billing>,
    AdminOnly(caller): AdminOnly,
    Path(id): Path<Uuid>,
    input: Option<Json<ResendInput>>,
) -> ApiResult<Json<ResentBody>> {
    let corrected = input.map_or_else(ResendInput::default, |Json(input)| input).check()?;
    let record = service::resend(&d, &caller, id, &corrected).await?;
    d.jobs.wake();
    Ok(Json(ResentBody { record: RecordView::of(&d, record) }))
}
