//! Sums over invoices.

use super::super::entity::invoice::{Column, Entity};
use super::super::model::{InvoiceStatus, MonthTotals, RunTotals, Scope};
use atalaya_db::DbResult;
use atalaya_tariff::Cents;
use sea_orm::sea_query::{Expr, Func, SimpleExpr};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, ExprTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect};

#[derive(FromQueryResult)]
struct Row {
    period: String,
    status: String,
    sent: bool,
    charged: bool,
    count: i64,
    base: i64,
    vat: i64,
    total: i64,
    connections: i64,
}

/// A whole number, whatever the engine makes of sums.
pub(super) fn whole(sum: SimpleExpr) -> SimpleExpr {
    Func::cast_as(sum, "bigint").into()
}

async fn grouped(db: &impl ConnectionTrait, period: SimpleExpr, scope: Scope, from: &str, to: &str) -> DbResult<Vec<Row>> {
    let mut query = Entity::find()
        .select_only()
        .expr_as(period.clone(), "period")
        .column(Column::Status)
        .expr_as(Column::MessageId.is_not_null(), "sent")
        .expr_as(Column::ChargeDate.is_not_null(), "charged")
        .expr_as(whole(Column::Id.count()), "count")
        .expr_as(whole(Column::Base.sum()), "base")
        .expr_as(whole(Column::Vat.sum()), "vat")
        .expr_as(whole(Column::Total.sum()), "total")
        .expr_as(whole(Column::Connections.sum()), "connections")
        .filter(period.clone().gte(from))
        .filter(period.clone().lte(to))
        .filter(Column::Status.ne(InvoiceStatus::Cancelled.name()));
    if let Scope::Customer(id) = scope {
        query = query.filter(Column::CustomerId.eq(id.0));
    }
    let query = query
        .group_by(period.clone())
        .group_by(Column::Status)
        .group_by(Column::MessageId.is_not_null())
        .group_by(Column::ChargeDate.is_not_null());
    Ok(query.order_by_asc(period).into_model::<Row>().all(db).await?)
}

/// The sums of each month from `from` to `to`, both included; rectifying invoices count in the month they correct.
pub(crate) async fn by_month(
    db: &impl ConnectionTrait,
    scope: Scope,
    from: &str,
    to: &str,
) -> DbResult<Vec<(String, MonthTotals)>> {
    // Written out, since a parameter would differ from the one it is grouped by.
    let month = Expr::cust("substr(period_from, 1, 7)");
    let mut all: Vec<(String, MonthTotals)> = Vec::new();
    for row in grouped(db, month, scope, from, to).await? {
        if all.last().is_none_or(|(period, _)| *period != row.period) {
            all.push((row.period.clone(), MonthTotals::default()));
        }
        if let Some((_, totals)) = all.last_mut() {
            totals.base.0 += row.base;
            totals.vat.0 += row.vat;
            totals.total.0 += row.total;
            totals.connections += row.connections;
            totals.invoices += row.count;
        }
    }
    Ok(all)
}

/// What became of the invoices of each monthly run.
pub(crate) async fn by_run(db: &impl ConnectionTrait, from: &str, to: &str) -> DbResult<Vec<(String, RunTotals)>> {
    let mut all: Vec<(String, RunTotals)> = Vec::new();
    for row in grouped(db, Expr::col(Column::Period), Scope::Everybody, from, to).await? {
        if all.last().is_none_or(|(period, _)| *period != row.period) {
            all.push((row.period.clone(), RunTotals::default()));
        }
        if let Some((_, totals)) = all.last_mut() {
            totals.issued += row.count;
            totals.sent += if row.sent { row.count } else { 0 };
            // Money that came otherwise needs no remittance either.
            let settled =
                row.charged || row.status == InvoiceStatus::Paid.name() || row.status == InvoiceStatus::Rectified.name();
            totals.remitted += if settled { row.count } else { 0 };
            totals.base.0 += row.base;
            totals.vat.0 += row.vat;
            totals.total.0 += row.total;
        }
    }
    Ok(all)
}

/// How many invoices stand returned or unpaid, and their amount.
pub(crate) async fn returned(db: &impl ConnectionTrait, scope: Scope) -> DbResult<(i64, Cents)> {
    let open = [InvoiceStatus::Returned.name(), InvoiceStatus::Unpaid.name()];
    let mut query = Entity::find()
        .select_only()
        .expr_as(whole(Column::Id.count()), "count")
        .expr_as(whole(Column::Total.sum()), "total")
        .filter(Column::Status.is_in(open));
    if let Scope::Customer(id) = scope {
        query = query.filter(Column::CustomerId.eq(id.0));
    }
    let found: Option<(i64, Option<i64>)> = query.into_tuple().one(db).await?;
    Ok(found.map_or((0, Cents(0)), |(count, total)| (count, Cents(total.unwrap_or(0)))))
}
