//! Queries of measures.

use super::entity::media_measure;
use super::model::MeasuredPlane;
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{ConferenceId, Sources};
use chrono::{DateTime, Utc};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};
use uuid::Uuid;

/// What is measured on a picture, as it is stored.
pub struct Measures {
    pub media: Uuid,
    pub revision: i32,
    pub planes: Vec<MeasuredPlane>,
    pub svg: String,
    pub sha256: String,
    pub by: Uuid,
    pub at: DateTime<Utc>,
}

impl From<media_measure::Model> for Measures {
    fn from(row: media_measure::Model) -> Self {
        Self {
            media: row.media_id,
            revision: row.revision,
            planes: serde_json::from_value(row.planes).unwrap_or_default(),
            svg: row.svg,
            sha256: row.sha256,
            by: row.user_id,
            at: row.at,
        }
    }
}

/// The measures of a conference, oldest first.
pub async fn list(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<Measures>> {
    let query = media_measure::Entity::find().filter(media_measure::Column::ConferenceId.eq(id.0));
    let rows = query.order_by_asc(media_measure::Column::Id).limit(5000).rows(db).await?;
    Ok(rows.into_iter().map(Measures::from).collect())
}

pub async fn find(db: &impl ConnectionTrait, media: Uuid) -> DbResult<Option<Measures>> {
    let row = media_measure::Entity::find().filter(media_measure::Column::MediaId.eq(media)).row(db).await?;
    Ok(row.map(Measures::from))
}

/// Stores what is measured on a picture in place of what was before.
pub async fn put(tx: &Tx, sources: &Sources, id: ConferenceId, measures: &Measures) -> DbResult<()> {
    let all = media_measure::Entity::delete_many();
    all.filter(media_measure::Column::MediaId.eq(measures.media)).exec(&**tx).await?;
    let row = media_measure::ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        media_id: Set(measures.media),
        revision: Set(measures.revision),
        planes: Set(serde_json::to_value(&measures.planes).expect("planes are plain data")),
        svg: Set(measures.svg.clone()),
        sha256: Set(measures.sha256.clone()),
        user_id: Set(measures.by),
        at: Set(measures.at),
    };
    row.insert(&**tx).await?;
    Ok(())
}

/// Deletes what was measured on a conference's pictures, because these are deleted.
pub async fn forget(tx: &Tx, id: ConferenceId) -> DbResult<()> {
    let all = media_measure::Entity::delete_many();
    all.filter(media_measure::Column::ConferenceId.eq(id.0)).exec(&**tx).await?;
    Ok(())
}
