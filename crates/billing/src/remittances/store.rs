//! Queries on the tables of remittances, of their debits and of what customers were notified of.

use super::entity::{attempt, notice, remittance};
use super::model::{Attempt, AttemptState, NewRemittance, Remittance, RemittanceState, StateTally};
use super::prenotification::Notice;
use crate::mandates::model::CreditorTold;
use crate::{BillingError, BillingResult};
use atalaya_db::{DbError, DbResult, Engine, Tx};
use atalaya_kernel::InvoiceId;
use atalaya_rest::page::Slice;
use atalaya_sepa::{Scheme, Sequence};
use atalaya_tariff::Cents;
use chrono::{DateTime, NaiveDate, Utc};
use sea_orm::sea_query::{Expr, ExprTrait as _, LockType};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter};
use sea_orm::{QueryOrder, QuerySelect};
use std::collections::HashMap;
use uuid::Uuid;

/// Ids of one query at most.
const BATCH: usize = 500;
/// Rows of one statement: databases take a limited number of parameters.
const ROWS_AT_ONCE: usize = 100;

pub(crate) async fn insert_remittance(tx: &Tx, new: NewRemittance) -> BillingResult<()> {
    let plain = |value: serde_json::Result<serde_json::Value>| value.map_err(BillingError::internal);
    let row = remittance::ActiveModel {
        id: Set(new.id),
        msg_id: Set(new.msg_id),
        version: Set(plain(serde_json::to_value(new.version))?.as_str().unwrap_or_default().to_owned()),
        state: Set(RemittanceState::Live.name().to_owned()),
        sha256: Set(new.sha256),
        first_collection: Set(new.first_collection.map(|day| day.to_string()).unwrap_or_default()),
        cancel_reason: Set(None),
        debits: Set(i32::try_from(new.debits).unwrap_or(i32::MAX)),
        total: Set(new.total.0),
        excluded: Set(new.excluded),
        creditor_name: Set(Some(new.creditor.name)),
        creditor_id: Set(Some(new.creditor.id)),
        blocks: Set(plain(serde_json::to_value(new.blocks))?),
        created_by: Set(new.created_by.0),
        created_at: Set(new.created_at),
        ended_at: Set(None),
    };
    remittance::Entity::insert(row).exec_without_returning(&**tx).await.map_err(DbError::from)?;
    Ok(())
}

fn to_remittance(row: remittance::Model) -> BillingResult<Remittance> {
    let corrupt = |what: &str| BillingError::Corrupt(format!("remittance {}: {what}", row.msg_id));
    Ok(Remittance {
        id: row.id,
        state: RemittanceState::parse(&row.state).ok_or_else(|| corrupt("state"))?,
        debits: row.debits,
        total: Cents(row.total),
        blocks: serde_json::from_value(row.blocks.clone()).map_err(|_| corrupt("blocks"))?,
        created_by: row.created_by.into(),
        created_at: row.created_at,
        ended_at: row.ended_at,
        cancel_reason: row.cancel_reason,
        msg_id: row.msg_id,
    })
}

pub(crate) async fn insert_notice(tx: &Tx, id: Uuid, of: &Notice, now: DateTime<Utc>) -> DbResult<()> {
    let row = notice::ActiveModel {
        id: Set(id),
        invoice_id: Set(of.invoice.0),
        company_id: Set(of.company.0),
        message_id: Set(of.message),
        umr: Set(of.umr.clone()),
        collection: Set(of.collection.to_string()),
        amount: Set(of.amount.0),
        at: Set(now),
    };
    notice::Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

/// The notices of these invoices' debits, the oldest first.
pub(crate) async fn notices(db: &impl ConnectionTrait, ids: &[InvoiceId]) -> BillingResult<Vec<Notice>> {
    let mut all = Vec::new();
    for batch in ids.chunks(BATCH) {
        let rows = notice::Entity::find()
            .filter(notice::Column::InvoiceId.is_in(batch.iter().map(|id| id.0)))
            .order_by_asc(notice::Column::At)
            .order_by_asc(notice::Column::Id)
            .all(db)
            .await
            .map_err(DbError::from)?;
        for row in rows {
            let corrupt = |_| BillingError::Corrupt(format!("notice {}: day", row.id));
            all.push(Notice {
                invoice: row.invoice_id.into(),
                company: row.company_id.into(),
                amount: Cents(row.amount),
                collection: row.collection.parse().map_err(corrupt)?,
                umr: row.umr,
                message: row.message_id,
            });
        }
    }
    Ok(all)
}

pub(crate) async fn insert_attempts(tx: &Tx, attempts: &[Attempt]) -> DbResult<()> {
    for part in attempts.chunks(ROWS_AT_ONCE) {
        attempt::Entity::insert_many(part.iter().map(row)).exec_without_returning(&**tx).await?;
    }
    Ok(())
}

fn row(of: &Attempt) -> attempt::ActiveModel {
    attempt::ActiveModel {
        id: Set(of.id),
        remittance_id: Set(of.remittance),
        invoice_id: Set(of.invoice.0),
        company_id: Set(of.company.0),
        mandate_id: Set(of.mandate),
        end_to_end: Set(of.end_to_end.clone()),
        number: Set(of.number.clone()),
        block: Set(of.block.clone()),
        umr: Set(of.umr.clone()),
        scheme: Set(of.scheme.name().to_owned()),
        sequence: Set(of.sequence.name().to_owned()),
        collection: Set(of.collection.to_string()),
        state: Set(of.state.name().to_owned()),
        reason: Set(of.reason.clone()),
        booked: Set(of.booked.map(|day| day.to_string())),
        settled: Set(of.settled.map(|day| day.to_string())),
        retry: Set(of.retry.clone()),
        attempt: Set(of.attempt),
        amount: Set(of.amount),
        charges: Set(of.charges),
        created_at: Set(of.created_at),
        changed_at: Set(of.changed_at),
        retry_at: Set(of.retry_at),
    }
}

fn to_attempt(row: attempt::Model) -> BillingResult<Attempt> {
    let corrupt = |what: &str| BillingError::Corrupt(format!("debit {}: {what}", row.end_to_end));
    let day = |text: &Option<String>| text.as_deref().map(str::parse).transpose().map_err(|_| corrupt("day"));
    Ok(Attempt {
        id: row.id,
        remittance: row.remittance_id,
        invoice: row.invoice_id.into(),
        company: row.company_id.into(),
        mandate: row.mandate_id,
        scheme: Scheme::parse(&row.scheme).ok_or_else(|| corrupt("scheme"))?,
        sequence: Sequence::parse(&row.sequence).ok_or_else(|| corrupt("sequence"))?,
        collection: row.collection.parse::<NaiveDate>().map_err(|_| corrupt("collection"))?,
        state: AttemptState::parse(&row.state).ok_or_else(|| corrupt("state"))?,
        booked: day(&row.booked)?,
        settled: day(&row.settled)?,
        retry: row.retry,
        retry_at: row.retry_at,
        attempt: row.attempt,
        amount: row.amount,
        charges: row.charges,
        created_at: row.created_at,
        changed_at: row.changed_at,
        reason: row.reason,
        number: row.number,
        block: row.block,
        umr: row.umr,
        end_to_end: row.end_to_end,
    })
}

fn all(rows: Vec<attempt::Model>) -> BillingResult<Vec<Attempt>> {
    rows.into_iter().map(to_attempt).collect()
}

/// Every attempt of these invoices, in their order.
pub(crate) async fn of_invoices(db: &impl ConnectionTrait, ids: &[InvoiceId]) -> BillingResult<HashMap<InvoiceId, Vec<Attempt>>> {
    let mut found: HashMap<InvoiceId, Vec<Attempt>> = HashMap::new();
    for batch in ids.chunks(BATCH) {
        let rows = attempt::Entity::find()
            .filter(attempt::Column::InvoiceId.is_in(batch.iter().map(|id| id.0)))
            .order_by_asc(attempt::Column::Attempt)
            .order_by_asc(attempt::Column::CreatedAt)
            .all(db)
            .await
            .map_err(DbError::from)?;
        for one in all(rows)? {
            found.entry(one.invoice).or_default().push(one);
        }
    }
    Ok(found)
}

/// What banks paid or are asked for, by invoice.
pub(crate) async fn debited(db: &impl ConnectionTrait, ids: &[InvoiceId]) -> BillingResult<HashMap<InvoiceId, Cents>> {
    let mut sums: HashMap<InvoiceId, Cents> = HashMap::new();
    for attempt in of_invoices(db, ids).await?.into_values().flatten() {
        if matches!(attempt.state, AttemptState::Open | AttemptState::Paid) {
            let sum = sums.entry(attempt.invoice).or_default();
            *sum = sum.plus(Cents(attempt.amount))?;
        }
    }
    Ok(sums)
}

/// Mandates that were used before, among these; what a bank refused before any money moved used none.
pub(crate) async fn used_mandates(db: &impl ConnectionTrait, ids: &[Uuid]) -> DbResult<Vec<Uuid>> {
    let mut used = Vec::new();
    for batch in ids.chunks(BATCH) {
        let rows: Vec<Uuid> = attempt::Entity::find()
            .select_only()
            .column(attempt::Column::MandateId)
            .filter(attempt::Column::MandateId.is_in(batch.iter().copied()))
            .filter(attempt::Column::State.is_not_in([AttemptState::Cancelled.name(), AttemptState::Rejected.name()]))
            .distinct()
            .into_tuple()
            .all(db)
            .await?;
        used.extend(rows);
    }
    Ok(used)
}

/// The creditor that the bank of each of these mandates' debtors last heard of: that of the last debit that was paid. `None` where
/// its file is from before creditors were kept; absent while nothing was paid.
pub(crate) async fn told(db: &impl ConnectionTrait, ids: &[Uuid]) -> BillingResult<HashMap<Uuid, Option<CreditorTold>>> {
    let mut found = HashMap::new();
    for batch in ids.chunks(BATCH) {
        let query = attempt::Entity::find()
            .filter(attempt::Column::MandateId.is_in(batch.iter().copied()))
            .filter(attempt::Column::Settled.is_not_null())
            .order_by_asc(attempt::Column::CreatedAt);
        let last: HashMap<Uuid, Uuid> =
            query.all(db).await.map_err(DbError::from)?.into_iter().map(|row| (row.mandate_id, row.remittance_id)).collect();
        let files = remittance::Entity::find().filter(remittance::Column::Id.is_in(last.values().copied()));
        let told = |row: remittance::Model| {
            let creditor = row.creditor_name.zip(row.creditor_id).map(|(name, id)| CreditorTold { name, id });
            (row.id, creditor)
        };
        let files: HashMap<_, _> = files.all(db).await.map_err(DbError::from)?.into_iter().map(told).collect();
        found.extend(last.into_iter().map(|(mandate, file)| (mandate, files.get(&file).cloned().flatten())));
    }
    Ok(found)
}

pub(crate) async fn by_end_to_end(db: &impl ConnectionTrait, id: &str) -> BillingResult<Option<Attempt>> {
    let row = attempt::Entity::find().filter(attempt::Column::EndToEnd.eq(id)).one(db).await.map_err(DbError::from)?;
    row.map(to_attempt).transpose()
}

pub(crate) async fn find_attempt(db: &impl ConnectionTrait, id: Uuid) -> BillingResult<Option<Attempt>> {
    attempt::Entity::find_by_id(id).one(db).await.map_err(DbError::from)?.map(to_attempt).transpose()
}

/// The customer's debit before this one, whatever its invoice; those of withdrawn files say nothing.
pub(crate) async fn debit_before(db: &impl ConnectionTrait, of: &Attempt) -> BillingResult<Option<Attempt>> {
    use attempt::Column::{CompanyId, CreatedAt, EndToEnd, State};
    let same_file = CreatedAt.eq(of.created_at).and(EndToEnd.lt(&of.end_to_end));
    let row = attempt::Entity::find()
        .filter(CompanyId.eq(of.company.0))
        .filter(State.ne(AttemptState::Cancelled.name()))
        .filter(CreatedAt.lt(of.created_at).or(same_file))
        .order_by_desc(CreatedAt)
        .order_by_desc(EndToEnd)
        .one(db)
        .await
        .map_err(DbError::from)?;
    row.map(to_attempt).transpose()
}

/// Attempts of a block of a file; of this mandate when one is named.
pub(crate) async fn by_block(db: &impl ConnectionTrait, block: &str, umr: Option<&str>) -> BillingResult<Vec<Attempt>> {
    let mut query = attempt::Entity::find().filter(attempt::Column::Block.eq(block));
    if let Some(umr) = umr {
        query = query.filter(attempt::Column::Umr.eq(umr));
    }
    all(query.order_by_asc(attempt::Column::EndToEnd).all(db).await.map_err(DbError::from)?)
}

/// Attempts of a remittance, in the order of their references.
pub(crate) async fn of_remittance(db: &impl ConnectionTrait, id: Uuid) -> BillingResult<Vec<Attempt>> {
    let query = attempt::Entity::find().filter(attempt::Column::RemittanceId.eq(id)).order_by_asc(attempt::Column::EndToEnd);
    all(query.all(db).await.map_err(DbError::from)?)
}

/// Writes where an attempt stands now.
pub(crate) async fn update_attempt(tx: &Tx, of: &Attempt) -> DbResult<()> {
    use attempt::Column::{Booked, ChangedAt, Charges, Id, Reason, Retry, RetryAt, Settled, State};
    attempt::Entity::update_many()
        .col_expr(State, Expr::value(of.state.name()))
        .col_expr(Reason, Expr::value(of.reason.clone()))
        .col_expr(Booked, Expr::value(of.booked.map(|day| day.to_string())))
        .col_expr(Settled, Expr::value(of.settled.map(|day| day.to_string())))
        .col_expr(Retry, Expr::value(of.retry.clone()))
        .col_expr(RetryAt, Expr::value(of.retry_at))
        .col_expr(Charges, Expr::value(of.charges))
        .col_expr(ChangedAt, Expr::value(of.changed_at))
        .filter(Id.eq(of.id))
        .exec(&**tx)
        .await?;
    Ok(())
}

pub(crate) async fn find_remittance(db: &impl ConnectionTrait, id: Uuid) -> BillingResult<Option<Remittance>> {
    remittance::Entity::find_by_id(id).one(db).await.map_err(DbError::from)?.map(to_remittance).transpose()
}

/// The remittance, held until the end of the transaction.
pub(crate) async fn lock_remittance(tx: &Tx, id: Uuid) -> BillingResult<Option<Remittance>> {
    let mut query = remittance::Entity::find_by_id(id);
    if tx.engine() == Engine::Postgres {
        query = query.lock(LockType::Update);
    }
    query.one(&**tx).await.map_err(DbError::from)?.map(to_remittance).transpose()
}

/// Holds a remittance's debits until the end of the transaction, after its own row.
pub(crate) async fn lock_attempts(tx: &Tx, remittance: Uuid) -> DbResult<()> {
    if tx.engine() == Engine::Postgres {
        let query = attempt::Entity::find().select_only().column(attempt::Column::Id).order_by_asc(attempt::Column::Id);
        let query = query.filter(attempt::Column::RemittanceId.eq(remittance)).lock(LockType::Update);
        query.into_tuple::<Uuid>().all(&**tx).await?;
    }
    Ok(())
}

pub(crate) async fn by_msg_id(db: &impl ConnectionTrait, msg_id: &str) -> BillingResult<Option<Remittance>> {
    let query = remittance::Entity::find().filter(remittance::Column::MsgId.eq(msg_id));
    query.one(db).await.map_err(DbError::from)?.map(to_remittance).transpose()
}

pub(crate) async fn end_remittance(
    tx: &Tx,
    id: Uuid,
    state: RemittanceState,
    reason: Option<&str>,
    now: DateTime<Utc>,
) -> DbResult<()> {
    remittance::Entity::update_many()
        .col_expr(remittance::Column::State, Expr::value(state.name()))
        .col_expr(remittance::Column::CancelReason, Expr::value(reason.map(str::to_owned)))
        .col_expr(remittance::Column::EndedAt, Expr::value(Some(now)))
        .filter(remittance::Column::Id.eq(id))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// So many in all, and this part of them, newest first.
pub(crate) async fn list_remittances(db: &impl ConnectionTrait, slice: Slice) -> BillingResult<(u64, Vec<Remittance>)> {
    let query = remittance::Entity::find();
    let total = query.clone().count(db).await.map_err(DbError::from)?;
    let query = query.order_by_desc(remittance::Column::CreatedAt).order_by_desc(remittance::Column::Id);
    let rows = query.offset(slice.offset).limit(slice.limit).all(db).await.map_err(DbError::from)?;
    Ok((total, rows.into_iter().map(to_remittance).collect::<BillingResult<_>>()?))
}

/// Count and sum of a remittance's attempts by state.
pub(crate) async fn tallies(db: &impl ConnectionTrait, ids: &[Uuid]) -> DbResult<Vec<StateTally>> {
    use sea_orm::sea_query::Alias;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<(Uuid, String, i64, i64)> = attempt::Entity::find()
        .select_only()
        .column(attempt::Column::RemittanceId)
        .column(attempt::Column::State)
        .expr(Expr::col(attempt::Column::Id).count())
        .expr(Expr::col(attempt::Column::Amount).sum().cast_as(Alias::new("bigint")))
        .filter(attempt::Column::RemittanceId.is_in(ids.iter().copied()))
        .group_by(attempt::Column::RemittanceId)
        .group_by(attempt::Column::State)
        .into_tuple()
        .all(db)
        .await?;
    let tally = |(remittance, state, count, sum): (Uuid, String, i64, i64)| {
        Some(StateTally { remittance, state: AttemptState::parse(&state)?, count, sum: Cents(sum) })
    };
    Ok(rows.into_iter().filter_map(tally).collect())
}

/// Debits of these invoices that were returned by then, the oldest first. Rows that cannot be read are logged and left out.
pub(crate) async fn returned_attempts(
    db: &impl ConnectionTrait,
    invoices: &[InvoiceId],
    before: DateTime<Utc>,
    limit: usize,
) -> BillingResult<Vec<Attempt>> {
    let mut all: Vec<attempt::Model> = Vec::new();
    for batch in invoices.chunks(BATCH) {
        let query = attempt::Entity::find()
            .filter(attempt::Column::State.is_in([AttemptState::Returned.name(), AttemptState::Rejected.name()]))
            .filter(attempt::Column::ChangedAt.lte(before))
            .filter(attempt::Column::InvoiceId.is_in(batch.iter().map(|id| id.0)));
        all.extend(query.all(db).await.map_err(DbError::from)?);
    }
    all.sort_by_key(|row| row.changed_at);
    all.truncate(limit);
    let read = |row| to_attempt(row).inspect_err(|error| tracing::error!(%error, "a debit cannot be read")).ok();
    Ok(all.into_iter().filter_map(read).collect())
}
