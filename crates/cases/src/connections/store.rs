//! Queries of media rooms and stays.

use super::entity::{participation, room};
use super::model::{MediaRoom, Side, Stay};
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{ConferenceId, Sources, UserId};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, OnConflict, SelectStatement};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, Set};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

impl From<room::Model> for MediaRoom {
    fn from(row: room::Model) -> Self {
        Self { sid: row.sid, started_at: row.started_at, ended_at: row.ended_at }
    }
}

impl From<participation::Model> for Stay {
    fn from(row: participation::Model) -> Self {
        Self {
            conference: ConferenceId(row.conference_id),
            identity: row.identity,
            name: row.name,
            kind: Side::parse(&row.kind),
            participant_sid: row.participant_sid,
            joined_at: row.joined_at,
            left_at: row.left_at,
            device: row.device,
            route: row.route,
        }
    }
}

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
    pub kind: Side,
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
        kind: Set(stay.kind.name().to_owned()),
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
pub async fn list_open_stays(db: &impl ConnectionTrait) -> DbResult<Vec<Stay>> {
    let rows = participation::Entity::find().filter(participation::Column::LeftAt.is_null()).rows(db).await?;
    Ok(rows.into_iter().map(Stay::from).collect())
}

/// The media rooms of a conference in order.
pub async fn list_rooms(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<MediaRoom>> {
    let query = room::Entity::find().filter(room::Column::ConferenceId.eq(id.0)).order_by_asc(room::Column::StartedAt);
    Ok(query.rows(db).await?.into_iter().map(MediaRoom::from).collect())
}

/// Conferences asked about at once at most.
const BATCH: usize = 500;

/// The media rooms of these conferences, each in order.
pub async fn rooms_of(db: &impl ConnectionTrait, ids: &[Uuid]) -> DbResult<HashMap<Uuid, Vec<MediaRoom>>> {
    let mut all: HashMap<Uuid, Vec<MediaRoom>> = HashMap::new();
    for batch in ids.chunks(BATCH) {
        let query = room::Entity::find().filter(room::Column::ConferenceId.is_in(batch.iter().copied()));
        for row in query.order_by_asc(room::Column::StartedAt).rows(db).await? {
            all.entry(row.conference_id).or_default().push(row.into());
        }
    }
    Ok(all)
}

/// Who was connected when, in order.
pub async fn list_stays(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<Stay>> {
    let rows = participation::Entity::find()
        .filter(participation::Column::ConferenceId.eq(id.0))
        .order_by_asc(participation::Column::JoinedAt)
        .rows(db)
        .await?;
    Ok(rows.into_iter().map(Stay::from).collect())
}

/// Which of these people are in a call now.
pub async fn in_call(db: &impl ConnectionTrait, users: &[UserId]) -> DbResult<HashSet<UserId>> {
    let mut calling = HashSet::new();
    for part in users.chunks(BATCH) {
        let rows: Vec<(String,)> = participation::Entity::find()
            .select_only()
            .column(participation::Column::Identity)
            .filter(participation::Column::LeftAt.is_null())
            .filter(participation::Column::Identity.is_in(part.iter().map(|user| format!("user:{user}"))))
            .tuples(db)
            .await?;
        calling.extend(rows.iter().filter_map(|(identity,)| identity.strip_prefix("user:")?.parse::<UserId>().ok()));
    }
    Ok(calling)
}

/// What is billed of a stay.
#[derive(FromQueryResult)]
pub struct BilledStay {
    pub conference_id: Uuid,
    kind: String,
    pub identity: String,
    pub joined_at: DateTime<Utc>,
    pub left_at: Option<DateTime<Utc>>,
}

impl BilledStay {
    pub fn is_staff(&self) -> bool {
        Side::parse(&self.kind) == Side::Staff
    }
}

/// The stays in these conferences that began before then.
pub async fn stays_among(
    db: &impl ConnectionTrait,
    conferences: SelectStatement,
    until: DateTime<Utc>,
) -> DbResult<Vec<BilledStay>> {
    use participation::Column as Of;
    Ok(participation::Entity::find()
        .select_only()
        .columns([Of::ConferenceId, Of::Kind, Of::Identity, Of::JoinedAt, Of::LeftAt])
        .filter(Of::ConferenceId.in_subquery(conferences))
        .filter(Of::JoinedAt.lt(until))
        .into_model()
        .all(db)
        .await?)
}

/// By which route the media of clients came who joined on these days, and how often; in these conferences or in all.
pub async fn count_routes(
    db: &impl ConnectionTrait,
    conferences: Option<SelectStatement>,
    (from, until): (DateTime<Utc>, DateTime<Utc>),
) -> DbResult<Vec<(String, i64)>> {
    use participation::Column as Of;
    let mut query = participation::Entity::find()
        .select_only()
        .column(Of::Route)
        .column_as(Of::Id.count(), "stays")
        .filter(Of::Kind.eq(Side::Client.name()))
        .filter(Of::Route.is_not_null())
        .filter(Of::JoinedAt.gte(from))
        .filter(Of::JoinedAt.lt(until))
        .group_by(Of::Route);
    if let Some(conferences) = conferences {
        query = query.filter(Of::ConferenceId.in_subquery(conferences));
    }
    Ok(query.into_tuple().all(db).await?)
}
