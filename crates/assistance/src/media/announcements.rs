//! Pictures that a device announces by their hash when it takes them (STORE-24).
//!
//! A picture belongs to the call when its hash was known before the end: the closing event names the hashes of those still
//! under way, and its seal covers them. Anything else that arrives later was perhaps made later, and says so.

use super::entity::{capture_announcement, media_item};
use super::service::{MediaError, Origin};
use crate::Assistance;
use atalaya_cases::conferences::{self, ConferenceError};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{ConferenceId, Sources};
use sea_orm::sea_query::{OnConflict, Query};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Set};

/// Pictures of one conference that can be announced.
const ANNOUNCED_MAX: u64 = 500;
/// Pictures that may arrive late without having been announced, for instance because the phone had no network.
const LATE_MAX: u64 = 20;

/// What a device says about a picture that it has just taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Announcement {
    pub capture_id: String,
    /// Lower-case hex.
    pub sha256: String,
}

/// Remembers an announcement; a repeated one changes nothing.
///
/// Errors: `CONFERENCE_CLOSED`, `TOO_MANY_TRIES`.
pub async fn announce(deps: &Assistance, id: ConferenceId, announced: Announcement) -> Result<(), ConferenceError> {
    let tx = deps.db.write().await?;
    if conferences::lock_living(&tx, id).await?.closed {
        return Err(ConferenceError::Closed);
    }
    if of(id).count(&*tx).await.map_err(atalaya_db::DbError::from)? >= ANNOUNCED_MAX {
        return Err(ConferenceError::TooManyTries { retry_after_s: 3600 });
    }
    insert(&tx, &deps.sources, id, announced).await?;
    Ok(tx.commit().await?)
}

async fn insert(tx: &Tx, sources: &Sources, id: ConferenceId, announced: Announcement) -> DbResult<()> {
    let row = capture_announcement::ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        capture_id: Set(announced.capture_id),
        sha256: Set(announced.sha256),
        at: Set(sources.now()),
    };
    use capture_announcement::Column;
    let once = OnConflict::columns([Column::ConferenceId, Column::CaptureId]).do_nothing().to_owned();
    capture_announcement::Entity::insert(row).on_conflict(once).exec_without_returning(&**tx).await?;
    Ok(())
}

fn of(id: ConferenceId) -> sea_orm::Select<capture_announcement::Entity> {
    capture_announcement::Entity::find().filter(capture_announcement::Column::ConferenceId.eq(id.0))
}

/// Hashes of announced pictures that have not arrived, in the order of their announcement.
pub async fn awaited(tx: &Tx, id: ConferenceId) -> DbResult<Vec<String>> {
    let arrived = Query::select()
        .column(media_item::Column::Hash)
        .from(media_item::Entity)
        .and_where(media_item::Column::ConferenceId.eq(id.0))
        .take();
    let query = of(id)
        .select_only()
        .column(capture_announcement::Column::Sha256)
        .filter(capture_announcement::Column::Sha256.not_in_subquery(arrived))
        .order_by_asc(capture_announcement::Column::At)
        .order_by_asc(capture_announcement::Column::Id);
    Ok(query.into_tuple().all(&**tx).await?)
}

/// Where a picture of the call belongs that arrives now.
pub(super) async fn origin_now(tx: &Tx, id: ConferenceId, closed: bool, sha256: &str) -> DbResult<Origin> {
    if !closed {
        return Ok(Origin::Call);
    }
    let announced = of(id).filter(capture_announcement::Column::Sha256.eq(sha256)).count(&**tx).await?;
    Ok(if announced > 0 { Origin::Call } else { Origin::Late })
}

/// Errors: `CONFERENCE_CLOSED` when enough has arrived late.
pub(super) async fn require_place(db: &impl ConnectionTrait, id: ConferenceId) -> Result<(), MediaError> {
    let late = media_item::Entity::find()
        .filter(media_item::Column::ConferenceId.eq(id.0))
        .filter(media_item::Column::Origin.eq(Origin::Late.wire()))
        .count(db);
    match late.await.map_err(atalaya_db::DbError::from)? < LATE_MAX {
        true => Ok(()),
        false => Err(ConferenceError::Closed.into()),
    }
}
