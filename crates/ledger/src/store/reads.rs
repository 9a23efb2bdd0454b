//! Which reads are in the log already.

use crate::entity::read::{ActiveModel, Column, Entity};
use atalaya_db::{Db, DbResult, Tx};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

/// A reader, what he read of what, and in which hour since 1970.
pub struct Seen<'a> {
    pub actor: Uuid,
    pub what: &'static str,
    pub object: &'a str,
    pub hour: i64,
}

pub async fn is_known(db: &Db, seen: &Seen<'_>) -> DbResult<bool> {
    let key = (seen.actor, seen.what.to_owned(), seen.object.to_owned(), seen.hour);
    Ok(Entity::find_by_id(key).one(db.read()).await?.is_some())
}

/// Answers whether it is new; of two at once one is.
pub async fn insert(tx: &Tx, seen: &Seen<'_>) -> DbResult<bool> {
    let row = ActiveModel {
        actor_id: Set(seen.actor),
        what: Set(seen.what.to_owned()),
        object: Set(seen.object.to_owned()),
        hour: Set(seen.hour),
    };
    let key = [Column::ActorId, Column::What, Column::Object, Column::Hour];
    let query = Entity::insert(row).on_conflict(OnConflict::columns(key).do_nothing().to_owned());
    Ok(query.exec_without_returning(&**tx).await? == 1)
}

/// Forgets the hours before this one.
pub async fn forget(tx: &Tx, hour: i64) -> DbResult<u64> {
    Ok(Entity::delete_many().filter(Column::Hour.lt(hour)).exec(&**tx).await?.rows_affected)
}
