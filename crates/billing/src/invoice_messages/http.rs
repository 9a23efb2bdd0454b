//! Messages about an invoice: read and written by its customer's principal and by administrators.

use super::model::{Message, Said, Status, checked};
use super::store;
use crate::invoices::InvoiceError;
use crate::invoices::model::Invoice;
use crate::invoices::service as invoices;
use crate::{Billing, BillingResult};
use atalaya_kernel::{InvoiceId, calendar};
use atalaya_rest::caller::{AdminOrCustomer, Caller};
use atalaya_rest::response::Created;
use atalaya_rest::{ApiResult, Json, Path, Problem};
use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub(crate) fn routes(d: Billing) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(list_messages, add_message)).with_state(d)
}

/// What was said of an invoice.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceMessage)]
struct MessageView {
    #[serde(rename = "_id")]
    id: Uuid,
    status: Status,
    /// The day on which it happened.
    day: NaiveDate,
    reason: Option<String>,
    /// The recipient wrote it himself.
    by_customer: bool,
    at: DateTime<Utc>,
}

impl From<Message> for MessageView {
    fn from(message: Message) -> Self {
        let Message { id, said: Said { status, day, reason }, by_customer, user: _, at } = message;
        Self { id, status, day, reason, by_customer, at }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = InvoiceMessages)]
struct MessagesBody {
    /// Whether new ones are taken (setting `invoice_messages`).
    open: bool,
    /// Oldest first.
    messages: Vec<MessageView>,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = InvoiceMessageInput)]
struct MessageInput {
    status: Status,
    /// The day on which it happened; from the issue to today.
    day: NaiveDate,
    /// At most 500 characters; required of a rejection.
    reason: Option<String>,
}

/// The invoice, if the caller may see it.
async fn own(d: &Billing, caller: &Caller, id: InvoiceId) -> BillingResult<Invoice> {
    let customer = (!caller.is_admin()).then_some(caller.company);
    Ok(invoices::find(d, id, customer).await?.ok_or(InvoiceError::NotFound)?)
}

async fn body(d: &Billing, id: InvoiceId) -> BillingResult<MessagesBody> {
    let messages = store::list(d.db.read(), id).await?.into_iter().map(MessageView::from).collect();
    Ok(MessagesBody { open: d.settings.invoice_messages, messages })
}

/// What the recipient said of an invoice: accepted, rejected, paid.
///
/// Errors: `INVOICE_NOT_FOUND` (404), also for another company's. Source: EINV-16.
#[utoipa::path(get, path = "/api/v1/invoice-messages/{id}", tag = "invoices", operation_id = "get_invoice_messages",
    params(("id" = String, Path)),
    responses((status = 200, body = MessagesBody), (status = 401), (status = 403), (status = 404)), security(("session" = [])))]
async fn list_messages(
    State(d): State<Billing>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<InvoiceId>,
) -> ApiResult<Json<MessagesBody>> {
    let invoice = own(&d, &caller, id).await?;
    Ok(Json(body(&d, invoice.id).await?))
}

/// Keeps what the recipient says of an invoice; administrators write down what came by another way.
///
/// Errors: `INVOICE_NOT_FOUND` (404), also for another company's; `NOT_FOUND` (404) without the setting `invoice_messages`;
/// `INVALID_FIELDS` (422) on `day`, `reason`. Source: EINV-16, EINV-17.
#[utoipa::path(post, path = "/api/v1/invoice-messages/{id}", tag = "invoices", operation_id = "post_invoice_message",
    params(("id" = String, Path)), request_body = MessageInput,
    responses((status = 201, body = MessagesBody), (status = 401), (status = 403), (status = 404), (status = 422)),
    security(("session" = [])))]
async fn add_message(
    State(d): State<Billing>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<InvoiceId>,
    Json(input): Json<MessageInput>,
) -> ApiResult<Created<MessagesBody>> {
    let invoice = own(&d, &caller, id).await?;
    if !d.settings.invoice_messages {
        return Err(Problem::not_found("NOT_FOUND"));
    }
    let now = d.sources.now();
    let MessageInput { status, day, reason } = input;
    let said = checked(Said { status, day, reason }, invoice.issue_date, calendar::day(now)).map_err(Problem::invalid)?;
    let message = Message { id: d.sources.uuid(), said, by_customer: !caller.is_admin(), user: caller.user.0, at: now };
    keep(&d, invoice.id, message).await?;
    Ok(Created(body(&d, invoice.id).await?))
}

async fn keep(d: &Billing, invoice: InvoiceId, message: Message) -> BillingResult<()> {
    let tx = d.db.write().await?;
    store::insert(&tx, invoice, message).await?;
    tx.commit().await?;
    Ok(())
}
