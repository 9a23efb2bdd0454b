//! Queries of shot lists and ticks.

use super::entity::{conference_shot, shot_list};
use super::model::{Shot, Taken, Tick, TickState};
use crate::media_items::{self, MediaItem, Review};
use atalaya_cases::conferences::ConferenceType;
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{CompanyId, ConferenceId, Sources, UserId};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Set};
use std::collections::HashMap;
use uuid::Uuid;

/// The company's own list of a type, if it has one.
pub async fn list(db: &impl ConnectionTrait, company: CompanyId, conference_type: ConferenceType) -> DbResult<Option<Vec<Shot>>> {
    let row = shot_list::Entity::find()
        .filter(shot_list::Column::CompanyId.eq(company.0))
        .filter(shot_list::Column::ConferenceType.eq(i16::from(conference_type)))
        .row(db)
        .await?;
    Ok(row.and_then(|row| serde_json::from_value(row.shots).ok()))
}

/// Replaces a company's list.
pub async fn put_list(
    tx: &Tx,
    sources: &Sources,
    company: CompanyId,
    conference_type: ConferenceType,
    shots: &[Shot],
    by: UserId,
) -> DbResult<()> {
    delete_list(tx, company, conference_type).await?;
    shot_list::ActiveModel {
        id: Set(sources.uuid()),
        company_id: Set(company.0),
        conference_type: Set(conference_type.into()),
        shots: Set(serde_json::to_value(shots).expect("shots are plain data")),
        updated_by: Set(by.0),
        updated_at: Set(sources.now()),
    }
    .insert(&**tx)
    .await?;
    Ok(())
}

/// Deletes a company's own list.
pub async fn delete_list(tx: &Tx, company: CompanyId, conference_type: ConferenceType) -> DbResult<()> {
    shot_list::Entity::delete_many()
        .filter(shot_list::Column::CompanyId.eq(company.0))
        .filter(shot_list::Column::ConferenceType.eq(i16::from(conference_type)))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// What was ticked by hand, by key.
pub async fn marks(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<HashMap<String, Tick>> {
    let rows = conference_shot::Entity::find().filter(conference_shot::Column::ConferenceId.eq(id.0)).rows(db).await?;
    let state = |text: &str| if text == TickState::Poor.wire() { TickState::Poor } else { TickState::Done };
    let tick = |row: &conference_shot::Model| Tick { state: state(&row.state), media: row.media_id, at: Some(row.at) };
    Ok(rows.iter().map(|row| (row.shot.clone(), tick(row))).collect())
}

/// The latest picture or video of each shot.
pub async fn taken(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<HashMap<String, Taken>> {
    let taken = |item: &MediaItem| Taken { media: item.id, at: item.created_at, rejected: item.review == Some(Review::Rejected) };
    let latest = media_items::latest_of_shots(db, id).await?;
    Ok(latest.into_iter().map(|(key, item)| (key, taken(&item))).collect())
}

/// Ticks a shot by hand.
pub async fn put_mark(
    tx: &Tx,
    sources: &Sources,
    id: ConferenceId,
    key: &str,
    state: TickState,
    media: Option<Uuid>,
    by: UserId,
) -> DbResult<()> {
    delete_mark(tx, id, key).await?;
    conference_shot::ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        shot: Set(key.to_owned()),
        state: Set(state.wire().to_owned()),
        media_id: Set(media),
        user_id: Set(by.0),
        at: Set(sources.now()),
    }
    .insert(&**tx)
    .await?;
    Ok(())
}

pub async fn delete_mark(tx: &Tx, id: ConferenceId, key: &str) -> DbResult<()> {
    conference_shot::Entity::delete_many()
        .filter(conference_shot::Column::ConferenceId.eq(id.0))
        .filter(conference_shot::Column::Shot.eq(key))
        .exec(&**tx)
        .await?;
    Ok(())
}
