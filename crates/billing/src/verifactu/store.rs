//! Queries of chains, records and their sending.

mod waiting;

pub(crate) use waiting::{Failure, Verdict, Waiting, answer, count_waiting, list_waiting, mark_sent, schedule, suspect};

use super::entity::{chain, record, sending};
use super::model::{Chain, Link, RecordKind, State, Stored, Written};
use crate::{BillingError, BillingResult};
use atalaya_db::{DbError, DbResult, Tx};
use atalaya_kernel::Sources;
use atalaya_rest::page::Slice;
use chrono::{DateTime, NaiveDate, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict, Query};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
};
use std::collections::HashMap;
use uuid::Uuid;

/// Rows of one statement.
const ROWS_AT_ONCE: usize = 100;

/// The issuer's chain, locked until the transaction ends.
pub(crate) async fn lock_chain(tx: &Tx, sources: &Sources, issuer: &str) -> BillingResult<Chain> {
    let found = |issuer| chain::Entity::find().filter(chain::Column::Issuer.eq(issuer));
    let mut row = found(issuer).one(&**tx).await.map_err(DbError::from)?;
    if row.is_none() {
        let fresh = chain::ActiveModel {
            id: Set(sources.uuid()),
            issuer: Set(issuer.to_owned()),
            records: Set(0),
            failures: Set(0),
            ..Default::default()
        };
        let once = OnConflict::column(chain::Column::Issuer).do_nothing().to_owned();
        chain::Entity::insert(fresh).on_conflict(once).exec_without_returning(&**tx).await.map_err(DbError::from)?;
        row = found(issuer).one(&**tx).await.map_err(DbError::from)?;
    }
    let row = row.ok_or_else(|| BillingError::Corrupt("a chain that was just written".into()))?;
    if tx.engine() == atalaya_db::Engine::Postgres {
        atalaya_db::lock_row(tx, "verifactu_chain", row.id).await?;
        let locked = chain::Entity::find_by_id(row.id).one(&**tx).await.map_err(DbError::from)?;
        return locked.map(to_chain).ok_or_else(|| BillingError::Corrupt("a chain that was just locked".into()));
    }
    Ok(to_chain(row))
}

fn to_chain(row: chain::Model) -> Chain {
    let head = match (row.hash, row.number, row.issue_date) {
        (Some(hash), Some(number), Some(date)) => Some(Link { number, issue_date: date.parse().ok(), hash }),
        _ => None,
    };
    Chain {
        id: row.id,
        issuer: row.issuer,
        records: row.records,
        head,
        at: row.at,
        failures: row.failures,
        next_at: row.next_at,
        last_error: row.last_error,
        last_error_at: row.last_error_at,
        last_error_text: row.last_error_text,
    }
}

/// A record to be written.
pub(crate) struct New {
    pub id: Uuid,
    pub invoice: Uuid,
    pub seq: i64,
    pub kind: RecordKind,
    pub invoice_type: Option<&'static str>,
    pub correction: &'static str,
    pub number: String,
    pub issue_date: NaiveDate,
    pub total: Option<i64>,
    pub hash: String,
    pub xml: String,
    pub at: DateTime<Utc>,
}

/// Appends records to the chain and moves its head.
pub(crate) async fn append(tx: &Tx, chain: Uuid, environment: &str, state: State, new: Vec<New>) -> DbResult<()> {
    let Some(last) = new.last() else { return Ok(()) };
    chain::Entity::update_many()
        .col_expr(chain::Column::Hash, Expr::value(Some(last.hash.clone())))
        .col_expr(chain::Column::Number, Expr::value(Some(last.number.clone())))
        .col_expr(chain::Column::IssueDate, Expr::value(Some(last.issue_date.to_string())))
        .col_expr(chain::Column::Records, Expr::value(last.seq))
        .col_expr(chain::Column::At, Expr::value(Some(last.at)))
        .filter(chain::Column::Id.eq(chain))
        .exec(&**tx)
        .await?;
    let waits: Vec<sending::ActiveModel> = new
        .iter()
        .map(|one| sending::ActiveModel {
            id: Set(one.id),
            chain_id: Set(chain),
            seq: Set(one.seq),
            state: Set(state.name().to_owned()),
            csv: Set(None),
            code: Set(None),
            message: Set(None),
            attempts: Set(0),
            faults: Set(0),
            sent_at: Set(None),
            answered_at: Set(None),
        })
        .collect();
    let rows: Vec<record::ActiveModel> = new
        .into_iter()
        .map(|one| record::ActiveModel {
            id: Set(one.id),
            chain_id: Set(chain),
            invoice_id: Set(one.invoice),
            seq: Set(one.seq),
            kind: Set(one.kind.name().to_owned()),
            invoice_type: Set(one.invoice_type.map(str::to_owned)),
            correction: Set(one.correction.to_owned()),
            environment: Set(environment.to_owned()),
            number: Set(one.number),
            issue_date: Set(one.issue_date.to_string()),
            total: Set(one.total),
            hash: Set(one.hash),
            xml: Set(one.xml),
            at: Set(one.at),
        })
        .collect();
    for part in rows.chunks(ROWS_AT_ONCE) {
        record::Entity::insert_many(part.to_vec()).exec_without_returning(&**tx).await?;
    }
    for part in waits.chunks(ROWS_AT_ONCE) {
        sending::Entity::insert_many(part.to_vec()).exec_without_returning(&**tx).await?;
    }
    Ok(())
}

/// Every chain; there is one unless the issuer's NIF changed.
pub(crate) async fn list_chains(db: &impl ConnectionTrait) -> DbResult<Vec<Chain>> {
    let query = chain::Entity::find().order_by_desc(chain::Column::At).order_by_asc(chain::Column::Id);
    Ok(query.all(db).await?.into_iter().map(to_chain).collect())
}

/// How many records are in which state.
pub(crate) async fn count_states(db: &impl ConnectionTrait) -> DbResult<HashMap<String, i64>> {
    let query = sending::Entity::find()
        .select_only()
        .column(sending::Column::State)
        .column_as(sending::Column::Id.count(), "n")
        .group_by(sending::Column::State);
    Ok(query.into_tuple::<(String, i64)>().all(db).await?.into_iter().collect())
}

/// Some records of a chain as they were written, after this one.
pub(crate) async fn list_written(db: &impl ConnectionTrait, chain: Uuid, after: i64, limit: u64) -> DbResult<Vec<Written>> {
    let query = record::Entity::find().filter(record::Column::ChainId.eq(chain)).filter(record::Column::Seq.gt(after));
    let rows = query.order_by_asc(record::Column::Seq).limit(limit).all(db).await?;
    let written = |row: record::Model| Written {
        seq: row.seq,
        link: Link { number: row.number, issue_date: row.issue_date.parse().ok(), hash: row.hash },
        xml: row.xml,
    };
    Ok(rows.into_iter().map(written).collect())
}

/// Some records of a chain that were made in this period, after this one.
pub(crate) async fn list_between(
    db: &impl ConnectionTrait,
    chain: Uuid,
    period: (DateTime<Utc>, DateTime<Utc>),
    after: i64,
    limit: u64,
) -> DbResult<Vec<(i64, String)>> {
    let query = record::Entity::find()
        .select_only()
        .columns([record::Column::Seq, record::Column::Xml])
        .filter(record::Column::ChainId.eq(chain))
        .filter(record::Column::Seq.gt(after))
        .filter(record::Column::At.gte(period.0))
        .filter(record::Column::At.lt(period.1));
    Ok(query.order_by_asc(record::Column::Seq).limit(limit).into_tuple().all(db).await?)
}

/// Which records a list shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    pub state: Option<State>,
    /// Part of a number.
    pub search: String,
}

fn filtered(filter: &Filter) -> Select<record::Entity> {
    let mut query = record::Entity::find();
    if let Some(state) = filter.state {
        let ids = Query::select()
            .column(sending::Column::Id)
            .from(sending::Entity)
            .and_where(Expr::col(sending::Column::State).eq(state.name()))
            .to_owned();
        query = query.filter(record::Column::Id.in_subquery(ids));
    }
    let search = filter.search.trim().to_uppercase();
    if !search.is_empty() {
        query = query.filter(record::Column::Number.contains(search));
    }
    query
}

/// Records, newest first, and how many there are.
pub(crate) async fn list(db: &impl ConnectionTrait, filter: &Filter, slice: Slice) -> BillingResult<(Vec<Stored>, u64)> {
    let total = filtered(filter).count(db).await.map_err(DbError::from)?;
    let query = filtered(filter)
        .order_by_desc(record::Column::At)
        .order_by_desc(record::Column::Seq)
        .offset(slice.offset)
        .limit(slice.limit);
    let rows = query.all(db).await.map_err(DbError::from)?;
    Ok((complete(db, rows).await?, total))
}

/// The record.
pub(crate) async fn find(db: &impl ConnectionTrait, id: Uuid) -> BillingResult<Option<Stored>> {
    let row = record::Entity::find_by_id(id).one(db).await.map_err(DbError::from)?;
    Ok(complete(db, row.into_iter().collect()).await?.pop())
}

/// The records of an invoice, oldest first.
pub(crate) async fn list_of_invoice(db: &impl ConnectionTrait, invoice: Uuid) -> BillingResult<Vec<Stored>> {
    let query = record::Entity::find().filter(record::Column::InvoiceId.eq(invoice)).order_by_asc(record::Column::Seq);
    complete(db, query.all(db).await.map_err(DbError::from)?).await
}

/// The mode in which the last record of an invoice's issue was made.
pub(crate) async fn environment_of(db: &impl ConnectionTrait, invoice: Uuid) -> DbResult<Option<String>> {
    let query = record::Entity::find()
        .filter(record::Column::InvoiceId.eq(invoice))
        .filter(record::Column::Kind.eq(RecordKind::Issued.name()))
        .order_by_desc(record::Column::Seq);
    Ok(query.one(db).await?.map(|row| row.environment))
}

/// Records with what became of them.
async fn complete(db: &impl ConnectionTrait, rows: Vec<record::Model>) -> BillingResult<Vec<Stored>> {
    let ids = rows.iter().map(|row| row.id);
    let states = sending::Entity::find().filter(sending::Column::Id.is_in(ids)).all(db).await.map_err(DbError::from)?;
    let mut states: HashMap<Uuid, sending::Model> = states.into_iter().map(|row| (row.id, row)).collect();
    let last = record::Entity::find()
        .select_only()
        .column(record::Column::InvoiceId)
        .column_as(record::Column::Seq.max(), "seq")
        .filter(record::Column::InvoiceId.is_in(rows.iter().map(|row| row.invoice_id)))
        .group_by(record::Column::InvoiceId);
    let last: HashMap<Uuid, i64> = last.into_tuple().all(db).await.map_err(DbError::from)?.into_iter().collect();
    rows.into_iter()
        .map(|row| {
            let state = states.remove(&row.id).ok_or_else(|| BillingError::Corrupt("a record without a state".into()))?;
            let superseded = last.get(&row.invoice_id).is_some_and(|seq| *seq > row.seq);
            stored(row, state, superseded)
        })
        .collect()
}

fn stored(row: record::Model, state: sending::Model, superseded: bool) -> BillingResult<Stored> {
    let corrupt = |what: &str| BillingError::Corrupt(format!("{what} of record {}", row.id));
    Ok(Stored {
        id: row.id,
        chain: row.chain_id,
        invoice: row.invoice_id,
        seq: row.seq,
        at: row.at,
        kind: RecordKind::parse(&row.kind).ok_or_else(|| corrupt("kind"))?,
        environment: row.environment,
        correction: row.correction != "none",
        issue_date: row.issue_date.parse().map_err(|_| corrupt("date"))?,
        invoice_type: row.invoice_type,
        number: row.number,
        total: row.total,
        hash: row.hash,
        xml: row.xml,
        state: State::parse(&state.state).ok_or_else(|| BillingError::Corrupt("state of a record".into()))?,
        sent_at: state.sent_at,
        csv: state.csv,
        code: state.code,
        message: state.message,
        superseded,
    })
}

/// The XML of the last record of an issued invoice.
pub(crate) async fn last_registration(db: &impl ConnectionTrait, chain: Uuid) -> DbResult<Option<String>> {
    let query = record::Entity::find()
        .filter(record::Column::ChainId.eq(chain))
        .filter(record::Column::Kind.eq(RecordKind::Issued.name()));
    Ok(query.order_by_desc(record::Column::Seq).one(db).await?.map(|row| row.xml))
}
