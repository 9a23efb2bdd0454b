//! Which files show a shot, and which conferences have pictures.

use super::super::entity::media_item::{Column, Entity, Model};
use super::super::kinds::MediaType;
use super::super::model::MediaItem;
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::ConferenceId;
use sea_orm::sea_query::{Expr, SelectStatement};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait};
use std::collections::HashMap;
use uuid::Uuid;

/// Only pictures and videos show a shot; a document may answer a request, but ticks nothing (FILES-28).
fn shows() -> Condition {
    let kinds = [MediaType::Picture, MediaType::Video].map(MediaType::wire);
    Condition::all().add(Column::MediaType.is_in(kinds))
}

/// The latest picture or video of each shot, by the shot's key.
pub async fn latest_of_shots(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<HashMap<String, MediaItem>> {
    let rows: Vec<Model> = Entity::find()
        .filter(Column::ConferenceId.eq(id.0))
        .filter(Column::Shot.is_not_null())
        .filter(shows())
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::Id)
        .rows(db)
        .await?;
    Ok(rows.into_iter().filter_map(|row| Some((row.shot.clone()?, row.into()))).collect())
}

/// Marks a picture or video of the conference as this shot; answers whether there is such a file.
pub async fn tag(tx: &Tx, id: ConferenceId, item: Uuid, key: &str) -> DbResult<bool> {
    let done = Entity::update_many()
        .col_expr(Column::Shot, Expr::value(key))
        .filter(Column::ConferenceId.eq(id.0))
        .filter(Column::Id.eq(item))
        .filter(shows())
        .exec(&**tx)
        .await?;
    Ok(done.rows_affected > 0)
}

/// Unmarks all files of the conference that count as this shot.
pub async fn untag(tx: &Tx, id: ConferenceId, key: &str) -> DbResult<()> {
    Entity::update_many()
        .col_expr(Column::Shot, Expr::value(Option::<String>::None))
        .filter(Column::ConferenceId.eq(id.0))
        .filter(Column::Shot.eq(key))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// The ids of the conferences with a picture, for another room's own query; with `at_least` only those with one that is as
/// sharp as that, or that was never measured.
pub fn pictured(at_least: Option<i32>) -> SelectStatement {
    let mut query =
        Entity::find().select_only().column(Column::ConferenceId).filter(Column::MediaType.eq(MediaType::Picture.wire()));
    if let Some(sharp) = at_least {
        query = query.filter(Condition::any().add(Column::Sharpness.gte(sharp)).add(Column::Sharpness.is_null()));
    }
    query.into_query()
}
