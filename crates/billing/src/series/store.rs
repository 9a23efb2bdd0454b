//! Queries on the table of series.

use super::entity::invoice_series as series;
use crate::invoices::model::Kind;
use crate::{BillingError, BillingResult};
use atalaya_db::{DbError, DbResult, Engine, Tx};
use chrono::NaiveDate;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

fn day(text: &str) -> BillingResult<NaiveDate> {
    text.parse().map_err(|_| BillingError::Corrupt(format!("`{text}` is no date")))
}

/// The last number and date of a series, locked until the transaction ends.
pub(super) async fn lock_series(tx: &Tx, kind: Kind, year: i32) -> BillingResult<(i64, Option<NaiveDate>)> {
    let fresh =
        series::ActiveModel { series: Set(kind.series().to_owned()), year: Set(year), last_number: Set(0), last_date: Set(None) };
    let there = OnConflict::columns([series::Column::Series, series::Column::Year]).do_nothing().to_owned();
    series::Entity::insert(fresh).on_conflict(there).exec_without_returning(&**tx).await.map_err(DbError::from)?;
    let mut query = series::Entity::find_by_id((kind.series().to_owned(), year));
    if tx.engine() == Engine::Postgres {
        query = query.lock_exclusive();
    }
    let row = query.one(&**tx).await.map_err(DbError::from)?;
    let row = row.ok_or_else(|| BillingError::Corrupt("a series that was just written".into()))?;
    Ok((row.last_number, row.last_date.as_deref().map(day).transpose()?))
}

/// The latest date on which a series of any year gave a number.
pub(super) async fn last_date(db: &impl ConnectionTrait, kind: Kind) -> BillingResult<Option<NaiveDate>> {
    let query = series::Entity::find()
        .filter(series::Column::Series.eq(kind.series()))
        .filter(series::Column::LastDate.is_not_null())
        .order_by_desc(series::Column::Year);
    let row = query.one(db).await.map_err(DbError::from)?;
    row.and_then(|row| row.last_date).as_deref().map(day).transpose()
}

pub(super) async fn set_series(tx: &Tx, kind: Kind, year: i32, last: i64, date: NaiveDate) -> DbResult<()> {
    series::Entity::update_many()
        .col_expr(series::Column::LastNumber, Expr::value(last))
        .col_expr(series::Column::LastDate, Expr::value(Some(date.to_string())))
        .filter(series::Column::Series.eq(kind.series()))
        .filter(series::Column::Year.eq(year))
        .exec(&**tx)
        .await?;
    Ok(())
}
