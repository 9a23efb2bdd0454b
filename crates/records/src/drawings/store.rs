//! Queries of frozen pictures and drawings.

use super::entity::{frozen_picture, media_drawing};
use super::model::DrawnMark;
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{ConferenceId, MediaId, Sources, UserId};
use chrono::{DateTime, Utc};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};
use uuid::Uuid;

/// The picture a call is frozen at.
pub struct Frozen {
    pub media: Uuid,
    pub by: Uuid,
    pub at: DateTime<Utc>,
}

/// The marks of a picture as they are stored.
pub struct Drawing {
    pub media: Uuid,
    pub revision: i32,
    pub marks: Vec<DrawnMark>,
    pub svg: String,
    pub sha256: String,
    pub by: Uuid,
    pub at: DateTime<Utc>,
}

impl From<media_drawing::Model> for Drawing {
    fn from(row: media_drawing::Model) -> Self {
        Self {
            media: row.media_id,
            revision: row.revision,
            marks: serde_json::from_value(row.marks).unwrap_or_default(),
            svg: row.svg,
            sha256: row.sha256,
            by: row.user_id,
            at: row.at,
        }
    }
}

pub async fn frozen(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Option<Frozen>> {
    let row = frozen_picture::Entity::find().filter(frozen_picture::Column::ConferenceId.eq(id.0)).row(db).await?;
    Ok(row.map(|row| Frozen { media: row.media_id, by: row.user_id, at: row.at }))
}

pub async fn freeze(tx: &Tx, sources: &Sources, id: ConferenceId, media: MediaId, by: UserId) -> DbResult<()> {
    unfreeze(tx, id).await?;
    let row = frozen_picture::ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        media_id: Set(media.0),
        user_id: Set(by.0),
        at: Set(sources.now()),
    };
    row.insert(&**tx).await?;
    Ok(())
}

pub async fn unfreeze(tx: &Tx, id: ConferenceId) -> DbResult<()> {
    let all = frozen_picture::Entity::delete_many();
    all.filter(frozen_picture::Column::ConferenceId.eq(id.0)).exec(&**tx).await?;
    Ok(())
}

/// The drawings of a conference, oldest first.
pub async fn list(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<Drawing>> {
    let query = media_drawing::Entity::find().filter(media_drawing::Column::ConferenceId.eq(id.0));
    let rows = query.order_by_asc(media_drawing::Column::Id).limit(5000).rows(db).await?;
    Ok(rows.into_iter().map(Drawing::from).collect())
}

pub async fn find(db: &impl ConnectionTrait, media: Uuid) -> DbResult<Option<Drawing>> {
    let row = media_drawing::Entity::find().filter(media_drawing::Column::MediaId.eq(media)).row(db).await?;
    Ok(row.map(Drawing::from))
}

/// Stores a drawing in place of the one before.
pub async fn put(tx: &Tx, sources: &Sources, id: ConferenceId, drawing: &Drawing) -> DbResult<()> {
    let all = media_drawing::Entity::delete_many();
    all.filter(media_drawing::Column::MediaId.eq(drawing.media)).exec(&**tx).await?;
    let row = media_drawing::ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        media_id: Set(drawing.media),
        revision: Set(drawing.revision),
        marks: Set(serde_json::to_value(&drawing.marks).expect("marks are plain data")),
        svg: Set(drawing.svg.clone()),
        sha256: Set(drawing.sha256.clone()),
        user_id: Set(drawing.by),
        at: Set(drawing.at),
    };
    row.insert(&**tx).await?;
    Ok(())
}

/// Deletes what was drawn on a conference's pictures, because these are deleted.
pub async fn forget(tx: &Tx, id: ConferenceId) -> DbResult<()> {
    unfreeze(tx, id).await?;
    let all = media_drawing::Entity::delete_many();
    all.filter(media_drawing::Column::ConferenceId.eq(id.0)).exec(&**tx).await?;
    Ok(())
}
