//! Queries on the `legal_history` table, and the company's two columns about it.

use super::entity::{ActiveModel, Column, Entity, Model};
use super::{Actor, LegalHistory};
use crate::companies::entity as company;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::CompanyId;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};
use std::collections::HashMap;
use uuid::Uuid;

/// What a company accepted, oldest first.
pub(crate) async fn list(db: &impl ConnectionTrait, company: CompanyId) -> DbResult<Vec<LegalHistory>> {
    let rows = Entity::find()
        .filter(Column::CompanyId.eq(company.0))
        .order_by_asc(Column::AcceptedAt)
        .order_by_asc(Column::Id)
        .all(db)
        .await?;
    Ok(rows.into_iter().map(entry).collect())
}

fn entry(row: Model) -> LegalHistory {
    LegalHistory { legal_id: row.legal_id, price_id: row.price_id, accepted_at: row.accepted_at, expires_at: row.expires_at }
}

/// What each of these companies accepted, oldest first; those without anything are absent.
pub(crate) async fn list_of(db: &impl ConnectionTrait, ids: &[Uuid]) -> DbResult<HashMap<Uuid, Vec<LegalHistory>>> {
    let mut all: HashMap<Uuid, Vec<LegalHistory>> = HashMap::new();
    // In parts, because statements take a limited number of parameters.
    for part in ids.chunks(1000) {
        let rows = Entity::find()
            .filter(Column::CompanyId.is_in(part.iter().copied()))
            .order_by_asc(Column::AcceptedAt)
            .order_by_asc(Column::Id)
            .all(db);
        for row in rows.await? {
            all.entry(row.company_id).or_default().push(entry(row));
        }
    }
    Ok(all)
}

pub(crate) async fn insert(
    tx: &Tx,
    id: Uuid,
    company: CompanyId,
    legal_id: Uuid,
    by: &Actor,
    now: DateTime<Utc>,
) -> DbResult<()> {
    let row = ActiveModel {
        id: Set(id),
        company_id: Set(company.0),
        legal_id: Set(legal_id),
        price_id: Set(None),
        user_id: Set(Some(by.user.0)),
        accepted_at: Set(now),
        expires_at: Set(None),
    };
    Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

pub(crate) async fn set_accepted(tx: &Tx, company: CompanyId, legal_id: Uuid) -> DbResult<()> {
    company::Entity::update_many()
        .col_expr(company::Column::Legal, Expr::value(true))
        .col_expr(company::Column::LegalId, Expr::value(Some(legal_id)))
        .filter(company::Column::Id.eq(company.0))
        .exec(&**tx)
        .await?;
    Ok(())
}
