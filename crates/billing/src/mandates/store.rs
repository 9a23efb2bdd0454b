//! Queries on the tables of mandates, of their numbers and of the secret.

use super::entity::{counter, customer, mandate, secret};
use super::model::{Mandate, MandateStatus};
use crate::{BillingError, BillingResult};
use atalaya_db::{DbError, DbResult, Tx};
use atalaya_kernel::{CompanyId, UserId};
use atalaya_rest::page::Slice;
use atalaya_sepa::{Scheme, Sequence};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, ExprTrait, PaginatorTrait};
use sea_orm::{QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

/// Ids of one query at most.
const BATCH: usize = 500;

/// What proves the secret.
pub(crate) struct Verifier {
    pub salt: Vec<u8>,
    pub verifier: Vec<u8>,
}

pub(crate) async fn find_secret(db: &impl ConnectionTrait) -> DbResult<Option<Verifier>> {
    let row = secret::Entity::find().one(db).await?;
    Ok(row.map(|row| Verifier { salt: row.salt, verifier: row.verifier }))
}

/// False when there is one already.
pub(crate) async fn insert_secret(tx: &Tx, id: Uuid, salt: &[u8], verifier: Vec<u8>, now: DateTime<Utc>) -> DbResult<bool> {
    let row = secret::ActiveModel {
        id: Set(id),
        salt: Set(salt.to_vec()),
        verifier: Set(verifier),
        created_at: Set(now),
        only: Set(1),
    };
    let once = OnConflict::column(secret::Column::Only).do_nothing().to_owned();
    Ok(secret::Entity::insert(row).on_conflict(once).exec_without_returning(&**tx).await? == 1)
}

/// The next number of this name, from 1; concurrent callers wait for the end of this transaction.
pub(crate) async fn next_number(tx: &Tx, name: &str) -> DbResult<i64> {
    let there = OnConflict::column(counter::Column::Name).do_nothing().to_owned();
    let row = counter::ActiveModel { name: Set(name.to_owned()), value: Set(0) };
    counter::Entity::insert(row).on_conflict(there).exec_without_returning(&**tx).await?;
    counter::Entity::update_many()
        .col_expr(counter::Column::Value, Expr::col(counter::Column::Value).add(1))
        .filter(counter::Column::Name.eq(name))
        .exec(&**tx)
        .await?;
    let row = counter::Entity::find_by_id(name.to_owned()).one(&**tx).await?;
    Ok(row.map_or(1, |row| row.value))
}

/// The customer's number in references of mandates; given with the first one. The caller holds the company's row.
pub(crate) async fn customer_number(tx: &Tx, company: CompanyId) -> DbResult<i64> {
    if let Some(row) = customer::Entity::find_by_id(company.0).one(&**tx).await? {
        return Ok(row.number);
    }
    let number = next_number(tx, "customer").await?;
    let row = customer::ActiveModel { company_id: Set(company.0), number: Set(number) };
    customer::Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(number)
}

pub(crate) async fn count_of(tx: &Tx, company: CompanyId) -> DbResult<u64> {
    Ok(mandate::Entity::find().filter(mandate::Column::CompanyId.eq(company.0)).count(&**tx).await?)
}

pub(crate) async fn insert(tx: &Tx, new: &Mandate, by: Option<UserId>) -> DbResult<()> {
    let row = mandate::ActiveModel {
        id: Set(new.id),
        company_id: Set(new.company.0),
        account_id: Set(new.account),
        created_by: Set(by.map(Uuid::from)),
        umr: Set(new.umr.clone()),
        scheme: Set(new.scheme.name().to_owned()),
        sequence: Set(new.sequence.name().to_owned()),
        status: Set(new.status.name().to_owned()),
        iban_masked: Set(new.masked_iban.clone()),
        debtor_name: Set(new.debtor_name.clone()),
        debtor_nif: Set(new.debtor_nif.clone()),
        reason: Set(None),
        document_name: Set(None),
        follows: Set(new.follows.clone()),
        signature: Set(None),
        document_key: Set(None),
        created_at: Set(new.created_at),
        signed_at: Set(None),
        last_used_at: Set(None),
        ended_at: Set(None),
    };
    mandate::Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

fn to_mandate(row: mandate::Model) -> BillingResult<Mandate> {
    let corrupt = |what: &str| BillingError::Corrupt(format!("mandate {}: {what}", row.umr));
    let signature = row.signature.clone().map(serde_json::from_value).transpose().map_err(|_| corrupt("signature"))?;
    Ok(Mandate {
        id: row.id,
        company: row.company_id.into(),
        account: row.account_id,
        scheme: Scheme::parse(&row.scheme).ok_or_else(|| corrupt("scheme"))?,
        sequence: Sequence::parse(&row.sequence).ok_or_else(|| corrupt("sequence"))?,
        status: MandateStatus::parse(&row.status).ok_or_else(|| corrupt("status"))?,
        signed_at: row.signed_at,
        signature,
        masked_iban: row.iban_masked,
        debtor_name: row.debtor_name,
        debtor_nif: row.debtor_nif,
        created_at: row.created_at,
        last_used_at: row.last_used_at,
        reason: row.reason,
        document_name: row.document_name,
        follows: row.follows,
        umr: row.umr,
    })
}

/// A mandate; of this company when one is named.
pub(crate) async fn find(db: &impl ConnectionTrait, id: Uuid, company: Option<CompanyId>) -> BillingResult<Option<Mandate>> {
    let mut query = mandate::Entity::find_by_id(id);
    if let Some(company) = company {
        query = query.filter(mandate::Column::CompanyId.eq(company.0));
    }
    query.one(db).await.map_err(DbError::from)?.map(to_mandate).transpose()
}

/// A mandate, held until the end of the transaction.
pub(crate) async fn lock(tx: &Tx, id: Uuid) -> BillingResult<Option<Mandate>> {
    atalaya_db::lock_row(tx, "mandate", id).await?;
    find(&**tx, id, None).await
}

/// Every mandate of these companies, newest first.
pub(crate) async fn of_companies(db: &impl ConnectionTrait, ids: &[CompanyId]) -> BillingResult<Vec<Mandate>> {
    let mut all = Vec::new();
    for batch in ids.chunks(BATCH) {
        let rows = mandate::Entity::find()
            .filter(mandate::Column::CompanyId.is_in(batch.iter().map(|id| id.0)))
            .order_by_desc(mandate::Column::CreatedAt)
            .order_by_desc(mandate::Column::Umr)
            .all(db)
            .await
            .map_err(DbError::from)?;
        for row in rows {
            all.push(to_mandate(row)?);
        }
    }
    Ok(all)
}

/// What a list is narrowed to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    pub company: Option<CompanyId>,
    pub status: Option<MandateStatus>,
    pub unsigned: bool,
    pub search: String,
}

/// So many in all, and this part of them, newest first.
pub(crate) async fn list(db: &impl ConnectionTrait, filter: Filter, slice: Slice) -> BillingResult<(u64, Vec<Mandate>)> {
    let mut query = mandate::Entity::find();
    if let Some(company) = filter.company {
        query = query.filter(mandate::Column::CompanyId.eq(company.0));
    }
    if let Some(status) = filter.status {
        query = query.filter(mandate::Column::Status.eq(status.name()));
    }
    if filter.unsigned {
        query = query.filter(mandate::Column::SignedAt.is_null().and(mandate::Column::Status.eq("active")));
    } else if filter.status == Some(MandateStatus::Active) {
        query = query.filter(mandate::Column::SignedAt.is_not_null());
    }
    for word in filter.search.split_whitespace().take(8) {
        let like = format!("%{}%", word.replace(['%', '_', '\\'], ""));
        let lower = |column: mandate::Column| Expr::expr(sea_orm::sea_query::Func::lower(Expr::col(column)));
        let like = like.to_lowercase();
        query = query.filter(
            Condition::any()
                .add(lower(mandate::Column::Umr).like(like.clone()))
                .add(lower(mandate::Column::DebtorName).like(like.clone()))
                .add(lower(mandate::Column::DebtorNif).like(like)),
        );
    }
    let total = query.clone().count(db).await.map_err(DbError::from)?;
    let rows = query
        .order_by_desc(mandate::Column::CreatedAt)
        .order_by_desc(mandate::Column::Umr)
        .offset(slice.offset)
        .limit(slice.limit)
        .all(db)
        .await
        .map_err(DbError::from)?;
    Ok((total, rows.into_iter().map(to_mandate).collect::<BillingResult<_>>()?))
}

/// What a signature writes.
pub(crate) struct Signed {
    pub at: DateTime<Utc>,
    pub evidence: serde_json::Value,
    pub document_name: Option<String>,
    pub document_key: Option<Vec<u8>>,
    /// Also when it is signed by now.
    pub replaces: bool,
}

/// False when somebody else was quicker, or it ended.
pub(crate) async fn sign(tx: &Tx, id: Uuid, signed: Signed) -> DbResult<bool> {
    let mut update = mandate::Entity::update_many()
        .col_expr(mandate::Column::SignedAt, Expr::value(Some(signed.at)))
        .col_expr(mandate::Column::Signature, Expr::value(signed.evidence));
    if let Some(key) = signed.document_key {
        update = update
            .col_expr(mandate::Column::DocumentKey, Expr::value(Some(key)))
            .col_expr(mandate::Column::DocumentName, Expr::value(signed.document_name));
    }
    if !signed.replaces {
        update = update.filter(mandate::Column::SignedAt.is_null());
    }
    let standing = mandate::Column::Status.is_in(["active", "suspended"]);
    Ok(update.filter(mandate::Column::Id.eq(id).and(standing)).exec(&**tx).await?.rows_affected == 1)
}

/// Moves a mandate; ended ones stay as they are. Answers whether anything changed.
pub(crate) async fn set_status(
    tx: &Tx,
    id: Uuid,
    status: MandateStatus,
    reason: Option<&str>,
    now: DateTime<Utc>,
) -> DbResult<bool> {
    let ended = (!status.stands()).then_some(now);
    let done = mandate::Entity::update_many()
        .col_expr(mandate::Column::Status, Expr::value(status.name()))
        .col_expr(mandate::Column::Reason, Expr::value(reason.map(str::to_owned)))
        .col_expr(mandate::Column::EndedAt, Expr::value(ended))
        .filter(mandate::Column::Id.eq(id).and(mandate::Column::Status.is_in(["active", "suspended"])))
        .filter(mandate::Column::Status.ne(status.name()))
        .exec(&**tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Suspends a standing mandate for this reason, also one that is suspended for another. False when it has ended.
pub(crate) async fn suspend(tx: &Tx, id: Uuid, reason: &str) -> DbResult<bool> {
    let done = mandate::Entity::update_many()
        .col_expr(mandate::Column::Status, Expr::value(MandateStatus::Suspended.name()))
        .col_expr(mandate::Column::Reason, Expr::value(Some(reason.to_owned())))
        .filter(mandate::Column::Id.eq(id).and(mandate::Column::Status.is_in(["active", "suspended"])))
        .exec(&**tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// `anew`: the mandate has to be signed again.
pub(crate) async fn set_scheme(tx: &Tx, id: Uuid, scheme: &str, anew: bool) -> DbResult<()> {
    let mut update = mandate::Entity::update_many().col_expr(mandate::Column::Scheme, Expr::value(scheme));
    if anew {
        update = update.col_expr(mandate::Column::SignedAt, Expr::value(None::<DateTime<Utc>>));
    }
    update.filter(mandate::Column::Id.eq(id)).exec(&**tx).await?;
    Ok(())
}

/// They were used for debits on this day.
pub(crate) async fn mark_used(tx: &Tx, ids: &[Uuid], at: DateTime<Utc>) -> DbResult<()> {
    for batch in ids.chunks(BATCH) {
        mandate::Entity::update_many()
            .col_expr(mandate::Column::LastUsedAt, Expr::value(Some(at)))
            .filter(mandate::Column::Id.is_in(batch.iter().copied()))
            .exec(&**tx)
            .await?;
    }
    Ok(())
}

/// Standing mandates without use or signature since `before`, some of them.
pub(crate) async fn unused_since(db: &impl ConnectionTrait, before: DateTime<Utc>, limit: u64) -> BillingResult<Vec<Mandate>> {
    use mandate::Column::{CreatedAt, LastUsedAt, SignedAt, Status};
    let since = |column: mandate::Column| Condition::any().add(column.is_null()).add(column.lte(before));
    let rows = mandate::Entity::find()
        .filter(Status.is_in(["active", "suspended"]).and(CreatedAt.lte(before)))
        .filter(since(LastUsedAt))
        .filter(since(SignedAt))
        .limit(limit)
        .all(db)
        .await
        .map_err(DbError::from)?;
    rows.into_iter().map(to_mandate).collect()
}

/// Standing mandates in the order of their ids, from after `from`.
pub(crate) async fn standing_after(db: &impl ConnectionTrait, from: Uuid, limit: u64) -> BillingResult<Vec<Mandate>> {
    use mandate::Column::{Id, Status};
    let query = mandate::Entity::find().filter(Status.is_in(["active", "suspended"])).filter(Id.gt(from));
    let rows = query.order_by_asc(Id).limit(limit).all(db).await.map_err(DbError::from)?;
    rows.into_iter().map(to_mandate).collect()
}

/// Wrapped key and name of a signed paper.
pub(crate) async fn document(db: &impl ConnectionTrait, id: Uuid) -> DbResult<Option<(Vec<u8>, String)>> {
    let row = mandate::Entity::find_by_id(id).one(db).await?;
    Ok(row.and_then(|row| Some((row.document_key?, row.document_name?))))
}
