//! The invoices of a period as the books have them (BOOKS-1).

use super::super::entity::invoice::{Column, Entity};
use super::super::model::{BookTotals, InvoiceStatus, Kind};
use super::totals::whole;
use atalaya_db::DbResult;
use atalaya_kernel::InvoiceId;
use chrono::NaiveDate;
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

/// Those of the operation's day, rectifying ones of their own; what was annulled is in no book.
fn within(from: NaiveDate, to: NaiveDate) -> Condition {
    let (from, to) = (from.to_string(), to.to_string());
    let of = |kind: Kind, day: Column| {
        Condition::all().add(Column::Kind.eq(kind.name())).add(day.gte(from.as_str())).add(day.lte(to.as_str()))
    };
    let days = Condition::any().add(of(Kind::Normal, Column::OperationDate)).add(of(Kind::Rectifying, Column::IssueDate));
    Condition::all().add(days).add(Column::Status.ne(InvoiceStatus::Cancelled.name()))
}

pub(crate) async fn booked_ids(db: &impl ConnectionTrait, from: NaiveDate, to: NaiveDate) -> DbResult<Vec<InvoiceId>> {
    let query = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(within(from, to))
        .order_by_asc(Column::IssueDate)
        .order_by_asc(Column::Series)
        .order_by_asc(Column::SeriesYear)
        .order_by_asc(Column::SeriesNumber);
    Ok(query.into_tuple::<Uuid>().all(db).await?.into_iter().map(InvoiceId).collect())
}

pub(crate) async fn booked_totals(db: &impl ConnectionTrait, from: NaiveDate, to: NaiveDate) -> DbResult<BookTotals> {
    let query = Entity::find()
        .select_only()
        .column(Column::Kind)
        .expr_as(whole(Column::Id.count()), "count")
        .expr_as(whole(Column::Base.sum()), "base")
        .expr_as(whole(Column::Vat.sum()), "vat")
        .expr_as(whole(Column::Total.sum()), "total")
        .filter(within(from, to))
        .group_by(Column::Kind);
    let mut totals = BookTotals::default();
    for (kind, count, base, vat, total) in query.into_tuple::<(String, i64, i64, i64, i64)>().all(db).await? {
        totals.invoices += count;
        totals.rectifying += if kind == Kind::Rectifying.name() { count } else { 0 };
        totals.base.0 += base;
        totals.vat.0 += vat;
        totals.total.0 += total;
    }
    Ok(totals)
}
