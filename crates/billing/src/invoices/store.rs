//! Queries on the tables of invoices.

mod booked;
mod list;
mod rows;
mod totals;

pub(crate) use booked::{booked_ids, booked_totals};
pub(crate) use list::{Filter, count_and_page, list_in_remittance};
pub(crate) use totals::{by_month, by_run, returned};

use super::entity::{detail, invoice};
use super::model::{Invoice, InvoiceStatus};
use crate::consumption::ConnectionRow;
use crate::{BillingError, BillingResult};
use atalaya_db::{DbError, DbResult, Tx};
use atalaya_kernel::{CompanyId, InvoiceId};
use atalaya_rest::page::Slice;
use chrono::{DateTime, NaiveDate, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use std::collections::HashSet;
use uuid::Uuid;

/// Connections of one part of a detail.
pub(crate) const PART: u64 = 1000;
/// Rows of one statement: databases take a limited number of parameters.
const ROWS_AT_ONCE: usize = 100;

/// The invoice; of this customer when one is named.
pub(crate) async fn find(
    db: &impl ConnectionTrait,
    id: InvoiceId,
    customer: Option<CompanyId>,
) -> BillingResult<Option<Invoice>> {
    let mut query = invoice::Entity::find_by_id(id.0);
    if let Some(customer) = customer {
        query = query.filter(invoice::Column::CustomerId.eq(customer.0));
    }
    query.one(db).await.map_err(DbError::from)?.map(rows::to_invoice).transpose()
}

/// The invoice, locked until the transaction ends.
pub(crate) async fn lock(tx: &Tx, id: InvoiceId) -> BillingResult<Option<Invoice>> {
    atalaya_db::lock_row(tx, "invoice", id.0).await?;
    find(&**tx, id, None).await
}

pub(crate) async fn find_many(db: &impl ConnectionTrait, ids: &[InvoiceId]) -> BillingResult<Vec<Invoice>> {
    let mut all = Vec::with_capacity(ids.len());
    for part in ids.chunks(ROWS_AT_ONCE * 5) {
        let query = invoice::Entity::find().filter(invoice::Column::Id.is_in(part.iter().map(|id| id.0)));
        for row in query.all(db).await.map_err(DbError::from)? {
            all.push(rows::to_invoice(row)?);
        }
    }
    Ok(all)
}

/// The invoice of this number.
pub(crate) async fn find_by_number(db: &impl ConnectionTrait, number: &str) -> BillingResult<Option<Invoice>> {
    let query = invoice::Entity::find().filter(invoice::Column::Number.eq(number));
    query.one(db).await.map_err(DbError::from)?.map(rows::to_invoice).transpose()
}

/// The invoice that stands of a customer's month.
pub(crate) async fn find_of_month(
    db: &impl ConnectionTrait,
    customer: CompanyId,
    period: &str,
) -> BillingResult<Option<InvoiceId>> {
    let query = invoice::Entity::find()
        .filter(invoice::Column::CustomerId.eq(customer.0))
        .filter(invoice::Column::Period.eq(period))
        .filter(invoice::Column::Superseded.eq(false));
    Ok(query.one(db).await.map_err(DbError::from)?.map(|row| InvoiceId(row.id)))
}

/// Those that correct one of these, oldest first.
pub(crate) async fn list_rectifying(db: &impl ConnectionTrait, of: &[InvoiceId]) -> BillingResult<Vec<(InvoiceId, Invoice)>> {
    let mut all = Vec::new();
    for part in of.chunks(ROWS_AT_ONCE * 5) {
        let query = invoice::Entity::find().filter(invoice::Column::Rectifies.is_in(part.iter().map(|id| id.0)));
        for row in query.order_by_asc(invoice::Column::SeriesNumber).all(db).await.map_err(DbError::from)? {
            let of = row.rectifies.map(InvoiceId).ok_or_else(|| BillingError::Corrupt("rectifies".into()))?;
            all.push((of, rows::to_invoice(row)?));
        }
    }
    Ok(all)
}

/// Those of these statuses, in the order of their numbers.
pub(crate) async fn list_by_status(db: &impl ConnectionTrait, statuses: &[InvoiceStatus]) -> BillingResult<Vec<Invoice>> {
    let query = invoice::Entity::find()
        .filter(invoice::Column::Status.is_in(statuses.iter().map(|status| status.name())))
        .order_by_asc(invoice::Column::IssueDate)
        .order_by_asc(invoice::Column::SeriesNumber);
    query.all(db).await.map_err(DbError::from)?.into_iter().map(rows::to_invoice).collect()
}

/// Ids of those that stand at this status.
pub(crate) async fn ids_by_status(db: &impl ConnectionTrait, status: InvoiceStatus) -> DbResult<Vec<InvoiceId>> {
    let query = invoice::Entity::find().select_only().column(invoice::Column::Id);
    let query = query.filter(invoice::Column::Status.eq(status.name()));
    Ok(query.into_tuple::<Uuid>().all(db).await?.into_iter().map(InvoiceId).collect())
}

/// Issued ones that were not mailed, after this one, in the order of ids. Who took his from the list gets the e-mail all the
/// same: it is the notice of the debit.
pub(crate) async fn list_unsent(
    db: &impl ConnectionTrait,
    after: Option<Uuid>,
    until: DateTime<Utc>,
    limit: u64,
) -> BillingResult<Vec<Invoice>> {
    let mut query = invoice::Entity::find().filter(unsent()).filter(invoice::Column::IssuedAt.lte(until));
    if let Some(after) = after {
        query = query.filter(invoice::Column::Id.gt(after));
    }
    let query = query.order_by_asc(invoice::Column::Id).limit(limit);
    query.all(db).await.map_err(DbError::from)?.into_iter().map(rows::to_invoice).collect()
}

fn unsent() -> sea_orm::Condition {
    let gone = [InvoiceStatus::Cancelled.name(), InvoiceStatus::Rectified.name()];
    sea_orm::Condition::all().add(invoice::Column::MessageId.is_null()).add(invoice::Column::Status.is_not_in(gone))
}

/// How many wait to be sent.
pub(crate) async fn count_unsent(db: &impl ConnectionTrait) -> DbResult<u64> {
    use sea_orm::PaginatorTrait;
    Ok(invoice::Entity::find().filter(unsent()).count(db).await?)
}

/// Which of these customers have an invoice of this month that stands.
pub(crate) async fn invoiced(db: &impl ConnectionTrait, period: &str, customers: &[CompanyId]) -> DbResult<HashSet<CompanyId>> {
    let mut all = HashSet::new();
    for part in customers.chunks(ROWS_AT_ONCE * 5) {
        let query = invoice::Entity::find().select_only().column(invoice::Column::CustomerId);
        let query = query
            .filter(invoice::Column::Period.eq(period))
            .filter(invoice::Column::Superseded.eq(false))
            .filter(invoice::Column::CustomerId.is_in(part.iter().map(|id| id.0)));
        all.extend(query.into_tuple::<Uuid>().all(db).await?.into_iter().map(CompanyId));
    }
    Ok(all)
}

/// Writes issued invoices.
pub(crate) async fn insert(tx: &Tx, invoices: &[Invoice]) -> BillingResult<()> {
    for part in invoices.chunks(ROWS_AT_ONCE) {
        let rows = part.iter().map(rows::to_row).collect::<BillingResult<Vec<_>>>()?;
        invoice::Entity::insert_many(rows).exec_without_returning(&**tx).await.map_err(DbError::from)?;
    }
    Ok(())
}

/// Writes the connections behind invoices.
pub(crate) async fn insert_details(tx: &Tx, details: &[(InvoiceId, Vec<ConnectionRow>)]) -> BillingResult<()> {
    let part_len = usize::try_from(PART).unwrap_or(usize::MAX);
    let mut rows = Vec::new();
    for (id, connections) in details {
        for (part, some) in (0..).zip(connections.chunks(part_len)) {
            let some = serde_json::to_value(some).map_err(|error| BillingError::Corrupt(error.to_string()))?;
            rows.push(detail::ActiveModel { invoice_id: Set(id.0), part: Set(part), rows: Set(some) });
        }
    }
    for part in rows.chunks(ROWS_AT_ONCE) {
        detail::Entity::insert_many(part.to_vec()).exec_without_returning(&**tx).await.map_err(DbError::from)?;
    }
    Ok(())
}

/// Some of the connections behind an invoice, in order of their start.
pub(crate) async fn list_details(db: &impl ConnectionTrait, id: InvoiceId, slice: Slice) -> BillingResult<Vec<ConnectionRow>> {
    let end = slice.offset.saturating_add(slice.limit);
    let part = |row: u64| i32::try_from(row / PART).unwrap_or(i32::MAX);
    let query = detail::Entity::find()
        .filter(detail::Column::InvoiceId.eq(id.0))
        .filter(detail::Column::Part.gte(part(slice.offset)))
        .filter(detail::Column::Part.lte(part(end.saturating_sub(1))))
        .order_by_asc(detail::Column::Part);
    let mut all: Vec<ConnectionRow> = Vec::new();
    for row in query.all(db).await.map_err(DbError::from)? {
        let rows: Vec<ConnectionRow> =
            serde_json::from_value(row.rows).map_err(|error| BillingError::Corrupt(format!("detail of {id}: {error}")))?;
        all.extend(rows);
    }
    let (skip, take) = (slice.offset % PART, slice.limit);
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    Ok(all.into_iter().skip(number(skip)).take(number(take)).collect())
}

/// What may change of an issued invoice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    pub status: Option<InvoiceStatus>,
    pub superseded: Option<bool>,
    pub sent_at: Option<Option<DateTime<Utc>>>,
    pub paid: Option<Option<(DateTime<Utc>, &'static str)>>,
    pub charge_date: Option<Option<NaiveDate>>,
    pub revocable_until: Option<Option<NaiveDate>>,
    pub returned: Option<Option<(DateTime<Utc>, String)>>,
    pub cancelled_at: Option<DateTime<Utc>>,
    pub rectified_by: Option<InvoiceId>,
    pub message_id: Option<Uuid>,
}

/// Changes the state of an invoice.
pub(crate) async fn update(tx: &Tx, id: InvoiceId, changes: Changes) -> DbResult<()> {
    use invoice::Column;
    let mut query = invoice::Entity::update_many().filter(Column::Id.eq(id.0));
    if let Some(status) = changes.status {
        query = query.col_expr(Column::Status, Expr::value(status.name()));
    }
    if let Some(superseded) = changes.superseded {
        query = query.col_expr(Column::Superseded, Expr::value(superseded));
    }
    if let Some(at) = changes.sent_at {
        query = query.col_expr(Column::SentAt, Expr::value(at));
    }
    if let Some(paid) = changes.paid {
        query = query.col_expr(Column::PaidAt, Expr::value(paid.map(|(at, _)| at)));
        query = query.col_expr(Column::PaidBy, Expr::value(paid.map(|(_, by)| by.to_owned())));
    }
    if let Some(date) = changes.charge_date {
        query = query.col_expr(Column::ChargeDate, Expr::value(date.map(|date| date.to_string())));
    }
    if let Some(date) = changes.revocable_until {
        query = query.col_expr(Column::RevocableUntil, Expr::value(date.map(|date| date.to_string())));
    }
    if let Some(returned) = changes.returned {
        query = query.col_expr(Column::ReturnedAt, Expr::value(returned.as_ref().map(|(at, _)| *at)));
        query = query.col_expr(Column::ReturnCode, Expr::value(returned.map(|(_, code)| code)));
    }
    if let Some(at) = changes.cancelled_at {
        query = query.col_expr(Column::CancelledAt, Expr::value(Some(at)));
    }
    if let Some(by) = changes.rectified_by {
        query = query.col_expr(Column::RectifiedBy, Expr::value(Some(by.0)));
    }
    if let Some(message) = changes.message_id {
        query = query.col_expr(Column::MessageId, Expr::value(Some(message)));
    }
    query.exec(&**tx).await?;
    Ok(())
}
