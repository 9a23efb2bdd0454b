//! Deleting the secrets of messages, and noting to whom they were shown.

use crate::entity::{Column, Entity};
use crate::store::Outbox;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{OutboxId, UserId};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, SelectStatement};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

impl Outbox {
    /// Deletes the secrets of these messages, which are used up (MSG-20).
    pub async fn blank(&self, tx: &Tx, spent: SelectStatement) -> DbResult<()> {
        let blanked = Entity::update_many()
            .col_expr(Column::Secret, Expr::value(None::<String>))
            .filter(Column::Secret.is_not_null())
            .filter(Column::Id.in_subquery(spent));
        blanked.exec(&**tx).await?;
        Ok(())
    }

    /// Deletes the secrets of messages from before this moment. Answers how many.
    pub async fn blank_before(&self, tx: &Tx, before: DateTime<Utc>) -> DbResult<u64> {
        let blanked = Entity::update_many()
            .col_expr(Column::Secret, Expr::value(None::<String>))
            .filter(Column::Secret.is_not_null())
            .filter(Column::CreatedAt.lt(before));
        Ok(blanked.exec(&**tx).await?.rows_affected)
    }

    /// Notes to whom the secrets of these messages were shown.
    pub async fn mark_shown(&self, tx: &Tx, ids: &[OutboxId], to: UserId) -> DbResult<()> {
        Entity::update_many()
            .col_expr(Column::ShownTo, Expr::value(to.0))
            .filter(Column::Id.is_in(ids.iter().map(|id| id.0)))
            .exec(&**tx)
            .await?;
        Ok(())
    }
}
