//! Queries on the `audit_entry` table.

use super::entity::{ActiveModel, Entity};
use super::model::Entry;
use atalaya_db::{DbResult, Tx};
use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, EntityTrait};
use uuid::Uuid;

pub(crate) async fn insert(tx: &Tx, id: Uuid, entry: Entry, actor_name: String, now: DateTime<Utc>) -> DbResult<()> {
    let row = ActiveModel {
        id: Set(id),
        at: Set(now),
        actor_id: Set(entry.actor.map(|(user, _)| user.0)),
        actor_role: Set(entry.actor.map(|(_, role)| role.into())),
        actor_name: Set(actor_name),
        company_id: Set(entry.company.0),
        user_id: Set(entry.user.map(|user| user.0)),
        action: Set(entry.action.name().to_owned()),
        address: Set(entry.address),
        detail: Set(entry.detail),
    };
    Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}
