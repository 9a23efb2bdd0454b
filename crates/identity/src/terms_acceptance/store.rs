//! Queries on the `legal_history` table.

use super::entity::{ActiveModel, Column, Entity, Model};
use super::service::{Actor, Counted, LegalHistory, Proof};
use atalaya_content::legal::LegalText;
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{CompanyId, UserId};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use std::collections::HashMap;
use uuid::Uuid;

/// What a company accepted, oldest first.
pub(crate) async fn list(db: &impl ConnectionTrait, company: CompanyId) -> DbResult<Vec<LegalHistory>> {
    let rows = Entity::find()
        .filter(Column::CompanyId.eq(company.0))
        .order_by_asc(Column::AcceptedAt)
        .order_by_asc(Column::Id)
        .rows(db)
        .await?;
    Ok(rows.into_iter().map(entry).collect())
}

fn entry(row: Model) -> LegalHistory {
    let user = row.user_id.map(UserId);
    LegalHistory {
        legal_id: row.legal_id,
        price_id: row.price_id,
        accepted_at: row.accepted_at,
        expires_at: row.expires_at,
        proof: Proof { user, address: row.address, user_agent: row.user_agent, sha256: row.sha256 },
    }
}

/// The acceptances of each of these companies, oldest first; companies without any are absent.
pub(crate) async fn list_histories(
    db: &impl ConnectionTrait,
    ids: &[CompanyId],
) -> DbResult<HashMap<CompanyId, Vec<LegalHistory>>> {
    let mut all: HashMap<CompanyId, Vec<LegalHistory>> = HashMap::new();
    // In parts, because statements take a limited number of parameters.
    for part in ids.chunks(1000) {
        let rows = Entity::find()
            .filter(Column::CompanyId.is_in(part.iter().map(|id| id.0)))
            .order_by_asc(Column::AcceptedAt)
            .order_by_asc(Column::Id)
            .rows(db);
        for row in rows.await? {
            all.entry(CompanyId(row.company_id)).or_default().push(entry(row));
        }
    }
    Ok(all)
}

pub(crate) async fn insert(
    tx: &Tx,
    id: Uuid,
    company: CompanyId,
    text: &LegalText,
    price: Uuid,
    by: &Actor,
    now: DateTime<Utc>,
) -> DbResult<()> {
    let origin = by.origin.as_ref();
    let row = ActiveModel {
        id: Set(id),
        company_id: Set(company.0),
        legal_id: Set(text.id),
        price_id: Set(Some(price)),
        user_id: Set(Some(by.user.0)),
        accepted_at: Set(now),
        expires_at: Set(None),
        address: Set(origin.map(|origin| origin.address.to_string())),
        user_agent: Set(origin.and_then(|origin| origin.user_agent.clone())),
        sha256: Set(Some(text.sha256.clone())),
    };
    Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

/// The companies that stand by each text and each price table today, by its id.
pub(crate) async fn count_by(db: &impl ConnectionTrait, of: Counted) -> DbResult<HashMap<Uuid, i64>> {
    let column = match of {
        Counted::Text => Column::LegalId,
        Counted::Price => Column::PriceId,
    };
    let rows: Vec<(Uuid, i64)> = Entity::find()
        .select_only()
        .column(column)
        .column_as(Expr::col(Column::CompanyId).count_distinct(), "companies")
        .filter(Column::ExpiresAt.is_null())
        .filter(column.is_not_null())
        .group_by(column)
        .tuples(db)
        .await?;
    Ok(rows.into_iter().collect())
}

/// What stood until now ends.
pub(crate) async fn expire(tx: &Tx, company: CompanyId, now: DateTime<Utc>) -> DbResult<()> {
    Entity::update_many()
        .col_expr(Column::ExpiresAt, Expr::value(Some(now)))
        .filter(Column::CompanyId.eq(company.0))
        .filter(Column::ExpiresAt.is_null())
        .exec(&**tx)
        .await?;
    Ok(())
}
