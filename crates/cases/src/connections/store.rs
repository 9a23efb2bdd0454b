//! Queries of media rooms and stays.

use super::entity::{participation, room};
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{ConferenceId, Sources};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Set};

/// Records that a media room started; a repeated event changes nothing.
pub async fn insert_room(tx: &Tx, sources: &Sources, id: ConferenceId, sid: &str) -> DbResult<()> {
    let row = room::ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        sid: Set(sid.to_string()),
        started_at: Set(sources.now()),
        ended_at: Set(None),
    };
    let once = OnConflict::columns([room::Column::ConferenceId, room::Column::Sid]).do_nothing().to_owned();
    room::Entity::insert(row).on_conflict(once).exec_without_returning(&**tx).await?;
    Ok(())
}

/// Records that a media room ended.
pub async fn end_room(tx: &Tx, id: ConferenceId, sid: &str, at: DateTime<Utc>) -> DbResult<()> {
    room::Entity::update_many()
        .col_expr(room::Column::EndedAt, Expr::value(at))
        .filter(room::Column::ConferenceId.eq(id.0))
        .filter(room::Column::Sid.eq(sid))
        .filter(room::Column::EndedAt.is_null())
        .exec(&**tx)
        .await?;
    Ok(())
}

/// One stay of a participant.
pub struct NewStay<'a> {
    pub identity: &'a str,
    pub name: &'a str,
    pub kind: &'a str,
    pub participant_sid: &'a str,
    pub device: Option<String>,
}

/// Records that somebody joined; answers false when that stay was known already.
pub async fn insert_stay(tx: &Tx, sources: &Sources, id: ConferenceId, stay: NewStay<'_>) -> DbResult<bool> {
    let row = participation::ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        identity: Set(stay.identity.to_string()),
        name: Set(stay.name.to_string()),
        kind: Set(stay.kind.to_string()),
        participant_sid: Set(stay.participant_sid.to_string()),
        joined_at: Set(sources.now()),
        left_at: Set(None),
        device: Set(stay.device),
        route: Set(None),
    };
    let once =
        OnConflict::columns([participation::Column::ConferenceId, participation::Column::ParticipantSid]).do_nothing().to_owned();
    Ok(participation::Entity::insert(row).on_conflict(once).exec_without_returning(&**tx).await? > 0)
}

/// Records that a stay ended; answers false when it had ended already.
pub async fn end_stay(tx: &Tx, id: ConferenceId, participant_sid: &str, at: DateTime<Utc>) -> DbResult<bool> {
    let done = participation::Entity::update_many()
        .col_expr(participation::Column::LeftAt, Expr::value(at))
        .filter(participation::Column::ConferenceId.eq(id.0))
        .filter(participation::Column::ParticipantSid.eq(participant_sid))
        .filter(participation::Column::LeftAt.is_null())
        .exec(&**tx)
        .await?;
    Ok(done.rows_affected > 0)
}

/// Keeps how the media of a stay come now.
pub async fn set_route(tx: &Tx, id: ConferenceId, participant_sid: &str, route: &str) -> DbResult<()> {
    participation::Entity::update_many()
        .col_expr(participation::Column::Route, Expr::value(route))
        .filter(participation::Column::ConferenceId.eq(id.0))
        .filter(participation::Column::ParticipantSid.eq(participant_sid))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Ends every room and stay of a conference that is being closed.
pub async fn end_all(tx: &Tx, id: ConferenceId, at: DateTime<Utc>) -> DbResult<()> {
    participation::Entity::update_many()
        .col_expr(participation::Column::LeftAt, Expr::value(at))
        .filter(participation::Column::ConferenceId.eq(id.0))
        .filter(participation::Column::LeftAt.is_null())
        .exec(&**tx)
        .await?;
    room::Entity::update_many()
        .col_expr(room::Column::EndedAt, Expr::value(at))
        .filter(room::Column::ConferenceId.eq(id.0))
        .filter(room::Column::EndedAt.is_null())
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Stays that were open when the process ended.
pub async fn list_open_stays(db: &impl ConnectionTrait) -> DbResult<Vec<participation::Model>> {
    Ok(participation::Entity::find().filter(participation::Column::LeftAt.is_null()).rows(db).await?)
}
