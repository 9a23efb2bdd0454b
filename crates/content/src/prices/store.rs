//! Queries on the `price` table.

use super::entity::{ActiveModel, Column, Entity, Model};
use super::model::Price;
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::CompanyId;
use atalaya_tariff::{Cents, Discount, PriceTable};
use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

/// Maximum number of ids in one query.
const BATCH: usize = 500;

/// The newest table in force for a company, or for everybody.
pub(crate) async fn find_in_force(
    db: &impl ConnectionTrait,
    company: Option<CompanyId>,
    at: DateTime<Utc>,
) -> DbResult<Option<Price>> {
    let whose = match company {
        Some(company) => Column::CompanyId.eq(company.0),
        None => Column::CompanyId.is_null(),
    };
    let found = Entity::find()
        .filter(whose)
        .filter(Column::ValidFrom.lte(at))
        .order_by_desc(Column::ValidFrom)
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .row(db);
    Ok(found.await?.and_then(to_price))
}

pub(crate) async fn find(db: &impl ConnectionTrait, id: Uuid) -> DbResult<Option<Price>> {
    Ok(Entity::find_by_id(id).row(db).await?.and_then(to_price))
}

pub(crate) async fn find_many(db: &impl ConnectionTrait, ids: &[Uuid]) -> DbResult<Vec<Price>> {
    let mut all = Vec::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let rows = Entity::find().filter(Column::Id.is_in(batch.iter().copied())).rows(db).await?;
        all.extend(rows.into_iter().filter_map(to_price));
    }
    Ok(all)
}

/// Every table, the newest first; at most `limit`.
pub(crate) async fn list(db: &impl ConnectionTrait, limit: u64) -> DbResult<Vec<(Price, Option<Uuid>)>> {
    let query = Entity::find().order_by_desc(Column::ValidFrom).order_by_desc(Column::CreatedAt).order_by_desc(Column::Id);
    let rows = query.limit(limit).rows(db).await?;
    let of = |row: Model| {
        let by = row.created_by;
        to_price(row).map(|price| (price, by))
    };
    Ok(rows.into_iter().filter_map(of).collect())
}

/// `None` when the tiers cannot be parsed, because somebody edited them by hand.
fn to_price(row: Model) -> Option<Price> {
    let discounts: Vec<Discount> = serde_json::from_value(row.discounts).ok()?;
    Some(Price {
        id: row.id,
        table: PriceTable {
            connection: Cents(row.connection),
            other_connections: Cents(row.other_connections),
            minute_limit: row.minute_limit,
            exceeded_minute: Cents(row.exceeded_minute),
            guest_minute: Cents(row.guest_minute),
            min_payment: Cents(row.min_payment),
            discounts,
        },
        company: row.company_id.map(CompanyId),
        valid_from: row.valid_from,
        created_at: row.created_at,
    })
}

pub(crate) async fn insert(tx: &Tx, price: &Price, by: Option<Uuid>) -> DbResult<()> {
    let table = &price.table;
    let row = ActiveModel {
        id: Set(price.id),
        connection: Set(table.connection.0),
        other_connections: Set(table.other_connections.0),
        minute_limit: Set(table.minute_limit),
        exceeded_minute: Set(table.exceeded_minute.0),
        guest_minute: Set(table.guest_minute.0),
        min_payment: Set(table.min_payment.0),
        discounts: Set(serde_json::json!(table.discounts)),
        company_id: Set(price.company.map(|company| company.0)),
        created_by: Set(by),
        valid_from: Set(price.valid_from),
        created_at: Set(price.created_at),
    };
    Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}
