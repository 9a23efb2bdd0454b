//! Tracks of all conferences within a period.

use super::super::entity::event;
use atalaya_db::DbResult;
use atalaya_kernel::events::TrackType;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, IntoColumnRef, Query, SelectStatement};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};
use serde_json::{Map, Value};
use uuid::Uuid;

/// A track with its plain facts and commitments; without the personal values.
#[derive(Clone, Debug)]
pub struct PlainTrack {
    pub id: Uuid,
    pub conference: Uuid,
    pub at: DateTime<Utc>,
    /// Name of its type on the wire.
    pub track_type: String,
    pub actor: String,
    pub data: Map<String, Value>,
}

/// Whether files of the conference in the outer query, with these columns, arrived after its company last looked at them.
pub fn media_unseen(outer_id: impl IntoColumnRef, seen_at: impl IntoColumnRef) -> SelectStatement {
    let seen = Expr::col(seen_at);
    let unseen = Condition::any().add(seen.clone().is_null()).add(Expr::col((event::Entity, event::Column::At)).gt(seen));
    Query::select()
        .expr(Expr::val(1))
        .from(event::Entity)
        .and_where(Expr::col((event::Entity, event::Column::ConferenceId)).equals(outer_id))
        .and_where(event::Column::EventType.is_in([TrackType::MediaCaptured, TrackType::FileUploaded].map(TrackType::wire)))
        .cond_where(unseen)
        .to_owned()
}

/// Tracks from `from`, before `until`, newest first, and how many there are.
pub async fn list_between(
    db: &impl ConnectionTrait,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    offset: u64,
    limit: u64,
) -> DbResult<(Vec<PlainTrack>, u64)> {
    let query = event::Entity::find().filter(event::Column::At.gte(from)).filter(event::Column::At.lt(until));
    let total = query.clone().count(db).await?;
    let rows = query
        .order_by_desc(event::Column::At)
        .order_by_desc(event::Column::Seq)
        .order_by_asc(event::Column::Id)
        .offset(offset)
        .limit(limit)
        .all(db)
        .await?;
    let plain = |row: event::Model| PlainTrack {
        id: row.id,
        conference: row.conference_id,
        at: row.at,
        track_type: row.event_type,
        actor: row.actor,
        data: serde_json::from_str(&row.data).unwrap_or_default(),
    };
    Ok((rows.into_iter().map(plain).collect(), total))
}
