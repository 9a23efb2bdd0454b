//! Queries of the geocoder's answers.

use super::entity::geocoding;
use super::geocoder::Answer;
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{ConferenceId, Sources};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, Set};

/// The answers about a case, oldest first.
pub async fn list(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<geocoding::Model>> {
    Ok(geocoding::Entity::find()
        .filter(geocoding::Column::ConferenceId.eq(id.0))
        .order_by_asc(geocoding::Column::At)
        .rows(db)
        .await?)
}

/// Keeps an answer; the first one about a question stays.
pub async fn insert(tx: &Tx, sources: &Sources, id: ConferenceId, asked: &str, answer: &Answer) -> DbResult<()> {
    let (latitude, longitude) = answer.position.map(|(lat, lon)| (format!("{lat:.6}"), format!("{lon:.6}"))).unzip();
    let row = geocoding::ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        asked: Set(asked.to_owned()),
        latitude: Set(latitude),
        longitude: Set(longitude),
        address: Set(answer.address.clone()),
        at: Set(sources.now()),
    };
    let once = OnConflict::columns([geocoding::Column::ConferenceId, geocoding::Column::Asked]).do_nothing().to_owned();
    geocoding::Entity::insert(row).on_conflict(once).exec_without_returning(&**tx).await?;
    Ok(())
}
