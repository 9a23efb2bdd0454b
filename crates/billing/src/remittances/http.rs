//! Endpoints of `remittances`.

use super::model::{Attempt, AttemptState, BlockFacts, Reason, Remittance, RemittanceState, Tally};
use super::selection::{self, Excluded};
use super::{RemittanceError, service, store};
use crate::http::slice;
use crate::mandates::http::Room;
use crate::mandates::service::issuer_missing;
use crate::{Billing, BillingResult, words};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::{accounts, service as companies};
use atalaya_identity::users;
use atalaya_kernel::{CompanyId, InvoiceId, Language, UserId};
use atalaya_rest::page::PageQuery;
use atalaya_rest::{AdminOnly, ApiResult, FieldError, Json, Path, Problem, Query, RequestLanguage};
use atalaya_tariff::{Cents, Euros};
use axum::extract::State;
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
        .with_state(room)
}

impl From<RemittanceError> for Problem {
    fn from(error: RemittanceError) -> Problem {
        let code = error.code();
        match error {
            RemittanceError::NotFound => Problem::not_found(code),
            RemittanceError::Empty | RemittanceError::Ended | RemittanceError::Answered => Problem::conflict(code),
            RemittanceError::CreditorAccountUnreadable => Problem::conflict(code).field("bankAccount", "IBAN_UNREADABLE"),
        }
    }
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
#[utoipa::path(post, path = "/api/v1/mail-xml-sepa", tag = "sepa", request_body = SecretBody,
    responses((status = 200, body = MadeAnswer), (status = 409), (status = 422), (status = 429)), security(("session" = [])))]
async fn mail_xml_sepa(
    State(room): State<Room>,
    AdminOnly(caller): AdminOnly,
    origin: Origin,
    Json(body): Json<SecretBody>,
) -> ApiResult<Json<MadeAnswer>> {
    room.count_try(&caller)?;
    let made = service::make(&room.billing, &caller, &origin, &body.secret).await?;
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
    let choice = selection::choose(d).await?;
    let invoices: Vec<DueView> = choice
        .chosen
        .into_iter()
        .map(|chosen| DueView {
            invoice_id: chosen.due.invoice.id,
            number: chosen.due.invoice.number,
            customer_id: chosen.due.invoice.customer,
            company: chosen.party.company.name,
            amount: Euros(chosen.due.amount),
            scheme: chosen.mandate.scheme.name(),
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
    status: &'static str,
    blocks: Vec<BlockFacts>,
    paid: Tally,
    returned: Tally,
    open: Tally,
    cancelled_at: Option<DateTime<Utc>>,
    cancel_reason: Option<String>,
}

async fn views(d: &Billing, remittances: Vec<Remittance>) -> BillingResult<Vec<RemittanceView>> {
    let ids: Vec<Uuid> = remittances.iter().map(|remittance| remittance.id).collect();
    let mut tallies: HashMap<Uuid, [Tally; 3]> = HashMap::new();
    for of in store::tallies(d.db.read(), &ids).await? {
        let slot = match of.state {
            AttemptState::Paid => 0,
            AttemptState::Returned | AttemptState::Rejected => 1,
            AttemptState::Open => 2,
            AttemptState::Cancelled => continue,
        };
        let tally = &mut tallies.entry(of.remittance).or_default()[slot];
        tally.count += u32::try_from(of.count).unwrap_or(u32::MAX);
        tally.amount = Euros(Cents(tally.amount.0.0 + of.sum.0));
    }
    let names = names(d, remittances.iter().map(|remittance| remittance.created_by)).await?;
    let view = |of: Remittance| {
        let [paid, returned, open] = tallies.remove(&of.id).unwrap_or_default();
        RemittanceView {
            cancelled_at: of.ended_at.filter(|_| of.state == RemittanceState::Cancelled),
            created_by: names.get(&of.created_by).cloned(),
            id: of.id,
            msg_id: of.msg_id,
            created_at: of.created_at,
            nb_of_txs: of.debits,
            ctrl_sum: Euros(of.total),
            status: of.state.name(),
            cancel_reason: of.cancel_reason,
            blocks: of.blocks,
            paid,
            returned,
            open,
        }
    };
    Ok(remittances.into_iter().map(view).collect())
}

/// Names of people, for those who made or sent something.
pub async fn names(d: &Billing, ids: impl Iterator<Item = UserId>) -> BillingResult<HashMap<UserId, String>> {
    let people = users::service::list_by_ids(&d.identity, ids).await?;
    Ok(people.into_iter().map(|user| (user.id, user.display_name())).collect())
}

async fn view(d: &Billing, id: Uuid) -> BillingResult<RemittanceView> {
    let remittance = service::get(d, id).await?;
    Ok(views(d, vec![remittance]).await?.remove(0))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RemittancesAnswer {
    remittances: Vec<RemittanceView>,
    total: u64,
    next_cursor: Option<String>,
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
    let (total, rows) = store::list_remittances(room.billing.db.read(), slice).await?;
    let remittances = views(&room.billing, rows).await?;
    Ok(Json(RemittancesAnswer { remittances, total, next_cursor: slice.next_cursor(total) }))
}

/// A debit on the wire.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DebitAttempt)]
pub struct AttemptView {
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
    pub fn new(of: Attempt, company: String, language: Language) -> Self {
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
    service::cancel(&room.billing, &caller, &origin, id, &reason).await?;
    Ok(Json(CancelAnswer { remittance: view(&room.billing, id).await? }))
}
