//! Queries on insurance companies and the customers who work for them.

use super::entity::{insurer, link};
use super::model::Insurer;
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{CompanyId, InsuranceId, collate};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::SelectStatement;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait};
use std::collections::HashMap;
use uuid::Uuid;

/// Insurance companies at most in one list.
const LIST_MAX: u64 = 5000;

fn to_insurer(row: insurer::Model) -> Insurer {
    Insurer { id: row.id.into(), name: row.name, active: row.active }
}

/// In the order of their names.
pub(crate) async fn list(db: &impl ConnectionTrait, with_inactive: bool) -> DbResult<Vec<Insurer>> {
    let mut query = insurer::Entity::find();
    if !with_inactive {
        query = query.filter(insurer::Column::Active.eq(true));
    }
    let rows = query.order_by_asc(insurer::Column::SortKey).order_by_asc(insurer::Column::Id).limit(LIST_MAX).rows(db).await?;
    Ok(rows.into_iter().map(to_insurer).collect())
}

/// How many customers each insurance company has; those without are absent.
pub(crate) async fn count_customers(db: &impl ConnectionTrait) -> DbResult<HashMap<InsuranceId, i64>> {
    let rows = link::Entity::find()
        .select_only()
        .column(link::Column::InsuranceId)
        .column_as(link::Column::CompanyId.count(), "customers")
        .group_by(link::Column::InsuranceId)
        .tuples::<(Uuid, i64)>(db);
    Ok(rows.await?.into_iter().map(|(id, count)| (id.into(), count)).collect())
}

pub(crate) async fn find(db: &impl ConnectionTrait, id: InsuranceId) -> DbResult<Option<Insurer>> {
    Ok(insurer::Entity::find_by_id(id.0).row(db).await?.map(to_insurer))
}

/// Whether another insurance company has this name, ignoring accents and case.
pub(crate) async fn name_is_taken(tx: &Tx, name: &str, but: Option<InsuranceId>) -> DbResult<bool> {
    let mut query = insurer::Entity::find().filter(insurer::Column::SortKey.eq(collate::sort_key(name)));
    if let Some(id) = but {
        query = query.filter(insurer::Column::Id.ne(id.0));
    }
    Ok(query.one(&**tx).await?.is_some())
}

pub(crate) async fn insert(tx: &Tx, new: &Insurer, now: DateTime<Utc>) -> DbResult<()> {
    let row = insurer::ActiveModel {
        id: Set(new.id.0),
        name: Set(new.name.clone()),
        sort_key: Set(collate::sort_key(&new.name)),
        active: Set(new.active),
        created_at: Set(now),
    };
    insurer::Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

pub(crate) async fn update(tx: &Tx, insurer: &Insurer) -> DbResult<()> {
    let row = insurer::ActiveModel {
        id: Set(insurer.id.0),
        name: Set(insurer.name.clone()),
        sort_key: Set(collate::sort_key(&insurer.name)),
        active: Set(insurer.active),
        ..Default::default()
    };
    insurer::Entity::update(row).exec(&**tx).await?;
    Ok(())
}

/// The insurance companies a customer works for.
pub(crate) async fn list_of(db: &impl ConnectionTrait, company: CompanyId) -> DbResult<Vec<InsuranceId>> {
    let rows = link::Entity::find()
        .filter(link::Column::CompanyId.eq(company.0))
        .order_by_asc(link::Column::InsuranceId)
        .limit(LIST_MAX)
        .rows(db);
    Ok(rows.await?.into_iter().map(|row| row.insurance_id.into()).collect())
}

/// How many of these insurance companies exist.
pub(crate) async fn count_known(tx: &Tx, ids: &[InsuranceId]) -> DbResult<usize> {
    let known = insurer::Entity::find()
        .select_only()
        .column(insurer::Column::Id)
        .filter(insurer::Column::Id.is_in(ids.iter().map(|id| id.0)))
        .into_tuple::<Uuid>()
        .all(&**tx);
    Ok(known.await?.len())
}

/// Writes the whole set of a customer.
pub(crate) async fn replace(tx: &Tx, company: CompanyId, ids: &[InsuranceId]) -> DbResult<()> {
    link::Entity::delete_many().filter(link::Column::CompanyId.eq(company.0)).exec(&**tx).await?;
    if ids.is_empty() {
        return Ok(());
    }
    let rows = ids.iter().map(|id| link::ActiveModel { insurance_id: Set(id.0), company_id: Set(company.0) });
    link::Entity::insert_many(rows).exec_without_returning(&**tx).await?;
    Ok(())
}

/// The customers who work for an insurance company, as a condition.
pub(crate) fn customers_of(id: InsuranceId) -> SelectStatement {
    link::Entity::find().select_only().column(link::Column::CompanyId).filter(link::Column::InsuranceId.eq(id.0)).into_query()
}
