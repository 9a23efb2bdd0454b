//! Queries on the tables of monthly runs.

use super::entity::{draft, run};
use super::model::{Draft, JobKind, ProcessFault, Run, Running};
use crate::{BillingError, BillingResult};
use atalaya_db::{DbError, DbResult, Tx};
use atalaya_kernel::CompanyId;
use atalaya_tariff::{Cents, Month};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, Func, OnConflict, SimpleExpr};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, ExprTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
};
use std::collections::HashMap;
use uuid::Uuid;

/// Rows of one statement: databases take a limited number of parameters.
const ROWS_AT_ONCE: usize = 100;

fn to_run(row: run::Model) -> BillingResult<Run> {
    let corrupt = |what: &str| BillingError::Corrupt(format!("run of {}: {what}", row.period));
    let rest = row.rest.as_deref().unwrap_or_default().split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let job = row.job.as_deref().map(|job| JobKind::parse(job).ok_or_else(|| corrupt("job"))).transpose()?;
    Ok(Run {
        id: row.id,
        month: Month::parse(&row.period).ok_or_else(|| corrupt("period"))?,
        error: row.error,
        calculated_at: row.calculated_at,
        issued_at: row.issued_at,
        late: row.late,
        rest,
        running: job.filter(|_| row.running.is_some()).map(|kind| Running {
            kind,
            done: row.done,
            of: row.total,
            after: row.after,
            step: row.step,
            started_at: row.started_at,
        }),
    })
}

/// The runs of these months, the newest first.
pub(crate) async fn list(db: &impl ConnectionTrait, from: Month, to: Month) -> BillingResult<Vec<Run>> {
    let query = run::Entity::find().filter(run::Column::Period.gte(from.name())).filter(run::Column::Period.lte(to.name()));
    let rows = query.order_by_desc(run::Column::Period).all(db).await.map_err(DbError::from)?;
    rows.into_iter().map(to_run).collect()
}

/// The oldest month there is a run of.
pub(crate) async fn oldest(db: &impl ConnectionTrait) -> BillingResult<Option<Month>> {
    let row = run::Entity::find().order_by_asc(run::Column::Period).one(db).await.map_err(DbError::from)?;
    Ok(row.and_then(|row| Month::parse(&row.period)))
}

pub(crate) async fn find(db: &impl ConnectionTrait, id: Uuid) -> BillingResult<Option<Run>> {
    run::Entity::find_by_id(id).one(db).await.map_err(DbError::from)?.map(to_run).transpose()
}

/// The run that works, of whichever month.
pub(crate) async fn find_running(db: &impl ConnectionTrait) -> BillingResult<Option<Run>> {
    let query = run::Entity::find().filter(run::Column::Running.is_not_null());
    query.one(db).await.map_err(DbError::from)?.map(to_run).transpose()
}

/// Makes sure that there is a run of the month. Answers it.
pub(crate) async fn provide(tx: &Tx, id: Uuid, month: Month) -> BillingResult<Run> {
    let fresh = run::ActiveModel {
        id: Set(id),
        period: Set(month.name()),
        job: Set(None),
        error: Set(None),
        calculated_at: Set(None),
        issued_at: Set(None),
        started_at: Set(None),
        late: Set(false),
        running: Set(None),
        done: Set(0),
        total: Set(0),
        after: Set(None),
        rest: Set(None),
        step: Set(0),
    };
    let there = OnConflict::column(run::Column::Period).do_nothing().to_owned();
    run::Entity::insert(fresh).on_conflict(there).exec_without_returning(&**tx).await.map_err(DbError::from)?;
    let found = run::Entity::find().filter(run::Column::Period.eq(month.name())).one(&**tx).await.map_err(DbError::from)?;
    to_run(found.ok_or_else(|| BillingError::Corrupt("a run that was just written".into()))?)
}

/// Makes a run the one that works, with these months after it. Errors: [`DbError::Duplicate`] when another does.
pub(crate) async fn begin(tx: &Tx, id: Uuid, kind: JobKind, of: i64, rest: &[String], now: DateTime<Utc>) -> DbResult<()> {
    run::Entity::update_many()
        .col_expr(run::Column::Running, Expr::value(Some(1_i16)))
        .col_expr(run::Column::Job, Expr::value(Some(kind.name())))
        .col_expr(run::Column::Error, Expr::value(None::<String>))
        .col_expr(run::Column::StartedAt, Expr::value(Some(now)))
        .col_expr(run::Column::Done, Expr::value(0_i64))
        .col_expr(run::Column::Total, Expr::value(of))
        .col_expr(run::Column::After, Expr::value(None::<Uuid>))
        .col_expr(run::Column::Rest, Expr::value((!rest.is_empty()).then(|| rest.join(","))))
        .col_expr(run::Column::Step, Expr::col(run::Column::Step).add(1))
        .filter(run::Column::Id.eq(id))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Goes a step further. Answers false when somebody else made this step already.
pub(crate) async fn advance(tx: &Tx, run: &Run, step: i32, done: i64, after: Option<Uuid>) -> DbResult<bool> {
    let changed = run::Entity::update_many()
        .col_expr(run::Column::Done, Expr::value(done))
        .col_expr(run::Column::After, Expr::value(after))
        .col_expr(run::Column::Step, Expr::value(step + 1))
        .filter(run::Column::Id.eq(run.id))
        .filter(run::Column::Step.eq(step))
        .filter(run::Column::Running.is_not_null())
        .exec(&**tx)
        .await?;
    Ok(changed.rows_affected == 1)
}

/// Ends the work on a run, with what it reached or with the code of its failure.
pub(crate) async fn end(tx: &Tx, id: Uuid, reached: Option<(JobKind, DateTime<Utc>, bool)>, error: Option<&str>) -> DbResult<()> {
    let mut query = run::Entity::update_many()
        .col_expr(run::Column::Running, Expr::value(None::<i16>))
        .col_expr(run::Column::Error, Expr::value(error.map(str::to_owned)))
        .filter(run::Column::Id.eq(id));
    if let Some((kind, now, late)) = reached {
        match kind {
            JobKind::Send => {}
            JobKind::Calculate => query = query.col_expr(run::Column::CalculatedAt, Expr::value(Some(now))),
            JobKind::Issue => {
                query = query
                    .col_expr(run::Column::CalculatedAt, Expr::value(Some(now)))
                    .col_expr(run::Column::IssuedAt, Expr::value(Some(now)))
                    .col_expr(run::Column::Late, Expr::value(late));
            }
        }
    }
    query.exec(&**tx).await?;
    Ok(())
}

/// Puts these drafts in the place of whatever these customers had for the month.
pub(crate) async fn replace_drafts(
    tx: &Tx,
    month: Month,
    customers: &[CompanyId],
    drafts: &[Draft],
    now: DateTime<Utc>,
) -> DbResult<()> {
    for part in customers.chunks(ROWS_AT_ONCE * 5) {
        draft::Entity::delete_many()
            .filter(draft::Column::Period.eq(month.name()))
            .filter(draft::Column::CustomerId.is_in(part.iter().map(|id| id.0)))
            .exec(&**tx)
            .await?;
    }
    for part in drafts.chunks(ROWS_AT_ONCE) {
        let row = |draft: &Draft| draft::ActiveModel {
            period: Set(month.name()),
            customer_id: Set(draft.customer.0),
            company: Set(draft.company.clone()),
            code: Set(draft.code.map(str::to_owned)),
            connections: Set(draft.connections),
            base: Set(draft.base.0),
            vat: Set(draft.vat.0),
            total: Set(draft.total.0),
            fields: Set(serde_json::json!(draft.fields)),
            calculated_at: Set(now),
        };
        draft::Entity::insert_many(part.iter().map(row)).exec_without_returning(&**tx).await?;
    }
    Ok(())
}

/// What the drafts of a month come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DraftTotals {
    pub count: i64,
    pub base: Cents,
    pub vat: Cents,
    pub total: Cents,
}

#[derive(FromQueryResult)]
struct Sums {
    period: String,
    count: i64,
    base: i64,
    vat: i64,
    total: i64,
}

fn whole(sum: SimpleExpr) -> SimpleExpr {
    Func::cast_as(sum, "bigint").into()
}

/// What can be issued, by month.
pub(crate) async fn draft_totals(db: &impl ConnectionTrait, from: Month, to: Month) -> DbResult<HashMap<String, DraftTotals>> {
    let query = draft::Entity::find()
        .select_only()
        .column(draft::Column::Period)
        .expr_as(whole(draft::Column::CustomerId.count()), "count")
        .expr_as(whole(draft::Column::Base.sum()), "base")
        .expr_as(whole(draft::Column::Vat.sum()), "vat")
        .expr_as(whole(draft::Column::Total.sum()), "total")
        .filter(draft::Column::Code.is_null())
        .filter(draft::Column::Period.gte(from.name()))
        .filter(draft::Column::Period.lte(to.name()))
        .group_by(draft::Column::Period);
    let rows = query.into_model::<Sums>().all(db).await?;
    let totals = |row: Sums| {
        let totals = DraftTotals { count: row.count, base: Cents(row.base), vat: Cents(row.vat), total: Cents(row.total) };
        (row.period, totals)
    };
    Ok(rows.into_iter().map(totals).collect())
}

/// Who cannot be invoiced, each with the month, by name, at most so many.
pub(crate) async fn list_errors(
    db: &impl ConnectionTrait,
    from: Month,
    to: Month,
    limit: u64,
) -> DbResult<Vec<(String, ProcessFault)>> {
    let query = draft::Entity::find()
        .filter(draft::Column::Code.is_not_null())
        .filter(draft::Column::Period.gte(from.name()))
        .filter(draft::Column::Period.lte(to.name()))
        .order_by_desc(draft::Column::Period)
        .order_by_asc(draft::Column::Company);
    let fault = |row: draft::Model| {
        let fault = ProcessFault {
            customer: Some(CompanyId(row.customer_id)),
            company: row.company,
            code: row.code.unwrap_or_default(),
            fields: serde_json::from_value(row.fields).unwrap_or_default(),
        };
        (row.period, fault)
    };
    Ok(query.limit(limit).all(db).await?.into_iter().map(fault).collect())
}
