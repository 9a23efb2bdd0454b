//! Pictures that a device says it has taken.

use super::super::entity::capture_announcement;
use super::super::entity::media_item::{self, Column};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{ConferenceId, Sources};
use sea_orm::sea_query::{OnConflict, Query};
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Set};

fn announced(id: ConferenceId) -> sea_orm::Select<capture_announcement::Entity> {
    capture_announcement::Entity::find().filter(capture_announcement::Column::ConferenceId.eq(id.0))
}

/// Pictures that devices of a conference have announced.
pub async fn count_announced(tx: &Tx, id: ConferenceId) -> DbResult<u64> {
    Ok(announced(id).count(&**tx).await?)
}

/// Remembers an announcement; a repeated one changes nothing.
pub async fn insert_announced(tx: &Tx, sources: &Sources, id: ConferenceId, capture_id: String, sha256: String) -> DbResult<()> {
    use capture_announcement::Column;
    let row = capture_announcement::ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        capture_id: Set(capture_id),
        sha256: Set(sha256),
        at: Set(sources.now()),
    };
    let once = OnConflict::columns([Column::ConferenceId, Column::CaptureId]).do_nothing().to_owned();
    capture_announcement::Entity::insert(row).on_conflict(once).exec_without_returning(&**tx).await?;
    Ok(())
}

/// Hashes of announced pictures that have not arrived, in the order of their announcement.
pub async fn list_awaited(tx: &Tx, id: ConferenceId) -> DbResult<Vec<String>> {
    let arrived = Query::select().column(Column::Hash).from(media_item::Entity).and_where(Column::ConferenceId.eq(id.0)).take();
    let query = announced(id)
        .select_only()
        .column(capture_announcement::Column::Sha256)
        .filter(capture_announcement::Column::Sha256.not_in_subquery(arrived))
        .order_by_asc(capture_announcement::Column::At)
        .order_by_asc(capture_announcement::Column::Id);
    Ok(query.into_tuple().all(&**tx).await?)
}

pub async fn is_announced(tx: &Tx, id: ConferenceId, sha256: &str) -> DbResult<bool> {
    Ok(announced(id).filter(capture_announcement::Column::Sha256.eq(sha256)).count(&**tx).await? > 0)
}
