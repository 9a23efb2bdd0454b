//! Queries on the `message_receipt` table.

use super::entity::{ActiveModel, Column, Entity, Model};
use super::{Delivery, DeliveryReport, RECEIPT};
use crate::entity as outbox;
use crate::store::Outbox;
use atalaya_db::{Db, DbResult, Engine, Tx};
use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::sea_query::{Expr, LockBehavior, LockType, OnConflict, Query};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

/// A receipt of an unknown message is deleted after this time.
const PATIENCE: TimeDelta = TimeDelta::hours(1);

impl Outbox {
    /// Stores receipts for the dispatcher; wake it after the commit. Receipts stored already change nothing.
    pub async fn take_receipts(&self, tx: &Tx, provider: &str, reports: Vec<DeliveryReport>) -> DbResult<()> {
        tx.changed("outbox", RECEIPT);
        for report in reports {
            let provider_id = report.provider_id.unwrap_or_default();
            let state = report.outcome.state().name();
            let message = report.message.map(|id| id.0);
            let named = message.map(|id| id.to_string()).unwrap_or_default();
            let row = ActiveModel {
                id: Set(self.sources().uuid()),
                provider: Set(provider.to_owned()),
                dedup: Set(format!("{provider}|{provider_id}|{named}|{state}")),
                provider_id: Set(provider_id),
                message_id: Set(message),
                state: Set(state.to_owned()),
                reason: Set(match report.outcome {
                    Delivery::Failed(reason) => Some(reason),
                    Delivery::Sent | Delivery::Delivered => None,
                }),
                received_at: Set(self.sources().now()),
            };
            let same = OnConflict::column(Column::Dedup).do_nothing().to_owned();
            Entity::insert(row).on_conflict(same).exec_without_returning(&**tx).await?;
        }
        Ok(())
    }
}

/// A receipt and the message it is about.
pub(crate) struct Pending {
    pub receipt: Model,
    pub message: Uuid,
}

/// Whether any receipt is stored.
pub(crate) async fn any(on: &impl ConnectionTrait) -> DbResult<bool> {
    Ok(Entity::find().select_only().column(Column::Id).into_tuple::<Uuid>().one(on).await?.is_some())
}

/// Removes and returns the oldest receipt whose message is known.
pub(crate) async fn take(tx: &Tx) -> DbResult<Option<Pending>> {
    let by_id = Expr::col((outbox::Entity, outbox::Column::Id)).equals((Entity, Column::MessageId));
    let by_name = Expr::col((outbox::Entity, outbox::Column::ProviderId))
        .equals((Entity, Column::ProviderId))
        .and(Expr::col((outbox::Entity, outbox::Column::Provider)).equals((Entity, Column::Provider)));
    let its = Query::select()
        .column((outbox::Entity, outbox::Column::Id))
        .from(outbox::Entity)
        .cond_where(Condition::any().add(by_id).add(by_name))
        .limit(1)
        .to_owned();
    let mut query =
        Entity::find().filter(Expr::exists(its.clone())).order_by_asc(Column::ReceivedAt).order_by_asc(Column::Id).limit(1);
    if tx.engine() == Engine::Postgres {
        query = query.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
    }
    let Some(receipt) = query.one(&**tx).await? else { return Ok(None) };
    let mut found = outbox::Entity::find().select_only().column(outbox::Column::Id);
    found = match receipt.message_id {
        Some(id) => found.filter(outbox::Column::Id.eq(id)),
        None => found
            .filter(outbox::Column::ProviderId.eq(&receipt.provider_id))
            .filter(outbox::Column::Provider.eq(&receipt.provider)),
    };
    let message: Option<Uuid> = found.into_tuple().one(&**tx).await?;
    Entity::delete_by_id(receipt.id).exec(&**tx).await?;
    Ok(message.map(|message| Pending { receipt, message }))
}

/// Deletes receipts of messages that are not ours.
pub(crate) async fn sweep(db: &Db, now: DateTime<Utc>) -> DbResult<()> {
    let old = || Column::ReceivedAt.lt(now - PATIENCE);
    let found: Option<Uuid> = Entity::find().select_only().column(Column::Id).filter(old()).into_tuple().one(db.read()).await?;
    if found.is_some() {
        let tx = db.write().await?;
        Entity::delete_many().filter(old()).exec(&*tx).await?;
        tx.commit().await?;
    }
    Ok(())
}
