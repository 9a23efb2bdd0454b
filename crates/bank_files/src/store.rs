//! Queries on the tables of what banks sent.

use super::entity::{event, file, proposal};
use super::model::{BankFile, DebitEvent, Proposal, ProposalState, Summary};
use atalaya_billing::{BillingError, BillingResult};
use atalaya_db::{DbError, DbResult, Tx};
use atalaya_rest::page::Slice;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter};
use sea_orm::{QueryOrder, QuerySelect};
use uuid::Uuid;

fn to_file(row: file::Model) -> BillingResult<BankFile> {
    let summary = serde_json::from_value(row.summary).map_err(|_| BillingError::Corrupt(format!("bank file {}", row.id)))?;
    Ok(BankFile {
        id: row.id,
        sha256: row.sha256,
        name: row.name,
        messages: row.messages,
        size: row.size,
        created_by: row.created_by.into(),
        created_at: row.created_at,
        summary,
    })
}

fn plain(summary: &Summary) -> BillingResult<serde_json::Value> {
    serde_json::to_value(summary).map_err(BillingError::internal)
}

pub(crate) async fn find_file(db: &impl ConnectionTrait, id: Uuid) -> BillingResult<Option<BankFile>> {
    file::Entity::find_by_id(id).one(db).await.map_err(DbError::from)?.map(to_file).transpose()
}

pub(crate) async fn file_by_hash(db: &impl ConnectionTrait, sha256: &str) -> BillingResult<Option<BankFile>> {
    let query = file::Entity::find().filter(file::Column::Sha256.eq(sha256));
    query.one(db).await.map_err(DbError::from)?.map(to_file).transpose()
}

/// False when the same file is there already.
pub(crate) async fn insert_file(tx: &Tx, new: &BankFile) -> BillingResult<bool> {
    let row = file::ActiveModel {
        id: Set(new.id),
        sha256: Set(new.sha256.clone()),
        name: Set(new.name.clone()),
        messages: Set(new.messages.clone()),
        size: Set(new.size),
        items: Set(0),
        unmatched: Set(0),
        summary: Set(plain(&new.summary)?),
        created_by: Set(new.created_by.0),
        created_at: Set(new.created_at),
    };
    let once = OnConflict::column(file::Column::Sha256).do_nothing().to_owned();
    let added = file::Entity::insert(row).on_conflict(once).exec_without_returning(&**tx).await.map_err(DbError::from)?;
    Ok(added == 1)
}

pub(crate) async fn update_summary(tx: &Tx, id: Uuid, summary: &Summary) -> BillingResult<()> {
    let count = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    file::Entity::update_many()
        .col_expr(file::Column::Items, Expr::value(count(summary.items.len())))
        .col_expr(file::Column::Unmatched, Expr::value(count(summary.unmatched.len())))
        .col_expr(file::Column::Summary, Expr::value(plain(summary)?))
        .filter(file::Column::Id.eq(id))
        .exec(&**tx)
        .await
        .map_err(DbError::from)?;
    Ok(())
}

/// So many in all, and this part of them, newest first.
pub(crate) async fn list_files(db: &impl ConnectionTrait, slice: Slice) -> BillingResult<(u64, Vec<BankFile>)> {
    let query = file::Entity::find();
    let total = query.clone().count(db).await.map_err(DbError::from)?;
    let query = query.order_by_desc(file::Column::CreatedAt).order_by_desc(file::Column::Id);
    let rows = query.offset(slice.offset).limit(slice.limit).all(db).await.map_err(DbError::from)?;
    Ok((total, rows.into_iter().map(to_file).collect::<BillingResult<_>>()?))
}

fn booked(of: &DebitEvent) -> String {
    of.booked.map(|day| day.to_string()).unwrap_or_default()
}

/// Stores a line's report; false when an earlier line reported the same.
pub(crate) async fn insert_event(tx: &Tx, of: &DebitEvent) -> DbResult<bool> {
    use event::Column::{Booked, EndToEnd, Kind, Reason};
    let row = event::ActiveModel {
        id: Set(of.id),
        file_id: Set(of.file),
        attempt_id: Set(of.attempt),
        end_to_end: Set(of.end_to_end.clone()),
        kind: Set(of.kind.to_owned()),
        reason: Set(of.reason.clone()),
        booked: Set(booked(of)),
        action: Set(of.action.name().to_owned()),
        amount: Set(of.amount),
        charges: Set(of.charges),
        at: Set(of.at),
    };
    let once = OnConflict::columns([EndToEnd, Kind, Reason, Booked]).do_nothing().to_owned();
    Ok(event::Entity::insert(row).on_conflict(once).exec_without_returning(&**tx).await? == 1)
}

/// Whether an earlier line reported the same of this debit.
pub(crate) async fn is_told(db: &impl ConnectionTrait, of: &DebitEvent) -> DbResult<bool> {
    use event::Column::{Booked, EndToEnd, Kind, Reason};
    let query = event::Entity::find().filter(EndToEnd.eq(&of.end_to_end)).filter(Kind.eq(of.kind));
    Ok(query.filter(Reason.eq(&of.reason)).filter(Booked.eq(booked(of))).count(db).await? > 0)
}

fn to_proposal(row: proposal::Model) -> BillingResult<Proposal> {
    let corrupt = || BillingError::Corrupt(format!("proposed payment {}", row.id));
    let booked = row.booked.as_deref().map(str::parse).transpose().map_err(|_| corrupt())?;
    Ok(Proposal {
        id: row.id,
        file: row.file_id,
        invoice: row.invoice_id.into(),
        company: row.company_id.into(),
        amount: row.amount,
        booked,
        state: ProposalState::parse(&row.state).ok_or_else(corrupt)?,
        decided_by: row.decided_by.map(Into::into),
        decided_at: row.decided_at,
        created_at: row.created_at,
        number: row.number,
        payer: row.payer,
        text: row.text,
        reference: row.reference,
    })
}

/// False when an earlier line proposed the same.
pub(crate) async fn insert_proposal(tx: &Tx, new: &Proposal) -> DbResult<bool> {
    let row = proposal::ActiveModel {
        id: Set(new.id),
        file_id: Set(new.file),
        invoice_id: Set(new.invoice.0),
        company_id: Set(new.company.0),
        decided_by: Set(None),
        number: Set(new.number.clone()),
        reference: Set(new.reference.clone()),
        state: Set(new.state.name().to_owned()),
        payer: Set(new.payer.clone()),
        text: Set(new.text.clone()),
        booked: Set(new.booked.map(|day| day.to_string())),
        amount: Set(new.amount),
        created_at: Set(new.created_at),
        decided_at: Set(None),
    };
    let once = OnConflict::column(proposal::Column::Reference).do_nothing().to_owned();
    Ok(proposal::Entity::insert(row).on_conflict(once).exec_without_returning(&**tx).await? == 1)
}

/// The proposal of this reference.
pub(crate) async fn find_proposal_of(db: &impl ConnectionTrait, reference: &str) -> BillingResult<Option<Proposal>> {
    let query = proposal::Entity::find().filter(proposal::Column::Reference.eq(reference));
    query.one(db).await.map_err(DbError::from)?.map(to_proposal).transpose()
}

/// These proposals, the oldest first.
pub(crate) async fn proposals(db: &impl ConnectionTrait, ids: &[Uuid]) -> BillingResult<Vec<Proposal>> {
    let mut all = Vec::with_capacity(ids.len());
    for batch in ids.chunks(500) {
        let query = proposal::Entity::find().filter(proposal::Column::Id.is_in(batch.iter().copied()));
        let rows = query.order_by_asc(proposal::Column::Id).all(db).await.map_err(DbError::from)?;
        all.extend(rows.into_iter().map(to_proposal).collect::<BillingResult<Vec<_>>>()?);
    }
    Ok(all)
}

/// The proposal, held until the end of the transaction.
pub(crate) async fn lock_proposal(tx: &Tx, id: Uuid) -> BillingResult<Option<Proposal>> {
    atalaya_db::lock_row(tx, "payment_proposal", id).await?;
    Ok(proposals(&**tx, &[id]).await?.pop())
}

/// Writes what was decided.
pub(crate) async fn update_proposal(tx: &Tx, of: &Proposal) -> DbResult<()> {
    proposal::Entity::update_many()
        .col_expr(proposal::Column::State, Expr::value(of.state.name()))
        .col_expr(proposal::Column::DecidedBy, Expr::value(of.decided_by.map(Uuid::from)))
        .col_expr(proposal::Column::DecidedAt, Expr::value(of.decided_at))
        .filter(proposal::Column::Id.eq(of.id))
        .exec(&**tx)
        .await?;
    Ok(())
}
