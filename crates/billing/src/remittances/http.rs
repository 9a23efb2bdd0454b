//! Endpoints of `remittances`; those of bank files are in [`files`].

mod files;

use super::choosing::{self, Excluded};
use super::model::{Action, Attempt, AttemptState, BlockFacts, Reason, Tally};
use super::{making, settling, store, words};
use crate::mandates::http::Room;
use crate::mandates::model::scheme_name;
use crate::mandates::service::issuer_missing;
use crate::{Billing, BillingError, BillingResult};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::{accounts, service as companies};
use atalaya_identity::users;
use atalaya_kernel::{CompanyId, InvoiceId, Language, UserId};
use atalaya_rest::page::PageQuery;
use atalaya_rest::page::{ListQuery, Slice};
use atalaya_rest::{AdminOnly, ApiResult, FieldError, Json, Path, Problem, Query, RequestLanguage};
use atalaya_sepa::read::{Kind, MAX_FILE};
use atalaya_tariff::{Cents, Euros};
use axum::extract::{DefaultBodyLimit, State};
use chrono::{DateTime, NaiveDate, Utc};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

pub(crate) fn routes(room: Room) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(mail_xml_sepa))
        .routes(routes!(get_remittance_due))
        .routes(routes!(list_remittances))
        .routes(routes!(get_remittance))
        .routes(routes!(cancel_remittance))
        .routes(routes!(settle_attempt))
        .routes(routes!(files::parse_sepa))
        .routes(routes!(files::list_sepa_files))
        .routes(routes!(files::get_sepa_file))
        // A bank's file, and what surrounds it in a form.
        .layer(DefaultBodyLimit::max(MAX_FILE + 64 * 1024))
        .with_state(room)
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct SecretBody {
    #[schema(value_type = String)]
    secret: SecretString,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MadeAnswer {
    msg_id: String,
    nb_of_txs: usize,
    #[schema(value_type = f64)]
    ctrl_sum: Euros,
    excluded: Vec<Excluded>,
}

/// Makes the remittance of everything that is due and mails it to the administration's mailbox, in a ZIP under the secret.
///
/// Errors: 422 `SECRET_MISMATCH` at `secret` (never 401), 409 `ISSUER_INCOMPLETE`, 409 `REMITTANCE_EMPTY`, 429.
/// Source: SPEC §7 Invoices, DOMAIN §4.8.
#[utoipa::path(post, path = "/api/v1/mail-xml-sepa", tag = "sepa", request_body = SecretBody,
    responses((status = 200, body = MadeAnswer), (status = 409), (status = 422), (status = 429)), security(("session" = [])))]
async fn mail_xml_sepa(
    State(room): State<Room>,
    AdminOnly(caller): AdminOnly,
    origin: Origin,
    Json(body): Json<SecretBody>,
) -> ApiResult<Json<MadeAnswer>> {
    room.count_try(&caller)?;
    let made = making::make(&room.billing, &caller, &origin, &body.secret).await?;
    Ok(Json(MadeAnswer { msg_id: made.msg_id, nb_of_txs: made.debits, ctrl_sum: Euros(made.total), excluded: made.excluded }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DueView {
    invoice_id: InvoiceId,
    number: String,
    customer_id: CompanyId,
    company: String,
    #[schema(value_type = f64)]
    amount: Euros,
    scheme: &'static str,
    umr: String,
    attempt: i16,
    collection_date: NaiveDate,
    /// The customer was told amount and day; else the remittance writes to him.
    notified: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DueAnswer {
    nb_of_txs: usize,
    #[schema(value_type = f64)]
    ctrl_sum: Euros,
    /// The earliest of them.
    collection_date: Option<NaiveDate>,
    invoices: Vec<DueView>,
    excluded: Vec<Excluded>,
    /// Fields that the platform's own company lacks.
    issuer_missing: Vec<&'static str>,
}

/// What a remittance made now would hold and leave out. Needs no secret.
#[utoipa::path(get, path = "/api/v1/remittance-due", tag = "sepa", responses((status = 200, body = DueAnswer)), security(("session" = [])))]
async fn get_remittance_due(State(room): State<Room>, _: AdminOnly) -> ApiResult<Json<DueAnswer>> {
    let d = &room.billing;
    let platform = accounts::platform(&d.identity).await?;
    let choice = choosing::choose(d).await?;
    let invoices: Vec<DueView> = choice
        .chosen
        .into_iter()
        .map(|chosen| DueView {
            invoice_id: chosen.due.invoice.id,
            number: chosen.due.invoice.number,
            customer_id: chosen.due.invoice.customer,
            company: chosen.party.company.name,
            amount: Euros(chosen.due.amount),
            scheme: scheme_name(chosen.mandate.scheme),
            umr: chosen.mandate.umr,
            attempt: chosen.attempt,
            collection_date: chosen.collection,
            notified: chosen.notified,
        })
        .collect();
    Ok(Json(DueAnswer {
        nb_of_txs: invoices.len(),
        ctrl_sum: Euros(Cents(invoices.iter().map(|due| due.amount.0.0).sum())),
        collection_date: invoices.iter().map(|due| due.collection_date).min(),
        invoices,
        excluded: choice.excluded,
        issuer_missing: issuer_missing(&platform),
    }))
}

/// A remittance on the wire.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Remittance)]
struct RemittanceView {
    #[serde(rename = "_id")]
    id: Uuid,
    msg_id: String,
    created_at: DateTime<Utc>,
    created_by: Option<String>,
    nb_of_txs: i32,
    #[schema(value_type = f64)]
    ctrl_sum: Euros,
    /// `live`, `settled` or `cancelled`.
    status: String,
    blocks: Vec<BlockFacts>,
    paid: Tally,
    returned: Tally,
    open: Tally,
    cancelled_at: Option<DateTime<Utc>>,
    cancel_reason: Option<String>,
}

async fn views(d: &Billing, rows: Vec<store::RemittanceRow>) -> BillingResult<Vec<RemittanceView>> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut tallies: HashMap<Uuid, [Tally; 3]> = HashMap::new();
    for (id, state, count, sum) in store::tallies(d.db.read(), &ids).await? {
        let slot = match AttemptState::parse(&state) {
            Some(AttemptState::Paid) => 0,
            Some(AttemptState::Returned | AttemptState::Rejected) => 1,
            Some(AttemptState::Open) => 2,
            _ => continue,
        };
        let tally = &mut tallies.entry(id).or_default()[slot];
        tally.count += u32::try_from(count).unwrap_or(u32::MAX);
        tally.amount = Euros(Cents(tally.amount.0.0 + sum));
    }
    let names = names(d, rows.iter().map(|row| row.created_by)).await?;
    rows.into_iter()
        .map(|row| {
            let [paid, returned, open] = tallies.remove(&row.id).unwrap_or_default();
            let corrupt = |_| BillingError::Corrupt(format!("remittance {}: blocks", row.msg_id));
            Ok(RemittanceView {
                blocks: serde_json::from_value(row.blocks.clone()).map_err(corrupt)?,
                cancelled_at: row.ended_at.filter(|_| row.state == "cancelled"),
                created_by: names.get(&row.created_by).cloned(),
                id: row.id,
                msg_id: row.msg_id,
                created_at: row.created_at,
                nb_of_txs: row.debits,
                ctrl_sum: Euros(Cents(row.total)),
                status: row.state,
                cancel_reason: row.cancel_reason,
                paid,
                returned,
                open,
            })
        })
        .collect()
}

async fn names(d: &Billing, ids: impl Iterator<Item = Uuid>) -> BillingResult<HashMap<Uuid, String>> {
    let people = users::service::list_by_ids(&d.identity, ids.map(UserId)).await?;
    Ok(people.into_iter().map(|user| (user.id.0, user.display_name())).collect())
}

async fn view(d: &Billing, id: Uuid) -> BillingResult<RemittanceView> {
    let missing = || Problem::not_found("REMITTANCE_NOT_FOUND");
    let row = store::find_remittance(d.db.read(), id).await?.ok_or_else(missing)?;
    Ok(views(d, vec![row]).await?.remove(0))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RemittancesAnswer {
    remittances: Vec<RemittanceView>,
    total: u64,
    next_cursor: Option<String>,
}

fn slice(page: PageQuery) -> Result<Slice, Problem> {
    ListQuery { limit: page.limit, cursor: page.cursor, ..ListQuery::default() }.slice()
}

/// Remittances, newest first.
#[utoipa::path(get, path = "/api/v1/remittances", tag = "sepa", params(PageQuery),
    responses((status = 200, body = RemittancesAnswer)), security(("session" = [])))]
async fn list_remittances(
    State(room): State<Room>,
    _: AdminOnly,
    Query(page): Query<PageQuery>,
) -> ApiResult<Json<RemittancesAnswer>> {
    let slice = slice(page)?;
    let (total, rows) = store::list_remittances(room.billing.db.read(), slice).await.map_err(BillingError::from)?;
    let remittances = views(&room.billing, rows).await?;
    Ok(Json(RemittancesAnswer { remittances, total, next_cursor: slice.next_cursor(total) }))
}

/// A debit on the wire.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DebitAttempt)]
struct AttemptView {
    #[serde(rename = "_id")]
    id: Uuid,
    end_to_end_id: String,
    invoice_id: InvoiceId,
    number: String,
    customer_id: CompanyId,
    company: String,
    umr: String,
    #[schema(value_type = f64)]
    amount: Euros,
    attempt: i16,
    status: AttemptState,
    reason: Option<Reason>,
    settled_at: Option<NaiveDate>,
    /// What the bank charged for its return.
    #[schema(value_type = f64)]
    charges: Euros,
    retry_at: Option<DateTime<Utc>>,
}

impl AttemptView {
    fn new(of: Attempt, company: String, language: Language) -> Self {
        let reason = of.reason.map(|code| Reason { label: words::reason(&code, language), code });
        Self {
            id: of.id,
            end_to_end_id: of.end_to_end,
            invoice_id: of.invoice,
            number: of.number,
            customer_id: of.company,
            company,
            umr: of.umr,
            amount: Euros(Cents(of.amount)),
            attempt: of.attempt,
            status: of.state,
            reason,
            settled_at: of.settled,
            charges: Euros(Cents(of.charges)),
            retry_at: of.retry_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
struct RemittanceAnswer {
    remittance: RemittanceView,
    attempts: Vec<AttemptView>,
}

/// A remittance with its debits. Errors: 404 `REMITTANCE_NOT_FOUND`.
#[utoipa::path(get, path = "/api/v1/remittance/{id}", tag = "sepa", params(("id" = Uuid, Path)),
    responses((status = 200, body = RemittanceAnswer), (status = 404)), security(("session" = [])))]
async fn get_remittance(
    State(room): State<Room>,
    _: AdminOnly,
    RequestLanguage(language): RequestLanguage,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<RemittanceAnswer>> {
    let d = &room.billing;
    let remittance = view(d, id).await?;
    let attempts = store::of_remittance(d.db.read(), id).await?;
    let ids: Vec<CompanyId> = attempts.iter().map(|attempt| attempt.company).collect();
    let names = companies::names(&d.identity, &ids).await?;
    let view = |attempt: Attempt| {
        let name = names.get(&attempt.company).cloned().unwrap_or_default();
        AttemptView::new(attempt, name, language)
    };
    Ok(Json(RemittanceAnswer { remittance, attempts: attempts.into_iter().map(view).collect() }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct RemittanceCancelBody {
    /// Why; kept with the remittance.
    reason: String,
}

#[derive(Serialize, ToSchema)]
struct CancelAnswer {
    remittance: RemittanceView,
}

/// The bank refused the file as a whole, or it was never handed in: its invoices are due again.
///
/// Errors: 404 `REMITTANCE_NOT_FOUND`, 409 `REMITTANCE_ENDED`, 409 `REMITTANCE_ANSWERED`, 422 at `reason`.
#[utoipa::path(post, path = "/api/v1/remittance-cancel/{id}", tag = "sepa", params(("id" = Uuid, Path)),
    request_body = RemittanceCancelBody, responses((status = 200, body = CancelAnswer), (status = 409)), security(("session" = [])))]
async fn cancel_remittance(
    State(room): State<Room>,
    AdminOnly(caller): AdminOnly,
    origin: Origin,
    Path(id): Path<Uuid>,
    Json(body): Json<RemittanceCancelBody>,
) -> ApiResult<Json<CancelAnswer>> {
    let reason: String = body.reason.trim().chars().filter(|c| !c.is_control()).take(300).collect();
    if reason.is_empty() {
        return Err(Problem::invalid([FieldError::new("reason", "REQUIRED")]));
    }
    making::cancel(&room.billing, &caller, &origin, id, &reason).await?;
    Ok(Json(CancelAnswer { remittance: view(&room.billing, id).await? }))
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

/// Settles an open debit by hand, as a bank's file would: the bank told it by telephone or on its page.
///
/// Errors: 404 `DEBIT_NOT_FOUND`, 409 `DEBIT_NOT_OPEN`; 422 at `at` with `DATE_IN_FUTURE`, `DATE_BEFORE_DEBIT`, at `reason` with
/// `REQUIRED`, `INVALID`. Source: DOMAIN §3.8.
#[utoipa::path(post, path = "/api/v1/remittance-attempt/{id}", tag = "sepa", operation_id = "settle_remittance_attempt",
    params(("id" = Uuid, Path)), request_body = SettleBody,
    responses((status = 200, body = SettledAnswer), (status = 404), (status = 409), (status = 422)), security(("session" = [])))]
async fn settle_attempt(
    State(room): State<Room>,
    AdminOnly(caller): AdminOnly,
    origin: Origin,
    RequestLanguage(language): RequestLanguage,
    Path(id): Path<Uuid>,
    Json(body): Json<SettleBody>,
) -> ApiResult<Json<SettledAnswer>> {
    let d = &room.billing;
    let kind = match body.outcome {
        Outcome::Paid => Kind::Confirmation,
        Outcome::Returned => Kind::Return,
        Outcome::Rejected => Kind::Reject,
    };
    let reason = body.reason.map(|code| code.trim().to_uppercase()).filter(|code| !code.is_empty() && kind != Kind::Confirmation);
    let known = settling::Known { kind, reason, at: body.at };
    let (attempt, action) = settling::settle(d, &caller, &origin, id, known).await?;
    let name = companies::names(&d.identity, &[attempt.company]).await?.remove(&attempt.company).unwrap_or_default();
    Ok(Json(SettledAnswer { attempt: AttemptView::new(attempt, name, language), action }))
}
