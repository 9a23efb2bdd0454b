//! Steps that repeat (EVID-32): after a few they are counted beside the chain, and the next event of their kind, or the
//! closing, takes the count into it. Whoever holds a link can report as often as they like; the chain stays readable.

use super::super::entity::{event, repeat};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ConferenceId, Sources};
use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, Set};
use serde_json::{Map, Value, json};

/// Events of one kind that are written without a pause between them.
const AT_ONCE: u64 = 30;
/// After those, one is written in this time …
const PAUSE: TimeDelta = TimeDelta::hours(1);
/// … up to so many.
const AT_MOST: u64 = 100;

/// The kinds that a client's page reports by itself.
fn repeats(kind: TrackType) -> bool {
    use TrackType::{GeoFix, LegalShown, LinkOpened, PermissionDenied, PermissionGranted};
    matches!(kind, LinkOpened | LegalShown | PermissionGranted | PermissionDenied | GeoFix)
}

/// Whether the chain has enough events of this kind for now.
pub async fn is_enough(tx: &Tx, id: ConferenceId, kind: TrackType, now: DateTime<Utc>) -> DbResult<bool> {
    if !repeats(kind) {
        return Ok(false);
    }
    let of_kind =
        || event::Entity::find().filter(event::Column::ConferenceId.eq(id.0)).filter(event::Column::EventType.eq(kind.wire()));
    let written = of_kind().count(&**tx).await?;
    if written < AT_ONCE {
        return Ok(false);
    }
    let last = of_kind().order_by_desc(event::Column::Seq).one(&**tx).await?;
    Ok(written >= AT_MOST || last.is_some_and(|last| now < last.at + PAUSE))
}

/// Counts a step instead of writing it.
pub async fn count(tx: &Tx, sources: &Sources, id: ConferenceId, kind: TrackType) -> DbResult<()> {
    let first = repeat::ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        event_type: Set(kind.wire().to_owned()),
        count: Set(1),
    };
    let more = Expr::col((repeat::Entity, repeat::Column::Count)).add(1);
    let again = OnConflict::columns([repeat::Column::ConferenceId, repeat::Column::EventType])
        .value(repeat::Column::Count, more)
        .to_owned();
    repeat::Entity::insert(first).on_conflict(again).exec_without_returning(&**tx).await?;
    Ok(())
}

/// What an event of this kind says about steps that were counted, which are forgotten beside the chain then.
pub(super) async fn take(tx: &Tx, id: ConferenceId, kind: TrackType) -> DbResult<Map<String, Value>> {
    let closes = kind == TrackType::ConferenceClosed;
    let mut said = Map::new();
    if !closes && !repeats(kind) {
        return Ok(said);
    }
    let mut of = repeat::Entity::find().filter(repeat::Column::ConferenceId.eq(id.0));
    if !closes {
        of = of.filter(repeat::Column::EventType.eq(kind.wire()));
    }
    let rows = of.all(&**tx).await?;
    for row in &rows {
        repeat::Entity::delete_by_id(row.id).exec(&**tx).await?;
    }
    if closes && !rows.is_empty() {
        let counts: Map<String, Value> = rows.into_iter().map(|row| (row.event_type, json!(row.count))).collect();
        said.insert("repeated".into(), Value::Object(counts));
    } else if let Some(row) = rows.first() {
        said.insert("repeats".into(), json!(row.count));
    }
    Ok(said)
}
