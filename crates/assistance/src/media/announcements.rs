//! Pictures that a device announces by their hash when it takes them (STORE-24).
//!
//! A picture belongs to the call when its hash was known before the end: the closing event names the hashes of those still
//! under way, and its seal covers them. Anything else that arrives later was perhaps made later, and says so.

use super::service::MediaError;
use crate::Assistance;
use crate::media_items::{self, Origin};
use atalaya_cases::conferences::{self, ConferenceError};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::ConferenceId;

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
    if media_items::count_announced(&tx, id).await? >= ANNOUNCED_MAX {
        return Err(ConferenceError::TooManyTries { retry_after_s: 3600 });
    }
    media_items::insert_announced(&tx, &deps.sources, id, announced.capture_id, announced.sha256).await?;
    Ok(tx.commit().await?)
}

/// Hashes of announced pictures that have not arrived, in the order of their announcement.
pub async fn awaited(tx: &Tx, id: ConferenceId) -> DbResult<Vec<String>> {
    media_items::list_awaited(tx, id).await
}

/// Where a picture of the call belongs that arrives now.
pub(super) async fn origin_now(tx: &Tx, id: ConferenceId, closed: bool, sha256: &str) -> DbResult<Origin> {
    if !closed {
        return Ok(Origin::Call);
    }
    Ok(if media_items::is_announced(tx, id, sha256).await? { Origin::Call } else { Origin::Late })
}

/// Errors: `CONFERENCE_CLOSED` when enough has arrived late.
pub(super) async fn require_place(deps: &Assistance, id: ConferenceId) -> Result<(), MediaError> {
    match media_items::count_of_origin(deps.db.read(), id, Origin::Late).await? < LATE_MAX {
        true => Ok(()),
        false => Err(ConferenceError::Closed.into()),
    }
}
