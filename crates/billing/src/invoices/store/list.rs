//! The list of invoices.

use super::super::entity::invoice::{Column, Entity};
use super::super::model::{Invoice, InvoiceStatus, Scope};
use super::rows::to_invoice;
use crate::BillingResult;
use atalaya_db::DbError;
use atalaya_kernel::collate;
use atalaya_rest::page::Slice;
use atalaya_tariff::Month;
use chrono::NaiveDate;
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};

/// What a list is narrowed to.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub scope: Scope,
    /// By issue date, both included.
    pub from: Option<NaiveDate>,
    pub to: Option<NaiveDate>,
    pub status: Option<InvoiceStatus>,
    pub search: String,
    /// By the month they are of, both included.
    pub from_month: Option<Month>,
    pub to_month: Option<Month>,
}

impl Filter {
    fn condition(&self) -> Condition {
        let mut all = Condition::all();
        if let Scope::Customer(id) = self.scope {
            all = all.add(Column::CustomerId.eq(id.0));
        }
        if let Some(from) = self.from {
            all = all.add(Column::IssueDate.gte(from.to_string()));
        }
        if let Some(to) = self.to {
            all = all.add(Column::IssueDate.lte(to.to_string()));
        }
        if let Some(status) = self.status {
            all = all.add(Column::Status.eq(status.name()));
        }
        if let Some(from) = self.from_month {
            all = all.add(Column::PeriodFrom.gte(from.first_day().to_string()));
        }
        if let Some(to) = self.to_month {
            all = all.add(Column::PeriodFrom.lte(to.last_day().to_string()));
        }
        for word in collate::fold(&self.search).split_whitespace() {
            all = all.add(Column::Search.contains(word));
        }
        all
    }
}

/// How many there are, and some of them, the newest first.
pub(crate) async fn count_and_page(
    db: &impl ConnectionTrait,
    filter: &Filter,
    slice: Slice,
) -> BillingResult<(u64, Vec<Invoice>)> {
    let query = Entity::find().filter(filter.condition());
    let total = query.clone().count(db).await.map_err(DbError::from)?;
    // Those of one run have one moment; their numbers tell which came later.
    let query = query.order_by_desc(Column::IssueDate).order_by_desc(Column::IssuedAt);
    let query = query.order_by_desc(Column::SeriesNumber).order_by_desc(Column::Id);
    let rows = query.offset(slice.offset).limit(slice.limit).all(db).await.map_err(DbError::from)?;
    Ok((total, rows.into_iter().map(to_invoice).collect::<BillingResult<_>>()?))
}

/// Those in a live file for the bank.
pub(crate) async fn list_in_remittance(db: &impl ConnectionTrait, scope: Scope) -> BillingResult<Vec<Invoice>> {
    let mut query = Entity::find().filter(Column::Status.eq(InvoiceStatus::InRemittance.name()));
    if let Scope::Customer(id) = scope {
        query = query.filter(Column::CustomerId.eq(id.0));
    }
    query.all(db).await.map_err(DbError::from)?.into_iter().map(to_invoice).collect()
}
